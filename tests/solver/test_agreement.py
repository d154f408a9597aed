"""Four engines, four ways to the same list of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest

from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.model.switches import WALL_OWN_TURN_ONLY
from burgrave.solver.cpsat.engine import CpsatEngine
from burgrave.solver.engines import Lister
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, turn_problem
from burgrave.solver.result import ScoredMove
from burgrave.solver.search.turns import ReferenceEngine, StateEngine
from tests.solver.brute import BruteEngine
from tests.solver.positions import rich_position


def listed(engine: Lister, position: Position) -> list[tuple[str, tuple[int, ...]]]:
    """Return every legal move of every draw with its points."""
    found: list[Sequence[ScoredMove]] = []
    for draw in engine.draws(position):
        problem = turn_problem(position, draw)
        found.append(engine.moves(problem) or ())
    return [(write_move(position, one.move), one.points) for one in chain.from_iterable(found)]


@pytest.mark.parametrize("seed", range(18))
def test_model_lists_what_the_rules_list(seed: int) -> None:
    """The constraint model has the reference's moves, points and order on rich positions."""
    position = rich_position(seed)
    assert listed(CpsatEngine(), position) == listed(ReferenceEngine(), position)


@pytest.mark.parametrize("seed", range(18, 60))
def test_state_lists_what_the_rules_list(seed: int) -> None:
    """The kernel has the reference's moves, points and order on rich positions."""
    position = rich_position(seed)
    assert listed(StateEngine(), position) == listed(ReferenceEngine(), position)


@pytest.mark.parametrize("seed", range(100, 106))
def test_brute_force_lists_what_the_model_lists(seed: int) -> None:
    """Trying everything finds the same moves, points and order on rich positions."""
    position = rich_position(seed)
    assert listed(BruteEngine(), position) == listed(CpsatEngine(), position)


@pytest.mark.parametrize("goal", [Goal.POINTS, Goal.LEAD])
@pytest.mark.parametrize("seed", range(200, 203))
def test_best_moves_are_the_same(seed: int, goal: Goal) -> None:
    """The optimum and all its moves are the same by proof and by listing."""
    position = rich_position(seed)
    drawn = next(ReferenceEngine().draws(position))
    own = position.game.with_switches({WALL_OWN_TURN_ONLY.name: WALL_OWN_TURN_ONLY.default})
    known = replace(position, game=own, order=(drawn.tile or "",), bag=())
    proved = best(known, goal=goal)
    by_list = best(known, goal=goal, engine="reference")
    assert (proved.value, proved.first) == (by_list.value, by_list.first)


def test_answers_do_not_change() -> None:
    """Asked twice, the model gives the same answer but for the seconds."""
    position = rich_position(3)
    drawn = next(ReferenceEngine().draws(position))
    known = replace(position, order=(drawn.tile or "",), bag=())
    first, second = best(known, top=5), best(known, top=5)
    assert replace(first, seconds=0) == replace(second, seconds=0)
