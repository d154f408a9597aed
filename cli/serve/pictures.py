"""Pictures for the page: no style in them that its Content-Security-Policy would refuse.

Cells tell their coordinates themselves: the room at the edges is the board's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from burgrave.cli.serve.bodies import ViewBody
from burgrave.model.engine import play
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.pictures import Step, View, board_svg
from burgrave.model.position import Move, Position
from burgrave.model.words import read_node


def picture(position: Position, body: ViewBody) -> str:
    """Return a position as SVG, with the requested highlights.

    Raises:
        NotationError: a requested move cannot be read.
        IllegalMoveError: a requested move that others follow is illegal.

    """
    if body.thumbnail:
        return board_svg(position, View(thumbnail=True), embed_style=False)
    moves = tuple(_steps(position, body.line))
    view = View(
        panel=False,
        axes=False,
        segments=True,
        cells=tuple(Cell(*cell) for cell in body.cells),
        legal=tuple(Cell(*cell) for cell in body.legal),
        move=None if len(moves) != 1 else moves[0].move,
        line=moves if len(moves) > 1 else (),
        frame=None if position.game.board.cells else _room(position, body.room),
    )
    return board_svg(position, view, embed_style=False)


def _steps(position: Position, line: Sequence[str]) -> Iterator[Step]:
    """Yield the moves of a line, each with its player."""
    for number, text in enumerate(line, start=1):
        move = read_move(position, text)
        yield Step(position.to_move, move)
        if number < len(line):
            position = play(position, move).position


def case_picture(
    position: Position, move: Move | None, cells: Iterable[Cell], at: Iterable[str]
) -> dict[str, str]:
    """Return the situation of a rule card as SVG: for the board, and small.

    Args:
        position: the position.
        move: the move to show on it, if there is one.
        cells: the cells to highlight.
        at: segments of the features to highlight, ``2,3.N``.

    """
    graph = position_features(position)
    view = View(
        panel=False,
        axes=False,
        crop=True,
        cells=tuple(cells),
        features=tuple(n for text in at for n in graph.at(read_node(position, text)).nodes),
        move=move,
    )
    return {
        "svg": board_svg(position, replace(view, segments=True), embed_style=False),
        "small": board_svg(position, replace(view, thumbnail=True), embed_style=False),
    }


def _room(position: Position, cells: int) -> tuple[Cell, Cell]:
    """Return the corners of a plane with room to build round its tiles."""
    xs = [tile.cell.x for tile in position.tiles] or [0]
    ys = [tile.cell.y for tile in position.tiles] or [0]
    return (
        Cell(min(xs) - cells, min(ys) - cells),
        Cell(max(xs) + cells, max(ys) + cells),
    )
