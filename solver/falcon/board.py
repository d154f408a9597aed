"""The board of The Falcon as an incremental state: chapels and aeries."""

from __future__ import annotations

from collections.abc import Iterable

from model.components import Aerie
from model.geometry import FACING, PORTS
from model.position import Position
from solver.state import Around, BoardState, Join
from solver.tables import CHAPEL


class FalconBoard(BoardState):
    """Tiles, features and followers of a board with chapels and aeries.

    Attributes:
        chapels_bind: whether a chapel must be continued by a chapel.
        aeries: by root the aeries that adjoin the feature, as bits.

    """

    chapels_bind = False

    def __init__(self, position: Position) -> None:
        """Lay the tiles of a position and put its followers on them."""
        cells = len(position.game.board.cells) + len(position.game.pictures)
        self.aeries = [0] * (cells * PORTS)
        super().__init__(position)

    def _begin(self, cell: int, lie: int) -> tuple[list[int], Around]:
        """Make a class of each segment; return them."""
        nodes, around = super()._begin(cell, lie)
        base = cell * PORTS
        self.aeries[base : base + len(nodes)] = [0] * len(nodes)
        for number, segments in enumerate(self.tables.aeries[lie // 4]):
            for segment in segments:
                self.aeries[base + segment] |= 1 << base + number
        return nodes, around

    def _join(self, child: int, root: int) -> Join:
        """Join two classes, given by different roots, under the second."""
        if more := self.aeries[child]:
            self.put(self.aeries, root, self.aeries[root] | more)
        return super()._join(child, root)

    def rotations(self, cell: int, kind: int) -> tuple[int, ...]:
        """Return the rotations in which a kind of tile is legal on an empty cell inside."""
        fitting = super().rotations(cell, kind)
        if not self.chapels_bind:
            return fitting
        return tuple(r for r in fitting if self._continued(cell, kind * 4 + r))

    def _continued(self, cell: int, lie: int) -> bool:
        """Tell whether chapels meet chapels alone, at every tile inside beside a cell."""
        for side, other, _ in self.tables.around[cell]:
            there = self.lie[other]
            if there < 0 or other >= self.tables.inside:
                continue
            for port in range(3 * side, 3 * side + 3):
                if self._is_chapel(lie, port) is not self._is_chapel(there, FACING[port]):
                    return False
        return True

    def _is_chapel(self, lie: int, port: int) -> bool:
        """Tell whether a tile shows a chapel at a port of the board."""
        segment = self.tables.owner[lie][port]
        return segment >= 0 and self.tables.segments[lie // 4][segment] == CHAPEL

    def bits(self, aeries: Iterable[Aerie]) -> int:
        """Return aeries as bits."""
        return sum(1 << (self.index[aerie.cell] * PORTS + aerie.number) for aerie in aeries)
