"""A game on the compiled kernel that is played on and taken back, as a ``Table``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

from model.errors import QuestionError
from model.games import Game
from model.position import Move, Position
from solver.kernel import game
from solver.kernel.codec import Opened
from solver.kernel.compiling import is_compiled, note_compiled
from solver.kernel.job import NONE
from solver.kernel.records import LISTED, alone, room
from solver.progress import SILENT, Reporter
from solver.result import TooLargeError
from solver.simulation.positions import CastleReader, PlaneReader, Reader
from solver.simulation.table import Table, Totals

SECONDS = {"turns": 8, "search": 20, "each": 15}
"""By part of the kernel: seconds to compile it. ``turns`` lists and plays turns, ``search`` finds
best play, and ``each`` does so where each of several players plays for himself."""


@contextmanager
def compiling(what: str, game: Game, reporter: Reporter) -> Iterator[None]:
    """Tell that a part of the kernel is compiled, unless its machine code is on disk.

    Args:
        what: one of ``SECONDS``. The caller runs it within, on the main thread for Ctrl-C.
        game: any game of the family that is compiled.
        reporter: hears of it.

    """
    name = f"{what}-{'plane' if game.board.endless else 'castle'}"
    if not is_compiled(name):
        reporter.stage(f"compiling the {what} once, about {SECONDS[what]} s")
    yield
    note_compiled(name)


def check_room(state: Any) -> None:
    """Check that everything listed and played on a state had room in its tables.

    Raises:
        TooLargeError: something had none, so that results are void.

    """
    if "overflow" in state.dtype.names and state.overflow:
        raise TooLargeError


class Walk(Table):
    """A game that the kernel plays.

    A turn is a number of the kernel. Wall tiles that lie face down are taken unseen.
    """

    def __init__(self, position: Position, reporter: Reporter = SILENT) -> None:
        """Begin at a position; the kernel makes room for its tiles to come.

        Args:
            position: a position for which the kernel's codec has no ``refusal``.
            reporter: hears if the kernel is to be compiled.

        """
        self._opened = Opened(position)
        self.state, self._tables = self._opened.state, self._opened.tables
        self._left = len(position.order) + len(position.bag)
        self._room = room(2, LISTED)
        self._totals = room(len(position.players))
        with compiling("turns", position.game, reporter):
            self.totals()
            self._listed(0, last=False)

    @property
    def mover(self) -> int:
        """The player to move."""
        return int(game.mover(self.state))

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""
        return bool(game.placeable(self.state, self._tables, self._opened.kind(tile)))

    def turns(self, tile: str | None, *, last: bool) -> Sequence[int]:
        """Return every legal turn with a tile, or without one.

        Raises:
            TooLargeError: the kernel has no room for them.

        """
        return self._listed(NONE if tile is None else self._opened.kind(tile), last=last)

    def _listed(self, kind: int, *, last: bool) -> Sequence[int]:
        """Return every legal turn with a kind of tile."""
        out, hints = self._room
        end = game.turns(self.state, self._tables, kind, last, True, out, hints, 0)
        check_room(self.state)
        listed: list[int] = out[:end].tolist()
        return listed

    def play(self, turn: int, *, last: bool) -> None:
        """Play a turn.

        Raises:
            QuestionError: there is no room for another tile.

        """
        if not self._left:
            raise QuestionError("no more tiles can be laid than were to come")
        self._left -= 1
        game.play(self.state, self._tables, turn, last)

    def hand_over(self, player: int) -> None:
        """Let the next turn be a player's; ``undo`` takes it back with the turn before."""
        game.hand_over(self.state, player)

    def undo(self) -> None:
        """Take back the turn played last."""
        self._left += 1
        game.undo(self.state, self._tables)

    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""
        game.totals(self.state, self._tables, self._totals)
        check_room(self.state)
        return tuple(self._totals.tolist())

    def standing(self) -> Totals:
        """Return each player's score on the track."""
        game.standing(self.state, self._tables, self._totals)
        return tuple(self._totals.tolist())

    def move(self, turn: int, gone: tuple[str, ...] = ()) -> Move:
        """Return a turn that was listed now as the move that the rules engine lists."""
        return self._opened.move(self.state, turn, gone)

    def position(self) -> Position:
        """Return the position now, read from the state number by number."""
        return self._reader.position(replace(self._opened.position, order=(), bag=()))

    @cached_property
    def _reader(self) -> Reader:
        """Reads the state, also when it is played on."""
        start = self._opened.position.game
        reader = PlaneReader if start.board.endless else CastleReader
        return reader(alone(self.state), start)
