"""The places of cells on the sheet, and the content of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from burgrave.model.components import Follower, Node
from burgrave.model.expansions.tower.parts import Tower, Towers
from burgrave.model.geometry import Cell, Side
from burgrave.model.naming import times
from burgrave.model.pictures.arcs import data, trails, ways
from burgrave.model.pictures.cuts import cut
from burgrave.model.pictures.layout import layout
from burgrave.model.pictures.outlines import CELL, CENTRE, turn
from burgrave.model.pictures.pawns import (
    SCALE,
    colour,
    figure,
    follower,
    guard_height,
    tower,
    tower_top,
)
from burgrave.model.pictures.shapes import Shape, board_shapes, corner
from burgrave.model.pictures.sheet import Extent
from burgrave.model.pictures.terrain import Look, terrain
from burgrave.model.pictures.view import COORDINATE, View
from burgrave.model.pictures.xml import Point, clean, element, group, number, path, title, words
from burgrave.model.position import Position
from burgrave.model.tiles import PlacedTile


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


def reach(low: Cell, high: Cell, margins: Mapping[Side, float]) -> Extent:
    """Return the part of the sheet that a frame of cells takes, with a margin at each side."""
    left, top = corner(Cell(low.x, high.y))
    width, height = (high.x - low.x + 1) * CELL, (high.y - low.y + 1) * CELL
    return (
        left - margins[Side.W],
        top - margins[Side.N],
        width + margins[Side.W] + margins[Side.E],
        height + margins[Side.N] + margins[Side.S],
    )


_LARGEST_WORDS = 16.0
"""Size of letters from which on ``column 10`` is wider than a cell."""


def axes(
    low: Cell, high: Cell, away: Mapping[Side, float], lettering: float = 1.0
) -> Iterator[str]:
    """Yield the columns above and below a frame of cells and the rows at its left and right.

    They stand in words, since the wall of a castle has numbers of its own: ``column 3``, or ``x 3``
    where that is too long for a cell.

    Args:
        low: the south-west cell.
        high: the north-east cell.
        away: how far from the frame at each side.
        lettering: factor of the size of the letters.

    """
    size = COORDINATE * lettering
    column_word, row_word = ("column", "row") if size <= _LARGEST_WORDS else ("x", "y")
    left, top = corner(Cell(low.x, high.y))
    right, bottom = corner(Cell(high.x + 1, low.y - 1))
    for column in range(low.x, high.x + 1):
        for y in (top - away[Side.N], bottom + away[Side.S]):
            yield words(f"{column_word} {column}", (centre(Cell(column, 0))[0], y), size, "faint")
    for row in range(low.y, high.y + 1):
        for x in (left - away[Side.W], right + away[Side.E]):
            yield words(f"{row_word} {row}", (x, centre(Cell(0, row))[1]), size, "faint")


_ASIDE = 30.0
"""The distance of a visible follower from the middle of a tower."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The cells of a board as groups of elements."""

    position: Position
    view: View
    cells: Collection[Cell]
    """The cells that are drawn."""
    laid: Mapping[Cell, PlacedTile]
    """Tiles and start-space pictures on cells that are drawn, and beside them."""

    def floor(self) -> str:
        """Return the cells without a tile, as one element."""
        return path("".join(map(_square, self._free())), "empty")

    def _free(self) -> list[Cell]:
        """Return the cells without a tile."""
        return [cell for cell in self._ordered() if cell not in self.laid]

    def empty(self) -> Iterator[str]:
        """Yield the cells without a tile."""
        free = self._free()
        yield self.floor()
        if self.view.thumbnail:
            return
        for cell in free:
            x, y = centre(cell)
            said = clean(str(cell)) if self.view.coordinates else ""
            name = element("text", said, class_="name", x=x, y=y + 6) if said else ""
            if said and self.view.lettering != 1:
                name = words(said, (x, y), COORDINATE * self.view.lettering, "faint")
            yield group(title(f"{cell}, empty"), name, class_="cell", data_cell=str(cell))

    def _ordered(self) -> list[Cell]:
        """Return the cells from the north down and from the west to the east."""
        return sorted(self.cells, key=lambda cell: (-cell.y, cell.x))

    def land(self) -> Iterator[str]:
        """Yield the features on all tiles, the edges of tiles, and the tiles' names."""
        game = self.position.game

        def feature(shape: Shape, drawn: str) -> str:
            if self.view.thumbnail:
                return drawn
            cell, segment = shape.nodes[0]
            kind, number_of = str(shape.kind), len({node.cell for node in shape.nodes})
            owned = " and ".join(game.name(owner) for owner in shape.owners)
            said = f"{kind} of {times(number_of, 'tile')}{', completed' * shape.done}"
            said += f", held by {owned}" if owned else ""
            return group(
                title(said) if owned or number_of > 1 else "",
                drawn,
                class_="feature",
                data_feature=f"{cell},{segment}",
                data_kind=kind,
            )

        shown = {**self.laid}
        tiles = [shown[cell] for cell in sorted(shown, key=lambda cell: (-cell.y, cell.x))]
        yield from terrain(
            board_shapes(self.position, shown),
            tiles,
            feature,
            Look(
                colour=lambda player: colour(game, player),
                lit=self.view.features,
                plain=self.view.thumbnail,
            ),
        )
        laid = [cell for cell in self._ordered() if cell in self.laid]
        yield path("".join(map(_square, laid)), "tile-edge")
        if not self.view.thumbnail:
            yield from (self._named(self.laid[cell]) for cell in laid)

    def _named(self, tile: PlacedTile) -> str:
        """Return a tile's name for the pointer and for screen readers."""
        known = f"{tile.cell}, tile {tile.kind.id}"
        return group(
            title(f"{known}: {tile.kind.title}" if tile.kind.title else known),
            *(_segments(tile) if self.view.segments else ()),
            at=corner(tile.cell) if self.view.segments else None,
            class_="cell",
            data_cell=str(tile.cell),
            data_tile=tile.kind.id,
            data_rotation=str(tile.rotation),
        )

    def pieces(self) -> Iterator[str]:
        """Yield the towers with their guards and the followers, from the north down."""
        for begun, at in self.built():
            yield self._tower(begun, at)
        for who, at in self.standing():
            yield follower(self.position.game, who, at, small=self.view.thumbnail)

    def built(self) -> Iterator[tuple[Tower, Point]]:
        """Yield the towers, each with the place of its foot, from the north down."""
        towers = self.position.part(Towers).built
        for begun in sorted(towers, key=lambda tower: (-tower.cell.y, tower.cell.x)):
            if begun.cell in self.cells:
                yield begun, place(self.laid.get(begun.cell), begun.cell)

    def standing(self) -> Iterator[tuple[Follower, Point]]:
        """Yield the followers, each with his place, from the north down."""
        standing: dict[Node, int] = {}
        for who in sorted(self.position.followers, key=lambda f: (-f.node.cell.y, f.node)):
            cell, segment = who.node
            x, y = place(self.laid.get(cell), cell, segment)
            x = self._beside_tower(cell, (x, y))
            crowd = standing.get(who.node, 0)
            standing[who.node] = crowd + 1
            if cell in self.laid or cell in self.cells:
                yield who, (x + 14 * crowd, y)

    def _beside_tower(self, cell: Cell, at: Point) -> float:
        """Return the horizontal place of a follower, moved aside if a tower hides him."""
        begun = self.position.part(Towers).on(cell)
        x, y = at
        if begun is None:
            return x
        tower_x, tower_y = place(self.laid.get(cell), cell)
        top = tower_y + SCALE * (tower_top(begun.height) - 40 * (begun.guard is not None))
        away = x - tower_x
        if abs(away) >= _ASIDE or not top - 16 < y < tower_y + 24:
            return x
        return tower_x + (_ASIDE if away >= 0 else -_ASIDE)

    def _tower(self, begun: Tower, at: Point) -> str:
        """Return a tower with its guard."""
        guard = ""
        said = f"tower of {begun.height} on {begun.cell}"
        if begun.guard is not None:
            figure_of = figure(self.position.game, begun.guard, small=self.view.thumbnail)
            guard = group(figure_of, at=(0, guard_height(begun.height)))
            said += f", with {self.position.game.name(begun.guard)}'s follower on it"
        elif begun.closed:
            said += ", complete"
        return group(
            title(said),
            tower(begun.height),
            guard,
            at=at,
            scale=SCALE,
            class_="tower-pieces",
            data_tower=str(begun.cell),
        )


def _square(cell: Cell) -> str:
    """Return the border of a cell as path data."""
    x, y = map(number, corner(cell))
    return f"M{x} {y}h100v100h-100z"


def _segments(tile: PlacedTile) -> Iterator[str]:
    """Yield the segments of a tile, unseen, the topmost last."""
    own = cut(tile.kind, tile.rotation)
    order = sorted(range(len(tile.kind.segments)), key=lambda i: (bool(own.ways[i]), i))
    for index in order:
        kind = tile.kind.segments[index].kind
        hook = {"data_segment": str(index), "data_kind": str(kind)}
        area = [*own.borders[index], *own.inner[index]]
        if area:
            yield path(data(trails(area)), "segment hit", **hook)
        else:
            yield path(data(ways(own.ways[index])), "segment hit-line", **hook)
