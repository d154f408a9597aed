"""What a tile would join and complete on a cell, read off the features that stand there.

A player who looks at every place of a tile needs this hundreds of times a turn. It merges
features that are known already instead of building their graph anew; the engine has the
last word on the moves that come out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from model.features import Feature, Features, adjoining, position_features
from model.geometry import FACING, PORT_SIDES, Cell, Side
from model.position import Node, Position
from model.switches import SQUARES_SPLIT_PATHS
from model.tiles import PlacedTile


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A position with what a player sees on it before he lays his tile."""

    position: Position
    laid: Mapping[Cell, PlacedTile]
    """Tiles and start-space pictures by cell."""
    features: Features
    facing: Mapping[Cell, tuple[Feature, ...]]
    """By empty cell the features that have an open side to it."""
    inside: frozenset[Cell]
    """The cells inside the wall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A feature that a tile would change."""

    feature: Feature
    """What it would be, with the followers that stand there already."""
    before: tuple[Feature, ...]
    """What it is made of: none for a new feature, several that are joined."""
    segments: tuple[int, ...]
    """The tile's segments in it; none if the tile only closes a side of it."""


def survey(position: Position) -> Table:
    """Return a position with its features, for ``prospects``."""
    board = position_features(position)
    facing: dict[Cell, list[Feature]] = {}
    for feature in board:
        for cell in feature.empty_cells():
            facing.setdefault(cell, []).append(feature)
    return Table(
        position=position,
        laid=position.laid(),
        features=board,
        facing={cell: tuple(found) for cell, found in facing.items()},
        inside=frozenset(position.game.board.cells),
    )


def prospects(table: Table, tile: PlacedTile) -> tuple[Prospect, ...]:
    """Return every feature that a tile would make, enlarge, join or close.

    Args:
        table: the position, surveyed.
        tile: the tile on an empty cell.

    Returns:
        The features of the tile in the order of their first segments, then those that it
        only closes.

    """
    found = [_prospect(table, tile, segments, olds) for segments, olds in _groups(table, tile)]
    joined = {old.nodes[0] for prospect in found for old in prospect.before}
    for feature in table.facing.get(tile.cell, ()):
        if feature.nodes[0] not in joined:
            closed = replace(feature, open_sides=_still_open(feature, tile.cell))
            found.append(Prospect(feature=closed, before=(feature,), segments=()))
    return tuple(found)


def _groups(table: Table, tile: PlacedTile) -> list[tuple[list[int], dict[Node, Feature]]]:
    """Return the tile's segments with what each joins, those that become one together."""
    groups: list[tuple[list[int], set[Node], dict[Node, Feature]]] = []
    for index in range(len(tile.kind.segments)):
        olds = _touched(table, tile, index)
        links = {*olds, *_squares(table, tile, index)}
        same = [group for group in groups if group[1] & links]
        groups = [group for group in groups if group not in same]
        for _, their_links, theirs in same:
            links |= their_links
            olds |= theirs
        groups.append((sorted([index, *(i for group in same for i in group[0])]), links, olds))
    return sorted(((segments, olds) for segments, _, olds in groups), key=lambda group: group[0])


def _squares(table: Table, tile: PlacedTile, index: int) -> Iterator[Node]:
    """Yield a node for each square that makes a segment one with the other arms there."""
    if table.position.game.value(SQUARES_SPLIT_PATHS) == "off":
        for number, square in enumerate(tile.kind.squares):
            if index in square:
                yield Node(tile.cell, -1 - number)


def _touched(table: Table, tile: PlacedTile, index: int) -> dict[Node, Feature]:
    """Return the features that a segment of the tile would join, by their first node."""
    kind = tile.kind.segments[index].kind
    found = {}
    for port in tile.kind.turned(index, tile.rotation):
        beyond = tile.cell.step(PORT_SIDES[port])
        other = table.laid.get(beyond)
        there = -1 if other is None else other.at(FACING[port])
        if other is not None and there >= 0 and other.kind.segments[there].kind is kind:
            feature = table.features.at(Node(beyond, there))
            found[feature.nodes[0]] = feature
    return found


def _prospect(
    table: Table, tile: PlacedTile, segments: list[int], olds: Mapping[Node, Feature]
) -> Prospect:
    """Merge segments of the tile with the features that they join."""
    before = tuple(olds[node] for node in sorted(olds))
    sides = {PORT_SIDES[p] for i in segments for p in tile.kind.turned(i, tile.rotation)}
    feature = Feature(
        kind=tile.kind.segments[segments[0]].kind,
        nodes=tuple(
            sorted([*(Node(tile.cell, i) for i in segments), *(n for f in before for n in f.nodes)])
        ),
        cells=frozenset([tile.cell]).union(*(f.cells for f in before)),
        start_cells=frozenset[Cell]().union(*(f.start_cells for f in before)),
        open_sides=tuple(
            sorted(
                [
                    *((tile.cell, side) for side in sides if _is_open(table, tile.cell, side)),
                    *(gap for f in before for gap in _still_open(f, tile.cell)),
                ]
            )
        ),
        marks=tuple(
            sorted(
                [
                    *(mark for i in segments for mark in tile.kind.segments[i].marks),
                    *(mark for f in before for mark in f.marks),
                ]
            )
        ),
        followers=tuple(sorted(follower for f in before for follower in f.followers)),
        aeries=tuple(
            sorted(
                {
                    *(aerie for i in segments for aerie in adjoining(tile, i)),
                    *(aerie for f in before for aerie in f.aeries),
                }
            )
        ),
    )
    return Prospect(feature=feature, before=before, segments=tuple(segments))


def _is_open(table: Table, cell: Cell, side: Side) -> bool:
    """Tell whether an empty cell inside the wall lies beyond a side."""
    beyond = cell.step(side)
    return beyond not in table.laid and beyond in table.inside


def _still_open(feature: Feature, filled: Cell) -> tuple[tuple[Cell, Side], ...]:
    """Return the open sides that a feature keeps once a cell is filled."""
    return tuple(gap for gap in feature.open_sides if gap[0].step(gap[1]) != filled)
