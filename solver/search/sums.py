"""What a bound of branch and bound is made from, and its sums.

``docs/explanation/maximum.md`` has the arguments; ``solver.search.reach`` finds the summands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Item = tuple[int, int]
"""The cells that a feature needs, as bits, and what it is worth once they are filled."""


class Weights(NamedTuple):
    """By kind of segment, what a tile of a feature brings at most."""

    played: tuple[int, ...]
    """If the feature is completed; of a court, what a market brings without a wall tile."""
    left: tuple[int, ...]
    """By a wall tile at the end, 0 without one: if it is not completed; of a court, besides."""


class Front(NamedTuple):
    """Where tiles may come to lie."""

    needs: dict[int, int]
    """By open feature the empty cells that it faces."""
    faced: dict[int, int]
    """By empty cell the sides beyond which a cell is empty, as bits."""
    joins: dict[int, dict[int, int]]
    """By empty cell and feature that faces it, a bit for each side and kind of segment."""
    empty: int
    """The cells that may stay empty, as bits."""

    def at(self, cell: int) -> Front:
        """Return what it comes to if the only tile to come is laid on a cell."""
        met = self.joins[cell]
        # What the tile does not meet stays open: the other cells stay empty.
        needs = {root: at if root in met else self.empty for root, at in self.needs.items()}
        rest = self.empty & ~(1 << cell)
        return Front(needs, {cell: self.faced[cell]}, {cell: met}, rest)

    @property
    def met(self) -> set[int]:
        """The features that a tile to come may join."""
        return {root for there in self.joins.values() for root in there}

    def joined(self, sizes: Mapping[int, int], tiles: int, cells: int) -> int:
        """Return how much of some features so many tiles can join at most.

        Args:
            sizes: what each of the features counts.
            tiles: how many tiles are laid.
            cells: the empty cells on which they may lie, as bits.

        """
        by_cell = sorted(
            (
                sum(sizes[root] for root in there if root in sizes)
                for cell, there in self.joins.items()
                if cells >> cell & 1
            ),
            reverse=True,
        )
        return min(sum(by_cell[:tiles]), sum(sizes.values()))


class More(NamedTuple):
    """What kings add at most to what features bring without them."""

    done: Mapping[int, int]
    """By feature of today, if it is completed."""
    played: int
    """In play, on features that are claimed in turns to come."""
    late: int
    """In final scoring."""


WITHOUT_KINGS = More({}, 0, 0)


class Chances(NamedTuple):
    """What a bound is made from."""

    stock: tuple[int, ...]
    """The kinds of the tiles to come."""
    tiles: int
    """How many of them can be laid before scores are compared."""
    front: Front
    held: dict[int, int]
    """The features that the player holds, with the cells that they need."""
    wanted: dict[int, int]
    """Likewise those that he can come to hold."""
    hand: tuple[int, ...]
    """By number the wall tiles that the player has, and those that he may take."""
    plain: tuple[int, ...]
    """By kind of segment what a tile of a feature brings at most without wall tiles and kings."""
    weights: Weights


def most(items: Sequence[Item], spare: int) -> int:
    """Return the largest total of features that need together no more than ``spare`` cells.

    Args:
        items: the features; none needs more by itself.
        spare: the number of cells that can be filled.

    """
    union = total = 0
    for needs, value in items:
        union |= needs
        total += value
    if union.bit_count() <= spare:
        return total
    needs, value = items[-1]
    without = most(items[:-1], spare)
    spare -= needs.bit_count()
    left = [(other & ~needs, worth) for other, worth in items[:-1]]
    return max(without, value + most([one for one in left if one[0].bit_count() <= spare], spare))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A bound for one state."""

    chances: Chances
    """What it is made from."""
    more: More
    """What kings add."""
    sure: int
    """Score, courts that are held, empty area, wall tiles 9."""
    late: int
    """What wall tiles 4 to 7 bring at the end on features that are held, and all that kings add
    but on features of today that are completed."""
    items: tuple[Item, ...]
    """Features that are held and can be completed, with what they then bring beyond ``late``."""
    played: tuple[Item, ...]
    """The same features with what they bring in play."""
    brings: dict[int, int]
    """By kind of tile to come, what one brings at most."""
    joins: dict[int, list[tuple[int, int]]]
    """By empty cell the features that a tile there may join, and that are not held: a bit for
    each side and kind of segment that joins it, and what it brings."""

    @property
    def gain(self) -> int:
        """The most that the marker can move, and more."""
        tiles = self.chances.tiles
        best = self._best(self.chances.stock, tiles)
        return most(self.played, tiles) + best + self.more.played

    @property
    def total(self) -> int:
        """The most that the player can reach."""
        tiles = self.chances.tiles
        best = self._best(self.chances.stock, tiles)
        return self.sure + self.late + most(self.items, tiles) + best

    def others(self, kind: int) -> int:
        """Return what the tiles after the next, which is of a kind, bring at most."""
        rest = list(self.chances.stock)
        rest.remove(kind)
        return self._best(rest, self.chances.tiles - 1)

    def with_filled(self, cell: int) -> int:
        """Return the most for features that are held if the next tile fills a cell."""
        spare, taken = self.chances.tiles - 1, ~(1 << cell)
        left = [(needs & taken, value) for needs, value in self.items]
        return most([one for one in left if one[0].bit_count() <= spare], spare)

    def _best(self, kinds: Sequence[int], tiles: int) -> int:
        """Return what the best ``tiles`` of some kinds bring."""
        return sum(sorted((self.brings[kind] for kind in kinds), reverse=True)[:tiles])
