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

from model.components import Node
from model.geometry import PORTS
from model.position import Position
from model.rules.castle.completion import SMALLEST_RING
from model.switches import ENCLOSED_HOLE_BLOCKS
from solver.tables import CHAPEL, COURT, HOUSE, NOTHING, TOWER, Meeting, Tables, meeting, tables

Join = tuple[int, int, int, int, int, int, int, int, int]
"""Child and root of a join, and what the root was before."""
Segments = tuple[int, ...]
"""A number for each segment of a tile."""
Around = tuple[tuple[int, int, int], ...]
"""Of the cells beside a tile: where in the table of what meets across an edge that side begins,
the cell, its first node."""
Beginning = tuple[
    int, int, Segments, Segments, Segments, Segments, Segments, Segments, int, int, int, Around
]
"""A tile alone on a cell: first node and the one after the last; for each segment its node, its
kind, the cell, the cells that it faces, fountains, markets; what it adds to ``held``,
``care`` and ``wants``; what is around."""
Journal = list[tuple[list[int], int, int]]
"""Array, index and old value of each write."""
Laid = tuple[list[Join], int, int, int, int]
"""The joins that a tile made, and what ``empty``, ``held``, ``care`` and ``wants`` were before."""
LAID: list[int] = []
"""Stands in the journal for a tile laid on the cell with the index, which ``laid`` tells of."""
ALL_SIDES = 0b1111
"""The sides of a cell as bits."""
AREAS = 1 << 16
"""Empty areas whose size is remembered: about 10 MB; with more, all are forgotten."""


