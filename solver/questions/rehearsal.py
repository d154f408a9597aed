"""A game rehearsed at speed: what each turn wins, and the lead if the game ended after it.

Nothing here is proved about best play; it is a look at a position, by which self-play and the
generator of puzzles decide what to look at closely. Turns are those of the rules, listed by the
incremental states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from model.position import Move, Position
from solver.falcon.state import FalconState
from solver.plane.board import PlaneBoard
from solver.plane.ending import final_scores
from solver.plane.state import Turn as PlaneTurn
from solver.state import BoardState
from solver.states import game_state, plane_state


class Look(NamedTuple):
    """A turn at a glance, with points from the side of the player who makes it."""

    at: int
    """Index of its tile among those to come; those before it have no place."""
    turn: Any
    """The turn as the incremental state of the game knows it."""
    points: int
    """What he wins in it."""
    gain: int
    """What he wins in it on his opponent."""
    takes: bool
    """Whether he takes a wall tile."""
    joins: bool
    """Whether the tile joins features on which followers stand."""
    claims: bool
    """Whether he places a follower on a feature."""
    builds: bool
    """Whether he builds a tower piece."""
    lead: int
    """His lead after final scoring, if the game ended here."""


class _Game(Protocol):
    """An incremental state with what a walk asks of it."""

    @property
    def mover(self) -> int:
        """The player to move."""

    def looks(self, at: int, kind: str, *, last: bool) -> Iterator[Look]:
        """Yield every turn with a tile."""

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn."""

    def move(self, turn: Any, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move."""

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""


class _InCastle:
    """A game in a castle."""

    def __init__(self, position: Position) -> None:
        self.state = game_state(position)
        self.mark, self.undo, self.move = self.state.mark, self.state.undo, self.state.move

    @property
    def mover(self) -> int:
        return self.state.turn[0]

    def looks(self, at: int, kind: str, *, last: bool) -> Iterator[Look]:
        state, me = self.state, self.mover
        before = state.score[me], state.score[1 - me]
        claimed, joins = self._claimed(), {}
        for turn in state.turns(state.board.kind_index[kind], last=last):
            mark = state.mark()
            place = turn.cell, turn.rotation
            if place not in joins:
                state.board.lay(turn.cell, turn.kind, turn.rotation)
                joins[place] = self._claimed() < claimed
                state.undo(mark)
            state.play(turn, last=last)
            totals = state.totals()
            state.undo(mark)
            points = turn.plan.scores[me] - before[0]
            yield Look(
                at=at,
                turn=turn,
                points=points,
                gain=points - turn.plan.scores[1 - me] + before[1],
                takes=any(taker == me for _, taker in turn.plan.takes),
                joins=joins[place],
                claims=turn.segment >= 0,
                builds=False,
                lead=totals[me] - totals[1 - me],
            )

    def play(self, turn: Any, *, last: bool) -> None:
        self.state.play(turn, last=last)

    def _claimed(self) -> int:
        """Return on how many features followers stand."""
        state = self.state
        special = state.specials if isinstance(state, FalconState) else ()
        return _claimed(state.board, (*state.posts, *special))


class _OnPlane:
    """A game of Carcassonne, with or without The Tower."""

    def __init__(self, position: Position) -> None:
        self.state = plane_state(position)
        self.mark, self.undo, self.move = self.state.mark, self.state.undo, self.state.move

    @property
    def mover(self) -> int:
        return self.state.turn[0]

    def looks(self, at: int, kind: str, *, last: bool) -> Iterator[Look]:  # noqa: ARG002 -- no turn depends on it
        state, me = self.state, self.mover
        before = state.score[me], state.score[1 - me]
        index = state.board.kind_index[kind]
        claimed = _claimed(state.board, state.posts)
        for turns, done in state.laid(index, alike=True):
            joins = _claimed(state.board, state.posts) < claimed
            for turn in turns:
                mark = state.mark()
                state.finish(turn, done)
                totals, after = final_scores(state), (state.score[me], state.score[1 - me])
                state.undo(mark)
                points = after[0] - before[0]
                gain = points - after[1] + before[1]
                lead = totals[me] - totals[1 - me]
                yield Look(
                    at=at,
                    turn=turn,
                    points=points,
                    gain=gain,
                    takes=False,
                    joins=joins,
                    claims=turn.segment >= 0,
                    builds=turn.piece >= 0,
                    lead=lead,
                )

    def play(self, turn: PlaneTurn, *, last: bool) -> None:  # noqa: ARG002 -- see above
        self.state.play(turn)


def _claimed(board: BoardState | PlaneBoard, nodes: Iterable[int]) -> int:
    """Return in how many features nodes lie, those below 0 left out."""
    return len({board.find(node) for node in nodes if node >= 0})


class Rehearsal:
    """A game of two players that is played on and taken back, at speed.

    Attributes:
        order: ids of the tiles to come; those before ``at`` are laid or had no place.
        at: index of the next of them.

    """

    def __init__(self, position: Position) -> None:
        """Stand at a position whose tiles to come are known."""
        self.order: Sequence[str] = position.order
        self.at = 0
        endless = position.game.board.endless
        self._game: _Game = _OnPlane(position) if endless else _InCastle(position)

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._game.mover

    def looks(self) -> list[Look]:
        """Return every turn with the next tile that has a place; none if no tile has one."""
        last = len(self.order) - 1
        for at in range(self.at, len(self.order)):
            if found := list(self._game.looks(at, self.order[at], last=at == last)):
                return found
        return []

    def move(self, look: Look) -> Move:
        """Return a turn, one of the last ``looks``, as the move that the rules engine lists."""
        return self._game.move(look.turn, tuple(self.order[self.at : look.at]))

    def play(self, look: Look) -> None:
        """Play a turn, one of the last ``looks``."""
        self._game.play(look.turn, last=look.at == len(self.order) - 1)
        self.at = look.at + 1

    def mark(self) -> tuple[int, int]:
        """Return the point to which ``undo`` takes back."""
        return self._game.mark(), self.at

    def undo(self, mark: tuple[int, int]) -> None:
        """Take back every turn since ``mark``."""
        point, self.at = mark
        self._game.undo(point)
