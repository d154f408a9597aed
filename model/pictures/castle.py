"""The castle: the cells inside and their tiles, the wall, coordinates."""

from __future__ import annotations

from model.pictures.ground import Ground, axes, bounds, reach
from model.pictures.sheet import Extent
from model.pictures.view import View
from model.pictures.wall import Wall
from model.position import Position

_MARGIN, _NARROW = 132.0, 104.0
_CROPPED = 154.0
"""The margin of a part of the castle: a corner of the wall may stand a whole cell beside it."""


def castle(position: Position, view: View) -> tuple[str, Extent]:
    """Return the castle of a position and how far it reaches.

    Args:
        position: any position of a board with a wall.
        view: what to show besides.

    """
    # An impossible position may have tiles on the wall and beyond it; they help to find the fault.
    cells = {*position.game.board.cells, *position.by_cell()}
    action = {*position.by_cell(), *view.shown}
    margin = _MARGIN if view.coordinates else _NARROW
    if view.crop and action:
        margin = _CROPPED if view.coordinates else _NARROW
        low, high = bounds(action)
        cells = {
            cell
            for cell in cells
            if low.x - 1 <= cell.x <= high.x + 1 and low.y - 1 <= cell.y <= high.y + 1
        }
    starts = {start.outside for start in position.game.board.starts if start.cell in cells}
    laid = {cell: tile for cell, tile in position.laid().items() if cell in cells | starts}
    ground = Ground(position, view, cells, laid)
    wall = Wall(ground)
    low, high = bounds(cells)
    drawn = [*wall.straight(), *wall.pictures(), *ground.empty(), *ground.land()]
    drawn += [*wall.numbers(), *wall.towers()]
    drawn += [*(() if view.thumbnail else wall.markers()), *ground.pieces()]
    if view.coordinates:
        drawn += axes(low, high, margin - 26)
    return "".join(drawn), reach(low, high, margin)
