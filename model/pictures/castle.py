"""The castle: the cells inside and what lies on them, the wall, coordinates."""

from __future__ import annotations

from model.pictures.ground import Ground, axes, bounds, reach
from model.pictures.sheet import Extent
from model.pictures.view import View
from model.pictures.wall import Wall
from model.position import Position

_MARGIN = 132.0


def castle(position: Position, view: View) -> tuple[str, Extent]:
    """Return the castle of a position and how far it reaches.

    Args:
        position: any position of a board with a wall.
        view: what to show besides.

    """
    ground = Ground(position, view.coordinates, position.laid(), view.features)
    wall = Wall(ground)
    # An impossible position may have tiles on the wall and beyond it; they help to find the fault.
    cells = {*position.game.board.cells, *position.by_cell()}
    low, high = bounds(cells)
    drawn = [*wall.corners(), *wall.straight(), *wall.starts(), *wall.numbers()]
    drawn += [*ground.cells(cells), *wall.towers(), *wall.markers(), *ground.pieces()]
    if view.coordinates:
        drawn += axes(low, high, _MARGIN - 28)
    return "".join(drawn), reach(low, high, _MARGIN)
