"""Compile what many tests ask of the kernel: ``python -m tests.compiling castle`` or ``plane``."""

from __future__ import annotations

import sys

from puzzles.library import find, puzzle
from puzzles.quality import measured
from solver.questions import forced
from tests.solver.plane_endings import ending

PUZZLES = {"castle": "the-right-moment", "plane": "prisoner-of-the-tower"}
"""A puzzle of each family of games; its measures take searches, facts and playouts."""


def main(family: str) -> None:
    """Ask of a family of games what compiles its part of the kernel."""
    measured(puzzle(find(PUZZLES[family])))
    if family == "plane":
        forced(ending(3, 2, 120, players=3))


if __name__ == "__main__":
    main(sys.argv[1])
