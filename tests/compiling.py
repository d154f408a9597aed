"""Compile what many tests ask of the kernel: ``python -m tests.compiling castle`` or ``plane``."""

from __future__ import annotations

import sys

from puzzles.library import find, puzzle
from puzzles.quality import measured
from solver.questions import forced
from solver.search.engine import SearchEngine
from tests.solver import test_simulation
from tests.solver.plane_endings import ending
from tests.solver.questioning import plane_questions, questions

PUZZLES = {"castle": "the-tower-or-the-path", "plane": "prisoner-of-the-tower"}
"""A puzzle of each family of games; its measures take searches, facts and playouts."""
GAMES = {"castle": "castle", "plane": "carcassonne"}
"""A game of each family, of which all that its simulation tells is asked."""
LINES = 60
"""Lines to the end of an ending."""


def main(family: str) -> None:
    """Ask of a family of games what compiles its part of the kernel."""
    measured(puzzle(find(PUZZLES[family])))
    if family == "plane":
        forced(ending(3, 2, 120, players=3))
    for asked in (plane_questions if family == "plane" else questions)(1, LINES):
        SearchEngine().solve(asked.problem)
    test_simulation.test_a_game_is_told_as_the_rules_have_it(GAMES[family])


if __name__ == "__main__":
    main(sys.argv[1])
