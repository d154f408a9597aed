"""The rules of The Castle once more, from the rulebook alone, for comparison.

Nothing here asks the model's rules, its graph or its tables of facing ports. Every port is a point
on the plane, and ports at one point touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from burgrave.model.components import Node, Rank
from burgrave.model.expansions.falcon.switches import CHAPEL_IS_BUILDING
from burgrave.model.geometry import Cell, Side
from burgrave.model.position import Deployment, Position
from burgrave.model.switches import (
    ENCLOSED_HOLE_BLOCKS,
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
)
from burgrave.model.tiles import Kind, PlacedTile

_NEXT = {Side.N: (0, 1), Side.E: (1, 0), Side.S: (0, -1), Side.W: (-1, 0)}

Point = tuple[int, int]
Laid = Mapping[Cell, PlacedTile]


class Port(NamedTuple):
    """A port of a tile on the plane."""

    point: Point
    """Where it lies, in eighths of a tile."""
    side: Side
    segment: int
    middle: bool


def ports(tile: PlacedTile) -> Iterator[Port]:
    """Yield the ports of a tile as it lies on the board."""
    for index, segment in enumerate(tile.kind.segments):
        for port in segment.ports:
            x, y, side = _on_the_north_side(port % 3), 8, port // 3
            for _ in range(side + tile.rotation):
                x, y = y, 8 - x
            yield Port(
                (8 * tile.cell.x + x, 8 * tile.cell.y + y),
                Side((side + tile.rotation) % 4),
                index,
                port % 3 == 1,
            )


def _on_the_north_side(place: int) -> int:
    """Return how far from the west a left half, a middle and a right half lie."""
    return (1, 4, 7)[place]


def components(position: Position, laid: Laid) -> set[frozenset[Node]]:
    """Return the features as sets of segments, by flooding from point to point."""
    at: dict[Point, list[Node]] = {}
    touching: dict[Node, set[Point]] = {}
    for cell, tile in laid.items():
        for index in range(len(tile.kind.segments)):
            touching[Node(cell, index)] = set()
        for port in ports(tile):
            at.setdefault(port.point, []).append(Node(cell, port.segment))
            touching[Node(cell, port.segment)].add(port.point)
    joined = {node: {n for point in touching[node] for n in at[point]} for node in touching}
    found = set()
    left = set(joined)
    while left:
        feature = {left.pop()}
        edge = set(feature)
        while edge:
            near = {n for node in edge for n in joined[node] if _kind(laid, n) is _kind(laid, node)}
            edge = near - feature
            feature |= edge
        left -= feature
        found.add(frozenset(feature))
    return found


def _kind(laid: Laid, node: Node) -> Kind:
    """Return what a segment shows."""
    return laid[node.cell].kind.segments[node.segment].kind


def faces_an_empty_cell(position: Position, laid: Laid, feature: Iterable[Node]) -> bool:
    """Tell whether a port of a feature lies against an empty cell inside the wall."""
    inside = set(position.game.board.cells)
    for cell, index in feature:
        for port in ports(laid[cell]):
            dx, dy = _NEXT[port.side]
            beyond = Cell(cell.x + dx, cell.y + dy)
            if port.segment == index and beyond in inside and beyond not in laid:
                return True
    return False


def encloses_an_empty_cell(position: Position, laid: Laid, feature: Iterable[Node]) -> bool:
    """Tell whether some empty cell inside has no way to the wall around the feature."""
    inside = set(position.game.board.cells)
    walls = {cell for cell, _ in feature}
    return any(not _reaches_the_wall(cell, inside, walls) for cell in inside if cell not in laid)


def _reaches_the_wall(start: Cell, inside: set[Cell], walls: set[Cell]) -> bool:
    """Tell whether a walk from cell to cell that avoids some cells gets out."""
    seen = {start}
    walk = [start]
    while walk:
        cell = walk.pop()
        for dx, dy in _NEXT.values():
            beyond = Cell(cell.x + dx, cell.y + dy)
            if beyond not in inside:
                return True
            if beyond not in walls and beyond not in seen:
                seen.add(beyond)
                walk.append(beyond)
    return False


def fits(position: Position, tile: PlacedTile) -> bool:
    """Tell whether a tile may be laid by the rulebook's section on placing tiles."""
    board = position.game.board
    there = {other.cell: other for other in position.tiles}
    starts = {
        start.cell: (start, picture)
        for start, picture in zip(board.starts, position.game.pictures, strict=True)
    }
    if tile.cell not in board.cells or tile.cell in there:
        return False
    mine = {port.side: port.point for port in ports(tile) if _is_path(tile, port)}
    beside = False
    for side, (dx, dy) in _NEXT.items():
        other = there.get(Cell(tile.cell.x + dx, tile.cell.y + dy))
        if other is None:
            continue
        beside = True
        theirs = {port.point for port in ports(other) if _is_path(other, port)}
        point = _middle(tile.cell, side)
        if (side in mine) != (point in theirs):
            return False
    if not chapels_fit(position, there, tile):
        return False
    if tile.cell not in starts:
        return beside
    start, picture = starts[tile.cell]
    if picture.kind.id == "unknown":
        return position.game.value(START_SPACE_UNKNOWN) == "bare"
    shows = any(_is_path(picture, port) for port in ports(picture))
    binds = position.game.value(START_SPACE_PATHS_BIND)
    if binds == "both":
        return shows == (start.side in mine)
    return binds == "off" or not shows or start.side in mine


def chapels_fit(position: Position, there: Laid, tile: PlacedTile) -> bool:
    """Tell whether chapels are continued by chapels, where the switch asks for it."""
    values = {switch.name: value for switch, value in position.game.switches}
    if values.get(CHAPEL_IS_BUILDING.name, "on") == "on":
        return True
    shows = {
        port.point: other.kind.segments[port.segment].kind is Kind.CHAPEL
        for other in there.values()
        for port in ports(other)
    }
    return all(
        shows[port.point] == (tile.kind.segments[port.segment].kind is Kind.CHAPEL)
        for port in ports(tile)
        if port.point in shows
    )


def _is_path(tile: PlacedTile, port: Port) -> bool:
    """Tell whether a path crosses the edge at a port."""
    return port.middle and tile.kind.segments[port.segment].kind is Kind.PATH


def _middle(cell: Cell, side: Side) -> Point:
    """Return the middle of a side of a cell."""
    x, y = {Side.N: (4, 8), Side.E: (8, 4), Side.S: (4, 0), Side.W: (0, 4)}[side]
    return 8 * cell.x + x, 8 * cell.y + y


def may_stand(position: Position, laid: Laid, follower: Deployment) -> bool:
    """Tell whether the player to move may place a follower on a segment of the new tile."""
    mover = position.players[position.to_move]
    special = follower.rank in {Rank.KING, Rank.FALCONER}
    at_hand = mover.specials.count(follower.rank) if special else mover.supply
    node = Node(follower.cell, follower.segment)
    feature = next(f for f in components(position, laid) if node in f)
    if at_hand < 1 or feature & {other.node for other in position.followers}:
        return False
    return not special or not is_scored_now(position, laid, feature)


def is_scored_now(position: Position, laid: Laid, feature: frozenset[Node]) -> bool:
    """Tell whether a feature of the new tile is complete, and scored if somebody stands there."""
    cell, index = next(iter(feature))
    kind = laid[cell].kind.segments[index].kind
    if kind is Kind.COURT or faces_an_empty_cell(position, laid, feature):
        return False
    walls = kind in {Kind.TOWER, Kind.HOUSE, Kind.CHAPEL}
    if walls and position.game.value(ENCLOSED_HOLE_BLOCKS) == "on":
        return not encloses_an_empty_cell(position, laid, feature)
    return True
