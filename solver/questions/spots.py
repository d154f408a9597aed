"""Where a tile may lie in Carcassonne and The Tower, with the lead if the game ended after it.

A player who looks at every place of a tile needs this once a turn. The totals before the tile are
taken once; a place changes few of them. What is done on towers is looked at only on the places
that are worth it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from solver.plane.ending import Share, final_scores, harvest, last_turns
from solver.plane.state import PlaneState, Turn
from solver.plane.tables import CLOISTER, FIELD, MAN
from solver.plane.towers import TowerState
from solver.questions.rehearsal import Rehearsal


class Spot(NamedTuple):
    """A place of a tile."""

    at: int
    """Index of the tile among those to come; those before it have no place."""
    cell: int
    kind: int
    rotation: int
    lead: int
    """The lead of who lays it, if he did no more and the game ended."""
    claimed: int | None
    """The most that it would be if he placed a follower; None if he may place none."""


class Outcome(NamedTuple):
    """A turn, with the lead of who makes it if the game ended after it."""

    at: int
    turn: Any
    """The turn as the incremental state of the game knows it."""
    lead: int
    claims: bool
    """Whether he places a follower on a feature."""
    builds: bool
    """Whether he builds a tower piece."""
    guards: bool
    """Whether he completes a tower."""
    height: int
    """Tower pieces on the tower that he raises or completes, before he does."""
    apart: bool
    """Whether it scores other than the turns before it, or completes a tower."""


def spots(walk: Rehearsal) -> list[Spot]:
    """Return every place of the next tile that has one; none if no tile has one.

    Args:
        walk: a game of Carcassonne, with or without The Tower, for two.

    """
    state = _state(walk)
    for at in range(walk.at, len(walk.order)):
        kind = state.board.kind_index[walk.order[at]]
        if places := list(state.board.places(kind)):
            before = _Totals(state)
            return [before.spot(at, cell, kind, rotation) for cell, rotation in places]
    return []


def on_spot(walk: Rehearsal, spot: Spot) -> list[Outcome]:
    """Return every turn on a place.

    Args:
        walk: the game.
        spot: one of its ``spots``.

    """
    state, me = _state(walk), walk.mover
    mark, towers = state.mark(), state.towers()
    done = state.lay(spot.cell, spot.kind, spot.rotation)
    laid = Turn(spot.cell, spot.kind, spot.rotation)
    turns = state.on_place(laid, done, alike=False, towers=towers)
    found, seen = [], set[tuple[int, ...]]()
    heights = state.height if isinstance(state, TowerState) else ()
    for turn, ends in last_turns(state, turns, done, lambda: final_scores(state)):
        tower, scoring = max(turn.piece, turn.guard), (turn.segment, turn.taken, turn.captor)
        outcome = Outcome(
            at=spot.at,
            turn=turn,
            lead=ends[me] - ends[1 - me],
            claims=turn.segment >= 0,
            builds=turn.piece >= 0,
            guards=turn.guard >= 0,
            height=heights[tower] if tower >= 0 else 0,
            apart=turn.guard >= 0 or scoring not in seen,
        )
        found.append(outcome)
        seen.add(scoring)
    state.undo(mark)
    return found


def _state(walk: Rehearsal) -> PlaneState:
    """Return the incremental state of a game on a plane."""
    assert isinstance(walk.state, PlaneState)
    return walk.state


class _Totals:
    """What everybody would have if the game ended now, feature by feature.

    Attributes:
        held: by root of a claimed road, city or cloister the lead that it brings the mover.
        fields: the roots of the claimed fields.
        farms: the lead that they bring him.
        lead: his lead in all.

    """

    def __init__(self, state: PlaneState) -> None:
        """Take the totals of a state."""
        self.state, self.board, self.me = state, state.board, state.turn[0]
        board = state.board
        roots = {board.find(node) for node in state.posts if node >= 0}
        self.fields = [root for root in roots if board.what[root] == FIELD]
        self.held = {
            root: self._worth(board.men[root], board.unfinished(root))
            for root in roots
            if board.what[root] != FIELD
        }
        self.farms = self._harvest(())
        score = state.score[self.me] - state.score[1 - self.me]
        self.lead = score + sum(self.held.values()) + self.farms

    def _worth(self, men: int, points: int) -> int:
        """Return the lead that points bring the mover by who is on the feature."""
        won = (points if p == self.me else -points for p in self.board.tables.leaders(men))
        return sum(won)

    def _harvest(self, more: Sequence[Share]) -> int:
        """Return the lead that farms bring the mover, claimed fields and some more."""
        board = self.board
        fields = {board.find(root) for root in self.fields}
        shares = [*((board.men[root], board.near[root]) for root in fields), *more]
        return sum(self._worth(men, points) for men, points in harvest(board, shares))

    def spot(self, at: int, cell: int, kind: int, rotation: int) -> Spot:
        """Return a place with the lead if the game ended after the tile."""
        state, board = self.state, self.board
        mark, cities = state.mark(), len(board.walled)
        done = state.lay(cell, kind, rotation)
        base = (len(board.cell) - 1) * board.tables.width
        own = [board.find(base + i) for i in range(len(board.tables.segments[kind]))]
        changed = {*own, *self._near(cell)}
        lead, grown = self.lead, set[int]()
        for root, worth in self.held.items():
            now = board.find(root)
            if now in changed:
                lead -= worth
                grown.add(now)
        lead += sum(self._worth(board.men[root], self._points(root, done)) for root in grown)
        farms = self.farms
        touched = len(board.walled) > cities or any(
            board.men[root] and board.what[root] == FIELD for root in own
        )
        if touched:
            farms = self._harvest(())
            lead += farms - self.farms
        best = max(self._claims(kind, own, done, farms), default=None)
        state.undo(mark)
        return Spot(at, cell, kind, rotation, lead, None if best is None else lead + best)

    def _near(self, cell: int) -> Iterator[int]:
        """Yield the claimed cloisters round a cell."""
        board = self.board
        for root in self.held:
            if board.what[root] == CLOISTER:
                at = board.cell[root // board.tables.width]
                if cell in board.block(at):
                    yield root

    def _points(self, root: int, done: Sequence[int]) -> int:
        """Return the points of a road, city or cloister, complete or not."""
        return self.board.worth(root) if root in done else self.board.unfinished(root)

    def _claims(
        self, kind: int, own: Sequence[int], done: Sequence[int], farms: int
    ) -> Iterator[int]:
        """Yield what each follower that may be placed adds to the lead."""
        board = self.board
        for segment in self.state.claimable(kind, alike=False):
            root = own[segment]
            if board.what[root] == FIELD:
                yield self._harvest([(1 << MAN * self.me, board.near[root])]) - farms
            else:
                yield self._points(root, done)
