"""A game on its incremental state, in a castle or on the plane, as its lines are counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from model.position import Position
from solver.game_state import Turn as CastleTurn
from solver.plane.ending import final_scores, last_turns
from solver.plane.state import Turn as PlaneTurn
from solver.states import game_state, plane_state, totals

T = TypeVar("T")
Totals = tuple[int, ...]
"""By player the points at the end of a game."""


class Undoable(Protocol):
    """A position that turns are played on and taken back."""

    @property
    def turn(self) -> list[int]:
        """Whose turn it is, the player to move first."""

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""


class Walk(Protocol[T]):
    """A position with its legal turns, every wording of the rules engine once."""

    @property
    def state(self) -> Undoable:
        """The position; all but ``play`` leave it as it was."""

    @property
    def kind_index(self) -> Mapping[str, int]:
        """The numbers of the kinds of tiles by their ids."""

    def turns(self, kind: int, *, last: bool) -> Sequence[T]:
        """Return every turn with a kind of tile; none if it has no place.

        Args:
            kind: the kind.
            last: whether no tile is left after this one.

        """

    def play(self, turn: T) -> None:
        """Play a turn after which tiles are left."""

    def ends(self, kind: int) -> Iterator[Totals]:
        """Yield the totals after each turn with the last tile.

        Whoever stops before the end undoes what lies.
        """

    def passed(self) -> list[Totals]:
        """Return the totals after each turn for which no tile is left that has a place."""


class CastleWalk:
    """A game in a castle; see ``Walk``."""

    def __init__(self, position: Position) -> None:
        """Take over a position."""
        self.state = game_state(position)
        self.kind_index = self.state.board.kind_index

    def turns(self, kind: int, *, last: bool) -> list[CastleTurn]:
        """Return every turn with a kind of tile."""
        return self.state.turns(kind, last=last)

    def play(self, turn: CastleTurn) -> None:
        """Play a turn after which tiles are left."""
        self.state.play(turn, last=False)

    def ends(self, kind: int) -> Iterator[Totals]:
        """Yield the totals after each turn with the last tile."""
        for turn in self.state.turns(kind, last=True):
            mark = self.state.mark()
            self.state.play(turn, last=True)
            yield totals(self.state)
            self.state.undo(mark)

    def passed(self) -> list[Totals]:
        """Return the totals after the turn without a tile, of which there is one."""
        mark = self.state.mark()
        self.state.pass_turn()
        ended = totals(self.state)
        self.state.undo(mark)
        return [ended]


class PlaneWalk:
    """A game of Carcassonne, with or without The Tower; see ``Walk``."""

    def __init__(self, position: Position) -> None:
        """Take over a position."""
        self.state = plane_state(position)
        self.kind_index = self.state.board.kind_index
        self._end = partial(final_scores, self.state)

    def turns(self, kind: int, *, last: bool) -> list[PlaneTurn]:  # noqa: ARG002 -- no turn depends on it
        """Return every turn with a kind of tile."""
        return self.state.turns(kind)

    def play(self, turn: PlaneTurn) -> None:
        """Play a turn after which tiles are left."""
        self.state.play(turn)

    def ends(self, kind: int) -> Iterator[Totals]:
        """Yield the totals after each turn with the last tile."""
        for turns, done in self.state.laid(kind, alike=True):
            for _, ended in last_turns(self.state, turns, done, self._end):
                yield ended

    def passed(self) -> list[Totals]:
        """Return the totals after each turn without a tile, one for each ransom and action."""
        ends = last_turns(self.state, self.state.passes(), [], self._end)
        return [totals for _, totals in ends]


def walk(position: Position) -> Walk[Any]:
    """Return a position as a walk."""
    return PlaneWalk(position) if position.game.board.endless else CastleWalk(position)
