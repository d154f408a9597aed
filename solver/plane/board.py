"""Tiles and features on a plane as flat arrays of integers, with undo.

Features are classes of an undoable union-find: the smaller class under the larger, no path
compression. A root keeps the tiles of its feature as bits, since tiles are counted and not
segments; its nodes as bits; open sides, shields, the followers of all players, and of a
field the nodes of the cities that it borders. A node is ``slot * width + segment``, tiles
being numbered by slots as they are laid, so that the masks stay short.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.components import Node
from model.geometry import Cell
from model.position import Position
from solver.plane.tables import CITY, FIELD, NOTHING, PlaneTables, plane_tables

RING = 8
"""Cells round a cloister."""


class PlaneBoard:
    """Tiles, features and followers of a plane.

    The cells are those of a rectangle round the tiles that no tile to come can leave.

    Attributes:
        tables: the game's tables.
        lie: by cell the kind and rotation of its tile (``kind * 4 + rotation``), or -1.
        slot: by cell the slot of its tile.
        cell: by slot the cell.
        wants: by cell what its neighbours ask for, as a mask.
        rim: all cells that a neighbour ever asked for something, filled or not.
        parent: by node the parent in its class; a root is its own.
        what: by node the kind of its segment, an index of ``KINDS``.
        open: by root of a road or city the number of sides that face an empty cell.
        tiles: by root the slots of the feature as bits.
        nodes: by root its nodes as bits.
        near: by root of a field the nodes of the cities that it borders, as bits.
        shields: by root.
        men: by root the followers on it, four bits a player.
        walled: for each completed city its nodes as bits.
        cloisters: by cell of a cloister its node.

    """

    def __init__(self, position: Position) -> None:
        """Lay the tiles of a position and put its followers on them."""
        self.tables: PlaneTables = plane_tables(position.game)
        left = len(position.order) + len(position.bag)
        here = [tile.cell for tile in position.tiles] or [Cell(0, 0)]
        margin = left + 2
        self.west = min(x for x, _ in here) - margin
        self.south = min(y for _, y in here) - margin
        self.height = max(y for _, y in here) + margin + 1 - self.south
        width = max(x for x, _ in here) + margin + 1 - self.west
        cells, slots = width * self.height, len(position.tiles) + left
        nodes = slots * self.tables.width
        self.steps = (1, self.height, -1, -self.height)
        self.ring = tuple(
            dx * self.height + dy for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
        )
        self._blocks: dict[int, frozenset[int]] = {}
        self.lie = [NOTHING] * cells
        self.slot = [NOTHING] * cells
        self.cell: list[int] = []
        self.wants = [0] * cells
        self.rim: list[int] = []
        self.parent = list(range(nodes))
        self.what = [NOTHING] * nodes
        self.open = [0] * nodes
        self.tiles = [0] * nodes
        self.nodes = [0] * nodes
        self.near = [0] * nodes
        self.shields = [0] * nodes
        self.men = [0] * nodes
        self.walled: list[int] = []
        self.cloisters: dict[int, int] = {}
        self.joins: list[tuple[int, ...]] = []
        self.lays: list[tuple[int, int, int, int]] = []
        self.kind_index = {kind.id: i for i, kind in enumerate(self.tables.kinds)}
        for tile in position.tiles:
            self.lay(self.index(tile.cell), self.kind_index[tile.kind.id], tile.rotation)

    def index(self, cell: Cell) -> int:
        """Return the number of a cell; cells ascend as their numbers do."""
        return (cell.x - self.west) * self.height + cell.y - self.south

    def place(self, index: int) -> Cell:
        """Return the cell with a number."""
        return Cell(index // self.height + self.west, index % self.height + self.south)

    def node(self, node: Node) -> int:
        """Return the number of a segment on the board."""
        return self.slot[self.index(node.cell)] * self.tables.width + node.segment

    def segment(self, node: int) -> Node:
        """Return the segment on the board with a number."""
        slot, segment = divmod(node, self.tables.width)
        return Node(self.place(self.cell[slot]), segment)

    def find(self, node: int) -> int:
        """Return the root of a node's class."""
        parent = self.parent
        while parent[node] != node:
            node = parent[node]
        return node

    def places(self, kind: int) -> Iterator[tuple[int, int]]:
        """Yield every legal cell and rotation of a kind of tile, in the reference's order."""
        wants, lie, fitting = self.wants, self.lie, self.tables.fitting
        if not self.cell:
            origin = self.index(Cell(0, 0))
            yield from ((origin, rotation) for rotation in self.tables.rotations[kind])
        for cell in sorted(self.rim):
            if lie[cell] < 0:
                for rotation in fitting(kind, wants[cell]):
                    yield cell, rotation

    def fits(self, kind: int) -> bool:
        """Tell whether a kind of tile has any legal place."""
        return next(self.places(kind), None) is not None

    def lay(self, cell: int, kind: int, rotation: int) -> list[int]:
        """Lay a tile and join what it touches.

        Args:
            cell: an empty cell on which it may lie.
            kind: index of the kind of tile.
            rotation: clockwise quarter turns.

        Returns:
            The roots of the roads and cities that it completes.

        """
        t, lies, wants, opened, parent = self.tables, self.lie, self.wants, self.open, self.parent
        lie, base = kind * 4 + rotation, len(self.cell) * t.width
        self.lays.append((cell, len(self.joins), len(self.rim), len(self.walled)))
        self._begin(cell, kind)
        lies[cell] = lie
        facing = []
        for side in range(4):
            beyond = cell + self.steps[side]
            if lies[beyond] >= 0:
                facing.append((side, beyond))
                continue
            if not wants[beyond]:
                self.rim.append(beyond)
            wants[beyond] |= t.asks[lie * 4 + side]
            if (end := t.ends[lie * 4 + side]) >= 0:
                opened[base + end] += 1
        for side, beyond in facing:
            end, other = t.ends[lie * 4 + side], self.slot[beyond] * t.width
            for mine, theirs in t.contacts(lie, side, lies[beyond]):
                child, root = base + mine, other + theirs
                while parent[child] != child:
                    child = parent[child]
                while parent[root] != root:
                    root = parent[root]
                self._join(child, root, mine == end)
        return self._completed(kind, base)

    def _begin(self, cell: int, kind: int) -> None:
        """Make a class of each segment."""
        t, slot = self.tables, len(self.cell)
        segments = t.segments[kind]
        count, base = len(segments), slot * t.width
        end = base + count
        self.slot[cell] = slot
        self.cell.append(cell)
        self.parent[base:end] = range(base, end)
        self.what[base:end] = segments
        self.open[base:end] = [0] * count
        self.tiles[base:end] = [1 << slot] * count
        self.nodes[base:end] = [1 << node for node in range(base, end)]
        self.near[base:end] = [
            sum(1 << base + city for city in cities) for cities in t.bordered[kind]
        ]
        self.shields[base:end] = t.shields[kind]
        self.men[base:end] = [0] * count
        if t.cloister[kind] >= 0:
            self.cloisters[cell] = base + t.cloister[kind]

    def _join(self, child: int, root: int, closes: bool) -> None:  # noqa: FBT001 -- the hot path
        """Join two classes across an edge, at which one of them had an open side or none."""
        opened, tiles, men = self.open, self.tiles, self.men
        if child == root:
            if closes:
                self.joins.append((root, root, opened[root]))
                opened[root] -= 1
            return
        if tiles[child].bit_count() > tiles[root].bit_count():
            child, root = root, child
        nodes, near, shields = self.nodes, self.near, self.shields
        self.joins.append(
            (child, root, opened[root], tiles[root], nodes[root], near[root], shields[root])
        )
        self.parent[child] = root
        opened[root] += opened[child] - closes
        tiles[root] |= tiles[child]
        nodes[root] |= nodes[child]
        near[root] |= near[child]
        shields[root] += shields[child]
        men[root] += men[child]

    def _completed(self, kind: int, base: int) -> list[int]:
        """Return the roots of the roads and cities that a new tile completes."""
        done: list[int] = []
        for segment, what in enumerate(self.tables.segments[kind]):
            if what <= CITY:
                root = self.find(base + segment)
                if not self.open[root] and root not in done:
                    done.append(root)
                    if what == CITY:
                        self.walled.append(self.nodes[root])
        return done

    def lift(self) -> None:
        """Take the last tile back; the followers must be as they were when it was laid."""
        cell, joins, rim, walled = self.lays.pop()
        t, lies, wants = self.tables, self.lie, self.wants
        while len(self.joins) > joins:
            child, root, opened, *rest = self.joins.pop()
            self.open[root] = opened
            if rest:
                self.parent[child] = child
                self.tiles[root], self.nodes[root], self.near[root], self.shields[root] = rest
                self.men[root] -= self.men[child]
        lie = lies[cell]
        lies[cell] = NOTHING
        for side in range(4):
            beyond = cell + self.steps[side]
            if lies[beyond] < 0:
                wants[beyond] ^= t.asks[lie * 4 + side]
        del self.rim[rim:]
        del self.walled[walled:]
        self.cell.pop()
        self.cloisters.pop(cell, None)

    def block(self, cell: int) -> frozenset[int]:
        """Return a cell with the eight round it."""
        found = self._blocks.get(cell)
        if found is None:
            found = frozenset((cell, *(cell + step for step in self.ring)))
            self._blocks[cell] = found
        return found

    def around(self, cell: int) -> int:
        """Return the number of filled cells round a cell."""
        lie = self.lie
        return sum(lie[cell + step] >= 0 for step in self.ring)

    def secluded(self, cell: int) -> list[int]:
        """Return the nodes of the cloisters that a new tile on a cell completes."""
        near = (cell, *(cell + step for step in self.ring))
        return [
            self.cloisters[at] for at in near if at in self.cloisters and self.around(at) == RING
        ]

    def size(self, root: int) -> int:
        """Return the tiles of a feature as they are counted."""
        counted = self.nodes if self.tables.by_segment else self.tiles
        return counted[root].bit_count()

    def worth(self, root: int) -> int:
        """Return the points of a completed road, city or cloister."""
        what = self.what[root]
        if what > FIELD:
            return RING + 1
        if what != CITY:
            return self.size(root)
        small = self.tables.small and self.tiles[root].bit_count() == 2  # noqa: PLR2004 -- BC-12
        return (self.size(root) + self.shields[root]) * (1 if small else 2)

    def unfinished(self, root: int) -> int:
        """Return the points at the end of a road, city or cloister that is not complete."""
        if self.what[root] > FIELD:
            return 1 + self.around(self.cell[root // self.tables.width])
        return self.size(root) + self.shields[root]
