"""Titles of puzzles: from the idea of the solution and what is special about it.

A title names no tile, no cell and no follower of the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from puzzles import telling
from puzzles.study.puzzle import Puzzle
from puzzles.study.study import study

TWISTS = {
    "gift": ("{}, with a present", "{}, generously", "A present first: {}"),
    "sacrifice": ("{}, at a price", "{}, for less", "Pay first: {}"),
    "quiet": ("{}, without a sound", "{}, quietly", "{}, on tiptoe"),
    "refusal": ("{}, but not yet", "{}, with patience", "Wait for it: {}"),
    "": ("{}", "{}, plainly", "{}, once more"),
}
"""Titles by the first surprise of the key; empty for a key without one."""
STEPS = {2: ("{} in two steps", "{} by stages"), 3: ("{} in three steps", "{}, a long way")}
"""Titles by the own turns to be found."""
DRAWN = ("{}, and a draw", "{} saves the day")
"""Titles where the key saves a draw."""
WON = ("{} by a point", "{}, by a hair")
"""Titles where the key wins by one point."""


def titles(puzzle: Puzzle) -> Iterator[str]:
    """Yield titles for a puzzle that a move answers, the most telling ones first."""
    played, measures = study(puzzle), puzzle.measures
    if played is None or measures is None:
        return
    surprise = next(iter(measures.surprises), "")
    lead = {0: DRAWN, 1: WON}.get(int(played.value), ()) if played.to_the_end else ()
    forms = (*TWISTS[surprise], *STEPS.get(measures.depth, ()), *lead)
    for form, noun in product(forms, telling.idea(played).nouns):
        told = form.format(noun if form.startswith("{}") else noun[0].lower() + noun[1:])
        yield told


def title(puzzle: Puzzle, rng: Random) -> str:
    """Return a title; the same puzzle and the same state of ``rng`` make the same title."""
    return rng.choice(list(titles(puzzle)) or [puzzle.id])
