"""What the tiles to come can still bring a player of Carcassonne or The Tower, at most.

No play can bring more, whoever helps and in whatever order the tiles come. ``docs/bounds.md`` has
the arguments, in its section on what is known without a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.geometry import FACING
from solver.plane.board import RING
from solver.plane.ending import EACH_CITY, EACH_CITY_FIRST
from solver.plane.state import PlaneState
from solver.plane.tables import CITY, FIELD, ROAD


class PlaneReach:
    """The features of a state, and what they bring at most.

    Attributes:
        state: the state; it must not change.
        tiles: how many tiles can still be laid.

    """

    def __init__(self, state: PlaneState, stock: Sequence[int], tiles: int) -> None:
        """Look at what lies.

        Args:
            state: the state.
            stock: the kinds of the tiles to come.
            tiles: how many of them can be laid before scores are compared.

        """
        self.state = state
        self.tiles = tiles
        self._faced: dict[int, int] = {}
        """By feature the empty cells that it faces, as bits."""
        self._there: list[set[int]] = []
        """For each empty cell the features that face it."""
        self._look()
        t = state.board.tables
        self._farm = 0
        if FIELD in t.claimed:
            self._farm = EACH_CITY_FIRST if t.farms == "city4" else EACH_CITY
        new = sorted(map(self._new, stock), reverse=True)
        self._by_tiles = sum(new[:tiles])

    def most(self, player: int) -> int:
        """Return the most that a player can have at the end, ransoms left out."""
        state, board = self.state, self.state.board
        mine = state.posts[player * state.each : (player + 1) * state.each]
        held = {board.find(node) for node in mine if node >= 0}
        joined = sorted(
            (sum(self._worth(root) for root in there - held) for there in self._there),
            reverse=True,
        )
        kept = sum(self._worth(root) for root in held)
        return state.score[player] + kept + sum(joined[: self.tiles]) + self._by_tiles

    def _look(self) -> None:
        """Find which features face which empty cells."""
        board = self.state.board
        t = board.tables
        for number, cell in enumerate(cell for cell in board.rim if board.lie[cell] < 0):
            there = set()
            for side, step in enumerate(board.steps):
                beyond = cell + step
                if board.lie[beyond] >= 0:
                    base, owner = board.slot[beyond] * t.width, t.owner[board.lie[beyond]]
                    ports = range(3 * side, 3 * side + 3)
                    there |= {board.find(base + owner[FACING[port]]) for port in ports}
            for root in there:
                self._faced[root] = self._faced.get(root, 0) | 1 << number
            self._there.append(there)

    def _closes(self, root: int) -> bool:
        """Tell whether a road or city is complete or can be."""
        return self._faced.get(root, 0).bit_count() <= self.tiles

    def _worth(self, root: int) -> int:
        """Return what a feature of now brings at most, as far as it lies now."""
        board = self.state.board
        what = board.what[root]
        if what == FIELD:
            return self._farm * sum(map(self._closes, self._cities(root)))
        if what > FIELD:
            around = board.around(board.cell[root // board.tables.width])
            return 1 + min(RING, around + self.tiles)
        points = board.size(root) + board.shields[root]
        return 2 * points if what == CITY and self._closes(root) else points

    def _cities(self, root: int) -> set[int]:
        """Return the cities that a field borders."""
        board, near = self.state.board, self.state.board.near[root]
        return {board.find(node) for node in _bits(near)}

    def _new(self, kind: int) -> int:
        """Return what a tile to come brings at most by its own segments."""
        t = self.state.board.tables
        found = 0
        for what, shields, cities in zip(
            t.segments[kind], t.shields[kind], t.bordered[kind], strict=True
        ):
            if what == CITY:
                found += 2 * (1 + shields)
            elif what == FIELD:
                found += self._farm * len(cities)
            else:
                found += 1 if what == ROAD else 1 + RING
        return found


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit
