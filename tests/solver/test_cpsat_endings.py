"""Both models of all turns to come against the search, on endings that something rare decides.

Of many random endings these are the ones on which slips in the models were seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from burgrave.model.position import Position
from burgrave.solver.cpsat.engine import rank_engine, time_engine
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.search.engine import SearchEngine
from tests.solver.endings import ending
from tests.solver.plane_endings import besieged

HALL = partial(ending, most=400)
FALCON = partial(ending, most=400, falcon=True)
TOWER = partial(besieged, lines=4000, inns=True)
Ending = Callable[[], Position]


def kept(number: int) -> Position:
    """Return an ending in which start spaces count for keeps, and each player has a small one."""
    at = HALL(number)
    players = tuple(replace(state, keep=1) for state in at.players)
    game = at.game.with_switches({"start_space_in_keep": "on"})
    return replace(at, game=game, players=players)


def check(at: Position, asker: int, play: Play) -> None:
    """Assert that both models and the search come to one value of points or the lead."""
    goal = Goal.POINTS if play is Play.HELPED else Goal.LEAD
    problem = Problem(position=at, asker=asker, goal=goal, play=play, order=TileOrder.GIVEN)
    found = [engine.solve(problem).value for engine in (time_engine(), rank_engine())]
    assert found == [SearchEngine().solve(problem).value] * 2


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("make", "asker", "play"),
    [
        pytest.param(partial(HALL, 45), 1, Play.SOLITAIRE, id="who comes home is counted"),
        pytest.param(partial(HALL, 88), 0, Play.SOLITAIRE, id="who comes home may leave again"),
        pytest.param(partial(kept, 20), 0, Play.SOLITAIRE, id="a start space enlarges a keep"),
        pytest.param(partial(FALCON, 18), 0, Play.SOLITAIRE, id="a king doubles for one player"),
        pytest.param(partial(FALCON, 29), 1, Play.SOLITAIRE, id="a wall tile is used at the end"),
        pytest.param(
            partial(TOWER, 49, 2, players=3), 1, Play.SOLITAIRE, id="a new follower taken"
        ),
    ],
)
def test_the_models_are_worth_what_the_search_says(make: Ending, asker: int, play: Play) -> None:
    """Two tiles to four, of both families."""
    check(make(), asker, play)


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "asker", "play"),
    [
        pytest.param(partial(FALCON, 6), 1, Play.SOLITAIRE, id="tokens for a lead"),
        pytest.param(partial(FALCON, 21), 0, Play.HELPED, id="a king doubles a large feature"),
        pytest.param(partial(TOWER, 11, 3, players=5), 4, Play.SOLITAIRE, id="a tower grows twice"),
    ],
)
def test_likewise_where_it_takes_longer(make: Ending, asker: int, play: Play) -> None:
    """More tiles, or more to choose from."""
    check(make(), asker, play)
