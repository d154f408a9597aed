"""The switches: points on which the rules are silent or can be read in two ways."""

from __future__ import annotations

from burgrave.model.rule import Switch

START_SPACE_PATHS_BIND = Switch(
    name="start_space_paths_bind",
    values=("from_start", "off", "both"),
    why="the rulebook can bind the tile, nobody, or tile and start space alike",
)
START_SPACE_UNKNOWN = Switch(
    name="start_space_unknown",
    values=("bare", "forbid"),
    why="a picture may be unknown; bare: it allows a tile, but shows, binds and counts nothing",
)
START_SPACE_IN_KEEP = Switch(
    name="start_space_in_keep",
    values=("on", "off"),
    why="a start space counts 'as though a tile' for points; the rules do not mention the keep",
)
ENCLOSED_HOLE_BLOCKS = Switch(
    name="enclosed_hole_blocks",
    values=("off", "on"),
    why="'(and the tower contains no empty spaces)' may repeat that no side is open, or may"
    " forbid an empty cell walled in behind courts; the clause before it names only what"
    " surrounds the segments",
)
RETURN_ON_TIE = Switch(
    name="return_on_tie",
    values=("on", "off"),
    why="the rules do not say whether tied followers of a completed feature go home",
)
WALL_TAKE_MOMENT = Switch(
    name="wall_take_moment",
    values=("each_feature", "end_of_turn"),
    why="the rules do not say whether a marker takes a tile after each feature or where it rests",
)
WALL_OWN_TURN_ONLY = Switch(
    name="wall_own_turn_only",
    values=("on", "off"),
    why="'on his turn' may be read loosely for tiles 2 and 3",
)
WALL_DOUBLE_DECLARE = Switch(
    name="wall_double_declare",
    values=("at_scoring", "before_draw"),
    why="the rules do not say when tiles 2 and 3 are declared",
)
WALL_1_DECLARE = Switch(
    name="wall_1_declare",
    values=("end_of_turn", "before_draw"),
    why="the rules do not say when tile 1 is declared",
)
WALL_1_CHAIN = Switch(
    name="wall_1_chain",
    values=("on", "off"),
    why="'one or more wall tiles' may allow several extra turns in a row",
)
EXTRA_TURN_IS_NEXT_TURN = Switch(
    name="extra_turn_is_next_turn",
    values=("on", "off"),
    why="tiles taken and followers returned may be usable in the extra turn",
)
DOUBLE_ONCE = Switch(
    name="double_once",
    values=("on", "off"),
    why="only the rules of The Falcon say that a feature is doubled at most once",
)
END_TILE_ONCE_PER_FEATURE = Switch(
    name="end_tile_once_per_feature",
    values=("on", "off"),
    why="the rules do not mention two wall tiles of one number for one feature in final scoring",
)
KEEP_BONUS_STACKS = Switch(
    name="keep_bonus_stacks",
    values=("on", "off"),
    why="the rules do not mention two wall tiles 8 of one player",
)
KEEP_BONUS_NEEDS_KEEP = Switch(
    name="keep_bonus_needs_keep",
    values=("on", "off"),
    why="the rules do not mention tile 8 without a scored house",
)
LAST_TURN_WALL_TILES = Switch(
    name="last_turn_wall_tiles",
    values=("on", "off"),
    why="the rules do not mention tiles 4 to 9 taken in the last turn",
)
WALL_TILES_OPTIONAL = Switch(
    name="wall_tiles_optional",
    values=("on", "off"),
    why="'may': a player is free not to play a wall tile",
)
EMPTY_AREA_ADJACENCY = Switch(
    name="empty_area_adjacency",
    values=("orthogonal", "diagonal"),
    why="the rules do not mention empty cells that touch at a corner only",
)

CASTLE_SWITCHES = (
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
    START_SPACE_IN_KEEP,
    ENCLOSED_HOLE_BLOCKS,
    RETURN_ON_TIE,
    WALL_TAKE_MOMENT,
    WALL_OWN_TURN_ONLY,
    WALL_DOUBLE_DECLARE,
    WALL_1_DECLARE,
    WALL_1_CHAIN,
    EXTRA_TURN_IS_NEXT_TURN,
    DOUBLE_ONCE,
    END_TILE_ONCE_PER_FEATURE,
    KEEP_BONUS_STACKS,
    KEEP_BONUS_NEEDS_KEEP,
    LAST_TURN_WALL_TILES,
    WALL_TILES_OPTIONAL,
    EMPTY_AREA_ADJACENCY,
)
"""The switches of The Castle, in the order of the documentation."""

