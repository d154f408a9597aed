"""The moves of one turn with their points, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from model.draws import Draw
from model.position import Move
from solver.answers import Status
from solver.outlook import NOTHING, Finding, First, Task


class ScoredMove(NamedTuple):
    """A legal move with its points."""

    move: Move
    points: tuple[int, ...]
    """Points won in the turn, by player."""


def the_draw(task: Task) -> Draw:
    """Return what the turn of a task begins with."""
    assert task.draw is not None
    return task.draw


def passing(task: Task) -> ScoredMove:
    """Return the turn in which no tile is left that has a place."""
    return ScoredMove(Move(discards=the_draw(task).discards), (0,) * len(task.position.players))


def ranked(task: Task, moves: Sequence[ScoredMove]) -> tuple[First, ...]:
    """Return the best moves of a list: as many as wanted, and all that equal the last."""
    worths = [task.worth(*one.points) for one in moves]
    last = sorted(worths, reverse=True)[min(task.top, len(moves)) - 1]
    best = [
        First(move=one.move, value=Fraction(worth), points=one.points)
        for one, worth in zip(moves, worths, strict=True)
        if worth >= last
    ]
    return tuple(sorted(best, key=lambda first: -first.value))


def best_listed(task: Task, moves: Sequence[ScoredMove] | None, proof: str) -> Finding:
    """Return the best of a complete list.

    Args:
        task: the question about one turn.
        moves: every legal move; None if the time was not enough to list them.
        proof: one sentence that says why the list is complete.

    """
    if moves is None:
        return NOTHING
    first = ranked(task, moves)
    value = first[0].value
    return Finding(status=Status.OPTIMAL, value=value, most=value, first=first, confirmed=(proof,))
