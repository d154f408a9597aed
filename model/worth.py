"""The points of features as data, for engines that reckon and do not ask the rules.

The reference has a rule a kind, in words and code. Compiled code, models and limits read these
tables instead, so that points have one more copy and not five. A test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burgrave.model.tiles import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The points of a kind of feature: a number of units, times a factor.

    A tile is a unit, or a segment where a switch says so.
    """

    done: int
    """Factor of a completed feature."""
    end: int = 0
    """Factor of an uncompleted feature at the end."""
    pair: int = 0
    """Factor of a completed feature of two tiles; 0 if it is no other one."""
    marks: Mapping[Mark, int] = field(default_factory=dict, hash=False)
    """Further units of a mark."""
    by: Mapping[Mark, tuple[int, int]] = field(default_factory=dict, hash=False)
    """Of a feature that has a mark, once or more, the factors in place of ``done`` and ``end``."""
    steps: tuple[int, ...] = ()
    """The points of a completed feature by its number of tiles, from none on, in place of units
    and factor; more tiles bring no more."""

    def factor(self, tiles: int, marks: Mapping[Mark, int], *, complete: bool) -> int:
        """Return the factor of a feature, by its number of tiles and its marks."""
        for mark, factors in self.by.items():
            if marks.get(mark, 0):
                return factors[0 if complete else 1]
        if not complete:
            return self.end
        return self.pair if self.pair and tiles == PAIR else self.done

    def units(self, size: int, marks: Mapping[Mark, int]) -> int:
        """Return the units of a feature, by its tiles or segments and its marks."""
        return size + sum(more * marks.get(mark, 0) for mark, more in self.marks.items())

    def points(self, size: int, tiles: int, marks: Mapping[Mark, int], *, complete: bool) -> int:
        """Return the points of a feature.

        Args:
            size: its tiles, or its segments where a switch says so.
            tiles: its tiles.
            marks: number of each of its marks.
            complete: whether it is complete.

        """
        if self.steps and complete:
            return self.steps[min(tiles, len(self.steps) - 1)]
        return self.units(size, marks) * self.factor(tiles, marks, complete=complete)

    def rises(self) -> bool:
        """Tell whether a feature can be worth more once it is complete, marks included."""
        ways = [(self.done, self.end), *self.by.values()]
        return max(done for done, _ in ways) > min(end for _, end in ways)

    def a_tile(self, largest: int, times: int = 1) -> int:
        """Return the most points that a tile of a completed feature brings, rounded up.

        Args:
            largest: the most tiles that the feature can have.
            times: what its points are multiplied by.

        """
        if self.steps:
            some = enumerate(self.steps[1 : largest + 1], 1)
            return max((-(-times * points // tiles) for tiles, points in some), default=0)
        return times * max((self.done, *(done for done, _ in self.by.values())))


PAIR = 2
"""Tiles of the smallest features that an edition scores by another factor."""
