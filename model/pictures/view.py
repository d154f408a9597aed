"""Options of a picture: contents besides the position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from model.components import Node
from model.geometry import Cell
from model.position import Move


class Step(NamedTuple):
    """A move of a line and who makes it."""

    player: int
    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The content of a picture of a position."""

    coordinates: bool = True
    """Whether x, y and the names of empty cells are written."""
    panel: bool = True
    """Whether players and tiles to come stand beside the board."""
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