GATE_START_SPACES = Switch(
    name="gate_start_spaces",
    values=(
        "27/28+91/92",
        "none",
        "27/28+47/48",
        "27/28+69/70",
        "47/48+69/70",
        "47/48+91/92",
        "69/70+91/92",
    ),
    why="the wiki alone says that two gates are start spaces, but not which; the default is a"
    " guess: the two widest gaps between start spaces",
)
GATE_WIDTH = Switch(
    name="gate_width",
    values=("1", "2"),
    why="no text says how wide a gate is; opposite gates are equally wide, and 1 tile is the"
    " smallest whole width: 97 cells, against 120 with 2",
)
CHAPEL_IS_BUILDING = Switch(
    name="chapel_is_building",
    values=("on", "off"),
    why="no text says whether chapels meet other kinds freely as towers and houses do; off: a"
    " chapel must be continued by a chapel, as a path by a path",
)
CHAPEL_COMPLETION = Switch(
    name="chapel_completion",
    values=("like_tower", "like_cloister"),
    why="no text says when a chapel is complete: like a tower, when no side is open, or like"
    " a cloister of Carcassonne, when all cells around its tiles are filled too",
)
AERIE_SCOPE = Switch(
    name="aerie_scope",
    values=("any_scoring", "completed"),
    why="English: 'when a feature is scored', which includes courts and wall tiles 4 to 6;"
    " German: 'a completed area', although king and falconer act on any; the default is"
    " English",
)
AERIE_SHARED = Switch(
    name="aerie_shared",
    values=("each", "first"),
    why="an aerie beside two features may bring a token for each, or for the first one scored",
)
AERIE_SUPPLY = Switch(
    name="aerie_supply",
    values=("difference", "capped"),
    why="'only the difference counts'; the rules do not mention a lead of more than the 12 tokens",
)
AERIE_END_ORDER = Switch(
    name="aerie_end_order",
    values=("last", "first"),
    why="the rules do not say whether tokens won in final scoring count for the area",
)
KING_BARS_DOUBLING = Switch(
    name="king_bars_doubling",
    values=("own", "any"),
    why="English: no wall tile 2 or 3 'when scoring with the king'; German: in any scoring"
    " with a king",
)
KING_DOUBLES_COURTS = Switch(
    name="king_doubles_courts",
    values=("on", "off"),
    why="the rules do not mention a king on a court",
)
KING_WITH_TILE_7 = Switch(
    name="king_with_tile_7",
    values=("on", "off"),
    why="the rules do not mention wall tile 7 on a court with a king; off: the king does not"
    " double it then",
)
FOUNTAIN_IS_DOUBLING = Switch(
    name="fountain_is_doubling",
    values=("off", "on"),
    why="a fountain is read as a rate of 2 points a tile; on: it doubles, and so the king does not",
)
FALCONER_NEEDS_AERIE = Switch(
    name="falconer_needs_aerie",
    values=("off", "on"),
    why="'one additional token' may be additional to at least one",
)
FALCONER_ON_COURTS = Switch(
    name="falconer_on_courts",
    values=("on", "off"),
    why="the rules do not mention a falconer on a court",
)
SPECIAL_COUNTS = Switch(
    name="special_counts",
    values=("one", "two"),
    why="they are placed 'instead of a normal follower'; no text says that a king or falconer"
    " counts as one follower in a majority",
)
KING_DOUBLES_KEEP = Switch(
    name="king_doubles_keep",
    values=("off", "on"),
    why="the king doubles 'points'; no text says whether his house counts doubled for the keep",
)
SPECIAL_ON_WALL_SCORED = Switch(
    name="special_on_wall_scored",
    values=("on", "off"),
    why="the rules do not mention king and falconer on a feature scored by wall tile 4, 5 or 6",
)
SPECIAL_LAST_TURN = Switch(
    name="special_last_turn",
    values=("on", "off"),
    why="final scoring may be part of the last turn, in which king and falconer may not stand"
    " on a feature that scores",
)
GATE_STOP = Switch(
    name="gate_stop",
    values=("off", "on"),
    why="a variant of the rules: a marker stops at a gate, and the rest of the points is lost",
)
GATE_STOP_PLACE = Switch(
    name="gate_stop_place",
    values=("on_gate", "space_before"),
    why="the rules do not say where a marker stands that stops at a gate, nor whether it"
    " takes the tile there",
)

