"""The switches that The Tower adds."""

from __future__ import annotations

from burgrave.model.rule import Switch

GUARD_CAPTURABLE = Switch(
    name="guard_capturable",
    question="Can a follower on a tower be captured?",
    readings={
        "off": "a follower on a tower is safe",
        "on": "a follower on a tower can be captured",
    },
    why="the English rules say that a follower on a tower cannot be captured; all others say"
    " that he can",
)
TOWER_REOPENS = Switch(
    name="tower_reopens",
    question="Is a tower open again when its follower was captured?",
    readings={
        "on": "a tower whose follower was captured is open again",
        "off": "a tower whose follower was captured stays complete",
    },
    why="the rules say little about a tower whose follower was captured: open again, or"
    " complete for good",
)
CAPTURE_OWN = Switch(
    name="capture_own",
    question="May a player capture his own follower?",
    readings={
        "off": "nobody captures a follower of his own",
        "on": "a player may capture a follower of his own",
    },
    why="the first edition mentions opponents' followers only, the second also a player's own",
)
CAPTURE_OPTIONAL = Switch(
    name="capture_optional",
    question="Must a player capture who can?",
    readings={
        "on": "a player need not capture",
        "off": "a player who can capture must do so",
    },
    why="'may' in the rules, though one summary words it as a must",
)
EXCHANGE_RATIO = Switch(
    name="exchange_ratio",
    question="How are prisoners exchanged?",
    readings={
        "one": "prisoners are exchanged one for one",
        "all": "one prisoner is exchanged for all that the other player holds",
    },
    why="the rules do not mention a player who holds several prisoners of the other",
)
RANSOM_WINDOW = Switch(
    name="ransom_window",
    question="When may a ransom be paid?",
    readings={
        "any": "a ransom may be paid at any time of the turn",
        "before_action": "a ransom may be paid before the action alone",
    },
    why="'on his turn' may end with the action",
)
TOWER_NEEDS_TOWER_TILE = Switch(
    name="tower_needs_tower_tile",
    question="After which tiles may a tower grow?",
    readings={
        "off": "a tower may grow after any tile",
        "on": "a tower may grow only after a tile with a tower place",
    },
    why="a misprint elsewhere allows the actions after a tile with a tower place only",
)
EXCHANGE_SIZES = Switch(
    name="exchange_sizes",
    question="May a prisoner be exchanged for one of another size?",
    readings={
        "any": "a prisoner is exchanged for any other, whatever their sizes",
        "same": "a prisoner is exchanged for one of its own size alone",
    },
    why="the rules of exchange know no big followers",
)
EXCHANGE_CHOICE = Switch(
    name="exchange_choice",
    question="Who says which of several prisoners comes home by an exchange?",
    readings={
        "owner": "the owner of the prisoners says which of them comes home",
        "captor": "the player who holds the prisoners says which of them comes home",
        "oldest": "the prisoner who was taken first comes home",
    },
    why="the rules of exchange know followers of one kind alone, of which any may come home",
)
ACTION_WITHOUT_TILE = Switch(
    name="action_without_tile",
    question="Has a turn without a tile an action?",
    readings={
        "off": "a turn without a tile has no action",
        "on": "a turn without a tile may have an action",
    },
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
RANKED_SWITCHES = (EXCHANGE_SIZES, EXCHANGE_CHOICE)
"""Those that it adds where followers have ranks."""

FLAGS = {
    "guards_taken": (GUARD_CAPTURABLE, "on"),
    "reopens": (TOWER_REOPENS, "on"),
    "own_taken": (CAPTURE_OWN, "on"),
    "optional": (CAPTURE_OPTIONAL, "on"),
    "all_exchanged": (EXCHANGE_RATIO, "all"),
    "same_exchanged": (EXCHANGE_SIZES, "same"),
    "late_ransom": (RANSOM_WINDOW, "any"),
    "needs_place": (TOWER_NEEDS_TOWER_TILE, "on"),
    "without_tile": (ACTION_WITHOUT_TILE, "on"),
}
"""Flag in compiled tables → the switch, and the value that sets the flag."""
