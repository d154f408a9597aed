"""How far an answer is proved."""

from __future__ import annotations

from enum import StrEnum


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
