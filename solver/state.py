"""The board as an incremental state with undo: flat arrays of integers, no graph.

Features are classes of an undoable union-find: union under the older root, no path
compression, every overwritten value in a journal. A root keeps the open ports of its
feature, the tiles as a bit mask (tiles are counted, not segments), marks, and followers
of each player. Laying a tile looks at the new segments and at every port that faces it,
since a side of another kind closes a feature too.

The arrays hold plain integers by node or cell, so that the same steps can be compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.geometry import PORTS
from model.position import Position
from model.rules.completion import SMALLEST_RING
from model.switches import ENCLOSED_HOLE_BLOCKS
from solver.tables import COURT, HOUSE, NOTHING, TOWER, Contact, Tables, contacts, tables

Journal = list[tuple[list[int], int, int]]
JOIN: list[int] = []
"""Stands in the journal for a join, whose old values are in a list of their own."""


class BoardState:
    """Tiles, features and followers of a board.

    Attributes:
        tables: the game's tables.
        lie: by cell the kind and rotation of its tile (``kind * 4 + rotation``), or -1.
        parent: by node the parent in its class; a root is its own.
        kind: by node the kind of its segment, an index of ``Kind``.
        open: by root the number of ports that face an empty cell inside.
        mask: by root the cells of the feature as bits.
        fountains: by root.
        markets: by root.
        men: by root and player (``root * 2 + player``) the followers.
        anchor: by root the lowest node.
        care: by cell the sides on which a tile or a binding start space asks for something.
        wants: by cell those of the sides in ``care`` that ask for a path.

    """

    def __init__(self, position: Position) -> None:
        """Lay the tiles of a position and put its followers on them."""
        self.tables: Tables = tables(position.game)
        t = self.tables
        size = len(t.cells)
        self.holes_block = position.game.value(ENCLOSED_HOLE_BLOCKS) == "on"
        self.lie = [NOTHING] * size
        self.parent = list(range(size * PORTS))
        self.kind = [NOTHING] * (size * PORTS)
        self.open = [0] * (size * PORTS)
        self.mask = [0] * (size * PORTS)
        self.fountains = [0] * (size * PORTS)
        self.markets = [0] * (size * PORTS)
        self.men = [0] * (size * PORTS * 2)
        self.anchor = list(range(size * PORTS))
        self.care = list(t.must)
        self.wants = list(t.wants)
        self.journal: Journal = []
        self.joins: list[tuple[int, ...]] = []
        self.meetings: dict[tuple[int, int, int], tuple[Contact, ...]] = {}
        self.index = {cell: i for i, cell in enumerate(t.cells)}
        self.kind_index = {kind.id: i for i, kind in enumerate(position.game.tile_set.kinds)}
        shown = len(position.game.tile_set.kinds)
        pictures = [kind.id for kind in t.kinds[shown:]]
        for picture in t.starts:
            kind = shown + pictures.index(picture.kind.id)
            self.lay(self.index[picture.cell], kind, picture.rotation)
        for tile in position.tiles:
            self.lay(self.index[tile.cell], self.kind_index[tile.kind.id], tile.rotation)
        for follower in position.followers:
            node = self.index[follower.node.cell] * PORTS + follower.node.segment
            self.men[self.find(node) * 2 + follower.player] += 1
        self.journal.clear()
        self.joins.clear()

    def find(self, node: int) -> int:
        """Return the root of a node's class."""
        parent = self.parent
        while parent[node] != node:
            node = parent[node]
        return node

    def put(self, array: list[int], index: int, value: int) -> None:
        """Write a value and keep the old one in the journal."""
        self.journal.append((array, index, array[index]))
        array[index] = value

    def undo(self, mark: int) -> None:
        """Take back every write since the journal was ``mark`` long."""
        journal = self.journal
        while len(journal) > mark:
            array, index, value = journal.pop()
            if array is JOIN:
                self._part()
            else:
                array[index] = value

    def fits(self, cell: int, lie: int) -> bool:
        """Tell whether a lie (``kind * 4 + rotation``) is legal on a cell inside."""
        t = self.tables
        if self.lie[cell] >= 0 or t.barred[cell]:
            return False
        if not (self.care[cell] & ~t.must[cell] or t.at_start[cell]):
            return False
        return t.paths[lie] & self.care[cell] == self.wants[cell]

    def places(self, kind: int) -> Iterator[tuple[int, int]]:
        """Yield every legal cell and rotation of a kind of tile."""
        t = self.tables
        must, care, wants, lie = t.must, self.care, self.wants, self.lie
        lies = [(rotation, t.paths[kind * 4 + rotation]) for rotation in t.rotations[kind]]
        for cell in range(t.inside):
            if lie[cell] >= 0 or t.barred[cell]:
                continue
            if not (care[cell] & ~must[cell] or t.at_start[cell]):
                continue
            for rotation, paths in lies:
                if paths & care[cell] == wants[cell]:
                    yield cell, rotation

    def lay(self, cell: int, kind: int, rotation: int) -> list[int]:  # noqa: C901 -- the hot path
        """Lay a tile and join what it touches.

        Args:
            cell: an empty cell.
            kind: index of the kind of tile.
            rotation: clockwise quarter turns.

        Returns:
            The roots of the features that it completes, courts excepted, ascending by anchor.

        """
        t, lies, opened, find = self.tables, self.lie, self.open, self.find
        parent, journal = self.parent, self.journal
        lie, base, count = kind * 4 + rotation, cell * PORTS, len(t.segments[kind])
        self._begin(cell, kind)
        self.put(lies, cell, lie)
        facing = []
        for side in range(4):
            beyond = t.neighbour[cell * 4 + side]
            if beyond < 0:
                continue
            if lies[beyond] < 0:
                for segment, ports in t.edges[lie * 4 + side]:
                    opened[base + segment] += ports
            else:
                facing.append((beyond * PORTS, self._contacts(lie, side, lies[beyond])))
        touched = set(range(base, base + count))
        for other, meeting in facing:
            for mine, theirs, ports, same in meeting:
                root = other + theirs
                while parent[root] != root:
                    root = parent[root]
                journal.append((opened, root, opened[root]))
                opened[root] -= ports
                touched.add(root)
                if same and (child := find(base + mine)) != root:
                    self._join(child, root)
        for first, second in t.joined[kind]:
            if (child := find(base + first)) != (root := find(base + second)):
                self._join(child, root)
        if cell < t.inside:
            self._bind(cell, t.paths[lie])
        return self._completed(cell, touched)

    def _contacts(self, lie: int, side: int, other: int) -> tuple[Contact, ...]:
        """Return what meets across an edge, computed once for each pair of lies."""
        key = (lie, side, other)
        meeting = self.meetings.get(key)
        if meeting is None:
            meeting = self.meetings[key] = contacts(self.tables, lie, side, other)
        return meeting

    def _begin(self, cell: int, kind: int) -> None:
        """Make a class of each segment. Nothing of it is journaled: the cell was empty."""
        t = self.tables
        count, base = len(t.segments[kind]), cell * PORTS
        end = base + count
        self.parent[base:end] = self.anchor[base:end] = range(base, end)
        self.kind[base:end] = t.segments[kind]
        self.open[base:end] = [0] * count
        self.mask[base:end] = [1 << cell] * count
        self.fountains[base:end] = t.fountains[kind]
        self.markets[base:end] = t.markets[kind]
        self.men[2 * base : 2 * end] = [0] * (2 * count)

    def _join(self, child: int, root: int) -> None:
        """Join two classes, given by different roots, under the second."""
        opened, mask, anchor = self.open, self.mask, self.anchor
        fountains, markets, men = self.fountains, self.markets, self.men
        self.joins.append(
            (
                child,
                root,
                opened[root],
                mask[root],
                fountains[root],
                markets[root],
                anchor[root],
                men[2 * root],
                men[2 * root + 1],
            )
        )
        self.journal.append((JOIN, 0, 0))
        self.parent[child] = root
        opened[root] += opened[child]
        mask[root] |= mask[child]
        fountains[root] += fountains[child]
        markets[root] += markets[child]
        anchor[root] = min(anchor[root], anchor[child])
        men[2 * root] += men[2 * child]
        men[2 * root + 1] += men[2 * child + 1]

    def _part(self) -> None:
        """Take the last join back."""
        child, root, *rest = self.joins.pop()
        self.parent[child] = child
        self.open[root], self.mask[root], self.fountains[root], self.markets[root] = rest[:4]
        self.anchor[root], self.men[2 * root], self.men[2 * root + 1] = rest[4:]

    def _bind(self, cell: int, paths: int) -> None:
        """Tell the empty neighbours what the new tile asks of them."""
        t = self.tables
        for side in range(4):
            beyond = t.neighbour[cell * 4 + side]
            if 0 <= beyond < t.inside and self.lie[beyond] < 0:
                bit = 1 << (side + 2) % 4
                self.put(self.care, beyond, self.care[beyond] | bit)
                if paths >> side & 1:
                    self.put(self.wants, beyond, self.wants[beyond] | bit)

    def _completed(self, cell: int, touched: set[int]) -> list[int]:
        """Return the roots of the classes that a new tile completes, by anchor."""
        limit = self.tables.inside * PORTS
        parent, opened, kind, anchor = self.parent, self.open, self.kind, self.anchor
        done: list[int] = []
        for node in touched:
            root = node
            while parent[root] != root:
                root = parent[root]
            if not opened[root] and kind[root] != COURT and anchor[root] < limit:
                done.append(root)
        if len(done) > 1:
            done = sorted(set(done), key=anchor.__getitem__)
        if self.holes_block:
            empty = self.empty()
            done = [root for root in done if not self._hole(root, empty)]
            done = sorted([*done, *self._filled(cell, empty)], key=anchor.__getitem__)
        return done

    def _filled(self, cell: int, empty: int) -> list[int]:
        """Return the closed towers and houses whose last walled-in empty cell was just filled."""
        before = empty | 1 << cell
        return [
            root
            for root in self.roots()
            if self.open[root] == 0
            and not self.mask[root] >> cell & 1
            and self._hole(root, before)
            and not self._hole(root, empty)
        ]

    def holed(self, root: int) -> bool:
        """Tell whether an empty cell that a feature walls in keeps it open, by the switch."""
        return self.holes_block and self._hole(root, self.empty()) != 0

    def _hole(self, root: int, empty: int) -> int:
        """Return the cells of ``empty`` that a tower or house walls in, as bits."""
        few = self.mask[root].bit_count() < SMALLEST_RING
        if few or self.kind[root] not in {TOWER, HOUSE}:
            return 0
        free = ((1 << self.tables.inside) - 1) & ~self.mask[root]
        return empty & free & ~flood(self.tables.beside, self.tables.rim & free, free)

    def roots(self) -> list[int]:
        """Return the roots of all features that have a tile inside."""
        t = self.tables
        nodes = (
            cell * PORTS + segment
            for cell in range(t.inside)
            if self.lie[cell] >= 0
            for segment in range(len(t.segments[self.lie[cell] // 4]))
        )
        return sorted({self.find(node) for node in nodes})

    def empty(self) -> int:
        """Return the empty cells inside, as bits."""
        return sum(1 << cell for cell in range(self.tables.inside) if self.lie[cell] < 0)

    def largest_empty_area(self) -> int:
        """Return the number of cells of the largest connected empty area."""
        left = self.empty()
        largest = 0
        while left:
            area = flood(self.tables.linked, left & -left, left)
            largest = max(largest, area.bit_count())
            left &= ~area
        return largest


def flood(near: Sequence[int], start: int, free: int) -> int:
    """Return all cells of ``free`` that can be reached from ``start``, as bits.

    Args:
        near: by cell the cells that one step reaches, as bits.
        start: where to begin, as bits.
        free: the cells that may be entered, as bits.

    """
    reached = frontier = start
    while frontier:
        step = 0
        while frontier:
            cell = frontier & -frontier
            step |= near[cell.bit_length() - 1]
            frontier ^= cell
        frontier = step & free & ~reached
        reached |= frontier
    return reached
