"""The shapes on a board: one for each feature, over all its tiles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.pictures.arcs import Arc, data, remaining, trails, ways
from burgrave.model.pictures.cuts import cut
from burgrave.model.pictures.layout import layout
from burgrave.model.pictures.outlines import CELL, turn
from burgrave.model.pictures.regions import GROUNDS
from burgrave.model.pictures.xml import Point
from burgrave.model.position import Position
from burgrave.model.tiles import Kind, PlacedTile, TileKind

Laid = Mapping[Cell, PlacedTile]
"""Tiles and start-space pictures by cell."""
ALONE = Cell(0, -1)
"""The cell of a tile alone: its top left corner is 0, 0 on the sheet."""


def corner(cell: Cell) -> Point:
    """Return the top left corner of a cell on the sheet; 0, 0 is the grid corner 0, 0."""
    return cell.x * CELL, -(cell.y + 1) * CELL


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A feature as it is drawn."""

    kind: Kind
    nodes: tuple[Node, ...]
    """Its segments, ascending."""
    loops: tuple[tuple[Arc, ...], ...]
    """The outline of its area; none of a path or road."""
    edges: str
    """Path data of the parts of the outline at which it ends, open sides left out."""
    line: str
    """Path data of a path or road."""
    icon: tuple[Point, float] | None
    """The place of its symbol and the room there; None where followers leave none."""
    owners: tuple[int, ...] = ()
    """The players with the majority, ascending; several if they tie."""
    done: bool = False
    """Whether it is completed."""

    @property
    def outline(self) -> str:
        """Path data of its area."""
        return data(self.loops)


class _Body(NamedTuple):
    """A feature before it is drawn."""

    kind: Kind
    nodes: tuple[Node, ...]
    owners: tuple[int, ...] = ()
    done: bool = False


def board_shapes(position: Position, cells: Collection[Cell]) -> list[Shape]:
    """Return the shapes of the features of a position, the lowest first.

    Args:
        position: any position, also an impossible one.
        cells: the cells that are drawn; the rest of a feature is left out.

    """
    game, book, laid = position.game, book_of(position.game), position.laid()
    bodies = []
    for feature in position_features(position):
        weights: dict[int, int] = {}
        for who in feature.followers:
            weights[who.player] = weights.get(who.player, 0) + book.counts(game, who)
        most = max(weights.values(), default=0)
        owners = tuple(sorted(player for player, weight in weights.items() if weight == most))
        completed = book.completion.get(feature.kind)
        done = completed is not None and completed(game, feature, laid)
        bodies.append(_Body(feature.kind, feature.nodes, owners, done))
    taken = {follower.node for follower in position.followers}
    taken |= {
        Node(tower.cell, index)
        for tower in position.part(Towers).built
        if tower.cell in laid
        for index in range(len(laid[tower.cell].kind.segments))
    }
    return _shapes(bodies, {cell: laid[cell] for cell in laid if cell in cells}, taken)


def tile_shapes(kind: TileKind, rotation: int) -> list[Shape]:
    """Return the shapes of a tile alone, one for each segment, the lowest first.

    Args:
        kind: any kind, also a picture of a start space.
        rotation: clockwise quarter turns.

    """
    tile = PlacedTile(cell=ALONE, kind=kind, rotation=rotation)
    bodies = [_Body(s.kind, (Node(ALONE, i),)) for i, s in enumerate(kind.segments)]
    return _shapes(bodies, {ALONE: tile}, ())


def _shapes(bodies: Sequence[_Body], laid: Laid, taken: Collection[Node]) -> list[Shape]:
    """Return the shapes of some features, the lowest first.

    Args:
        bodies: the features.
        laid: the tiles that are drawn.
        taken: segments without room for a symbol.

    """
    seen = [
        (body._replace(nodes=tuple(node for node in body.nodes if node.cell in laid)))
        for body in bodies
    ]
    bodies = _ordered([body for body in seen if body.nodes], laid)
    borders = [remaining(_pieces(body.nodes, laid, inner=False)) for body in bodies]
    inner = [remaining(_pieces(body.nodes, laid, inner=True)) for body in bodies]
    lines = [list(dict.fromkeys(_line(body.nodes, laid))) for body in bodies]
    # An area ends where another one begins, and where it closes within a tile. Where it follows
    # the middle of a path or road, that hides the edge.
    facing = {arc.back for found in borders for arc in found}
    drawn = {one for found in lines for arc in found for one in (arc, arc.back)}
    shapes = []
    for body, border, closing, line in reversed(
        list(zip(bodies, borders, inner, lines, strict=True))
    ):
        edges = [arc for arc in (*border, *closing) if arc not in drawn]
        edges = [arc for arc in edges if arc in facing or arc in closing]
        drawn.update(one for arc in edges for one in (arc, arc.back))
        shapes.append(
            Shape(
                kind=body.kind,
                nodes=body.nodes,
                loops=tuple(map(tuple, trails([*border, *closing]))),
                edges=data(trails(edges)),
                line=data(ways(line)),
                icon=_icon(body, laid, taken),
                owners=body.owners,
                done=body.done,
            )
        )
    return shapes[::-1]


def _ordered(bodies: list[_Body], laid: Laid) -> list[_Body]:
    """Return features so that those that lie below others come first."""
    at = {node: index for index, body in enumerate(bodies) for node in body.nodes}
    height = [0 if body.kind in GROUNDS else 1 for body in bodies]
    below = [
        (at[Node(cell, low)], at[Node(cell, high)])
        for cell, tile in laid.items()
        for low, high in cut(tile.kind, tile.rotation).below
    ]
    for _ in below:
        # Features may bridge each other in a ring; then the last bridge stays hidden.
        for low, high in below:
            height[high] = min(max(height[high], height[low] + 1), len(below) + 1)
    return [bodies[index] for index in sorted(range(len(bodies)), key=lambda i: (height[i], i))]


def _pieces(nodes: Iterable[Node], laid: Laid, *, inner: bool) -> Iterator[Arc]:
    """Yield the outlines of segments on the sheet: on the borders of tiles, or within them."""
    for cell, index in nodes:
        own = cut(laid[cell].kind, laid[cell].rotation)
        for arc in (own.inner if inner else own.borders)[index]:
            yield arc.moved(corner(cell))


def _line(nodes: Iterable[Node], laid: Laid) -> Iterator[Arc]:
    """Yield the middle lines of paths or roads on the sheet."""
    for cell, index in nodes:
        for arc in cut(laid[cell].kind, laid[cell].rotation).ways[index]:
            yield arc.moved(corner(cell))


def _icon(body: _Body, laid: Laid, taken: Collection[Node]) -> tuple[Point, float] | None:
    """Return the place with the most room for the symbol of a feature, and the room."""
    free = [node for node in body.nodes if node not in taken]
    # An area inside a tile has its symbol in it, and its follower stands beside it.
    free = free or [n for n in body.nodes if not laid[n.cell].kind.segments[n.segment].ports]
    if not free:
        return None

    def room(node: Node) -> float:
        tile = laid[node.cell]
        marks = len(tile.kind.segments[node.segment].marks)
        return layout(tile.kind).rooms[node.segment] / (1 + marks)

    best = max(free, key=lambda node: (round(room(node)), node))
    tile = laid[best.cell]
    x, y = turn(layout(tile.kind).icons[best.segment], tile.rotation)
    left, top = corner(best.cell)
    return (left + x, top + y), room(best)
