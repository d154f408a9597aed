"""The engines agree on turns of The Castle with The Falcon."""

from __future__ import annotations

import random

import pytest

from burgrave.model.draws import draws
from burgrave.model.position import Position
from burgrave.model.switches import CASTLE_SWITCHES
from burgrave.solver.cpsat.engine import CpsatEngine
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, turn_problem
from burgrave.solver.search.turns import ReferenceEngine
from tests.solver.brute import BruteEngine
from tests.solver.positions import rich_falcon_position
from tests.solver.test_agreement import listed
from tests.strategies import FALCON_KNOWN, falcon_hall_game, falcon_opening, walk


def position_of(seed: int) -> Position:
    """Return a position of a random game in a small hall, a few turns before its end."""
    rng = random.Random(seed)
    switches = {
        switch.name: rng.choice(switch.values)
        for switch in (*CASTLE_SWITCHES, *FALCON_KNOWN)
        if rng.random() < 0.5
    }
    game = falcon_hall_game(rng, switches, (3, 3))
    position = falcon_opening(game, rng, tiles=7)
    for step in walk(position, rng, rng.randint(1, 5)):
        position = position if step.played.position.over else step.played.position
    return position


@pytest.mark.parametrize("seed", range(16))
def test_brute_force_lists_the_moves_of_the_rules_engine(seed: int) -> None:
    """For the first draw both list the same moves, in the same order, with the same points."""
    position = position_of(seed)
    reference, brute = ReferenceEngine(), BruteEngine()
    assert list(brute.draws(position)) == list(draws(position))
    problem = turn_problem(position, next(draws(position)))
    assert brute.moves(problem) == reference.moves(problem)


START_SPACE_FIRST = 61054
"""Here the order of two features depends on whether a start space counts as a first segment."""


@pytest.mark.parametrize("seed", [*(seed for seed in range(20) if seed % 4), START_SPACE_FIRST])
def test_the_model_lists_what_the_rules_list(seed: int) -> None:
    """The constraint model has the reference's moves, points and order on rich positions."""
    position = rich_falcon_position(seed)
    assert listed(CpsatEngine(), position) == listed(ReferenceEngine(), position)


@pytest.mark.parametrize("seed", range(300, 304))
def test_the_proved_best_move_is_the_best_of_the_list(seed: int) -> None:
    """The optimum of points and all its moves are the same by proof and by listing."""
    position = rich_falcon_position(seed)
    tile = next(draws(position)).tile
    found = best(position, goal=Goal.POINTS, tile=tile, engine="cpsat")
    expected = best(position, goal=Goal.POINTS, tile=tile, engine="reference")
    assert (found.value, found.status) == (expected.value, expected.status)
    assert [one.move for one in found.first] == [one.move for one in expected.first]
