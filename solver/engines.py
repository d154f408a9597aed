"""What an engine is: a way to list the moves of a turn with what they bring.

Four engines answer the same questions in independent ways: ``reference`` asks the rules
engine, ``cpsat`` a constraint model, ``state`` the incremental state of the searches, and
``brute`` tries everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from model.draws import Draw
from model.position import Move, Position
from solver.answers import Objective, Status
from solver.budget import Stopwatch
from solver.progress import Reporter


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A move with the points that an engine promises for it."""

    move: Move
    gains: tuple[int, ...]
    """Points won in the turn, by player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What an engine is asked for, and with what means."""

    position: Position
    draw: Draw
    """The tile to be laid, and those that had no place before it."""
    objective: Objective = Objective.POINTS
    top: int = 1
    """How many moves are wanted at least; moves equal to the last of them come too."""
    watch: Stopwatch
    reporter: Reporter

    def worth(self, found: Found) -> int:
        """Return what a move is worth."""
        return self.objective.worth(found.gains, self.position.to_move)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an engine found."""

    status: Status
    value: int | None
    bound: int | None
    found: tuple[Found, ...]
    """Best first, equal ones in the order of the reference engine."""
    confirmed: tuple[str, ...] = ()


class Engine(Protocol):
    """A way to find moves."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn, as the rules have it."""

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw in the reference's order; None if time is out."""

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw."""


UNKNOWN = Result(status=Status.UNKNOWN, value=None, bound=None, found=())
"""Nothing was found in the time."""


def passing(search: Search) -> Found:
    """Return the turn in which no tile is left that has a place."""
    return Found(
        move=Move(discards=search.draw.discards), gains=(0,) * len(search.position.players)
    )


def ranked(search: Search, found: Sequence[Found]) -> tuple[Found, ...]:
    """Return the best moves of a list: as many as wanted, and all that equal the last."""
    by_worth = sorted(found, key=lambda one: -search.worth(one))
    last = search.worth(by_worth[min(search.top, len(by_worth)) - 1])
    return tuple(one for one in by_worth if search.worth(one) >= last)


def from_list(search: Search, found: Sequence[Found] | None, proof: str) -> Result:
    """Return the best of a complete list.

    Args:
        search: what was asked.
        found: every legal move; None if the time was not enough to list them.
        proof: one sentence that says why the list is complete.

    """
    if found is None:
        return UNKNOWN
    best = ranked(search, found)
    value = search.worth(best[0])
    return Result(status=Status.OPTIMAL, value=value, bound=value, found=best, confirmed=(proof,))
