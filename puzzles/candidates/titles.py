"""Titles of puzzles: from what surprises in the key, and what its tile and follower are."""

from __future__ import annotations

from random import Random

from model.notation import read_move
from puzzles.study.puzzle import Puzzle

SURPRISES = {
    "gift": ("The generous {}", "A present from the {}", "The {} gives first", "The kind {}"),
    "quiet": ("The quiet {}", "The {} says nothing", "A modest {}", "The {} waits"),
    "sacrifice": ("The costly {}", "A price for the {}", "The {} pays", "Less for the {}"),
    "refusal": ("The patient {}", "Not yet, says the {}", "The {} declines", "The unhurried {}"),
    "": ("The {} decides", "A matter for the {}", "The clever {}", "The {} knows best"),
}
"""Titles by the first surprise of the key; empty for a key without one."""
PLACES = {
    "castle": ("mason", "warden", "steward", "page", "porter", "chamberlain", "gardener"),
    "castle+falcon": ("falconer's boy", "courtier", "huntsman", "chaplain", "cupbearer", "fowler"),
    "carcassonne": ("builder", "wayfarer", "traveller", "surveyor", "shepherd", "carter", "miller"),
    "carcassonne+tower": ("watchman", "sentry", "gaoler", "lookout", "captain", "bell-ringer"),
}
"""Who acts if no follower is placed, by game."""
WHEN = (
    "", " at dusk", " before the gate", " in the rain", " on market day", " at dawn",
    " after the feast", " in winter", " by candlelight", " at harvest", " on the eve",
    " in haste", " at noon", " behind the wall", " on Sunday", " in spring",
)  # fmt: skip
"""Endings that keep titles apart."""


def title(puzzle: Puzzle, rng: Random) -> str:
    """Return a title; the same puzzle and the same state of ``rng`` make the same title."""
    measures = puzzle.measures
    surprise = next(iter(measures.surprises), "") if measures is not None else ""
    turns = puzzle.answer.moves or puzzle.answer.line
    placed = read_move(puzzle.position, turns[0]).followers if turns else ()
    who = next((one.title for one in placed), "")
    who = who or rng.choice(PLACES[puzzle.position.game.id])
    return rng.choice(SURPRISES[surprise]).format(who) + rng.choice(WHEN)
