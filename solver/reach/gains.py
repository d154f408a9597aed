"""Points that depend on which cells are filled: the most that some tiles bring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import nlargest
from typing import NamedTuple

from model.components import Node
from model.geometry import Cell

PORTIONS = 27720
"""Shares of a point, a common multiple of 1 to 12; other parts are rounded up."""
SWEEPS = 3
"""Times that each stake is asked at most whether it counts in full."""


class Fit(NamedTuple):
    """A kind of tile in a turn of a player who stays away from what others want."""

    cells: Sequence[Cell]
    """The cells on which it fits now."""
    spoilt: int
    """Of how many of them the tiles laid before it can change the surroundings at most."""


class _Stake(NamedTuple):
    """Points that are won if something happens on some places."""

    points: int
    share: int
    """Points that each place lends to what happens there, times ``PORTIONS``."""
    cells: Collection[Cell]
    """Cells; one or all of them have to be filled."""
    men: Collection[Node]
    """Followers; the capture of one of them will do as well."""


class Gains:
    """The most points that some tiles and captures bring, by what each has to touch.

    Every stake counts in full, or each of its places lends points to what fills it. Both are
    limits: who wins the points fills a place that lends them all, or all places that lend a part.
    So any choice between the two limits the sum. The choice is improved stake by stake.

    Args:
        tiles: the most cells that can be filled.
        captures: the most followers that can be captured.
        shy: by tile of a player who keeps away from the cells that lend most: each kind that it
            may be. He fills the best cell for him of those whose surroundings are unchanged.

    """

    def __init__(self, tiles: int, captures: int = 0, shy: Sequence[Sequence[Fit]] = ()) -> None:
        """Begin without stakes."""
        self._tiles, self._captures, self._shy, self._sure = tiles, captures, shy, 0
        self._old = {cell for kinds in shy[:1] for fit in kinds for cell in fit.cells}
        self._stakes: list[_Stake] = []

    def add(self, points: int) -> None:
        """Count points, maybe less than 0, for which nothing has to happen."""
        self._sure += points

    def touched(self, cells: Collection[Cell], points: int, men: Collection[Node] = ()) -> None:
        """Count points for which one of some cells is filled, or one of some men is captured."""
        if points > 0 and self._tiles and (cells or (men and self._captures)):
            self._stakes.append(_Stake(points, points * PORTIONS, cells, men))

    def filled(self, cells: Collection[Cell], points: int) -> None:
        """Count points for which all of some cells have to be filled."""
        if not cells:
            self._sure += points
        elif points > 0 and len(cells) <= self._tiles:
            self._stakes.append(_Stake(points, -(-points * PORTIONS // len(cells)), cells, ()))

    @property
    def most(self) -> int:
        """The most points."""
        full: set[int] = set()
        best = self._limit(full)
        order = sorted(range(len(self._stakes)), key=lambda i: -len(self._stakes[i].cells))
        for _ in range(SWEEPS):
            before = best
            for index in order:
                full ^= {index}
                limit = self._limit(full)
                if limit < best:
                    best = limit
                else:
                    full ^= {index}
            if best == before:
                break
        return self._sure + best // PORTIONS

    def _limit(self, full: Collection[int]) -> int:
        """Return the limit times ``PORTIONS`` if some stakes count in full and others by places."""
        sure, cells, men = 0, dict[Cell, int](), dict[Node, int]()
        for index, stake in enumerate(self._stakes):
            if index in full:
                sure += stake.points * PORTIONS
                continue
            for cell in stake.cells:
                cells[cell] = cells.get(cell, 0) + stake.share
            for man in stake.men:
                men[man] = men.get(man, 0) + stake.share
        found = top(self._tiles, cells.values())
        if self._shy:
            # A cell that has no tile beside it now may be the only one that is left.
            new = max((lent for cell, lent in cells.items() if cell not in self._old), default=0)
            away = sum(max(new, self._worst(kinds, cells)) for kinds in self._shy)
            found = min(found, top(self._tiles - len(self._shy), cells.values()) + away)
        return sure + found + top(self._captures, men.values())

    @staticmethod
    def _worst(kinds: Sequence[Fit], cells: dict[Cell, int]) -> int:
        """Return what a tile has to be lent at most, if it is laid where it is lent least."""
        worst = 0
        for fit in kinds:
            lent = sorted(cells.get(cell, 0) for cell in fit.cells)
            worst = max(worst, lent[min(fit.spoilt, len(lent) - 1)])
        return worst


def top(number: int, values: Iterable[int]) -> int:
    """Return the sum of the largest values."""
    return sum(nlargest(number, values))
