"""Certificates: what an engine claims is replayed through the rules engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from model.engine import play
from model.errors import IllegalMoveError
from model.final import final_scoring
from model.notation import write_move
from model.position import Move, Position
from solver.answers import Choice, Objective
from solver.engines import Found


class CertificateError(Exception):
    """A claim of an engine does not stand up: a bug of this program, which nobody catches."""


def certify_line(position: Position, line: Sequence[Move], lead: int) -> tuple[int, ...]:
    """Replay a line to the end of the game and compare the lead with what was promised.

    Args:
        position: the position before the line.
        line: every turn to the end of the game.
        lead: the first player's lead that is promised after final scoring.

    Returns:
        The totals after final scoring, by player.

    Raises:
        CertificateError: a move is illegal, or the line ends with another lead.

    """
    for move in line:
        try:
            position = play(position, move).position
        except IllegalMoveError as error:
            text = write_move(position, move)
            raise CertificateError(f"{text} is said to be legal, but: {error}") from error
    scores = final_scoring(position).scores
    if scores[0] - scores[1] != lead:
        raise CertificateError(f"a line is said to end with a lead of {lead}; it ends {scores}")
    return scores


def certify(position: Position, found: Found, objective: Objective) -> Choice:
    """Replay a move and compare its points with what was promised.

    Args:
        position: the position before the move.
        found: the move with the points promised.
        objective: what the move is valued by.

    Returns:
        The move with its value and the events that bring points.

    Raises:
        CertificateError: the move is illegal, or brings other points.

    """
    text = write_move(position, found.move)
    try:
        played = play(position, found.move)
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
