"""The turns to come: who lays which tile, and where the others lay theirs to help least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nlargest
from math import comb
from typing import NamedTuple

from model.geometry import Cell


class Fit(NamedTuple):
    """A kind of tile in a turn of a player who stays away from what others want."""

    cells: Mapping[Cell, Sequence[int]]
    """By cell on which it fits now, the places there."""
    every: Collection[int]
    """All places of the kind, also the one on a cell that has no tile beside it now."""
    spoils: Sequence[int]
    """By number of tiles laid before: of how many cells they can change the surroundings."""

    def left(self, worth: Sequence[int], before: int) -> Collection[int]:
        """Return places of which one is left; arguments as for ``least``."""
        gone = self.spoils[min(before, len(self.spoils) - 1)]
        if gone >= len(self.cells):
            return self.every
        best = sorted((min((worth[at], at) for at in some)) for some in self.cells.values())
        return [at for _, at in best[: gone + 1]]

    def least(self, worth: Sequence[int], before: int) -> int:
        """Return the most that it brings, if it is laid where it brings least.

        Args:
            worth: by place what a tile brings there.
            before: tiles laid before it.

        """
        gone = self.spoils[min(before, len(self.spoils) - 1)]
        if gone < len(self.cells):
            return sorted(min(worth[at] for at in some) for some in self.cells.values())[gone]
        return max(0, *(worth[at] for at in self.every))


class Group(NamedTuple):
    """Schedule as a linear programme sees them; it only has to be near the truth."""

    his: bool
    """Whether they are laid for him."""
    most: float
    """Tiles that are laid in them."""
    kinds: Sequence[tuple[float, Collection[int]]]
    """Kinds of tile: how many of them, and the places where they may lie."""


class Schedule:
    """The turns in which tiles are laid for a player, and those of all others.

    Args:
        fits: by tile to come its kind: first those of known order, then the bag.
        known: the number of tiles of known order.
        tiles: the most tiles that are laid.
        his: the most turns that are laid for him.
        others: the most turns of those who keep away from what he wants.
        round_: every how many tiles he lays one, if it is sure; his first turn comes ``first``.
        first: tiles that others lay before him.
        captures: the most followers that can be captured.
        mean: whether the tiles of the bag come by chance and the mean is asked for.

    """

    def __init__(  # noqa: PLR0913 -- what turns are made of
        self,
        fits: Sequence[Fit],
        *,
        known: int,
        tiles: int,
        his: int,
        others: int = 0,
        round_: int | None = None,
        first: int = 0,
        captures: int = 0,
        mean: bool = False,
    ) -> None:
        """Remember them."""
        self.fits, self.known, self.tiles, self.his, self.others = fits, known, tiles, his, others
        self._round, self._first, self.captures = round_, first, captures
        self._mean = mean
        self._sure = round_ is not None and tiles == len(fits) and (mean or known == tiles)

    def anyhow(self) -> Schedule:
        """Return the same turns, wherever the others lay and in whatever order tiles come."""
        return Schedule(self.fits, known=self.known, tiles=self.tiles, his=self.tiles)

    def most(self, worth: Sequence[int], his: Sequence[int]) -> Fraction:
        """Return the most that all turns bring.

        Args:
            worth: by place what a tile brings there.
            his: by place what it brings besides if he lays it.

        """
        best = {id(fit): max(0, *(worth[at] + his[at] for at in fit.every)) for fit in self.fits}
        mine = [best[id(fit)] for fit in self.fits]
        if not self.others:
            return Fraction(top(self.his, mine))
        kinds = {id(fit): fit for fit in self.fits}
        away = [
            {key: max(0, fit.least(worth, at)) for key, fit in kinds.items()}
            for at in range(self.tiles)
        ]
        if self._sure:
            return self._in_turn(mine, away)
        last = [away[-1][id(fit)] for fit in self.fits]
        more = [max(0, one - other) for one, other in zip(mine, last, strict=True)]
        return Fraction(top(self.tiles, last) + top(self.his, more))

    def groups(self, worth: Sequence[int]) -> Iterator[Group]:
        """Yield his turns and those of the others, who lay tiles where they bring least.

        Args:
            worth: by place what a tile brings there.

        """
        counts = Counter(map(id, self.fits))
        kinds = {id(fit): fit for fit in self.fits}
        part = self.his / len(self.fits) if self._mean else 1.0
        yield Group(True, self.his, [(part * counts[key], fit.every) for key, fit in kinds.items()])
        if self.others:
            part = self.others / len(self.fits)
            middle = self.tiles // 2
            shy = [(part * counts[key], fit.left(worth, middle)) for key, fit in kinds.items()]
            yield Group(False, self.others, shy)

    def _in_turn(self, mine: Sequence[int], away: Sequence[Mapping[int, int]]) -> Fraction:
        """Return the mean, over the orders of the bag, of the most that he gets in his turns.

        A tile without a place is not laid, and the next one is drawn. So he may lay any tile of
        a round, but one at most.
        """
        total = Fraction(0)
        size = self._round or 1
        starts = [0, *range(self._first or size, self.tiles, size)]
        for start, end in zip(starts, [*starts[1:], self.tiles], strict=True):
            theirs = away[end - 1]
            sure = min(max(self.known - start, 0), end - start)
            here, drawn = self.fits[start : start + sure], self.fits[self.known :]
            more = [one - theirs[id(fit)] for one, fit in zip(mine, self.fits, strict=True)]
            total += sum(theirs[id(fit)] for fit in here)
            count = end - start - sure
            if count:
                total += Fraction(count * sum(theirs[id(fit)] for fit in drawn), len(drawn))
            if start < self._first:
                continue
            if start == 0 and sure and here[0].cells:
                # The next tile is his.
                total += more[0]
                continue
            floor = max(0, *more[start : start + sure]) if sure else 0
            total += _mean_of_best(count, [max(floor, one) for one in more[self.known :]], floor)
        return total


def _mean_of_best(count: int, values: Sequence[int], floor: int) -> Fraction:
    """Return the mean of the largest of some values that are drawn at random."""
    if not count:
        return Fraction(floor)
    ordered, total = sorted(values), 0
    for index, value in enumerate(ordered):
        total += value * comb(index, count - 1)
    return Fraction(total, comb(len(ordered), count))


def top(number: int, values: Iterable[int]) -> int:
    """Return the sum of the largest values."""
    return sum(nlargest(number, values))
