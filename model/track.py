"""Derive the scoring track from the outline of a castle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from burgrave.model.boards import Board, CornerTower
from burgrave.model.geometry import Cell, Side

SPACES = 2
"""Scoring spaces along one side of a tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackSide:
    """A stretch of straight wall, one tile long."""

    cell: Cell
    """The cell inside."""
    side: Side
    """The side of that cell on which the wall runs."""
    first: int
    """The number at its beginning, going clockwise round the castle; the next one follows."""


def _edges(board: Board) -> dict[Cell, tuple[Cell, Side, Cell]]:
    """Return the wall as sides of cells by the grid corner at which each begins, clockwise."""
    inside = set(board.cells)
    corners = ((0, 1), (1, 1), (1, 0), (0, 0))
    found = {}
    for cell in board.cells:
        for side, beyond in cell.neighbours():
            if beyond not in inside:
                (ax, ay), (bx, by) = corners[side], corners[(side + 1) % 4]
                begin, end = Cell(cell.x + ax, cell.y + ay), Cell(cell.x + bx, cell.y + by)
                found[begin] = (cell, side, end)
    return found


def around(corner: Cell) -> Iterator[Cell]:
    """Yield the four cells that touch a grid corner: north-east, south-east, south-west, -west."""
    for dx, dy in ((0, 0), (0, -1), (-1, -1), (-1, 0)):
        yield Cell(corner.x + dx, corner.y + dy)


def notch(board: Board, tower: CornerTower) -> Cell | None:
    """Return the cell of the wall that a tower in an inner corner fills, if it is one."""
    outside = [cell for cell in around(tower.corner) if cell not in board.cells]
    return outside[0] if len(outside) == 1 else None


def track(board: Board) -> Iterator[TrackSide]:
    """Yield the straight wall clockwise from the board's first corner tower.

    A tower in an inner corner fills the cell in front of it, so no straight wall remains there.
    Along a gate there are no spaces.
    """
    edges = _edges(board)
    towers = {tower.corner: tower for tower in board.towers}
    filled = {notch(board, tower) for tower in board.towers}
    corner = board.towers[0].corner
    number = 0
    for _ in range(len(edges)):
        if corner in towers:
            number = towers[corner].spaces[1] + 1
        cell, side, corner = edges[corner]
        if cell.step(side) not in filled and board.gate_at(cell, side) is None:
            yield TrackSide(cell=cell, side=side, first=number)
            number += SPACES