class BoardState:
    """Tiles, features and followers of a board.

    Attributes:
        tables: the game's tables.
        empty: the empty cells inside, as bits.
        held: the cells inside beside a tile or at a start space, as bits, empty or not.
        lies: how many lies there are.
        lie: by cell the kind and rotation of its tile (``kind * 4 + rotation``), or -1.
        parent: by node the parent in its class; a root is its own.
        kind: by node the kind of its segment, an index of ``Kind``.
        mask: by root the cells of the feature as bits.
        faces: by root the cells inside beyond its edges as bits, empty or not.
        fountains: by root.
        markets: by root.
        men: by root and player (``root * 2 + player``) the followers.
        anchor: by root the lowest node.
        care: the sides on which a tile or a binding start space asks for something, as bits: side
            ``s`` of a cell is bit ``cell * 4 + s``. Of cells with a tile it says nothing.
        wants: likewise those of the sides in ``care`` that ask for a path.
        disturbed: the empty cells on which a tile would meet something else since the last
            tile was laid, as bits: those that its features and the features that it met face.

    """

    def __init__(self, position: Position) -> None:
        """Lay the tiles of a position and put its followers on them."""
        self.tables: Tables = tables(position.game)
        t = self.tables
        size = len(t.cells)
        self.holes_block = position.game.value(ENCLOSED_HOLE_BLOCKS) == "on"
        self.empty = (1 << t.inside) - 1
        self.disturbed = self.empty
        self.held = sum(1 << cell for cell, start in enumerate(t.at_start) if start)
        self.lie = [NOTHING] * size
        self.parent = list(range(size * PORTS))
        self.kind = [NOTHING] * (size * PORTS)
        self.mask = [0] * (size * PORTS)
        self.faces = [0] * (size * PORTS)
        self.fountains = [0] * (size * PORTS)
        self.markets = [0] * (size * PORTS)
        self.men = [0] * (size * PORTS * 2)
        self.anchor = list(range(size * PORTS))
        self.care = sum(sides << 4 * cell for cell, sides in enumerate(t.must))
        self.wants = sum(sides << 4 * cell for cell, sides in enumerate(t.wants))
        self.lies = len(t.paths)
        self.journal: Journal = []
        self.laid: list[Laid] = []
        self._meetings: dict[int, Meeting] = {}
        self._fitting: dict[int, tuple[int, ...]] = {}
        self._beginnings: dict[int, Beginning] = {}
        self._areas: dict[int, int] = {}
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
            self.men[self.find(self.node(follower.node)) * 2 + follower.player] += 1
        self.journal.clear()
        self.laid.clear()

    def node(self, node: Node) -> int:
        """Return the number of a segment on the board."""
        return self.index[node.cell] * PORTS + node.segment

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
            if array is LAID:
                self._lift(index)
            else:
                array[index] = value

    def _lift(self, cell: int) -> None:
        """Take the tile that was laid last off its cell, with the joins that it made."""
        joins, self.empty, self.held, self.care, self.wants = self.laid.pop()
        self.lie[cell] = NOTHING
        if joins:
            parent, mask, faces, anchor = self.parent, self.mask, self.faces, self.anchor
            fountains, markets, men = self.fountains, self.markets, self.men
            while joins:
                child, root, tiles, beyond, waters, stalls, lowest, white, black = joins.pop()
                parent[child] = child
                mask[root] = tiles
                faces[root] = beyond
                fountains[root] = waters
                markets[root] = stalls
                anchor[root] = lowest
                men[2 * root] = white
                men[2 * root + 1] = black

    def places(self, kind: int) -> Iterator[tuple[int, int]]:
        """Yield every legal cell and rotation of a kind of tile."""
        left = self.held & self.empty & self.tables.usable
        while left:
            bit = left & -left
            left ^= bit
            cell = bit.bit_length() - 1
            for rotation in self.rotations(cell, kind):
                yield cell, rotation

    def asked(self, cell: int) -> tuple[int, int]:
        """Return the sides on which a cell asks for something, and those that ask for a path.

        A tile or a binding start space asks; both are sets of sides as bits.
        """
        shift = 4 * cell
        return self.care >> shift & ALL_SIDES, self.wants >> shift & ALL_SIDES

    def rotations(self, cell: int, kind: int) -> tuple[int, ...]:
        """Return the rotations in which a kind of tile is legal on an empty cell inside."""
        if not self.held & self.tables.usable & 1 << cell:
            return ()
        shift = 4 * cell
        key = (kind << 4 | self.care >> shift & ALL_SIDES) << 4 | self.wants >> shift & ALL_SIDES
        fitting = self._fitting.get(key)
        return self._fit(key) if fitting is None else fitting

    def _fit(self, key: int) -> tuple[int, ...]:
        """Work out the rotations in which a kind of tile shows paths where it is asked for."""
        t, kind, care, wants = self.tables, key >> 8, key >> 4 & ALL_SIDES, key & ALL_SIDES
        found = self._fitting[key] = tuple(
            rotation
            for rotation in t.rotations[kind]
            if t.paths[kind * 4 + rotation] & care == wants
        )
        return found

    def lay(self, cell: int, kind: int, rotation: int) -> list[int]:
        """Lay a tile and join what it touches.

        Args:
            cell: an empty cell.
            kind: index of the kind of tile.
            rotation: clockwise quarter turns.

        Returns:
            The roots of the features that it completes, courts excepted, ascending by anchor.

        """
        t, lies, parent = self.tables, self.lie, self.parent
        lie, base = kind * 4 + rotation, cell * PORTS
        joins: list[Join] = []
        self.journal.append((LAID, cell, 0))
        self.laid.append((joins, self.empty, self.held, self.care, self.wants))
        touched, around = self._begin(cell, lie)
        for side, other, there in around:
            beyond = lies[other]
            if beyond < 0:
                continue
            same, closed = self._meetings.get(side + beyond) or self._meet(side, beyond)
            for mine, theirs in same:
                root, child = there + theirs, base + mine
                while parent[root] != root:
                    root = parent[root]
                while parent[child] != child:
                    child = parent[child]
                if child != root:
                    joins.append(self._join(child, root))
            if closed:
                touched += [there + theirs for theirs in closed]
        for first, second in t.joined[kind]:
            if (child := self.find(base + first)) != (root := self.find(base + second)):
                joins.append(self._join(child, root))
        return self._completed(cell, touched)

    def _meet(self, side: int, other: int) -> Meeting:
        """Work out what meets across an edge, once for each pair of lies."""
        lie, number = divmod(side // self.lies, 4)
        found = self._meetings[side + other] = meeting(self.tables, lie, number, other)
        return found

    def _begin(self, cell: int, lie: int) -> tuple[list[int], Around]:
        """Make a class of each segment; return them, and the cells around.

        Nothing is journaled: the cell was empty, and nobody stood there.
        """
        key = cell * self.lies + lie
        base, end, nodes, kinds, mask, facing, fountains, markets, held, care, wants, around = (
            self._beginnings.get(key) or self._beginning(key, cell, lie)
        )
        self.lie[cell] = lie
        self.empty &= ~(1 << cell)
        self.held |= held
        self.care |= care
        self.wants |= wants
        self.parent[base:end] = nodes
        self.anchor[base:end] = nodes
        self.kind[base:end] = kinds
        self.mask[base:end] = mask
        self.faces[base:end] = facing
        self.fountains[base:end] = fountains
        self.markets[base:end] = markets
        return list(nodes), around

    def _beginning(self, key: int, cell: int, lie: int) -> Beginning:
        """Work out what a tile alone on a cell is like, once."""
        t, kind = self.tables, lie // 4
        base, count = cell * PORTS, len(t.segments[kind])
        held = care = wants = 0
        for side, other, bit in t.around[cell]:
            held |= 1 << other
            care |= bit << 4 * other
            wants |= (t.paths[lie] >> side & 1) * bit << 4 * other
        found = self._beginnings[key] = (
            base,
            base + count,
            tuple(range(base, base + count)),
            t.segments[kind],
            (1 << cell,) * count,
            t.facing(cell, lie),
            t.fountains[kind],
            t.markets[kind],
            held,
            care,
            wants,
            tuple(
                ((lie * 4 + side) * self.lies, other, other * PORTS)
                for side, other, _ in t.around[cell]
            ),
        )
        return found

    def _join(self, child: int, root: int) -> Join:
        """Join two classes, given by different roots, under the second."""
        mask, faces, anchor = self.mask, self.faces, self.anchor
        fountains, markets, men = self.fountains, self.markets, self.men
        white, black = men[2 * root], men[2 * root + 1]
        before = (
            child,
            root,
            mask[root],
            faces[root],
            fountains[root],
            markets[root],
            anchor[root],
            white,
            black,
        )
        self.parent[child] = root
        mask[root] |= mask[child]
        faces[root] |= faces[child]
        fountains[root] += fountains[child]
        markets[root] += markets[child]
        if anchor[child] < anchor[root]:  # noqa: PLR1730 -- at every join, and a call takes longer
            anchor[root] = anchor[child]
        men[2 * root] = white + men[2 * child]
        men[2 * root + 1] = black + men[2 * child + 1]
        return before

    def _completed(self, cell: int, touched: list[int]) -> list[int]:
        """Return the roots of the classes that a new tile completes, by anchor."""
        limit = self.tables.inside * PORTS
        parent, faces, kind, anchor = self.parent, self.faces, self.kind, self.anchor
        empty = self.empty
        done: list[int] = []
        disturbed = 0
        for root in touched:
            while parent[root] != root:
                root = parent[root]  # noqa: PLW2901 -- the way up
            if needs := faces[root] & empty:
                disturbed |= needs
            elif kind[root] != COURT and anchor[root] < limit:
                done.append(root)
        self.disturbed = disturbed | self.tables.near[cell] & empty
        if len(done) > 1:
            done = sorted(set(done), key=anchor.__getitem__)
        if self.holes_block:
            done = [root for root in done if not self._hole(root, empty)]
            done = sorted([*done, *self._filled(cell, empty)], key=anchor.__getitem__)
            self.disturbed = empty
        return done

    def needs(self, root: int) -> int:
        """Return the empty cells that a feature faces, as bits; none if it is closed."""
        return self.faces[root] & self.empty

    def _filled(self, cell: int, empty: int) -> list[int]:
        """Return the closed towers and houses whose last walled-in empty cell was just filled."""
        before = empty | 1 << cell
        return [
            root
            for root in self.roots()
            if not self.needs(root)
            and not self.mask[root] >> cell & 1
            and self._hole(root, before)
            and not self._hole(root, empty)
        ]

    def holed(self, root: int) -> bool:
        """Tell whether an empty cell that a feature walls in keeps it open, by the switch."""
        return self.holes_block and self._hole(root, self.empty) != 0

    def _hole(self, root: int, empty: int) -> int:
        """Return the cells of ``empty`` that a tower or house walls in, as bits."""
        few = self.mask[root].bit_count() < SMALLEST_RING
        if few or self.kind[root] not in {TOWER, HOUSE, CHAPEL}:
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

    def largest_empty_area(self) -> int:
        """Return the number of cells of the largest connected empty area."""
        return self.largest_area(self.empty)

    def largest_area(self, cells: int) -> int:
        """Return the number of cells of the largest connected area of some cells inside.

        Args:
            cells: the cells as bits.

        """
        largest = self._areas.get(cells)
        if largest is None:
            if len(self._areas) >= AREAS:
                self._areas.clear()
            largest, left = 0, cells
            while left.bit_count() > largest:
                area = flood(self.tables.linked, left & -left, left)
                largest = max(largest, area.bit_count())
                left &= ~area
            self._areas[cells] = largest
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
