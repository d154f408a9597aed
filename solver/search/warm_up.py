"""Telling that the kernel is compiled, which takes a while once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from model.games import Game
from solver.kernel.compiling import is_compiled, note_compiled
from solver.progress import Reporter

SECONDS = {"turns": 20, "search": 30, "each": 30}
"""What is compiled, with the seconds that it takes: listing and playing turns, the search of best
play, the search where each of several plays for himself."""


@contextmanager
def compiling(what: str, game: Game, reporter: Reporter) -> Iterator[None]:
    """Tell that a part of the kernel is compiled, unless its machine code is on disk.

    Args:
        what: one of ``SECONDS``; it is called within, on the main thread, which hears Ctrl-C.
        game: any game of the family that is compiled.
        reporter: hears of it.

    """
    name = f"{what}-{'plane' if game.board.endless else 'castle'}"
    if not is_compiled(name):
        reporter.stage(f"compiling the {what} once, about {SECONDS[what]} s")
    yield
    note_compiled(name)
