"""The turns to come, and an exact limit of the points that they bring; GLOP proposes prices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from heapq import nlargest
from math import comb
from typing import Any, NamedTuple

from burgrave.model.components import Node
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.geometry import Cell
from burgrave.solver.reach.ground import Fit, Ground


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The turns in which tiles are laid for a player, and those of all others."""

    fits: Mapping[str, Fit]
    """By id the kinds of tile to come."""
    stock: Sequence[str]
    """The tiles to come: first those of known order, then the bag."""
    known: int
    """The number of tiles of known order."""
    tiles: int
    """The most tiles that are laid."""
    his: int
    """The most turns that are laid for him."""
    others: int = 0
    """The most turns of those who keep away from what he wants."""
    every: int | None = None
    """Every how many tiles he lays one, if nobody has extra turns and all tiles come, in known
    order or by their mean; else None. His first turn comes ``first``."""
    first: int = 0
    """Tiles that others lay before him."""
    captures: int = 0
    """The most followers that can be captured."""

    def anyhow(self) -> Schedule:
        """Return the same turns, wherever the others lay and in whatever order tiles come."""
        return replace(self, his=self.tiles, others=0)

    def most(self, worth: Sequence[int], his: Sequence[int]) -> Fraction:
        """Return the most that all turns bring.

        By place, ``worth`` is what a tile brings, and ``his`` what it brings besides if he lays it.
        """
        best = {
            kind: max(0, *(worth[at] + his[at] for at in fit.every))
            for kind, fit in self.fits.items()
        }
        mine = [best[kind] for kind in self.stock]
        if not self.others:
            return Fraction(top(self.his, mine))
        if self.every:
            return self._in_turn(self.every, worth, mine)
        last = self.tiles - 1
        least = [
            self._shy(worth, kind, min(at, last) if at < self.known else last)
            for at, kind in enumerate(self.stock)
        ]
        more = [max(0, one - other) for one, other in zip(mine, least, strict=True)]
        return Fraction(top(self.tiles, least) + top(self.his, more))

    def _shy(self, worth: Sequence[int], kind: str, before: int) -> int:
        """Return the most that a tile laid where it brings least brings after some tiles."""
        return max(0, *(worth[place] for place in self.fits[kind].left(worth, before)))

    def groups(
        self, worth: Sequence[int]
    ) -> Iterator[tuple[bool, int, Sequence[tuple[float, Collection[int]]]]]:
        """Yield turns of his, and of the others who lay tiles where their ``worth`` is least.

        A linear programme uses them, so they only have to be near the truth: whether they are his,
        how many there are, and by kind of tile how many are laid and on which places.
        """
        counts, fits = Counter(self.stock), self.fits.items()
        part = self.his / len(self.stock) if self.every else 1.0
        yield True, self.his, [(part * counts[kind], fit.every) for kind, fit in fits]
        if self.others:
            part, middle = self.others / len(self.stock), self.tiles // 2
            shy = [(part * counts[kind], fit.left(worth, middle)) for kind, fit in fits]
            yield False, self.others, shy

    @cached_property
    def _certain(self) -> int:
        """How many tiles surely have a place, so that each is laid in the turn of its number."""
        for at in range(self.tiles):
            kinds = {*self.stock[self.known :]} if at >= self.known else {self.stock[at]}
            if not all(self.fits[kind].is_left(at) for kind in kinds):
                return at
        return self.tiles

    def _is_his(self, start: int) -> bool:
        """Tell whether he surely lays the first tile of a round, with his first turn or later."""
        known = start == 0 and self.known and self.fits[self.stock[0]].cells
        return start < self._certain or bool(known)

    def _in_turn(self, size: int, worth: Sequence[int], mine: Sequence[int]) -> Fraction:
        """Return the mean, over the orders of the bag, of the most that he gets in his turns.

        He lays one of each ``size`` tiles. Before his first turn others lay those of the first
        round, if there are any. A tile without a place is not laid, and the next one is drawn.
        Where that may have happened he may lay any tile of a round, but one at most.
        """
        total, bag = Fraction(0), [*zip(self.stock, mine, strict=True)][self.known :]
        starts = [0, *range(self.first or size, self.tiles, size)]
        for start, end in zip(starts, [*starts[1:], self.tiles], strict=True):
            here = range(start, min(end, self.known))
            least = [self._shy(worth, self.stock[at], at) for at in here]
            total += sum(least)
            count, drawn = end - start - len(here), list[int]()
            if count:
                shy = {kind: self._shy(worth, kind, end - 1) for kind in {kind for kind, _ in bag}}
                drawn = [best - shy[kind] for kind, best in bag]
                total += Fraction(count * sum(shy[kind] for kind, _ in bag), len(bag))
            if start < self.first:
                continue
            more = [mine[at] - theirs for at, theirs in zip(here, least, strict=True)]
            if self._is_his(start):
                total += more[0] if more else Fraction(sum(drawn), len(drawn))
                continue
            floor = max(0, *more, 0)
            total += _mean_of_best(count, [max(floor, one) for one in drawn], floor)
        return total


