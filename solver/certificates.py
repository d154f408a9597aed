"""Certificates: the rules engine replays the claims of an engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from model.engine import play
from model.errors import IllegalMoveError
from model.features import Features, position_features
from model.final import final_scoring
from model.notation import write_move
from solver.problem import Problem
from solver.result import RootMove


class CertificateError(Exception):
    """A claim of an engine is wrong: a bug of this program, which no code catches."""


def certify_all(problem: Problem, firsts: Sequence[RootMove]) -> list[tuple[int, ...] | None]:
    """Replay first moves, each as ``certify_first`` does; the features before are read once.

    Args:
        problem: the question.
        firsts: first moves, each with best play after it where everything is known.

    Returns:
        For each first move the result of ``certify_first``.

    """
    before = position_features(problem.begin(problem.position)) if firsts else None
    return [certify_first(problem, first, before) for first in firsts]


def certify_first(
    problem: Problem, first: RootMove, before: Features | None = None
) -> tuple[int, ...] | None:
    """Replay a first move with its line, and compare the end with the claimed value.

    Args:
        problem: the question.
        first: a first move, with best play after it where everything is known.
        before: the features of the position as the asker meets it; None to read them anew.

    Returns:
        The scores at the end of the line, by player; None if the line is the move alone.

    Raises:
        CertificateError: a move is illegal, or the line ends with another value.

    """
    position = problem.begin(problem.position)
    for move in first.line or (first.move,):
        try:
            position = problem.begin(play(position, move, before).position)
        except IllegalMoveError as error:
            text = write_move(position, move)
            raise CertificateError(f"{text} is said to be legal, but: {error}") from error
        before = None
    if not first.line:
        return None
    scores = tuple(player.score for player in position.players)
    if position.over:
        scores = final_scoring(position).scores
    elif problem.horizon is None:
        raise CertificateError(f"a line is said to end the game; {len(position.order)} tiles left")
    if problem.worth(*scores) != first.value:
        raise CertificateError(f"a line is said to be worth {first.value}; it ends {scores}")
    return scores


def certify_turn(problem: Problem, first: RootMove, before: Features | None = None) -> RootMove:
    """Replay a move of a question about one turn, and compare its points with the promised ones.

    Args:
        problem: the question.
        first: the move with the points promised.
        before: the features of the position; None to read them anew.

    Returns:
        The move with its value and the events that bring points.

    Raises:
        CertificateError: the move is illegal, or brings other points.

    """
    position = problem.position
    text = write_move(position, first.move)
    try:
        played = play(position, first.move, before)
    except IllegalMoveError as error:
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error
    pairs = zip(position.players, played.position.players, strict=True)
    points = tuple(after.score - before.score for before, after in pairs)
    events = tuple(event for event in played.events if event.points)
    told: Counter[int | None] = Counter()
    for event in events:
        told[event.player] += event.points
    if points != first.points or points != tuple(told[p] for p in range(len(points))):
        raise CertificateError(
            f"{text} is said to bring {first.points}; it brings {points}, told as {dict(told)}"
        )
    if (worth := problem.worth(*points)) != first.value:
        raise CertificateError(f"{text} is said to be worth {first.value}; it is worth {worth}")
    return replace(first, events=events)