FALCON_SWITCHES = (
    GATE_START_SPACES,
    GATE_WIDTH,
    CHAPEL_IS_BUILDING,
    CHAPEL_COMPLETION,
    AERIE_SCOPE,
    AERIE_SHARED,
    AERIE_SUPPLY,
    AERIE_END_ORDER,
    KING_BARS_DOUBLING,
    KING_DOUBLES_COURTS,
    KING_WITH_TILE_7,
    FOUNTAIN_IS_DOUBLING,
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    SPECIAL_COUNTS,
    KING_DOUBLES_KEEP,
    SPECIAL_ON_WALL_SCORED,
    SPECIAL_LAST_TURN,
    GATE_STOP,
    GATE_STOP_PLACE,
)
"""The further switches of The Falcon, in the order of the documentation."""
SMALL_CITY = Switch(
    name="small_city",
    values=("4", "2"),
    why="the first rules score a completed city of two tiles at 1 a tile, the later ones at 2",
)
FARMS = Switch(
    name="farms",
    values=("field3", "field3_once", "city4"),
    why="three published ways of scoring farms, by publisher and year",
)
FIELD3_ONCE_SCOPE = Switch(
    name="field3_once_scope",
    values=("player", "city"),
    why="by the second way of scoring farms a city may pay once for each player, or once",
)
TIE = Switch(
    name="tie",
    values=("all_full", "none"),
    why="in Carcassonne all tied players score in full, in The Castle no player does",
)
COUNT_BY = Switch(
    name="count_by",
    values=("tile", "segment"),
    why="a tile that meets a feature twice counts once by all sources, though not by all players",
)
FARMERS = Switch(
    name="farmers",
    values=("on", "off"),
    why="for a first game the rules let beginners leave out the farmers",
)

CARCASSONNE_SWITCHES = (
    SMALL_CITY,
    FARMS,
    FIELD3_ONCE_SCOPE,
    TIE,
    COUNT_BY,
    FARMERS,
)
"""The switches of Carcassonne, in the order of the documentation."""

GUARD_CAPTURABLE = Switch(
    name="guard_capturable",
    values=("off", "on"),
    why="the English rules say that a follower on a tower cannot be captured; all others say"
    " that he can",
)
TOWER_REOPENS = Switch(
    name="tower_reopens",
    values=("on", "off"),
    why="the rules say little about a tower whose follower was captured: open again, or"
    " complete for good",
)
CAPTURE_OWN = Switch(
    name="capture_own",
    values=("off", "on"),
    why="the first edition mentions opponents' followers only, the second also a player's own",
)
CAPTURE_OPTIONAL = Switch(
    name="capture_optional",
    values=("on", "off"),
    why="'may' in the rules, though one summary words it as a must",
)
EXCHANGE_RATIO = Switch(
    name="exchange_ratio",
    values=("one", "all"),
    why="the rules do not mention a player who holds several prisoners of the other",
)
RANSOM_WINDOW = Switch(
    name="ransom_window",
    values=("any", "before_action"),
    why="'on his turn' may end with the action",
)
TOWER_NEEDS_TOWER_TILE = Switch(
    name="tower_needs_tower_tile",
    values=("off", "on"),
    why="a misprint elsewhere allows the actions after a tile with a tower place only",
)
EXCHANGE_SIZES = Switch(
    name="exchange_sizes",
    values=("any", "same"),
    why="the rules of exchange know no big followers",
)
ACTION_WITHOUT_TILE = Switch(
    name="action_without_tile",
    values=("off", "on"),
    why="the rules do not mention a turn in which no tile left has a place",
)

TOWER_SWITCHES = (
    GUARD_CAPTURABLE,
    TOWER_REOPENS,
    CAPTURE_OWN,
    CAPTURE_OPTIONAL,
    EXCHANGE_RATIO,
    RANSOM_WINDOW,
    TOWER_NEEDS_TOWER_TILE,
    ACTION_WITHOUT_TILE,
)
"""The switches that The Tower adds, in the order of the documentation."""

UNFINISHED_INNS = Switch(
    name="unfinished_inns",
    values=("zero", "ignore"),
    why="in most boxes an uncompleted road with an inn is worth nothing, in that of 2025 the inn"
    " is ignored at the end",
)
UNFINISHED_CATHEDRALS = Switch(
    name="unfinished_cathedrals",
    values=("zero", "ignore"),
    why="in most boxes an uncompleted city with a cathedral is worth nothing, in that of 2025 the"
    " cathedral is ignored at the end",
)
INNS = Switch(
    name="inns",
    values=("on", "off"),
    why="players may agree to use some parts of the expansion only",
)
CATHEDRALS = Switch(
    name="cathedrals",
    values=("on", "off"),
    why="players may agree to use some parts of the expansion only",
)
BIG_FOLLOWERS = Switch(
    name="big_followers",
    values=("on", "off"),
    why="players may agree to use some parts of the expansion only",
)

INNS_SWITCHES = (UNFINISHED_INNS, UNFINISHED_CATHEDRALS, INNS, CATHEDRALS, BIG_FOLLOWERS)
"""The switches that Inns & Cathedrals adds, in the order of the documentation."""
