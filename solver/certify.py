"""Certificates: what an engine claims is replayed through the rules engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from model.engine import play
from model.errors import IllegalMoveError
from model.features import Features, position_features
from model.final import final_scoring
from model.notation import write_move
from model.position import Position
from solver.answers import Choice, Objective
from solver.engines import Found
from solver.outlook import First, Task


class CertificateError(Exception):
    """A claim of an engine does not stand up: a bug of this program, which nobody catches."""


def certify_all(task: Task, firsts: Sequence[First]) -> list[tuple[int, ...] | None]:
    """Replay first moves, each as ``certify_first`` does; the features before are read once.

    Args:
        task: the question.
        firsts: first moves, each with best play after it where everything is known.

    Returns:
        For each first move what ``certify_first`` returns.

    """
    before = position_features(task.begin(task.position)) if firsts else None
    return [certify_first(task, first, before) for first in firsts]


def certify_first(
    task: Task, first: First, before: Features | None = None
) -> tuple[int, ...] | None:
    """Replay a first move and what follows it, and compare its end with what was promised.

    Args:
        task: the question.
        first: a first move, with best play after it where everything is known.
        before: the features of the position as the asker meets it; None to read them anew.

    Returns:
        The scores at the end of the line, by player; None if the line is the move alone.

    Raises:
        CertificateError: a move is illegal, or the line ends with another value.

    """
    position = task.begin(task.position)
    for move in first.line or (first.move,):
        try:
            position = task.begin(play(position, move, before).position)
        except IllegalMoveError as error:
            text = write_move(position, move)
            raise CertificateError(f"{text} is said to be legal, but: {error}") from error
        before = None
    if not first.line:
        return None
    scores = tuple(player.score for player in position.players)
    if position.over:
        scores = final_scoring(position).scores
    elif task.horizon is None:
        raise CertificateError(f"a line is said to end the game; {len(position.order)} tiles left")
    if task.worth(*scores) != first.value:
        raise CertificateError(f"a line is said to be worth {first.value}; it ends {scores}")
    return scores


def certify(
    position: Position, found: Found, objective: Objective, before: Features | None = None
) -> Choice:
    """Replay a move and compare its points with what was promised.

    Args:
        position: the position before the move.
        found: the move with the points promised.
        objective: what the move is valued by.
        before: the features of ``position``; None to read them anew.

    Returns:
        The move with its value and the events that bring points.

    Raises:
        CertificateError: the move is illegal, or brings other points.

    """
    text = write_move(position, found.move)
    try:
        played = play(position, found.move, before)
    except IllegalMoveError as error:
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error
    pairs = zip(position.players, played.position.players, strict=True)
    gains = tuple(after.score - before.score for before, after in pairs)
    parts = tuple(event for event in played.events if event.points)
    told: Counter[int | None] = Counter()
    for event in parts:
        told[event.player] += event.points
    if gains != found.gains or gains != tuple(told[p] for p in range(len(gains))):
        raise CertificateError(
            f"{text} is said to bring {found.gains}; it brings {gains}, told as {dict(told)}"
        )
    value = objective.worth(gains, position.to_move)
    return Choice(move=found.move, value=value, parts=parts)
