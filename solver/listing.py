"""The moves of one turn with their points, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from model.draws import Draw
from model.position import Move
from solver.problem import Problem
from solver.result import NOTHING, Result, RootMove, Status


class ScoredMove(NamedTuple):
    """A legal move with its points."""

    move: Move
    points: tuple[int, ...]
    """Points won in the turn, by player."""


def the_draw(problem: Problem) -> Draw:
    """Return the draw of a problem about one turn."""
    assert problem.draw is not None
    return problem.draw


def passing(problem: Problem) -> ScoredMove:
    """Return the turn in which no tile is left that has a place."""
    return ScoredMove(
        Move(discards=the_draw(problem).discards), (0,) * len(problem.position.players)
    )


def ranked(problem: Problem, moves: Sequence[ScoredMove]) -> tuple[RootMove, ...]:
    """Return the best moves of a list: as many as wanted, and all that equal the last."""
    worths = [problem.worth(*one.points) for one in moves]
    last = sorted(worths, reverse=True)[min(problem.top, len(moves)) - 1]
    best = [
        RootMove(move=one.move, value=Fraction(worth), points=one.points)
        for one, worth in zip(moves, worths, strict=True)
        if worth >= last
    ]
    return tuple(sorted(best, key=lambda first: -first.value))


def best_listed(problem: Problem, moves: Sequence[ScoredMove] | None, proof: str) -> Result:
    """Return the best of a complete list.

    Args:
        problem: the question about one turn.
        moves: every legal move; None if the time was not enough to list them.
        proof: one sentence that says why the list is complete.

    """
    if moves is None:
        return NOTHING
    first = ranked(problem, moves)
    value = first[0].value
    return Result(status=Status.OPTIMAL, value=value, most=value, first=first, confirmed=(proof,))
