"""Where cells lie on the sheet, and what lies on each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from model.geometry import Cell
from model.pictures.layout import layout
from model.pictures.outlines import CELL, CENTRE, turn
from model.pictures.pawns import SCALE, figure, follower, tower, tower_top
from model.pictures.tiles import framed
from model.pictures.xml import Point, box, group, title, words
from model.position import Node, Position, Tower
from model.tiles import PlacedTile


def corner(cell: Cell) -> Point:
    """Return the top left corner of a cell on the sheet; 0, 0 is the grid corner 0, 0."""
    return cell.x * CELL, -(cell.y + 1) * CELL


def centre(cell: Cell) -> Point:
    """Return the middle of a cell on the sheet."""
    x, y = corner(cell)
    return x + CELL / 2, y + CELL / 2


def spot(tile: PlacedTile, segment: int) -> Point:
    """Return where a follower stands on a segment, from the corner of its tile."""
    return turn(layout(tile.kind).spots[segment], tile.rotation)


def foot(tile: PlacedTile) -> Point:
    """Return where a tower stands on a tile, from its corner; the middle if it has no place."""
    return turn(layout(tile.kind).tower_place or CENTRE, tile.rotation)


@dataclass(frozen=True, slots=True)
class Ground:
    """The cells of a board as groups of elements."""

    position: Position
    coordinates: bool
    laid: Mapping[Cell, PlacedTile]
    lit: Collection[Node] = ()
    """Segments to highlight."""

    def cell(self, cell: Cell) -> str:
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
            tile = self.laid[who.node.cell]
            x, y = spot(tile, who.node.segment)
            left, top = corner(tile.cell)
            crowd = standing.get(who.node, 0)
            standing[who.node] = crowd + 1
            yield follower(self.position.game, who, (left + x + 14 * crowd, top + y))

    def _tower(self, begun: Tower) -> str:
        """Return a tower with its guard."""
        tile = self.laid[begun.cell]
        x, y = foot(tile)
        left, top = corner(begun.cell)
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
            at=(left + x, top + y),
            scale=SCALE,
            class_="tower-pieces",
            data_tower=str(begun.cell),
        )
