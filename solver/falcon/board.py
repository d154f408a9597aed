"""The board of The Falcon as an incremental state: chapels and aeries."""

from __future__ import annotations

from collections.abc import Iterable

from model.geometry import FACING, PORTS
from model.position import Aerie
from solver.state import BoardState
from solver.tables import CHAPEL


class FalconBoard(BoardState):
    """Tiles, features and followers of a board with chapels and aeries.

    Attributes:
        chapels_bind: whether a chapel must be continued by a chapel.

    """

    chapels_bind = False

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

    def aeries_of(self, root: int) -> int:
        """Return the aeries that adjoin a feature, as bits."""
        t = self.tables
        found, left = 0, self.mask[root]
        while left:
            bit = left & -left
            left ^= bit
            cell = bit.bit_length() - 1
            for number, segments in enumerate(t.aeries[self.lie[cell] // 4]):
                if any(self.find(cell * PORTS + segment) == root for segment in segments):
                    found |= 1 << (cell * PORTS + number)
        return found

    def bits(self, aeries: Iterable[Aerie]) -> int:
        """Return aeries as bits."""
        return sum(1 << (self.index[aerie.cell] * PORTS + aerie.number) for aerie in aeries)
