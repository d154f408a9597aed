"""The limits of what each player can have, against what can be had and what is forced."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from model.position import Position
from solver.problem import Goal, Play, Problem, TileOrder
from solver.questions import partial_answer
from solver.search.engine import SearchEngine
from tests.solver import plane_endings
from tests.solver.endings import ending
from tests.solver.gatherings import gathering

LINES = 400
"""Lines to the end of an ending."""
ASKED = (
    (Play.HELPED, Goal.POINTS),
    (Play.HELPED, Goal.LEAD),
    (Play.SOLITAIRE, Goal.LEAD),
    (Play.AGAINST, Goal.LEAD),
)


def positions(game: str, seed: int) -> Iterator[Position]:
    """Yield random endings of a game, with random switches."""
    if game in {"castle", "falcon"}:
        yield ending(seed, LINES, falcon=game == "falcon")
        yield from gathering(seed, falcon=game == "falcon")
        return
    rng = random.Random(seed)
    tiles, players = rng.choice((1, 1, 2)), rng.randint(2, 4)
    if game == "tower" and rng.random() < 0.6:
        yield plane_endings.besieged(seed, tiles, LINES, players=players)
    else:
        tower = game == "tower"
        yield plane_endings.ending(seed, tiles, LINES, players=players, tower=tower, turns=(2, 30))


def problems(at: Position, rng: random.Random) -> Iterator[Problem]:
    """Yield problems of a position, for each player as the asker."""
    for asker, (play, goal) in product(range(len(at.players)), ASKED):
        if play is Play.AGAINST and asker != at.to_move:
            continue
        yield Problem(
            position=at,
            asker=asker,
            goal=goal,
            play=play,
            order=TileOrder.GIVEN,
            horizon=rng.choice((None, None, None, 1, 2)),
        )


def broken(game: str, seed: int) -> int:
    """Return in how many problems of an ending the value is not between the limits."""
    rng = random.Random(seed)
    asked = [problem for at in positions(game, seed) for problem in problems(at, rng)]
    return sum(not _within(problem, SearchEngine().solve(problem).value) for problem in asked)


def _within(problem: Problem, value: Fraction | None) -> bool:
    """Tell whether a value lies between the limits of a problem."""
    least, most = partial_answer.bounds(problem)
    assert least is not None
    assert most is not None
    assert value is not None
    return least <= value <= most


@pytest.mark.parametrize("game", ["castle", "falcon", "carcassonne", "tower"])
@pytest.mark.parametrize("seed", range(200, 212))
def test_nobody_reaches_more_or_less(game: str, seed: int) -> None:
    """Whoever plays for whom, with all switches, kings, wall tiles, captures and ransoms."""
    assert not broken(game, seed)
