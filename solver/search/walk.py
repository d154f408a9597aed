"""A game on the kernel as its lines are counted or guessed: played on and taken back in Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from model.draws import draws
from model.games import Game
from model.position import Move, Position
from solver.kernel import game
from solver.kernel.codec import Opened
from solver.kernel.compiling import is_compiled, note_compiled
from solver.kernel.job import NONE
from solver.kernel.records import LISTED
from solver.problem import Goal, Play, Problem
from solver.progress import SILENT, Reporter
from solver.result import TooLargeError

Totals = tuple[int, ...]
"""By player the points at the end of a game."""
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


class Walk:
    """A position with its legal turns, every wording of the rules engine once.

    A turn is a number of the kernel. Wall tiles that lie face down are taken unseen.
    """

    def __init__(self, position: Position, reporter: Reporter) -> None:
        """Open a position.

        Args:
            position: a position for which the kernel's codec has no ``refusal``.
            reporter: hears if the kernel is to be compiled.

        """
        import numpy as np

        self._opened = Opened(position)
        self.state, self._tables = self._opened.state, self._opened.tables
        self._room = np.zeros((2, LISTED), np.int64)
        self._totals = np.zeros(len(position.players), np.int64)
        with compiling("turns", position.game, reporter):
            self.totals()
            self.turns(0, last=False)

    @property
    def mover(self) -> int:
        """The player to move."""
        return int(game.mover(self.state))

    def kind(self, tile: str) -> int:
        """Return the number of a kind of tile by its id."""
        return self._opened.kind(tile)

    def placeable(self, kind: int) -> bool:
        """Tell whether a kind of tile has a place."""
        return bool(game.placeable(self.state, self._tables, kind))

    def turns(self, kind: int | None, *, last: bool) -> Sequence[int]:
        """Return every turn with a kind of tile; none if it has no place.

        Args:
            kind: the kind; None for the turns for which no tile is left that has a place.
            last: whether no tile is left after this one.

        Raises:
            TooLargeError: the kernel has no room for them.

        """
        out, hints = self._room
        number = NONE if kind is None else kind
        end = game.turns(self.state, self._tables, number, last, True, out, hints, 0)
        check_room(self.state)
        listed: list[int] = out[:end].tolist()
        return listed

    def play(self, turn: int, *, last: bool) -> None:
        """Play a turn."""
        game.play(self.state, self._tables, turn, last)

    def hand_over(self, player: int) -> None:
        """Let the next turn be a player's; ``undo`` takes it back with the turn before."""
        game.hand_over(self.state, player)

    def undo(self) -> None:
        """Take back the turn played last."""
        game.undo(self.state, self._tables)

    def ends(self, kind: int | None) -> Iterator[Totals]:
        """Yield the totals after each turn with the last tile, or with none."""
        for turn in self.turns(kind, last=True):
            self.play(turn, last=True)
            totals = self.totals()
            self.undo()
            yield totals

    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""
        game.totals(self.state, self._tables, self._totals)
        check_room(self.state)
        return tuple(self._totals.tolist())

    def standing(self) -> Totals:
        """Return each player's score on the track."""
        game.standing(self.state, self._tables, self._totals)
        return tuple(self._totals.tolist())

    def move(self, turn: int, gone: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as the move that the rules engine lists.

        Args:
            turn: the turn.
            gone: ids of the tiles drawn before it that had no place.

        """
        return self._opened.move(self.state, turn, gone)


class Greedy:
    """Plays the game of a problem by turns that are each the best if the game ended after it.

    Nothing is proved by it.
    """

    def __init__(self, problem: Problem) -> None:
        """Take over the position of a problem; who wants to win is taken to want the lead."""
        self.problem = replace(problem, goal=Goal.LEAD) if problem.goal is Goal.WIN else problem
        self.position = problem.begin(problem.position)
        self.walk = Walk(self.position, SILENT)

    def first(self) -> tuple[Move, ...]:
        """Return a first move for every tile that may be drawn, in the order of the rules engine.

        If the best turn takes a face-down wall tile, the move begins as that turn does.
        """
        tiles = len(self.position.order) + len(self.position.bag)
        known: dict[tuple[int | None, bool], int] = {}
        moves = []
        for draw in draws(self.position, lambda _, tile: self.walk.placeable(self.walk.kind(tile))):
            last = len(draw.discards) + (draw.tile is not None) == tiles
            kind = None if draw.tile is None else self.walk.kind(draw.tile)
            if (kind, last) not in known:
                known[kind, last] = self._best(kind, last=last)
            moves.append(self.walk.move(known[kind, last], draw.discards))
        return tuple(moves)

    def line(self) -> tuple[tuple[Move, ...], Totals]:
        """Return moves to the end or to the horizon, and each player's total then.

        Tiles of a bag come in the order of their ids. No wall tile may lie face down.
        """
        tiles = [*self.position.order, *sorted(self.position.bag)]
        until = max(0, len(tiles) - (self.problem.horizon or len(tiles)))
        moves = []
        while len(tiles) > until:
            kinds = enumerate(map(self.walk.kind, tiles))
            fitting = ((i, k) for i, k in kinds if self.walk.placeable(k))
            at, kind = next(fitting, (len(tiles), None))
            gone, tiles = tuple(tiles[:at]), tiles[at + 1 :]
            turn = self._best(kind, last=not tiles)
            moves.append(self.walk.move(turn, gone))
            self.walk.play(turn, last=not tiles)
            if self.problem.play is Play.SOLITAIRE and tiles:
                self.walk.hand_over(self.problem.asker)
        return tuple(moves), self.walk.standing() if tiles else self.walk.totals()

    def _best(self, kind: int | None, *, last: bool) -> int:
        """Return the best turn with a kind of tile, or without one.

        Of equal ones it is one with a follower if that may help whom the mover plays for.
        """
        mover, walk = self.walk.mover, self.walk
        found = []
        for turn in walk.turns(kind, last=last):
            walk.play(turn, last=last)
            found.append((self.problem.liking(mover, self.problem.worths(*walk.totals())), turn))
            walk.undo()
        top = max(liking for liking, _ in found)
        equal = [turn for liking, turn in found if liking == top]
        gains = mover == self.problem.asker or not self.problem.serves(mover)
        placing = (turn for turn in equal if bool(walk.move(turn, ()).followers) is gains)
        return next(placing, equal[0])
