"""The networkx graph of features, the reference that every faster way is compared with.

Nodes are the segments on the board and on start spaces. An edge joins two segments of the same kind
whose ports touch. A feature is
a connected component with its tiles, marks, followers and open sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import networkx as nx  # noqa: TID253 -- the module that owns the graph

from burgrave.model.boards import Board
from burgrave.model.components import Aerie, Follower, Node
from burgrave.model.geometry import FACING, PORT_SIDES, Cell, Side
from burgrave.model.naming import times
from burgrave.model.position import Position
from burgrave.model.rule import replaced
from burgrave.model.tiles import Kind, Mark, PlacedTile

Laid = Mapping[Cell, PlacedTile]
"""Tiles and start-space pictures by cell."""
RECENT = 128
"""Boards whose features are kept: listing, playing and scoring ask for those of one board each."""

if TYPE_CHECKING:
    from burgrave.model.games import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A maximal connected set of segments of one kind."""

    kind: Kind
    nodes: tuple[Node, ...]
    """Its segments, ascending."""
    cells: frozenset[Cell]
    """Its tiles, each once, start spaces included."""
    start_cells: frozenset[Cell]
    """Those of its cells that are start spaces."""
    open_sides: tuple[tuple[Cell, Side], ...]
    """Tiles and sides at which it faces an empty cell inside the wall, ascending."""
    marks: tuple[Mark, ...]
    followers: tuple[Follower, ...]
    aeries: tuple[Aerie, ...] = ()
    """Falcon aeries that adjoin it, each once, ascending."""

    @property
    def size(self) -> int:
        """Its tiles, start spaces included."""
        return len(self.cells)

    def count(self, mark: Mark) -> int:
        """Return the number of marks ``mark`` on it."""
        return self.marks.count(mark)

    def number_of(self, player: int) -> int:
        """Return the number of followers of ``player`` on it, whatever each counts."""
        return sum(follower.player == player for follower in self.followers)

    @property
    def anchor(self) -> Node:
        """Its first segment on a tile inside the wall, by which moves name it."""
        return min(node for node in self.nodes if node.cell not in self.start_cells)

    @property
    def inside(self) -> bool:
        """Whether it has a tile inside the wall; a bare start space has none."""
        return self.cells != self.start_cells

    def empty_cells(self) -> frozenset[Cell]:
        """Return the empty cells it faces."""
        return frozenset(cell.step(side) for cell, side in self.open_sides)

    def __str__(self) -> str:
        """Return kind and tiles in words."""
        return f"{self.kind} of {times(self.size, 'tile')}"


@dataclass(frozen=True, slots=True)
class Features:
    """All features of a board."""

    all: tuple[Feature, ...]
    by_node: Mapping[Node, Feature]

    def at(self, node: Node) -> Feature:
        """Return the feature that a segment belongs to.

        Raises:
            KeyError: there is no such segment on the board.

        """
        return self.by_node[node]

    def __iter__(self) -> Iterator[Feature]:
        """Yield the features."""
        return iter(self.all)


def feature_graph(game: Game, laid: Laid) -> nx.Graph[Node]:
    """Build the graph of all segments on the board.

    Args:
        game: its rules say what joins segments.
        laid: tiles and start-space pictures by cell.

    Returns:
        A graph whose nodes are segments and whose edges are contacts. The work grows
        linearly with the number of tiles.

    """
    graph: nx.Graph[Node] = nx.Graph()
    for cell, tile in laid.items():
        graph.add_nodes_from(Node(cell, index) for index in range(len(tile.kind.segments)))
        graph.add_edges_from(game.rules.joined(tile, laid))
    return graph


def contacts(tile: PlacedTile, laid: Laid) -> Iterator[tuple[Node, Node]]:
    """Yield the pairs of segments of one kind that meet on the north or east side of a tile."""
    # The tile on the other side yields the rest.
    for side in (Side.N, Side.E):
        other = laid.get(tile.cell.step(side))
        if other is None:
            continue
        for port in range(3 * side, 3 * side + 3):
            mine, theirs = tile.at(port), other.at(FACING[port])
            if mine < 0 or theirs < 0:
                continue
            if tile.kind.segments[mine].kind is other.kind.segments[theirs].kind:
                yield Node(tile.cell, mine), Node(other.cell, theirs)


def features(game: Game, laid: Laid, followers: Iterable[Follower]) -> Features:
    """Read the features off the graph.

    Args:
        game: board and switches.
        laid: tiles and start-space pictures by cell.
        followers: the followers on the board.

    Returns:
        Every feature, in the order of its first segment.

    """
    return _sorted(_read(feature_graph(game, laid), game, laid, followers))


