"""Where a tile may lie in Carcassonne and The Tower, with the lead if the game ended after it.

A player who looks at every place of a tile needs this once a turn. What is done on towers is looked
at only on the places that are worth it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from solver.plane.ending import Gains, Reckoning, final_scores, last_turns
from solver.plane.state import PlaneState, Turn
from solver.plane.tables import MAN
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
    state, me = _state(walk), walk.mover
    gains = Gains(state.board.tables, (1, -1) if me == 0 else (-1, 1))
    for at in range(walk.at, len(walk.order)):
        kind = state.board.kind_index[walk.order[at]]
        if places := list(state.board.places(kind)):
            return [_spot(state, gains, at, Turn(cell, kind, turned)) for cell, turned in places]
    return []


def _spot(state: PlaneState, gains: Gains, at: int, laid: Turn) -> Spot:
    """Return a place with the leads if the game ended after the tile."""
    board, me, mark = state.board, state.turn[0], state.mark()
    reckoning = Reckoning(state, gains, state.lay(laid.cell, laid.kind, laid.rotation))
    lead = state.score[me] - state.score[1 - me] + reckoning.total
    base = (len(board.cell) - 1) * board.tables.width
    claims = [
        lead + reckoning.changed(board.find(base + segment), 1 << MAN * me)
        for segment in state.claimable(laid.kind, alike=False)
    ]
    state.undo(mark)
    return Spot(at, laid.cell, laid.kind, laid.rotation, lead, max(claims, default=None))


def on_spot(walk: Rehearsal, spot: Spot) -> list[Outcome]:
    """Return every turn on a place, with what it leads to.

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
