"""What a question is answered with: a value, a bound, moves, and what was confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.position import Move
from model.rule import Event


class Status(StrEnum):
    """How far an answer is proved."""

    OPTIMAL = "optimal"
    """The value is proved, and the moves are all that the question asked for."""
    BOUND = "bound"
    """Time ran out: the moves reach the value, and nothing better is excluded up to the bound."""
    INFEASIBLE = "infeasible"
    """Proved: no move is as the question wants it."""
    UNKNOWN = "unknown"
    """Time ran out before any move was found."""


class Objective(StrEnum):
    """What a move of this turn is best for.

    Both look at the points of the turn alone. Final scoring, courts, keeps and wall tiles
    won have no part in them.
    """

    POINTS = "points"
    """The points that the player to move wins in this turn."""
    LEAD = "lead"
    """Those points less the points that the opponent wins in this turn."""

    def worth(self, gains: tuple[int, ...], player: int) -> int:
        """Return what a turn is worth to ``player``.

        Args:
            gains: points won in the turn, by player.
            player: the player whose turn it is.

        >>> Objective.LEAD.worth((4, 6), player=0)
        -2
        """
        if self is Objective.POINTS:
            return gains[player]
        return 2 * gains[player] - sum(gains)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A move with what it brings in its turn."""

    move: Move
    value: int
    """Points, or points of lead, for the player to move."""
    parts: tuple[Event, ...]
    """The events of the turn that bring points, to either player, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to the question for the best move of a turn."""

    player: int
    """The player from whose point of view values are counted: the one to move."""
    objective: Objective
    value: int | None
    """The value of the best move found; None if none was found."""
    bound: int | None
    """No move is worth more than this; equal to the value once that is proved; None if no
    limit is known."""
    status: Status
    moves: tuple[Choice, ...]
    """The moves asked for, best first, equal ones in the order of the reference engine."""
    engine: str
    """The engine that found them: ``cpsat``, ``reference``, ``state`` or ``brute``."""
    seconds: float
    """Wall-clock time from question to answer."""
    confirmed: tuple[str, ...]
    """What was confirmed, and by what, one sentence each."""
