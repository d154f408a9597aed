"""The table of Carcassonne: tiles, the cells beside them, coordinates."""

from __future__ import annotations

from collections.abc import Iterator

from model.geometry import Cell
from model.pictures.ground import Ground, centre, corner
from model.pictures.outlines import CELL
from model.pictures.sheet import Extent
from model.pictures.view import View
from model.pictures.xml import words
from model.position import Position
from model.rules.placement import vacant

_MARGIN = 40.0


def plane(position: Position, view: View) -> tuple[str, Extent]:
    """Return the table of a position and how far it reaches.

    Args:
        position: any position of a board without a wall.
        view: what to show besides.

    """
    ground = Ground(position, view.coordinates, position.laid(), view.features)
    shown = set(_cells(position, view))
    low = Cell(min(cell.x for cell in shown), min(cell.y for cell in shown))
    high = Cell(max(cell.x for cell in shown), max(cell.y for cell in shown))
    cells = sorted(shown, key=lambda cell: (-cell.y, cell.x))
    drawn = [ground.cell(cell) for cell in cells]
    axes = list(_axes(low, high)) if view.coordinates else []
    left, top = corner(Cell(low.x, high.y))
    right, bottom = corner(Cell(high.x + 1, low.y - 1))
    extent = (
        left - _MARGIN,
        top - _MARGIN,
        right - left + 2 * _MARGIN,
        bottom - top + 2 * _MARGIN,
    )
    return "".join([*drawn, *axes, *ground.pieces()]), extent


def _cells(position: Position, view: View) -> Iterator[Cell]:
    """Yield the cells to draw: those of the frame, or tiles and what lies beside them."""
    if view.frame is not None:
        low, high = view.frame
        for x in range(low.x, high.x + 1):
            for y in range(low.y, high.y + 1):
                yield Cell(x, y)
    yield from position.by_cell()
    yield from vacant(position)
    yield from view.cells
    yield from view.legal
    moves = [view.move, *(step.move for step in view.line)]
    yield from (move.cell for move in moves if move and move.cell)


def _axes(low: Cell, high: Cell) -> Iterator[str]:
    """Yield x above and below the table and y at its left and right."""
    for x in range(low.x, high.x + 1):
        for y, dy in ((low.y, CELL / 2 + 18), (high.y, -CELL / 2 - 18)):
            at = centre(Cell(x, y))
            yield words(str(x), (at[0], at[1] + dy), 20, "faint")
    for y in range(low.y, high.y + 1):
        for x, dx in ((low.x, -CELL / 2 - 20), (high.x, CELL / 2 + 20)):
            at = centre(Cell(x, y))
            yield words(str(y), (at[0] + dx, at[1]), 20, "faint")
