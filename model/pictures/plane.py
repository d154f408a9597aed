"""The table of Carcassonne: tiles, the cells beside them, coordinates."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.geometry import Cell, Side
from burgrave.model.pictures.ground import Ground, axes, bounds, reach
from burgrave.model.pictures.sheet import Extent
from burgrave.model.pictures.view import View
from burgrave.model.places import vacant
from burgrave.model.position import Position

_MARGIN, _NARROW = 56.0, 30.0


def plane(position: Position, view: View) -> tuple[str, Extent]:
    """Return the table of a position and how far it reaches.

    Args:
        position: any position of a board without a wall.
        view: what to show besides.

    """
    cells = set(_cells(position, view))
    ground = Ground(position, view, cells, position.by_cell())
    low, high = bounds(cells)
    drawn = [*ground.empty(), *ground.land(), *ground.pieces()]
    margin = _MARGIN * view.lettering if view.framed else _NARROW
    if view.framed:
        drawn += axes(low, high, dict.fromkeys(Side, margin / 2), view.lettering)
    return "".join(drawn), reach(low, high, dict.fromkeys(Side, margin))


def _cells(position: Position, view: View) -> Iterator[Cell]:
    """Yield the cells to draw: those of the frame, or the tiles and their neighbours."""
    if view.frame is not None:
        low, high = view.frame
        for x in range(low.x, high.x + 1):
            for y in range(low.y, high.y + 1):
                yield Cell(x, y)
    yield from position.by_cell()
    yield from (tower.cell for tower in position.part(Towers).built)
    yield from view.shown
    if not (view.crop and position.tiles):
        yield from vacant(position)
