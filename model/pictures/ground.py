"""The places of cells on the sheet, and the content of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from model.components import Node, Tower
from model.geometry import Cell
from model.pictures.layout import layout
from model.pictures.outlines import CELL, CENTRE, turn
from model.pictures.pawns import SCALE, figure, follower, tower, tower_top
from model.pictures.sheet import Extent
from model.pictures.tiles import framed
from model.pictures.xml import Point, box, group, title, words
from model.position import Position
from model.tiles import PlacedTile


def corner(cell: Cell) -> Point:
    """Return the top left corner of a cell on the sheet; 0, 0 is the grid corner 0, 0."""
    return cell.x * CELL, -(cell.y + 1) * CELL


def centre(cell: Cell) -> Point:
    """Return the middle of a cell on the sheet."""
    x, y = corner(cell)
    return x + CELL / 2, y + CELL / 2


def place(tile: PlacedTile | None, cell: Cell, segment: int | None = None) -> Point:
    """Return the place of a follower or a tower on the sheet.

    Args:
        tile: the tile on the cell; without one it is the middle of the cell.
        cell: the cell.
        segment: the segment on which a follower stands; None for the tower place.

    """
    if tile is None:
        return centre(cell)
    plan = layout(tile.kind)
    at = plan.tower_place if segment is None else plan.spots[segment]
    x, y = turn(at or CENTRE, tile.rotation)
    left, top = corner(cell)
    return left + x, top + y


def bounds(cells: Iterable[Cell]) -> tuple[Cell, Cell]:
    """Return the south-west and the north-east corner of the smallest frame round some cells."""
    xs, ys = zip(*cells, strict=True)
    return Cell(min(xs), min(ys)), Cell(max(xs), max(ys))


def reach(low: Cell, high: Cell, margin: float) -> Extent:
    """Return the part of the sheet that a frame of cells takes, with a margin."""
    left, top = corner(Cell(low.x, high.y))
    width, height = (high.x - low.x + 1) * CELL, (high.y - low.y + 1) * CELL
    return left - margin, top - margin, width + 2 * margin, height + 2 * margin


def axes(low: Cell, high: Cell, away: float) -> Iterator[str]:
    """Yield x above and below a frame of cells and y at its left and right.

    Args:
        low: the south-west cell.
        high: the north-east cell.
        away: how far from the frame.

    """
    left, top = corner(Cell(low.x, high.y))
    right, bottom = corner(Cell(high.x + 1, low.y - 1))
    for column in range(low.x, high.x + 1):
        for y in (top - away, bottom + away):
            yield words(f"x={column}", (centre(Cell(column, 0))[0], y), 18, "faint")
    for row in range(low.y, high.y + 1):
        for x in (left - away, right + away):
            yield words(f"y={row}", (x, centre(Cell(0, row))[1]), 18, "faint")


_ASIDE = 30.0
"""The distance of a visible follower from the middle of a tower."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The cells of a board as groups of elements."""

    position: Position
    coordinates: bool
    laid: Mapping[Cell, PlacedTile]
    lit: Collection[Node] = ()
    """Segments to highlight."""

    def cells(self, cells: Iterable[Cell]) -> Iterator[str]:
        """Yield some cells, from the north down and from the west to the east."""
        yield from map(self._cell, sorted(cells, key=lambda cell: (-cell.y, cell.x)))

    def _cell(self, cell: Cell) -> str:
        """Return a cell with its tile, or its name if it is empty."""
        tile = self.position.tile_at(cell)
        if tile is None:
            name = words(str(cell), (CELL / 2, CELL / 2), 15, "faint") if self.coordinates else ""
            drawn = box((0, 0), CELL, CELL, "empty") + name
            return group(
                title(f"{cell}, empty"), drawn, at=corner(cell), class_="cell", data_cell=str(cell)
            )
        known = f"{cell}, tile {tile.kind.id}"
        return group(
            title(f"{known}: {tile.kind.title}" if tile.kind.title else known),
            framed(tile.kind, tile.rotation, self.lit_on(cell)),
            at=corner(cell),
            class_="cell",
            data_cell=str(cell),
            data_tile=tile.kind.id,
            data_rotation=str(tile.rotation),
        )

    def lit_on(self, cell: Cell) -> frozenset[int]:
        """Return the segments to highlight on a cell."""
        return frozenset(node.segment for node in self.lit if node.cell == cell)

    def pieces(self) -> Iterator[str]:
        """Yield the towers with their guards and the followers, from the north down."""
        for begun in sorted(self.position.built, key=lambda tower: (-tower.cell.y, tower.cell.x)):
            yield self._tower(begun)
        standing: dict[Node, int] = {}
        for who in sorted(self.position.followers, key=lambda f: (-f.node.cell.y, f.node)):
            cell, segment = who.node
            x, y = place(self.laid.get(cell), cell, segment)
            x = self._beside_tower(cell, (x, y))
            crowd = standing.get(who.node, 0)
            standing[who.node] = crowd + 1
            yield follower(self.position.game, who, (x + 14 * crowd, y))

    def _beside_tower(self, cell: Cell, at: Point) -> float:
        """Return the horizontal place of a follower, moved aside if a tower hides him."""
        begun = self.position.tower_on(cell)
        x, y = at
        if begun is None:
            return x
        tower_x, tower_y = place(self.laid.get(cell), cell)
        top = tower_y + SCALE * (tower_top(begun.height) - 40 * (begun.guard is not None))
        away = x - tower_x
        if abs(away) >= _ASIDE or not top - 16 < y < tower_y + 24:
            return x
        return tower_x + (_ASIDE if away >= 0 else -_ASIDE)

    def _tower(self, begun: Tower) -> str:
        """Return a tower with its guard."""
        guard = ""
        said = f"tower of {begun.height} on {begun.cell}"
        if begun.guard is not None:
            figure_of = figure(self.position.game, begun.guard)
            guard = group(figure_of, at=(0, tower_top(begun.height) - 14))
            said += f", with {self.position.game.name(begun.guard)}'s follower on it"
        elif begun.closed:
            said += ", complete"
        return group(
            title(said),
            tower(begun.height),
            guard,
            at=place(self.laid.get(begun.cell), begun.cell),
            scale=SCALE,
            class_="tower-pieces",
            data_tower=str(begun.cell),
        )
