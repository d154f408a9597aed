"""Points that depend on what is laid where: a linear programme, and an exact limit of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.reach.schedule import Schedule

if TYPE_CHECKING:
    from model.components import Node
    from model.geometry import Cell
    from solver.reach.ground import Ground

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

    Args:
        ground: the board.
        turns: the turns to come.

    """

    def __init__(self, ground: Ground, turns: Schedule) -> None:
        """Begin with the cells alone: one tile lies on each."""
        self._ground, self._turns, self._sure = ground, turns, 0
        self._own = [0] * len(ground.placed)
        self._his = [0] * len(ground.placed)
        self._columns: list[tuple[int, int]] = []
        self._rows: list[_Row] = []
        self._men: dict[Node, int] = {}
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
        """Return the number of a new column.

        Args:
            points: what all of it brings, for each 1 that it is.
            most: how much it is at most.

        """
        self._columns.append((points * PORTIONS, most))
        return len(self._columns) - 1

    def row(
        self, columns: Mapping[int, int], places: Mapping[int, int] | None = None, limit: int = 0
    ) -> None:
        """Bound the sum of columns by what is laid on places and a limit of at least 0."""
        self._rows.append(_Row(columns, places or {}, limit))

    def reached(self, places: Collection[int]) -> int:
        """Return a column without points that is whole if a tile lies on one of some places."""
        column = self.column(0)
        self.row({column: 1}, dict.fromkeys(places, 1))
        return column

    def touched(
        self, places: Collection[int], points: int, men: Collection[Node] = ()
    ) -> int | None:
        """Count points for which a tile lies on one of some places, or a man is captured.

        Returns:
            Their column; None if they are out of reach or none.

        """
        if points <= 0 or not (places or (men and self._ground.captures)):
            return None
        column = self.column(points)
        taken = {column: 1}
        if self._ground.captures:
            taken |= {self._captured(man): -1 for man in men}
        self.row(taken, dict.fromkeys(places, 1))
        return column

    def _captured(self, man: Node) -> int:
        """Return the column of the capture of a follower."""
        if man not in self._men:
            self._men[man] = self.column(0)
        return self._men[man]

    def filled(self, cells: frozenset[Cell], points: int, after: int | None = None) -> int | None:
        """Count points for which all of some cells are filled, and maybe a column is whole.

        Returns:
            Their column; None if they are out of reach or none.

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
            self._men = {}
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

        Args:
            worth: by place what a tile there brings, by which the others choose places.

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
        for group in self._turns.groups(worth):
            row = solver.Constraint(0, group.most)
            kinds = group.kinds
            for kind, places in kinds:
                share = solver.Constraint(0, kind)
                for place in places:
                    made = variable(self._own[place] + group.his * self._his[place], group.most)
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
