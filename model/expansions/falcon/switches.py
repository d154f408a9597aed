"""The switches that The Falcon adds."""

from __future__ import annotations

from burgrave.model.rule import Switch

GATE_START_SPACES = Switch(
    name="gate_start_spaces",
    question="Which gates are start spaces?",
    readings={
        "27/28+91/92": "the gates at 27/28 and 91/92 are start spaces",
        "none": "no gate is a start space",
        "27/28+47/48": "the gates at 27/28 and 47/48 are start spaces",
        "27/28+69/70": "the gates at 27/28 and 69/70 are start spaces",
        "47/48+69/70": "the gates at 47/48 and 69/70 are start spaces",
        "47/48+91/92": "the gates at 47/48 and 91/92 are start spaces",
        "69/70+91/92": "the gates at 69/70 and 91/92 are start spaces",
    },
    why="the wiki alone says that two gates are start spaces, but not which; the default is a"
    " guess: the two widest gaps between start spaces",
)
GATE_WIDTH = Switch(
    name="gate_width",
    question="How wide is a gate?",
    readings={
        "1": "a gate is one tile wide",
        "2": "a gate is two tiles wide",
    },
    why="no text says how wide a gate is; opposite gates are equally wide, and 1 tile is the"
    " smallest whole width: 97 cells, against 120 with 2",
)
CHAPEL_IS_BUILDING = Switch(
    name="chapel_is_building",
    question="What may lie beside a chapel?",
    readings={
        "on": "chapels meet other kinds freely",
        "off": "a chapel must be continued by a chapel",
    },
    why="no text says whether chapels meet other kinds freely as towers and houses do; off: a"
    " chapel must be continued by a chapel, as a path by a path",
)
CHAPEL_COMPLETION = Switch(
    name="chapel_completion",
    question="When is a chapel complete?",
    readings={
        "like_tower": "a chapel is complete when no side of it is open",
        "like_cloister": "a chapel is complete when all cells around its tiles are filled too",
    },
    why="no text says when a chapel is complete: like a tower, when no side is open, or like"
    " a cloister of Carcassonne, when all cells around its tiles are filled too",
)
AERIE_SCOPE = Switch(
    name="aerie_scope",
    question="When does an aerie bring tokens?",
    readings={
        "any_scoring": "an aerie brings tokens whenever its feature scores",
        "completed": "an aerie brings tokens for completed features alone",
    },
    why="English: 'when a feature is scored', which includes courts and wall tiles 4 to 6;"
    " German: 'a completed area', although king and falconer act on any; the default is"
    " English",
)
AERIE_SHARED = Switch(
    name="aerie_shared",
    question="For how many features does an aerie bring a token?",
    readings={
        "each": "an aerie brings a token for each feature beside it",
        "first": "an aerie brings a token for the first feature beside it alone",
    },
    why="an aerie beside two features may bring a token for each, or for the first one scored",
)
AERIE_SUPPLY = Switch(
    name="aerie_supply",
    question="What happens when the tokens run out?",
    readings={
        "difference": "a lead of more than 12 tokens is kept as a number",
        "capped": "nobody holds more than 12 tokens",
    },
    why="'only the difference counts'; the rules do not mention a lead of more than the 12 tokens",
)
AERIE_END_ORDER = Switch(
    name="aerie_end_order",
    question="What comes first in final scoring, tokens or the empty area?",
    readings={
        "last": "tokens of final scoring count for the empty area",
        "first": "the empty area is scored before the tokens of final scoring are taken",
    },
    why="the rules do not say whether tokens won in final scoring count for the area",
)
KING_BARS_DOUBLING = Switch(
    name="king_bars_doubling",
    question="Which king bars wall tiles 2 and 3?",
    readings={
        "own": "a king bars wall tiles 2 and 3 where his own player scores",
        "any": "any king bars wall tiles 2 and 3",
    },
    why="English: no wall tile 2 or 3 'when scoring with the king'; German: in any scoring"
    " with a king",
)
KING_DOUBLES_COURTS = Switch(
    name="king_doubles_courts",
    question="Does a king double a court?",
    readings={
        "on": "a king doubles a court",
        "off": "a king does not double a court",
    },
    why="the rules do not mention a king on a court",
)
KING_WITH_TILE_7 = Switch(
    name="king_with_tile_7",
    question="Does a king double a court with wall tile 7?",
    readings={
        "on": "a king doubles a court with wall tile 7 too",
        "off": "a king does not double a court with wall tile 7",
    },
    why="the rules do not mention wall tile 7 on a court with a king; off: the king does not"
    " double it then",
)
FOUNTAIN_IS_DOUBLING = Switch(
    name="fountain_is_doubling",
    question="Does a king double a path with a fountain?",
    readings={
        "off": "a king doubles a path with a fountain too",
        "on": "a king does not double a path with a fountain",
    },
    why="a fountain is read as a rate of 2 points a tile; on: it doubles, and so the king does not",
)
FALCONER_NEEDS_AERIE = Switch(
    name="falconer_needs_aerie",
    question="Does the falconer need an aerie for his token?",
    readings={
        "off": "the falconer brings his token without an aerie too",
        "on": "the falconer brings his token beside an aerie alone",
    },
    why="'one additional token' may be additional to at least one",
)
FALCONER_ON_COURTS = Switch(
    name="falconer_on_courts",
    question="Does the falconer bring his token on a court?",
    readings={
        "on": "the falconer brings his token on a court too",
        "off": "the falconer brings no token on a court",
    },
    why="the rules do not mention a falconer on a court",
)
SPECIAL_COUNTS = Switch(
    name="special_counts",
    question="How much do king and falconer count in a majority?",
    readings={
        "one": "king and falconer count as one follower each",
        "two": "king and falconer count as two followers each",
    },
    why="they are placed 'instead of a normal follower'; no text says that a king or falconer"
    " counts as one follower in a majority",
)
KING_DOUBLES_KEEP = Switch(
    name="king_doubles_keep",
    question="Does a king double the size of a keep?",
    readings={
        "off": "a king does not double the size of a keep",
        "on": "a king doubles the size of a keep",
    },
    why="the king doubles 'points'; no text says whether his house counts doubled for the keep",
)
SPECIAL_ON_WALL_SCORED = Switch(
    name="special_on_wall_scored",
    question="Do king and falconer act where wall tiles 4 to 6 score?",
    readings={
        "on": "king and falconer act where wall tiles 4 to 6 score too",
        "off": "king and falconer do not act where wall tiles 4 to 6 score",
    },
    why="the rules do not mention king and falconer on a feature scored by wall tile 4, 5 or 6",
)
SPECIAL_LAST_TURN = Switch(
    name="special_last_turn",
    question="May king and falconer be placed in the last turn?",
    readings={
        "on": "king and falconer may be placed in the last turn",
        "off": "king and falconer may not be placed in the last turn",
    },
    why="final scoring may be part of the last turn, in which king and falconer may not stand"
    " on a feature that scores",
)
GATE_STOP = Switch(
    name="gate_stop",
    question="Does a marker stop at a gate?",
    readings={
        "off": "a marker passes the gates",
        "on": "a marker stops at a gate and loses the other points",
    },
    why="a variant of the rules: a marker stops at a gate, and the rest of the points is lost",
)
GATE_STOP_PLACE = Switch(
    name="gate_stop_place",
    question="Where does a marker stand that stops at a gate?",
    readings={
        "on_gate": "a marker that stops at a gate stands on it",
        "space_before": "a marker that stops at a gate stands on the space before it",
    },
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

FLAGS = {
    "chapels_bind": (CHAPEL_IS_BUILDING, "off"),
    "any_scoring": (AERIE_SCOPE, "any_scoring"),
    "first_only": (AERIE_SHARED, "first"),
    "capped": (AERIE_SUPPLY, "capped"),
    "tokens_first": (AERIE_END_ORDER, "first"),
    "any_king_bars": (KING_BARS_DOUBLING, "any"),
    "king_on_courts": (KING_DOUBLES_COURTS, "on"),
    "king_with_seven": (KING_WITH_TILE_7, "on"),
    "fountain_doubles": (FOUNTAIN_IS_DOUBLING, "on"),
    "falconer_needs_aerie": (FALCONER_NEEDS_AERIE, "on"),
    "falconer_on_courts": (FALCONER_ON_COURTS, "on"),
    "on_wall_scored": (SPECIAL_ON_WALL_SCORED, "on"),
    "specials_last": (SPECIAL_LAST_TURN, "on"),
    "count_twice": (SPECIAL_COUNTS, "two"),
    "king_on_keep": (KING_DOUBLES_KEEP, "on"),
    "gates_stop": (GATE_STOP, "on"),
    "stops_on_gate": (GATE_STOP_PLACE, "on_gate"),
}
"""Flag in compiled tables → the switch, and the value that sets the flag."""
