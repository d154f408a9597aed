"""The switches that Inns & Cathedrals adds."""

from __future__ import annotations

from burgrave.model.rule import Switch

UNFINISHED_INNS = Switch(
    name="unfinished_inns",
    question="What is an uncompleted road with an inn worth at the end?",
    readings={
        "zero": "an uncompleted road with an inn is worth nothing at the end",
        "ignore": "inns are ignored at the end",
    },
    why="in most boxes an uncompleted road with an inn is worth nothing, in that of 2025 the inn"
    " is ignored at the end",
)
UNFINISHED_CATHEDRALS = Switch(
    name="unfinished_cathedrals",
    question="What is an uncompleted city with a cathedral worth at the end?",
    readings={
        "zero": "an uncompleted city with a cathedral is worth nothing at the end",
        "ignore": "cathedrals are ignored at the end",
    },
    why="in most boxes an uncompleted city with a cathedral is worth nothing, in that of 2025 the"
    " cathedral is ignored at the end",
)
INNS = Switch(
    name="inns",
    question="Do inns count?",
    readings={
        "on": "inns count",
        "off": "inns do not count",
    },
    why="players may agree to use some parts of the expansion only",
)
CATHEDRALS = Switch(
    name="cathedrals",
    question="Do cathedrals count?",
    readings={
        "on": "cathedrals count",
        "off": "cathedrals do not count",
    },
    why="players may agree to use some parts of the expansion only",
)
BIG_FOLLOWERS = Switch(
    name="big_followers",
    question="Does each player have a big follower?",
    readings={
        "on": "each player has a big follower",
        "off": "nobody has a big follower",
    },
    why="players may agree to use some parts of the expansion only",
)

INNS_SWITCHES = (UNFINISHED_INNS, UNFINISHED_CATHEDRALS, INNS, CATHEDRALS, BIG_FOLLOWERS)
"""The switches that Inns & Cathedrals adds, in the order of the documentation."""
