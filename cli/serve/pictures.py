"""Pictures for the page: no style in them that its Content-Security-Policy would refuse."""

from __future__ import annotations

from cli.serve.bodies import ViewBody
from model.geometry import Cell
from model.notation import read_move
from model.pictures import View, board_svg
from model.position import Position


def picture(position: Position, body: ViewBody) -> str:
    """Return a position as SVG, with the requested highlights.

    Raises:
        NotationError: a requested move cannot be read.

    """
    view = View(
        panel=False,
        cells=tuple(Cell(*cell) for cell in body.cells),
        legal=tuple(Cell(*cell) for cell in body.legal),
        move=None if body.move is None else read_move(position, body.move),
        frame=_room(position, body.room) if position.game.board.endless else None,
    )
    return board_svg(position, view, embed_style=False)


def _room(position: Position, cells: int) -> tuple[Cell, Cell]:
    """Return the corners of a plane with room to build round its tiles."""
    xs = [tile.cell.x for tile in position.tiles] or [0]
    ys = [tile.cell.y for tile in position.tiles] or [0]
    return (
        Cell(min(xs) - cells, min(ys) - cells),
        Cell(max(xs) + cells, max(ys) + cells),
    )
