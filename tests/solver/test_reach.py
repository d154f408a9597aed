"""The bound of what a player of a game in a castle can reach, against all that can be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from solver.problem import Goal, Play, Problem, TileOrder
from solver.questions import partial_answer
from solver.search.engine import SearchEngine
from solver.search.reach import Bounds
from tests.solver.endings import ending
from tests.solver.gatherings import gathering

LINES = 4000
"""Lines to the end of an ending."""


def problems(seed: int, *, falcon: bool) -> Iterator[Problem]:
    """Yield problems of random endings in which all play for one player or he plays alone."""
    rng = random.Random(seed)
    for at in (ending(seed, LINES, falcon=falcon), *gathering(seed, falcon=falcon)):
        for asker, play, goal in product(
            (0, 1), (Play.HELPED, Play.SOLITAIRE), (Goal.POINTS, Goal.LEAD)
        ):
            yield Problem(
                position=at,
                asker=asker,
                goal=goal,
                play=play,
                order=TileOrder.GIVEN,
                horizon=rng.choice((None, None, 1, 2)),
            )


def exceeded(seed: int, *, falcon: bool) -> int:
    """Return in how many problems of an ending more can be reached than the limits say."""
    found = 0
    for problem in problems(seed, falcon=falcon):
        least, most = partial_answer.bounds(problem)
        value = SearchEngine().solve(problem).value
        assert value is not None
        assert least is not None
        assert most is not None
        assert least <= value
        found += most < value
    return found


@pytest.mark.parametrize("falcon", [False, True])
@pytest.mark.parametrize("seed", range(24))
def test_nobody_reaches_more(seed: int, *, falcon: bool) -> None:
    """Where features come together too, and kings, falconers, keeps and wall tiles count."""
    assert not exceeded(seed, falcon=falcon)


def test_wall_tiles_of_towers_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without those that are taken on the way there are endings in which more is reached."""
    monkeypatch.setattr(Bounds, "_towers", lambda *_: set())
    assert any(exceeded(seed, falcon=False) for seed in (4, 12))
