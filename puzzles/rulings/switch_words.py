"""What a switch asks and what each value says, for a learner who has never seen its name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from burgrave.model import switches as of
from burgrave.model.rule import Switch

_READ: tuple[tuple[Switch, dict[str, str]], ...] = (
    (
        of.START_SPACE_PATHS_BIND,
        {
            "from_start": "a path of a start space must be continued by the tile beside it",
            "off": "a start space binds no path of the tile beside it",
            "both": "the paths of a start space and of the tile beside it must meet",
        },
    ),
    (
        of.START_SPACE_UNKNOWN,
        {
            "bare": "a start space whose picture is unknown counts as empty",
            "forbid": "no tile may lie beside a start space whose picture is unknown",
        },
    ),
    (
        of.START_SPACE_IN_KEEP,
        {
            "on": "a start space counts as a tile of the keep",
            "off": "a start space does not count for the keep",
        },
    ),
    (
        of.ENCLOSED_HOLE_BLOCKS,
        {
            "off": "an empty cell behind courts leaves a building complete",
            "on": "an empty cell behind courts keeps a building from being complete",
        },
    ),
    (
        of.RETURN_ON_TIE,
        {
            "on": "followers go home from a tie as well",
            "off": "followers who are tied stay on the board",
        },
    ),
    (
        of.WALL_TAKE_MOMENT,
        {
            "each_feature": "a marker takes a wall tile wherever it stops between two scores",
            "end_of_turn": "a marker takes a wall tile only where it rests at the end of the turn",
        },
    ),
    (
        of.WALL_OWN_TURN_ONLY,
        {
            "on": "wall tiles 2 and 3 work in their owner's turn alone",
            "off": "wall tiles 2 and 3 work in anybody's turn",
        },
    ),
    (
        of.WALL_DOUBLE_DECLARE,
        {
            "at_scoring": "wall tiles 2 and 3 are declared as the feature scores",
            "before_draw": "wall tiles 2 and 3 must be declared before the tile is drawn",
        },
    ),
    (
        of.WALL_1_DECLARE,
        {
            "end_of_turn": "wall tile 1 may be declared up to the end of the turn",
            "before_draw": "wall tile 1 must be declared before the tile is drawn",
        },
    ),
    (
        of.WALL_1_CHAIN,
        {
            "on": "several wall tiles 1 give several extra turns in a row",
            "off": "only one extra turn in a row is allowed",
        },
    ),
    (
        of.EXTRA_TURN_IS_NEXT_TURN,
        {
            "on": "what was won in a turn can be used in the extra turn after it",
            "off": "what was won in a turn cannot be used in the extra turn after it",
        },
    ),
    (
        of.DOUBLE_ONCE,
        {
            "on": "a feature is doubled at most once",
            "off": "a second wall tile doubles a feature once more",
        },
    ),
    (
        of.END_TILE_ONCE_PER_FEATURE,
        {
            "on": "a feature scores by one wall tile of a number at most",
            "off": "a feature may score by two wall tiles of one number",
        },
    ),
    (
        of.KEEP_BONUS_STACKS,
        {
            "on": "each wall tile 8 enlarges the keep",
            "off": "only one wall tile 8 enlarges the keep",
        },
    ),
    (
        of.KEEP_BONUS_NEEDS_KEEP,
        {
            "on": "wall tile 8 enlarges nothing without a keep",
            "off": "wall tile 8 is a keep by itself",
        },
    ),
    (
        of.LAST_TURN_WALL_TILES,
        {
            "on": "wall tiles of the last turn count in final scoring",
            "off": "wall tiles of the last turn do not count in final scoring",
        },
    ),
    (
        of.WALL_TILES_OPTIONAL,
        {
            "on": "nobody has to play a wall tile",
            "off": "a wall tile that can be played must be played",
        },
    ),
    (
        of.EMPTY_AREA_ADJACENCY,
        {
            "orthogonal": "empty cells belong together where they share a side",
            "diagonal": "empty cells belong together where they touch at a corner too",
        },
    ),
    (
        of.GATE_START_SPACES,
        {
            value: "no gate is a start space"
            if value == "none"
            else f"the gates at {value.replace('+', ' and ')} are start spaces"
            for value in of.GATE_START_SPACES.values
        },
    ),
    (of.GATE_WIDTH, {"1": "a gate is one tile wide", "2": "a gate is two tiles wide"}),
    (
        of.CHAPEL_IS_BUILDING,
        {
            "on": "chapels meet other kinds freely",
            "off": "a chapel must be continued by a chapel",
        },
    ),
    (
        of.CHAPEL_COMPLETION,
        {
            "like_tower": "a chapel is complete when no side of it is open",
            "like_cloister": "a chapel is complete when all cells around its tiles are filled too",
        },
    ),
    (
        of.AERIE_SCOPE,
        {
            "any_scoring": "an aerie brings tokens whenever its feature scores",
            "completed": "an aerie brings tokens for completed features alone",
        },
    ),
    (
        of.AERIE_SHARED,
        {
            "each": "an aerie brings a token for each feature beside it",
            "first": "an aerie brings a token for the first feature beside it alone",
        },
    ),
    (
        of.AERIE_SUPPLY,
        {
            "difference": "a lead of more than 12 tokens is kept as a number",
            "capped": "nobody holds more than 12 tokens",
        },
    ),
    (
        of.AERIE_END_ORDER,
        {
            "last": "tokens of final scoring count for the empty area",
            "first": "the empty area is scored before the tokens of final scoring are taken",
        },
    ),
    (
        of.KING_BARS_DOUBLING,
        {
            "own": "a king bars wall tiles 2 and 3 where his own player scores",
            "any": "any king bars wall tiles 2 and 3",
        },
    ),
    (
        of.KING_DOUBLES_COURTS,
        {"on": "a king doubles a court", "off": "a king does not double a court"},
    ),
    (
        of.KING_WITH_TILE_7,
        {
            "on": "a king doubles a court with wall tile 7 too",
            "off": "a king does not double a court with wall tile 7",
        },
    ),
    (
        of.FOUNTAIN_IS_DOUBLING,
        {
            "off": "a king doubles a path with a fountain too",
            "on": "a king does not double a path with a fountain",
        },
    ),
    (
        of.FALCONER_NEEDS_AERIE,
        {
            "off": "the falconer brings his token without an aerie too",
            "on": "the falconer brings his token beside an aerie alone",
        },
    ),
    (
        of.FALCONER_ON_COURTS,
        {
            "on": "the falconer brings his token on a court too",
            "off": "the falconer brings no token on a court",
        },
    ),
    (
        of.SPECIAL_COUNTS,
        {
            "one": "king and falconer count as one follower each",
            "two": "king and falconer count as two followers each",
        },
    ),
    (
        of.KING_DOUBLES_KEEP,
        {
            "off": "a king does not double the size of a keep",
            "on": "a king doubles the size of a keep",
        },
    ),
    (
        of.SPECIAL_ON_WALL_SCORED,
        {
            "on": "king and falconer act where wall tiles 4 to 6 score too",
            "off": "king and falconer do not act where wall tiles 4 to 6 score",
        },
    ),
    (
        of.SPECIAL_LAST_TURN,
        {
            "on": "king and falconer may be placed in the last turn",
            "off": "king and falconer may not be placed in the last turn",
        },
    ),
    (
        of.GATE_STOP,
        {
            "off": "a marker passes the gates",
            "on": "a marker stops at a gate and loses the other points",
        },
    ),
    (
        of.GATE_STOP_PLACE,
        {
            "on_gate": "a marker that stops at a gate stands on it",
            "space_before": "a marker that stops at a gate stands on the space before it",
        },
    ),
    (
        of.SMALL_CITY,
        {
            "2": "a completed city of two tiles is worth 2 points",
            "4": "a completed city of two tiles is worth 4 points",
        },
    ),
    (
        of.FARMS,
        {
            "city4": "whoever has most farmers round a completed city takes 4 points for it",
            "field3_once": "whoever has most farmers on a field takes 3 points a city, once each",
            "field3": "whoever has most farmers on a field takes 3 points for every city beside it",
        },
    ),
    (
        of.FIELD3_ONCE_SCOPE,
        {
            "player": "a city pays each player once",
            "city": "a city pays for one field only",
        },
    ),
    (of.TIE, {"all_full": "a tie pays everybody in full", "none": "a tie pays nobody"}),
    (
        of.COUNT_BY,
        {
            "tile": "a tile that meets a feature twice counts once",
            "segment": "a tile that meets a feature twice counts twice",
        },
    ),
    (of.FARMERS, {"on": "farmers may be placed", "off": "farmers may not be placed"}),
    (
        of.GUARD_CAPTURABLE,
        {
            "off": "a follower on a tower is safe",
            "on": "a follower on a tower can be captured",
        },
    ),
    (
        of.TOWER_REOPENS,
        {
            "on": "a tower whose follower was captured is open again",
            "off": "a tower whose follower was captured stays complete",
        },
    ),
    (
        of.CAPTURE_OWN,
        {
            "off": "nobody captures a follower of his own",
            "on": "a player may capture a follower of his own",
        },
    ),
    (
        of.CAPTURE_OPTIONAL,
        {"on": "a player need not capture", "off": "a player who can capture must do so"},
    ),
    (
        of.EXCHANGE_RATIO,
        {
            "one": "prisoners are exchanged one for one",
            "all": "one prisoner is exchanged for all that the other player holds",
        },
    ),
    (
        of.EXCHANGE_SIZES,
        {
            "any": "a prisoner is exchanged for any other, whatever their sizes",
            "same": "a prisoner is exchanged for one of its own size alone",
        },
    ),
    (
        of.UNFINISHED_INNS,
        {
            "zero": "an uncompleted road with an inn is worth nothing at the end",
            "ignore": "inns are ignored at the end",
        },
    ),
    (
        of.UNFINISHED_CATHEDRALS,
        {
            "zero": "an uncompleted city with a cathedral is worth nothing at the end",
            "ignore": "cathedrals are ignored at the end",
        },
    ),
    (of.INNS, {"on": "inns count", "off": "inns do not count"}),
    (of.CATHEDRALS, {"on": "cathedrals count", "off": "cathedrals do not count"}),
    (
        of.BIG_FOLLOWERS,
        {"on": "each player has a big follower", "off": "nobody has a big follower"},
    ),
    (
        of.RANSOM_WINDOW,
        {
            "any": "a ransom may be paid at any time of the turn",
            "before_action": "a ransom may be paid before the action alone",
        },
    ),
    (
        of.TOWER_NEEDS_TOWER_TILE,
        {
            "off": "a tower may grow after any tile",
            "on": "a tower may grow only after a tile with a tower place",
        },
    ),
    (
        of.ACTION_WITHOUT_TILE,
        {
            "off": "a turn without a tile has no action",
            "on": "a turn without a tile may have an action",
        },
    ),
)
READINGS: Mapping[tuple[str, str], str] = MappingProxyType(
    {(switch.name, value): told for switch, found in _READ for value, told in found.items()}
)
"""The reading as a clause, by the name of the switch and its value."""

_ASKED: Mapping[Switch, str] = MappingProxyType(
    {
        of.START_SPACE_PATHS_BIND: "Must the tile beside a start space continue its path?",
        of.START_SPACE_UNKNOWN: "What is a start space whose picture is unknown?",
        of.START_SPACE_IN_KEEP: "Does a start space count for the keep?",
        of.ENCLOSED_HOLE_BLOCKS: "Is a building complete round an empty cell behind courts?",
        of.RETURN_ON_TIE: "Do followers go home from a tie?",
        of.WALL_TAKE_MOMENT: "When does a marker take a wall tile?",
        of.WALL_OWN_TURN_ONLY: "When do wall tiles 2 and 3 work?",
        of.WALL_DOUBLE_DECLARE: "When are wall tiles 2 and 3 declared?",
        of.WALL_1_DECLARE: "When is wall tile 1 declared?",
        of.WALL_1_CHAIN: "May several wall tiles 1 give extra turns in a row?",
        of.EXTRA_TURN_IS_NEXT_TURN: "Can the extra turn use what the turn before it won?",
        of.DOUBLE_ONCE: "Can a feature be doubled twice?",
        of.END_TILE_ONCE_PER_FEATURE: "May two wall tiles of one number score one feature?",
        of.KEEP_BONUS_STACKS: "Does a second wall tile 8 enlarge the keep again?",
        of.KEEP_BONUS_NEEDS_KEEP: "What does wall tile 8 do without a keep?",
        of.LAST_TURN_WALL_TILES: "Do wall tiles of the last turn count?",
        of.WALL_TILES_OPTIONAL: "Must a wall tile be played?",
        of.EMPTY_AREA_ADJACENCY: "Which empty cells belong together?",
        of.GATE_START_SPACES: "Which gates are start spaces?",
        of.GATE_WIDTH: "How wide is a gate?",
        of.CHAPEL_IS_BUILDING: "What may lie beside a chapel?",
        of.CHAPEL_COMPLETION: "When is a chapel complete?",
        of.AERIE_SCOPE: "When does an aerie bring tokens?",
        of.AERIE_SHARED: "For how many features does an aerie bring a token?",
        of.AERIE_SUPPLY: "What happens when the tokens run out?",
        of.AERIE_END_ORDER: "What comes first in final scoring, tokens or the empty area?",
        of.KING_BARS_DOUBLING: "Which king bars wall tiles 2 and 3?",
        of.KING_DOUBLES_COURTS: "Does a king double a court?",
        of.KING_WITH_TILE_7: "Does a king double a court with wall tile 7?",
        of.FOUNTAIN_IS_DOUBLING: "Does a king double a path with a fountain?",
        of.FALCONER_NEEDS_AERIE: "Does the falconer need an aerie for his token?",
        of.FALCONER_ON_COURTS: "Does the falconer bring his token on a court?",
        of.SPECIAL_COUNTS: "How much do king and falconer count in a majority?",
        of.KING_DOUBLES_KEEP: "Does a king double the size of a keep?",
        of.SPECIAL_ON_WALL_SCORED: "Do king and falconer act where wall tiles 4 to 6 score?",
        of.SPECIAL_LAST_TURN: "May king and falconer be placed in the last turn?",
        of.GATE_STOP: "Does a marker stop at a gate?",
        of.GATE_STOP_PLACE: "Where does a marker stand that stops at a gate?",
        of.SMALL_CITY: "What is a completed city of two tiles worth?",
        of.FARMS: "How do farmers score?",
        of.FIELD3_ONCE_SCOPE: "How often does a city pay?",
        of.TIE: "Who scores in a tie?",
        of.COUNT_BY: "How often does a tile count that meets a feature twice?",
        of.FARMERS: "Is the game played with farmers?",
        of.GUARD_CAPTURABLE: "Can a follower on a tower be captured?",
        of.TOWER_REOPENS: "Is a tower open again when its follower was captured?",
        of.CAPTURE_OWN: "May a player capture his own follower?",
        of.CAPTURE_OPTIONAL: "Must a player capture who can?",
        of.EXCHANGE_SIZES: "May a prisoner be exchanged for one of another size?",
        of.UNFINISHED_INNS: "What is an uncompleted road with an inn worth at the end?",
        of.UNFINISHED_CATHEDRALS: "What is an uncompleted city with a cathedral worth at the end?",
        of.INNS: "Do inns count?",
        of.CATHEDRALS: "Do cathedrals count?",
        of.BIG_FOLLOWERS: "Does each player have a big follower?",
        of.EXCHANGE_RATIO: "How are prisoners exchanged?",
        of.RANSOM_WINDOW: "When may a ransom be paid?",
        of.TOWER_NEEDS_TOWER_TILE: "After which tiles may a tower grow?",
        of.ACTION_WITHOUT_TILE: "Has a turn without a tile an action?",
    }
)
QUESTIONS: Mapping[str, str] = MappingProxyType({one.name: told for one, told in _ASKED.items()})
"""The point that a switch settles as a question, by its name; its readings are the answers."""
