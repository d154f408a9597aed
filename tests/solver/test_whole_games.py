"""Whole random games, every engine asked for its list of moves before every move."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.position import Position
from burgrave.model.switches import CASTLE_SWITCHES
from burgrave.solver.cpsat.engine import CpsatEngine
from burgrave.solver.engines import Lister
from burgrave.solver.questions import turn_problem
from burgrave.solver.result import ScoredMove
from burgrave.solver.search.turns import ReferenceEngine, StateEngine
from tests.solver.brute import BruteEngine
from tests.strategies import SEEDS, castle_with, hall_game, opening, random_step

pytestmark = pytest.mark.slow


def listed(engine: Lister, position: Position, tiles: int) -> list[ScoredMove]:
    """Return every legal move of the first draws, so many where the order is unknown."""
    found: list[ScoredMove] = []
    for draw in list(engine.draws(position))[:tiles]:
        problem = turn_problem(position, draw)
        found += engine.moves(problem) or ()
    return found


def assert_agreed(start: Position, rng: random.Random, others: list[Lister]) -> None:
    """Play a random game to its end; before every move all engines list the same moves."""
    position = start
    while not position.over:
        expected = listed(ReferenceEngine(), position, 2)
        for engine in others:
            assert listed(engine, position, 2) == expected, engine.name
        position = random_step(position, rng).played.position


@pytest.mark.long
@given(seed=SEEDS)
@settings(max_examples=6)
def test_whole_games_in_a_hall(seed: int) -> None:
    """Reference, CP-SAT, state and brute force agree at every move, all switches random."""
    rng = random.Random(seed)
    switches = {switch.name: rng.choice(switch.values) for switch in CASTLE_SWITCHES}
    others: list[Lister] = [CpsatEngine(), StateEngine(), BruteEngine()]
    assert_agreed(opening(hall_game(rng, switches, (3, 3)), rng), rng, others)


@pytest.mark.long
@given(seed=st.integers(0, 9))
@settings(max_examples=1)
def test_a_whole_game_of_sixty_tiles(seed: int) -> None:
    """Reference, CP-SAT and state agree at every move of a full-length game in the castle."""
    rng = random.Random(seed)
    others: list[Lister] = [CpsatEngine(), StateEngine()]
    assert_agreed(opening(castle_with(rng), rng), rng, others)
