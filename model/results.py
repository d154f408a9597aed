"""The results of a turn and of final scoring, as values."""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.model.position import FinalUse, Position
from burgrave.model.rule import Event


@dataclass(frozen=True, slots=True)
class Played:
    """A position after a turn, with the events of the turn in order."""

    position: Position
    events: tuple[Event, ...]

    def __str__(self) -> str:
        """Return the position after the turn in one line."""
        return str(self.position)

    def _repr_svg_(self) -> str:
        """Return the position after the turn, as notebooks show it."""
        return self.position._repr_svg_()


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The end of a game."""

    scores: tuple[int, ...]
    """Totals, by player."""
    winner: int | None
    """Index of the winner; None for a draw."""
    events: tuple[Event, ...]
    """The events with points, in order, with the points of final scoring only."""
    uses: tuple[FinalUse, ...] = ()
    """The wall tiles used."""
    tokens: tuple[int, ...] = ()
    """Aerie tokens at the end, by player, in a game that has them."""

    def __str__(self) -> str:
        """Return the totals in one line, by player, ``109-99``."""
        return "-".join(map(str, self.scores))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players with the most points, by index."""
        best = max(self.scores)
        return tuple(index for index, score in enumerate(self.scores) if score == best)
