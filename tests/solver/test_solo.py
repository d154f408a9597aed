"""Branch and bound for the maximum against the same search without a bound."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest

from solver.budget import Budget
from solver.cpsat.timeline.engine import time_engine
from solver.outlook import Goal, Order, Play, Task
from solver.progress import Reporter
from solver.search.solo import BoundEngine, Solo
from tests.solver.endings import ending

LINES = 2000
"""Lines to the end of an ending: more than the exhaustive engine could go through."""


class Plain(Solo):
    """The search with nothing left out: no bound, no follower that is called idle."""

    def _promises(self, points: int) -> bool:
        """Tell that everything may be better."""
        return True

    def _idle(self, root: int, spare: int) -> bool:
        """Tell that no follower is idle."""
        return False


def tasks(seed: int) -> Iterator[Task]:
    """Yield questions about a random ending."""
    at = ending(seed, LINES)
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


@pytest.mark.parametrize("seed", range(500, 530))
def test_nothing_better_is_cut_off(seed: int) -> None:
    """The bound is no less than what is reached, and the best line is found."""
    for task in tasks(seed):
        at = task.begin(task.position)
        plain, quick = Plain(task, at), Solo(task, at)
        plain.run()
        quick.run()
        assert quick.best == plain.best
        if task.goal is Goal.POINTS:
            tiles = quick.end if task.horizon is not None else len(at.order)
            bound = quick.bounds.reach(quick.all.left, tiles)
            assert plain.best is not None
            assert bound.total >= plain.best


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
