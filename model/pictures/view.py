"""Options of a picture: contents besides the position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from burgrave.model.components import Node
from burgrave.model.geometry import Cell
from burgrave.model.position import Move

COORDINATE = 14.0
"""Size of the letters of a coordinate at the edge, in units of which a cell has 100."""


class Step(NamedTuple):
    """A move of a line and its player."""

    player: int
    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The content of a picture of a position."""

    coordinates: bool = True
    """Whether x, y and the names of empty cells are written."""
    axes: bool = True
    """Whether columns and rows are named at the edge too; never without ``coordinates``."""
    lettering: float = 1.0
    """Factor of the sizes of coordinates and label, for a picture that is printed small or large.

    The size of a coordinate at the edge is ``COORDINATE`` units times this."""
    panel: bool = True
    """Whether players and tiles to come stand beside the board."""
    below: bool = False
    """Whether they stand below the board, in a size for narrow screens."""
    crop: bool = False
    """Whether to crop the picture to the tiles, the highlights, and one cell round them."""
    thumbnail: bool = False
    """Whether it is to be small: tiles, followers and wall alone, cropped."""
    segments: bool = False
    """Whether each segment of each tile is there for the pointer, unseen."""
    cells: tuple[Cell, ...] = ()
    """Cells to highlight."""
    features: tuple[Node, ...] = ()
    """Segments to highlight; those of a whole feature are its ``nodes``."""
    legal: tuple[Cell, ...] = ()
    """Cells to show as places for the next tile."""
    move: Move | None = None
    """A move to show, half transparent."""
    line: tuple[Step, ...] = ()
    """Moves to number and join by arrows."""
    frame: tuple[Cell, Cell] | None = None
    """The south-west and north-east cell to show of an open plane; if None, as many as it takes."""

    @property
    def framed(self) -> bool:
        """Whether columns and rows are named at the edge."""
        return self.coordinates and self.axes

    @property
    def shown(self) -> set[Cell]:
        """The cells that it names and that must be drawn."""
        moves = [self.move, *(step.move for step in self.line)]
        return {*self.cells, *self.legal} | {move.cell for move in moves if move and move.cell}
