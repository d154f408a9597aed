"""Which tiles to come fit on the cells of a board, and on which cells none does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from burgrave.model.errors import QuestionError
from burgrave.model.geometry import Cell
from burgrave.model.places import can_lie, neighbours, vacant
from burgrave.model.position import Position
from burgrave.model.tiles import PlacedTile, TileKind


class Fit(NamedTuple):
    """A kind of tile that may be laid on a cell."""

    kind: TileKind
    left: int
    """Number of its tiles that are still to come."""
    rotations: tuple[int, ...]
    """Clockwise quarter turns at which it fits; of those that look alike the lowest."""


class CellFits(NamedTuple):
    """A cell on which a tile may be laid next, as far as its place goes."""

    cell: Cell
    fits: tuple[Fit, ...]
    """The kinds to come that fit there, those with most tiles first. If there are none, no tile
    will ever lie there: further neighbours forbid more, never less."""

    @property
    def left(self) -> int:
        """Number of tiles to come that fit there."""
        return sum(fit.left for fit in self.fits)


def fits(position: Position, cell: Cell | None = None) -> tuple[CellFits, ...]:
    """Return the tiles to come that fit on each cell beside a tile or a start space.

    Args:
        position: any possible position; the order of its tiles does not matter.
        cell: the only cell to look at; None for all.

    Returns:
        The cells, ascending.

    Raises:
        QuestionError: the cell holds a tile, or has no tile and no start space beside it.

    """
    cells = sorted(_frontier(position))
    if cell is not None and cell not in cells:
        there = position.tile_at(cell)
        why = (
            f"cell {cell} holds tile {there.kind.id}"
            if there is not None
            else f"no tile can be laid on {cell} next: nothing lies beside it"
        )
        raise QuestionError(why)
    stock = Counter((*position.order, *position.bag))
    return tuple(_on(position, one, stock) for one in (cells if cell is None else [cell]))


def fillable(position: Position, cell: Cell) -> bool:
    """Tell whether any tile to come fits on an empty cell."""
    kinds = map(position.game.tile_set.kind, {*position.order, *position.bag})
    return any(
        can_lie(position, PlacedTile(cell=cell, kind=kind, rotation=rotation))
        for kind in kinds
        for rotation in kind.rotations()
    )


def _frontier(position: Position) -> Iterator[Cell]:
    """Yield the empty cells beside a tile or a start space."""
    board = position.game.board
    for cell in vacant(position):
        if board.start_facing(cell) is not None or any(True for _ in neighbours(position, cell)):
            yield cell
    if board.endless and not position.tiles:
        yield Cell(0, 0)


def _on(position: Position, cell: Cell, stock: Counter[str]) -> CellFits:
    """Return what fits on a cell."""
    found = []
    for tile, left in stock.items():
        kind = position.game.tile_set.kind(tile)
        rotations = tuple(
            rotation
            for rotation in kind.rotations()
            if can_lie(position, PlacedTile(cell=cell, kind=kind, rotation=rotation))
        )
        if rotations:
            found.append(Fit(kind, left, rotations))
    return CellFits(cell, tuple(sorted(found, key=lambda fit: (-fit.left, fit.kind.id))))
