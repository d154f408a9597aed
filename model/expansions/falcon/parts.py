"""What The Falcon adds to a state: aerie tokens of players, aeries that bring no more of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from burgrave.model.components import Aerie
from burgrave.model.geometry import Cell
from burgrave.model.parts import Form, Part, View

if TYPE_CHECKING:
    from burgrave.model.games import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class FalconHoldings(Part):
    """What a player has of The Falcon."""

    tokens: int = 0
    """Aerie tokens."""

    def takes(self) -> Iterator[Callable[[Self], Self]]:
        """Yield a way to take all tokens."""
        yield lambda part: type(part)()


@dataclass(frozen=True, slots=True, kw_only=True)
class Aeries(Part):
    """The aeries on the board."""

    taken_aeries: tuple[Aerie, ...] = ()
    """Aeries that bring no more tokens, sorted; none where each feature takes its own."""

    @classmethod
    def read(cls, keys: Any, game: Game, faults: list[str]) -> Self:  # noqa: ARG003
        """Return the aeries of a file, ``3,4.0``."""
        return cls(taken_aeries=tuple(sorted(map(_aerie, keys.taken_aeries))))

    def data(self, game: Game) -> dict[str, Any]:  # noqa: ARG002
        """Return the key of a file."""
        return {"taken_aeries": [f"{aerie.cell}.{aerie.number}" for aerie in self.taken_aeries]}

    def in_form(self, game: Game) -> Self:  # noqa: ARG002
        """Return the part with its aeries sorted."""
        return replace(self, taken_aeries=tuple(sorted(self.taken_aeries)))

    def form(self, view: View) -> Form:
        """Return the place and the number of each aerie."""
        return tuple(sorted((view.cell(aerie.cell), aerie.number) for aerie in self.taken_aeries))


def _aerie(text: str) -> Aerie:
    """Read an aerie on the board, ``3,4.0``."""
    cell, _, number = text.rpartition(".")
    x, y = cell.split(",")
    return Aerie(Cell(int(x), int(y)), int(number))
