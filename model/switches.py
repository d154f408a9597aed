"""The switches of the bases: points on which the rules are silent or can be read in two ways."""

from __future__ import annotations

from burgrave.model.rule import Switch

START_SPACE_PATHS_BIND = Switch(
    name="start_space_paths_bind",
    question="Must the tile beside a start space continue its path?",
    readings={
        "from_start": "a path of a start space must be continued by the tile beside it",
        "off": "a start space binds no path of the tile beside it",
        "both": "the paths of a start space and of the tile beside it must meet",
    },
    why="the rulebook can bind the tile, nobody, or tile and start space alike",
)
START_SPACE_UNKNOWN = Switch(
    name="start_space_unknown",
    question="What is a start space whose picture is unknown?",
    readings={
        "bare": "a start space whose picture is unknown counts as empty",
        "forbid": "no tile may lie beside a start space whose picture is unknown",
    },
    why="a picture may be unknown; bare: it allows a tile, but shows, binds and counts nothing",
)
START_SPACE_IN_KEEP = Switch(
    name="start_space_in_keep",
    question="Does a start space count for the keep?",
    readings={
        "on": "a start space counts as a tile of the keep",
        "off": "a start space does not count for the keep",
    },
    why="a start space counts 'as though a tile' for points; the rules do not mention the keep",
)
ENCLOSED_HOLE_BLOCKS = Switch(
    name="enclosed_hole_blocks",
    question="Is a building complete round an empty cell behind courts?",
    readings={
        "off": "an empty cell behind courts leaves a building complete",
        "on": "an empty cell behind courts keeps a building from being complete",
    },
    why="'(and the tower contains no empty spaces)' may repeat that no side is open, or may"
    " forbid an empty cell walled in behind courts; the clause before it names only what"
    " surrounds the segments",
)
RETURN_ON_TIE = Switch(
    name="return_on_tie",
    question="Do followers go home from a tie?",
    readings={
        "on": "followers go home from a tie as well",
        "off": "followers who are tied stay on the board",
    },
    why="the rules do not say whether tied followers of a completed feature go home",
)
WALL_TAKE_MOMENT = Switch(
    name="wall_take_moment",
    question="When does a marker take a wall tile?",
    readings={
        "each_feature": "a marker takes a wall tile wherever it stops between two scores",
        "end_of_turn": "a marker takes a wall tile only where it rests at the end of the turn",
    },
    why="the rules do not say whether a marker takes a tile after each feature or where it rests",
)
WALL_OWN_TURN_ONLY = Switch(
    name="wall_own_turn_only",
    question="When do wall tiles 2 and 3 work?",
    readings={
        "on": "wall tiles 2 and 3 work in their owner's turn alone",
        "off": "wall tiles 2 and 3 work in anybody's turn",
    },
    why="'on his turn' may be read loosely for tiles 2 and 3",
)
WALL_DOUBLE_DECLARE = Switch(
    name="wall_double_declare",
    question="When are wall tiles 2 and 3 declared?",
    readings={
        "at_scoring": "wall tiles 2 and 3 are declared as the feature scores",
        "before_draw": "wall tiles 2 and 3 must be declared before the tile is drawn",
    },
    why="the rules do not say when tiles 2 and 3 are declared",
)
WALL_1_DECLARE = Switch(
    name="wall_1_declare",
    question="When is wall tile 1 declared?",
    readings={
        "end_of_turn": "wall tile 1 may be declared up to the end of the turn",
        "before_draw": "wall tile 1 must be declared before the tile is drawn",
    },
    why="the rules do not say when tile 1 is declared",
)
WALL_1_CHAIN = Switch(
    name="wall_1_chain",
    question="May several wall tiles 1 give extra turns in a row?",
    readings={
        "on": "several wall tiles 1 give several extra turns in a row",
        "off": "only one extra turn in a row is allowed",
    },
    why="'one or more wall tiles' may allow several extra turns in a row",
)
EXTRA_TURN_IS_NEXT_TURN = Switch(
    name="extra_turn_is_next_turn",
    question="Can the extra turn use what the turn before it won?",
    readings={
        "on": "what was won in a turn can be used in the extra turn after it",
        "off": "what was won in a turn cannot be used in the extra turn after it",
    },
    why="tiles taken and followers returned may be usable in the extra turn",
)
DOUBLE_ONCE = Switch(
    name="double_once",
    question="Can a feature be doubled twice?",
    readings={
        "on": "a feature is doubled at most once",
        "off": "a second wall tile doubles a feature once more",
    },
    why="only the rules of The Falcon say that a feature is doubled at most once",
)
END_TILE_ONCE_PER_FEATURE = Switch(
    name="end_tile_once_per_feature",
    question="May two wall tiles of one number score one feature?",
    readings={
        "on": "a feature scores by one wall tile of a number at most",
        "off": "a feature may score by two wall tiles of one number",
    },
    why="the rules do not mention two wall tiles of one number for one feature in final scoring",
)
KEEP_BONUS_STACKS = Switch(
    name="keep_bonus_stacks",
    question="Does a second wall tile 8 enlarge the keep again?",
    readings={
        "on": "each wall tile 8 enlarges the keep",
        "off": "only one wall tile 8 enlarges the keep",
    },
    why="the rules do not mention two wall tiles 8 of one player",
)
KEEP_BONUS_NEEDS_KEEP = Switch(
    name="keep_bonus_needs_keep",
    question="What does wall tile 8 do without a keep?",
    readings={
        "on": "wall tile 8 enlarges nothing without a keep",
        "off": "wall tile 8 is a keep by itself",
    },
    why="the rules do not mention tile 8 without a scored house",
)
LAST_TURN_WALL_TILES = Switch(
    name="last_turn_wall_tiles",
    question="Do wall tiles of the last turn count?",
    readings={
        "on": "wall tiles of the last turn count in final scoring",
        "off": "wall tiles of the last turn do not count in final scoring",
    },
    why="the rules do not mention tiles 4 to 9 taken in the last turn",
)
WALL_TILES_OPTIONAL = Switch(
    name="wall_tiles_optional",
    question="Must a wall tile be played?",
    readings={
        "on": "nobody has to play a wall tile",
        "off": "a wall tile that can be played must be played",
    },
    why="'may': a player is free not to play a wall tile",
)
EMPTY_AREA_ADJACENCY = Switch(
    name="empty_area_adjacency",
    question="Which empty cells belong together?",
    readings={
        "orthogonal": "empty cells belong together where they share a side",
        "diagonal": "empty cells belong together where they touch at a corner too",
    },
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

SMALL_CITY = Switch(
    name="small_city",
    question="What is a completed city of two tiles worth?",
    readings={
        "4": "a completed city of two tiles is worth 4 points",
        "2": "a completed city of two tiles is worth 2 points",
    },
    why="the first rules score a completed city of two tiles at 1 a tile, the later ones at 2",
)
FARMS = Switch(
    name="farms",
    question="How do farmers score?",
    readings={
        "field3": "whoever has most farmers on a field takes 3 points for every city beside it",
        "field3_once": "whoever has most farmers on a field takes 3 points a city, once each",
        "city4": "whoever has most farmers round a completed city takes 4 points for it",
    },
    why="three published ways of scoring farms, by publisher and year",
)
FIELD3_ONCE_SCOPE = Switch(
    name="field3_once_scope",
    question="How often does a city pay?",
    readings={
        "player": "a city pays each player once",
        "city": "a city pays for one field only",
    },
    why="by the second way of scoring farms a city may pay once for each player, or once",
)
TIE = Switch(
    name="tie",
    question="Who scores in a tie?",
    readings={
        "all_full": "a tie pays everybody in full",
        "none": "a tie pays nobody",
    },
    why="in Carcassonne all tied players score in full, in The Castle no player does",
)
COUNT_BY = Switch(
    name="count_by",
    question="How often does a tile count that meets a feature twice?",
    readings={
        "tile": "a tile that meets a feature twice counts once",
        "segment": "a tile that meets a feature twice counts twice",
    },
    why="a tile that meets a feature twice counts once by all sources, though not by all players",
)
FARMERS = Switch(
    name="farmers",
    question="Is the game played with farmers?",
    readings={
        "on": "farmers may be placed",
        "off": "farmers may not be placed",
    },
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