def coming(ground: Ground, player: int, *, away: Collection[int], mean: bool) -> Schedule:
    """Return the turns to come for a player, as in ``most_ahead``; who is not away helps him."""
    position, players, tiles = ground.position, ground.players, ground.tiles
    away = away if player not in away else ()
    others = sum(mover in away for mover in ground.movers)
    # His extra turns may come one after the other.
    turns = tiles - others + ground.extra_turns(player) if away else tiles
    known = len(position.order)
    ordered = tiles == len(ground.stock) and (mean or known == tiles)
    alone = len(away) == len(players) - 1 and not any(map(ground.extra_turns, players))
    return Schedule(
        fits=ground.fits,
        stock=[kind.id for kind in ground.stock],
        known=known,
        tiles=tiles,
        his=min(tiles, turns),
        others=others,
        every=len(players) if alone and others and ordered else None,
        first=(player - position.to_move) % len(players),
        captures=_captured(ground, away),
    )


def _captured(ground: Ground, away: Collection[int]) -> int:
    """Return the most captures; each needs a turn and a tower piece of who captures."""
    states, most = ground.position.players, Counter(ground.movers)
    who = [one for one in ground.players if one not in away]
    pieces = {one: states[one].part(TowerHoldings).pieces for one in who}
    return sum(min(most[one], pieces[one]) for one in who) if ground.captures else 0


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


PORTIONS = 27720
"""Shares of a point, a common multiple of 1 to 12."""
ROUNDS = 3
"""Times that prices are sought, each time with the others where they help least by the last."""


class _Row(NamedTuple):
    """Columns times their factors are at most a number and what is laid on places brings."""

    columns: Mapping[int, int]
    places: Mapping[int, int]
    """By place what a tile there adds to the limit; it may be less than 0."""
    limit: int


