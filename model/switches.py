"""The switches: points on which the rules are silent or can be read in two ways."""

from __future__ import annotations

from model.rules.rule import Switch

START_SPACE_PATHS_BIND = Switch(
    name="start_space_paths_bind",
    values=("from_start", "off", "both"),
    why="the rulebook can be read as binding the tile, nobody, or tile and start space alike",
)
START_SPACE_UNKNOWN = Switch(
    name="start_space_unknown",
    values=("bare", "forbid"),
    why="what a start space shows may not be known; bare: it allows a tile, shows, binds and"
    " counts nothing",
)
START_SPACE_IN_KEEP = Switch(
    name="start_space_in_keep",
    values=("on", "off"),
    why="a start space counts 'as though a tile' for points; silent for the keep",
)
SQUARES_SPLIT_PATHS = Switch(
    name="squares_split_paths",
    values=("on", "off"),
    why="paths end in squares; whether the arms at one square are one path is not said",
)
ENCLOSED_HOLE_BLOCKS = Switch(
    name="enclosed_hole_blocks",
    values=("off", "on"),
    why="'contains no empty spaces' may mean open ports only, or any walled-in empty cell",
)
RETURN_ON_TIE = Switch(
    name="return_on_tie",
    values=("on", "off"),
    why="silent on whether tied followers of a completed feature go home",
)
WALL_TAKE_MOMENT = Switch(
    name="wall_take_moment",
    values=("each_feature", "end_of_turn"),
    why="silent on whether a marker takes a tile after each feature or where it rests",
)
WALL_OWN_TURN_ONLY = Switch(
    name="wall_own_turn_only",
    values=("on", "off"),
    why="'on his turn' may be read loosely for tiles 2 and 3",
)
WALL_DOUBLE_DECLARE = Switch(
    name="wall_double_declare",
    values=("at_scoring", "before_draw"),
    why="silent on when tiles 2 and 3 are declared",
)
WALL_1_DECLARE = Switch(
    name="wall_1_declare",
    values=("end_of_turn", "before_draw"),
    why="silent on when tile 1 is declared",
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
    why="said in the Falcon rules only: a feature is doubled at most once",
)
END_TILE_ONCE_PER_FEATURE = Switch(
    name="end_tile_once_per_feature",
    values=("on", "off"),
    why="silent on two wall tiles of one number for one feature in final scoring",
)
KEEP_BONUS_STACKS = Switch(
    name="keep_bonus_stacks",
    values=("on", "off"),
    why="silent on two wall tiles 8 of one player",
)
KEEP_BONUS_NEEDS_KEEP = Switch(
    name="keep_bonus_needs_keep",
    values=("on", "off"),
    why="silent on tile 8 without a scored house",
)
LAST_TURN_WALL_TILES = Switch(
    name="last_turn_wall_tiles",
    values=("on", "off"),
    why="silent on tiles 4 to 9 taken in the last turn",
)
WALL_TILES_OPTIONAL = Switch(
    name="wall_tiles_optional",
    values=("on", "off"),
    why="'may': a player is free not to play a wall tile",
)
EMPTY_AREA_ADJACENCY = Switch(
    name="empty_area_adjacency",
    values=("orthogonal", "diagonal"),
    why="silent on empty cells that touch at a corner only",
)

CASTLE_SWITCHES = (
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
    START_SPACE_IN_KEEP,
    SQUARES_SPLIT_PATHS,
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

SMALL_CITY = Switch(
    name="small_city",
    values=("2", "4"),
    why="the first rules count a completed city of two tiles 1 a tile, the later ones 2",
)
FARMS = Switch(
    name="farms",
    values=("city4", "field3_once", "field3"),
    why="three published ways of scoring farms, by publisher and year",
)
FIELD3_ONCE_SCOPE = Switch(
    name="field3_once_scope",
    values=("player", "city"),
    why="of the second way of scoring farms it is told that a city pays once a player, or once",
)
TIE = Switch(
    name="tie",
    values=("all_full", "none"),
    why="in Carcassonne all tied players score in full, in The Castle nobody does",
)
COUNT_BY = Switch(
    name="count_by",
    values=("tile", "segment"),
    why="a tile that meets a feature twice counts once by all sources, though not by all players",
)

CARCASSONNE_SWITCHES = (
    SMALL_CITY,
    FARMS,
    FIELD3_ONCE_SCOPE,
    TIE,
    COUNT_BY,
)
"""The switches of Carcassonne, in the order of the documentation."""

GUARD_CAPTURABLE = Switch(
    name="guard_capturable",
    values=("off", "on"),
    why="the English rules say that a follower on a tower cannot be taken, all others that it can",
)
TOWER_REOPENS = Switch(
    name="tower_reopens",
    values=("on", "off"),
    why="little is said of a tower whose follower was taken: open again, or complete for good",
)
CAPTURE_OWN = Switch(
    name="capture_own",
    values=("off", "on"),
    why="the first edition speaks of opponents' followers only, the second of the own ones too",
)
CAPTURE_OPTIONAL = Switch(
    name="capture_optional",
    values=("on", "off"),
    why="'may' in the rules, though one summary words it as a must",
)
EXCHANGE_RATIO = Switch(
    name="exchange_ratio",
    values=("one", "all"),
    why="silent on a player who holds several prisoners of the other",
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
ACTION_WITHOUT_TILE = Switch(
    name="action_without_tile",
    values=("off", "on"),
    why="silent on a turn for which no tile is left that has a place",
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