def features_with(
    game: Game, before: Features, tile: PlacedTile, laid: Laid, followers: Iterable[Follower]
) -> Features:
    """Read the features of a board with one more tile.

    A tile joins and closes features that have an open side towards its cell. They are read anew
    with it; all others stay as they are.

    Args:
        game: board and switches.
        before: the features without the tile.
        tile: the tile, on a cell that was empty.
        laid: tiles and start-space pictures by cell, the tile included.
        followers: the followers on the board.

    Returns:
        What ``features`` returns for ``laid``.

    """
    sides = {(beyond, side.opposite) for side, beyond in tile.cell.neighbours()}
    stay: list[Feature] = []
    facing: list[Feature] = []
    for feature in before:
        (stay if sides.isdisjoint(feature.open_sides) else facing).append(feature)
    graph: nx.Graph[Node] = nx.Graph()
    graph.add_nodes_from(Node(tile.cell, index) for index in range(len(tile.kind.segments)))
    for feature in facing:
        nx.add_path(graph, feature.nodes)  # the segments are one feature already
    around = (laid[cell] for _, cell in tile.cell.neighbours() if cell in laid)
    for near in (tile, *around):
        pairs = game.rules.joined(near, laid)
        graph.add_edges_from(
            (one, other) for one, other in pairs if tile.cell in {one.cell, other.cell}
        )
    return _sorted([*stay, *_read(graph, game, laid, followers)])


def _read(
    graph: nx.Graph[Node], game: Game, laid: Laid, followers: Iterable[Follower]
) -> list[Feature]:
    """Return a feature for each part of a graph."""
    standing: dict[Node, list[Follower]] = {}
    for follower in followers:
        standing.setdefault(follower.node, []).append(follower)
    return [
        feature_of(tuple(sorted(nodes)), laid, standing, game.board)
        for nodes in nx.connected_components(graph)
    ]


def _sorted(found: list[Feature]) -> Features:
    """Return features in the order of their first segments."""
    found.sort(key=lambda feature: feature.nodes[0])
    return Features(tuple(found), {node: feature for feature in found for node in feature.nodes})


def feature_of(
    nodes: tuple[Node, ...], laid: Laid, standing: Mapping[Node, list[Follower]], board: Board
) -> Feature:
    """Gather the tiles, marks, followers and open sides of a feature.

    Args:
        nodes: all its segments, ascending.
        laid: tiles and start-space pictures by cell.
        standing: the followers on each segment.
        board: the board.

    """
    open_sides: set[tuple[Cell, Side]] = set()
    aeries: set[Aerie] = set()
    marks: list[Mark] = []
    for cell, index in nodes:
        tile = laid[cell]
        marks += tile.kind.segments[index].marks
        if tile.kind.aeries:
            aeries.update(adjoining(tile, index))
        for side in _sides(tile.kind.turned(index, tile.rotation)):
            beyond = cell.step(side)
            if beyond not in laid and board.holds(beyond):
                open_sides.add((cell, side))
    cells = frozenset(cell for cell, _ in nodes)
    first = nodes[0]
    return Feature(
        kind=laid[first.cell].kind.segments[first.segment].kind,
        nodes=nodes,
        cells=cells,
        start_cells=frozenset(cell for cell in cells if not board.holds(cell)),
        open_sides=tuple(sorted(open_sides)),
        marks=tuple(sorted(marks)),
        followers=tuple(f for node in nodes if node in standing for f in standing[node]),
        aeries=tuple(sorted(aeries)),
    )


@cache
def _sides(ports: tuple[int, ...]) -> tuple[Side, ...]:
    """Return the sides on which some ports lie, each once, ascending."""
    return tuple(sorted({PORT_SIDES[port] for port in ports}))


def adjoining(tile: PlacedTile, segment: int) -> Iterator[Aerie]:
    """Yield the aeries of a tile that adjoin one of its segments."""
    for index, linked in enumerate(tile.kind.aeries):
        if segment in linked:
            yield Aerie(tile.cell, index)


def position_features(position: Position) -> Features:
    """Return the features of a position."""
    # By other rules what is joined may be another feature.
    read = _features.__wrapped__ if replaced() else _features
    return read(position.game, position.tiles, position.followers)


@lru_cache(maxsize=RECENT)
def _features(
    game: Game, tiles: tuple[PlacedTile, ...], followers: tuple[Follower, ...]
) -> Features:
    """Return the features of a board."""
    laid = {tile.cell: tile for tile in (*game.pictures, *tiles)}
    return features(game, laid, followers)


def empty_cells(position: Position) -> frozenset[Cell]:
    """Return the cells inside the wall without a tile."""
    return frozenset(position.game.board.cells) - position.by_cell().keys()