class Gains:
    """The most points that turns to come bring.

    A *column* is a part, from 0 to a most, of something that brings points. A *row* bounds
    columns by what is laid. For any prices of the rows, at least 0, this is a limit: the prices of
    the limits, the points of each column less the prices that it pays, if they are more, and what
    each tile brings by itself and by the prices that others pay for it. The prices come from a
    linear programme; the sum is in whole shares of a point. So rounding makes no limit false.
    """

    def __init__(self, ground: Ground, turns: Schedule) -> None:
        """Begin with the cells alone: one tile lies on each."""
        self._ground, self._turns, self._sure = ground, turns, 0
        self._own = [0] * len(ground.placed)
        self._his = [0] * len(ground.placed)
        self._columns: list[tuple[int, int]] = []
        self._rows: list[_Row] = []
        self._men: dict[Node, int] = defaultdict(lambda: self.column(0))
        """By follower the column of his capture."""
        for places in ground.on.values():
            self.row({}, dict.fromkeys(places, -1), 1)

    def add(self, points: int) -> None:
        """Count points, maybe less than 0, for which nothing has to happen."""
        self._sure += points

    def own(self, place: int, shares: int, *, his: bool = False) -> None:
        """Count what a tile brings by itself on a place, in shares; or only in a turn of his."""
        some = self._his if his else self._own
        some[place] += shares

    def column(self, points: int, most: int = 1) -> int:
        """Return the number of a new column from 0 to ``most``, which brings points for each 1."""
        self._columns.append((points * PORTIONS, most))
        return len(self._columns) - 1

    def row(
        self, columns: Mapping[int, int], places: Mapping[int, int] | None = None, limit: int = 0
    ) -> None:
        """Bound the sum of columns by what is laid on places and a limit of at least 0."""
        self._rows.append(_Row(columns, places or {}, limit))

    def touched(
        self, places: Collection[int], points: int, men: Collection[Node] = ()
    ) -> int | None:
        """Count points for which a tile lies on one of some places, or a man is captured.

        Their column is returned; None if they are out of reach or none.
        """
        if points <= 0 or not (places or (men and self._ground.captures)):
            return None
        column = self.column(points)
        taken = {column: 1}
        if self._ground.captures:
            taken |= {self._men[man]: -1 for man in men}
        self.row(taken, dict.fromkeys(places, 1))
        return column

    def filled(self, cells: frozenset[Cell], points: int, after: int | None = None) -> int | None:
        """Count points for which all of some cells are filled, and maybe a column is whole.

        Their column is returned; None if they are out of reach or none.
        """
        if points <= 0 or len(cells) > self._ground.tiles or cells & self._ground.barred:
            return None
        column = self.column(points)
        for cell in cells:
            self.row({column: 1}, dict.fromkeys(self._ground.filling(cell), 1))
        if after is not None:
            self.row({column: 1, after: -1})
        return column

    @property
    def most(self) -> Fraction:
        """The most points."""
        if self._men:
            self.row(dict.fromkeys(self._men.values(), 1), {}, self._turns.captures)
            self._men.clear()
        prices = [0] * len(self._rows)
        best = self._limit(prices)
        for _ in range(ROUNDS):
            prices = self._prices(self._worth(prices))
            limit = self._limit(prices)
            if limit >= best:
                break
            best = limit
        return self._sure + best / PORTIONS

    def _worth(self, prices: Sequence[int]) -> list[int]:
        """Return by place what a tile there brings, with the prices that are paid for it."""
        worth = list(self._own)
        for price, row in zip(prices, self._rows, strict=True):
            if price:
                for place, weight in row.places.items():
                    worth[place] += price * weight
        return worth

    def _limit(self, prices: Sequence[int]) -> Fraction:
        """Return the limit, in shares, that follows from prices."""
        total, paid = 0, [0] * len(self._columns)
        for price, row in zip(prices, self._rows, strict=True):
            total += price * row.limit
            for column, factor in row.columns.items():
                paid[column] += price * factor
        total += sum(
            most * max(0, points - less)
            for (points, most), less in zip(self._columns, paid, strict=True)
        )
        return total + self._turns.most(self._worth(prices), self._his)

    def _prices(self, worth: Sequence[int]) -> list[int]:
        """Return prices in shares of a point; any are sound, and those of the optimum are best.

        The others choose places by the ``worth`` of a tile there.
        """
        from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

        solver = pywraplp.Solver.CreateSolver("GLOP")
        objective = solver.Objective()
        objective.SetMaximization()

        def variable(shares: float, most: float) -> Any:
            made = solver.NumVar(0, most, "")
            objective.SetCoefficient(made, shares / PORTIONS)
            return made

        columns = [variable(points, most) for points, most in self._columns]
        laid = [list[Any]() for _ in self._own]
        for his, most, kinds in self._turns.groups(worth):
            row = solver.Constraint(0, most)
            for number, places in kinds:
                share = solver.Constraint(0, number)
                for place in places:
                    made = variable(self._own[place] + his * self._his[place], most)
                    laid[place].append(made)
                    row.SetCoefficient(made, 1)
                    share.SetCoefficient(made, 1)
        rows = []
        for one in self._rows:
            row = solver.Constraint(-solver.infinity(), one.limit)
            for column, factor in one.columns.items():
                row.SetCoefficient(columns[column], factor)
            for place, weight in one.places.items():
                for made in laid[place]:
                    row.SetCoefficient(made, -weight)
            rows.append(row)
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            return [0] * len(rows)
        return [max(0, round(row.dual_value() * PORTIONS)) for row in rows]
