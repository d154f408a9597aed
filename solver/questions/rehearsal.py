"""A game rehearsed at speed: what each turn wins, and the lead if the game ended after it.

Nothing here is proved about best play; it is a look at a position, by which self-play and the
generator of puzzles decide what to look at closely. Turns are those of the rules, listed by the
incremental states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, Protocol

from model.features import Feature
from model.position import Move, Position
from solver.game_state import GameState
from solver.plane.board import PlaneBoard
from solver.plane.ending import final_scores, last_turns
from solver.plane.state import PlaneState
from solver.plane.state import Turn as PlaneTurn
from solver.plane.towers import TowerState
from solver.positions import castle_claimed, castle_position, plane_claimed, plane_position
from solver.state import BoardState
from solver.states import game_state, plane_state, totals
from solver.tables import CHAPEL

NOTHING = -1
FEW = 6
"""Places of a tile at most that one turn may take from it."""


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
    captures: bool
    """Whether he takes a follower prisoner who stands on a feature."""
    lead: int
    """His lead after final scoring, if the game ended here."""
    steals: bool
    """Whether he alone leads then what his opponent led, by the followers that stood there."""
    strands: bool
    """Whether the next tile has no place then, and had one."""
    repeats: bool = False
    """Whether it scores the same as a turn before it: they differ in towers and guards alone."""
    several: bool = False
    """Whether he scores more than one feature of a castle."""
    chapel: bool = False
    """Whether he scores a chapel."""
    again: bool = False
    """Whether he plays a wall tile 1."""
    cuts: int = 0
    """Cells by which the largest empty area of a castle shrinks."""


class _Game(Protocol):
    """An incremental state with what a walk asks of it."""

    @property
    def state(self) -> GameState | PlaneState:
        """The state."""

    @property
    def mover(self) -> int:
        """The player to move."""

    @property
    def pieces(self) -> int:
        """Tower pieces that the player to move may build."""

    def looks(self, at: int, kind: str, then: str | None) -> Iterator[Look]:
        """Yield every turn with a tile; ``then`` is the tile after it, None after the last."""

    def places(self, kind: str) -> int:
        """Return on how many places a tile may lie."""

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn."""

    def move(self, turn: Any, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move."""

    def position(self, start: Position) -> Position:
        """Return the position now, with the tiles to come of the start."""

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features of the position now on which followers stand."""

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""


class _InCastle:
    """A game in a castle."""

    pieces = 0

    def __init__(self, position: Position) -> None:
        self.state = game_state(position)
        self.mark, self.undo, self.move = self.state.mark, self.state.undo, self.state.move

    @property
    def mover(self) -> int:
        return self.state.turn[0]

    def looks(self, at: int, kind: str, then: str | None) -> Iterator[Look]:
        state, me, last = self.state, self.mover, then is None
        before = state.score[me], state.score[1 - me]
        follows = NOTHING if then is None else state.board.kind_index[then]
        standing, area = self._standing(), state.board.largest_empty_area()
        few = 0 < len(list(islice(self._places(follows), FEW + 1))) <= FEW
        joined: dict[tuple[int, int], tuple[bool, bool, bool, int]] = {}
        for turn in state.turns(state.board.kind_index[kind], last=last):
            mark = state.mark()
            place = turn.cell, turn.rotation
            if place not in joined:
                state.board.lay(turn.cell, turn.kind, turn.rotation)
                strands = few and next(self._places(follows), None) is None
                cuts = area - state.board.largest_empty_area()
                joined[place] = (*_joined(state.board, standing), strands, cuts)
                state.undo(mark)
            joins, steals, strands, cuts = joined[place]
            state.play(turn, last=last)
            ends = totals(state)
            scored = [state.board.kind[c.root] for c in turn.plan.claims if c.winner == me]
            state.undo(mark)
            points = turn.plan.scores[me] - before[0]
            yield Look(
                at=at,
                turn=turn,
                points=points,
                gain=points - turn.plan.scores[1 - me] + before[1],
                takes=any(taker == me for _, taker in turn.plan.takes),
                joins=joins,
                claims=turn.segment >= 0,
                builds=False,
                captures=False,
                lead=ends[me] - ends[1 - me],
                steals=steals,
                strands=strands,
                several=len(scored) > 1,
                chapel=CHAPEL in scored,
                again=turn.extra > 0,
                cuts=cuts,
            )

    def places(self, kind: str) -> int:
        board = self.state.board
        return sum(1 for _ in board.places(board.kind_index[kind]))

    def play(self, turn: Any, *, last: bool) -> None:
        self.state.play(turn, last=last)

    def position(self, start: Position) -> Position:
        return castle_position(self.state, start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        return castle_claimed(self.state, position)

    def _places(self, kind: int) -> Iterator[tuple[int, int]]:
        """Yield the places of a kind, none of no kind."""
        return iter(()) if kind < 0 else self.state.board.places(kind)

    def _standing(self) -> list[tuple[int, int, int]]:
        """Return the features on which followers stand, with them."""
        state, me = self.state, self.mover
        both = [(node, 1 if p == me else -1) for p in (0, 1) for node in state.stands(p)]
        return _standing(state.board, both)


class _OnPlane:
    """A game of Carcassonne, with or without The Tower."""

    def __init__(self, position: Position) -> None:
        self.state = plane_state(position)
        self.mark, self.undo, self.move = self.state.mark, self.state.undo, self.state.move

    @property
    def mover(self) -> int:
        return self.state.turn[0]

    @property
    def pieces(self) -> int:
        return self.state.pieces[self.mover] if isinstance(self.state, TowerState) else 0

    def _end(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the totals, if the game ended here, and the scores."""
        return final_scores(self.state), tuple(self.state.score)

    def looks(self, at: int, kind: str, then: str | None) -> Iterator[Look]:
        state, me = self.state, self.mover
        before = tuple(state.score)
        index = state.board.kind_index[kind]
        follows = NOTHING if then is None else state.board.kind_index[then]
        placeable = follows >= 0 and state.board.fits(follows)
        standing = _standing(
            state.board,
            [(node, 1 if i // state.each == me else -1) for i, node in enumerate(state.posts)],
        )
        for turns, done in state.laid(index, alike=True):
            joins, steals = _joined(state.board, standing)
            strands = placeable and not state.board.fits(follows)
            seen: set[tuple[int, ...]] = set()
            for turn, (ends, after) in last_turns(state, turns, done, self._end):
                scoring = turn.segment, turn.taken, turn.captor
                points = after[me] - before[me]
                yield Look(
                    at=at,
                    turn=turn,
                    points=points,
                    gain=points - after[1 - me] + before[1 - me],
                    takes=False,
                    joins=joins,
                    claims=turn.segment >= 0,
                    builds=turn.piece >= 0,
                    captures=turn.taken >= 0,
                    lead=ends[me] - ends[1 - me],
                    steals=steals,
                    strands=strands,
                    repeats=scoring in seen,
                )
                seen.add(scoring)

    def places(self, kind: str) -> int:
        board = self.state.board
        return sum(1 for _ in board.places(board.kind_index[kind]))

    def play(self, turn: PlaneTurn, *, last: bool) -> None:  # noqa: ARG002 -- see above
        self.state.play(turn)

    def position(self, start: Position) -> Position:
        return plane_position(self.state, start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        return plane_claimed(self.state, position)


def _standing(
    board: BoardState | PlaneBoard, followers: Iterable[tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """Return the feature of each follower, his node, and 1 for the mover's or -1 for another's."""
    return [(board.find(node), node, side) for node, side in followers if node >= 0]


def _joined(
    board: BoardState | PlaneBoard, standing: Sequence[tuple[int, int, int]]
) -> tuple[bool, bool]:
    """Tell whether claimed features are joined since, and whether the mover steals one by it."""
    found: dict[int, Counter[int]] = {}
    for root, node, side in standing:
        found.setdefault(board.find(node), Counter())[root] += side
    joins = any(len(parts) > 1 for parts in found.values())
    steals = any(sum(parts.values()) > 0 > min(parts.values()) for parts in found.values() if joins)
    return joins, steals


class Rehearsal:
    """A game of two players that is played on and taken back, at speed.

    Attributes:
        start: where it began.
        order: ids of the tiles to come; those before ``at`` are laid or had no place.
        at: index of the next of them.

    """

    def __init__(self, position: Position) -> None:
        """Stand at a position whose tiles to come are known."""
        self.start = position
        self.order: Sequence[str] = position.order
        self.at = 0
        self._without_place: tuple[str, ...] = ()
        self._here: Position | None = None
        endless = position.game.board.endless
        self._game: _Game = _OnPlane(position) if endless else _InCastle(position)

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._game.mover

    @property
    def left(self) -> int:
        """How many tiles are to come."""
        return len(self.order) - self.at

    @property
    def supply(self) -> int:
        """Followers without a rank that the player to move may place."""
        return self._game.state.supply[self.mover]

    @property
    def pieces(self) -> int:
        """Tower pieces that the player to move may build."""
        return self._game.pieces

    @property
    def position(self) -> Position:
        """The position now, the same that the rules engine comes to."""
        return replace(
            self._board,
            order=tuple(self.order[self.at :]),
            discarded=(*self.start.discarded, *self._without_place),
        )

    @property
    def claimed(self) -> tuple[Feature, ...]:
        """The features on which followers stand, in the order of their first segments."""
        return self._game.claimed(self._board)

    @property
    def _board(self) -> Position:
        """The position now but for the tiles to come."""
        if self._here is None:
            self._here = self._game.position(self.start)
        return self._here

    def looks(self) -> list[Look]:
        """Return every turn with the next tile that has a place; none if no tile has one."""
        last = len(self.order) - 1
        for at in range(self.at, len(self.order)):
            then = None if at == last else self.order[at + 1]
            if found := list(self._game.looks(at, self.order[at], then)):
                return found
        return []

    def places(self, kind: str) -> int:
        """Return on how many places a tile of a kind may lie now."""
        return self._game.places(kind)

    def move(self, look: Look) -> Move:
        """Return a turn, one of the last ``looks``, as the move that the rules engine lists."""
        return self._game.move(look.turn, tuple(self.order[self.at : look.at]))

    def play(self, look: Look) -> None:
        """Play a turn, one of the last ``looks``."""
        self._game.play(look.turn, last=look.at == len(self.order) - 1)
        self._without_place += tuple(self.order[self.at : look.at])
        self.at, self._here = look.at + 1, None

    def mark(self) -> tuple[int, int, tuple[str, ...]]:
        """Return the point to which ``undo`` takes back."""
        return self._game.mark(), self.at, self._without_place

    def undo(self, mark: tuple[int, int, tuple[str, ...]]) -> None:
        """Take back every turn since ``mark``."""
        point, self.at, self._without_place = mark
        self._here = None
        self._game.undo(point)
