"""Branch and bound for the maximum against the same search without a bound."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest

from solver.answers import Status
from solver.budget import Budget
from solver.cpsat.engine import time_engine
from solver.outlook import Goal, Order, Play, Task
from solver.progress import Reporter
from solver.questions import maximum
from solver.search.solo import BoundEngine, Draw, Solo, Step, Stock
from solver.search.sums import Reach
from tests.solver.endings import ending
from tests.solver.gatherings import gathering

LINES = 2000
"""Lines to the end of an ending: more than the exhaustive engine could go through."""


class Plain(Solo):
    """The search with nothing left out: no bound, no follower that is called idle."""

    def _promises(self, points: int) -> bool:
        """Tell that everything may be better."""
        return True

    def _idle(self, root: int, rank: int, spare: int) -> bool:
        """Tell that no follower is idle."""
        return False


class Checked(Plain):
    """The same, and every bound on the way is compared with the best that follows."""

    def _from(self, stock: Stock) -> None:
        """Compare the bound of a state."""
        before, self.best = self.best, None
        super()._from(stock)
        left = stock.left
        tiles = min(len(left), self.end - (len(self.all.left) - len(left)))
        if tiles > 0:
            self._compare(self.bounds.reach(left, tiles).total, before)
        else:
            self._compare(self.best or 0, before)

    def _turns(self, draw: Draw, reach: Reach) -> None:
        """Compare the bounds of all places of a tile."""
        if draw.kind < 0:
            super()._turns(draw, reach)
            return
        for bound, turn in self._promising(draw, reach):
            before, self.best = self.best, None
            self._step(Step(draw.gone, turn), draw.rest)
            self._compare(bound, before)

    def _compare(self, bound: int, before: int | None) -> None:
        """Compare a bound with the best of what was searched, and go on with the best of all."""
        assert self.best is not None
        assert bound >= self.best
        self.best = max(self.best, 0 if before is None else before)


def tasks(seed: int, *, falcon: bool = False) -> Iterator[Task]:
    """Yield questions about a random ending."""
    at = ending(seed, LINES, falcon=falcon)
    rng = random.Random(f"solo {seed}")
    for goal in Goal:
        yield Task(
            position=at,
            asker=rng.randrange(2),
            goal=goal,
            play=rng.choice((Play.HELPED, Play.SOLITAIRE)),
            order=Order.GIVEN,
            horizon=rng.choice((None, None, None, 1, 2)),
            watch=Budget().start(),
            reporter=Reporter(),
        )


@pytest.mark.parametrize("falcon", [False, True])
@pytest.mark.parametrize("seed", range(500, 530))
def test_nothing_better_is_cut_off(seed: int, *, falcon: bool) -> None:
    """The best line is found, and no bound on the way is too low."""
    for task in tasks(seed, falcon=falcon):
        at = task.begin(task.position)
        plain = (Checked if task.goal is Goal.POINTS else Plain)(task, at)
        quick = Solo(task, at)
        plain.run()
        quick.run()
        assert quick.best == plain.best


@pytest.mark.parametrize("seed", range(900, 916))
def test_nothing_better_is_cut_off_where_features_come_together(seed: int) -> None:
    """Likewise with two tiles and followers of both on most features, king and falconer too."""
    for at in gathering(seed, falcon=True):
        task = replace(next(tasks(seed)), position=replace(at, order=at.order[:2]), horizon=None)
        plain = Checked(task, task.begin(task.position))
        quick = Solo(task, task.begin(task.position))
        plain.run()
        quick.run()
        assert quick.best == plain.best


@pytest.mark.parametrize("seed", [3, 5, 8, 11, 20, 31])
def test_the_best_order_is_the_best_of_all_orders(seed: int) -> None:
    """``choose`` finds what the best of all known orders gives, by search and by model."""
    at = ending(seed, 60)
    task = next(tasks(seed))
    task = replace(task, position=at, horizon=None)
    engine = BoundEngine()
    given = [
        engine.solve(replace(task, position=replace(at, order=order))).value
        for order in dict.fromkeys(permutations(at.order))
    ]
    bag = replace(at, order=(), bag=tuple(sorted(at.order)))
    chosen = engine.solve(replace(task, position=bag, order=Order.CHOOSE))
    best = max(value for value in given if value is not None)
    assert chosen.value == best
    assert time_engine().solve(replace(task, position=bag, order=Order.CHOOSE)).value == best


@pytest.mark.parametrize("seed", [504, 507, 512])
def test_two_tiles_of_the_falcon_are_searched_first(seed: int) -> None:
    """The search answers, and another engine comes to the same value."""
    at = ending(seed, LINES, falcon=True)
    at = replace(at, order=at.order[:2])
    answer = maximum(at, certify=True)
    assert (answer.engine, answer.status) == ("bound", Status.OPTIMAL)
    assert answer.confirmed[-1].startswith("confirmed by a second engine, ")
