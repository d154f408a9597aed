"""The castle: the cells inside and their tiles, the wall, coordinates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from burgrave.model.boards import Board
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, Side
from burgrave.model.pictures.ground import Ground, axes, bounds, reach
from burgrave.model.pictures.sheet import Extent
from burgrave.model.pictures.view import View
from burgrave.model.pictures.wall import Wall
from burgrave.model.position import Position

_MARGIN, _NARROW = 132.0, 104.0
_CROPPED = 154.0
"""The margin of a part of the castle: a corner of the wall may stand a whole cell beside it."""
_INSIDE = 52.0, 8.0
"""The same at a side where the castle goes on, with coordinates at the edge and without."""
_AXIS = 26.0
"""How far coordinates stand from the edge of the picture."""


def castle(position: Position, view: View) -> tuple[str, Extent]:
    """Return the castle of a position and how far it reaches.

    Args:
        position: any position of a board with a wall.
        view: what to show besides.

    """
    # An impossible position may have tiles on the wall and beyond it; they help to find the fault.
    cells = {*position.game.board.cells, *position.by_cell()}
    action = {*position.by_cell(), *view.shown}
    axis = _AXIS * view.lettering
    more = axis - _AXIS if view.framed else 0.0
    margins = dict.fromkeys(Side, (_MARGIN if view.framed else _NARROW) + 2 * more)
    if view.crop and action:
        low, high = bounds(action)
        cells = {
            cell
            for cell in cells
            if low.x - 1 <= cell.x <= high.x + 1 and low.y - 1 <= cell.y <= high.y + 1
        }
        margins = {side: _margin(position, view, cells, side) + 2 * more for side in Side}
    starts = {start.outside for start in position.game.board.starts if start.cell in cells}
    laid = {cell: tile for cell, tile in position.laid().items() if cell in cells | starts}
    ground = Ground(position, view, cells, laid)
    wall = Wall(ground)
    low, high = bounds(cells)
    drawn = [*wall.straight(), *wall.pictures(), *ground.empty(), *ground.land()]
    drawn += [*wall.numbers(), *wall.towers()]
    drawn += [*(() if view.thumbnail else wall.markers()), *ground.pieces()]
    if view.framed:
        drawn += axes(low, high, {side: margins[side] - axis for side in Side}, view.lettering)
    return "".join(drawn), reach(low, high, margins)


def walled(game: Game, board: Board) -> tuple[str, str, Extent]:
    """Return the wall and the cells inside, what lies over start spaces, and how far it reaches.

    Args:
        game: a game with a wall.
        board: a board on which it may be played.

    """
    ground = Ground(
        Position(game=replace(game, board=board), players=()), View(), {*board.cells}, {}
    )
    wall = Wall(ground)
    low, high = bounds(board.cells)
    above = "".join((*wall.numbers(), *wall.towers()))
    extent = reach(low, high, dict.fromkeys(Side, _NARROW))
    return "".join(wall.straight()) + ground.floor(), above, extent


def _margin(position: Position, view: View, cells: Collection[Cell], side: Side) -> float:
    """Return the margin at a side of a part of the castle: wide if the wall stands there."""
    outermost = max(_out(cell, side) for cell in cells)
    beyond = {cell.step(side) for cell in cells if _out(cell, side) == outermost}
    if beyond <= {*position.game.board.cells}:
        return _INSIDE[0 if view.framed else 1]
    return _CROPPED if view.framed else _NARROW


def _out(cell: Cell, side: Side) -> int:
    """Return how far a cell lies towards a side."""
    return {Side.N: cell.y, Side.E: cell.x, Side.S: -cell.y, Side.W: -cell.x}[side]
