"""What results say: odds, sums of a turn without a tile."""

from __future__ import annotations

from fractions import Fraction

import pytest

from burgrave.model.draws import draws
from burgrave.solver.problem import Goal, Play, TileOrder, pose
from burgrave.solver.questions import turn_problem
from burgrave.solver.result import Odds, in_the_open, odds, passing
from tests.late import late


@pytest.mark.parametrize(
    ("win", "loss"),
    [(1, 0), (0, 1), (0, 0), ("1/2", "1/2"), ("1/3", "1/6"), ("1/6", "5/6")],
)
def test_a_value_holds_three_odds(win: int | str, loss: int | str) -> None:
    """Wins and losses are weighed so that a draw is told from a win and a loss alike."""
    problem = pose(late("carcassonne", 4, 1), Goal.WIN, Play.AGAINST, TileOrder.ANY, 0)
    # A win is worth the weight and one more, a loss the weight less, but for the one.
    wins, losses = Fraction(win), Fraction(loss)
    value = wins * (problem.decisive + 1) + losses * (1 - problem.decisive)
    found = odds(problem, value)
    assert found == Odds(win=wins, draw=1 - wins - losses, loss=losses)
    assert in_the_open(problem, value) == wins - losses
    lead = pose(problem.position, Goal.LEAD, Play.AGAINST, TileOrder.ANY, 0)
    assert in_the_open(lead, value) == value


def test_a_turn_without_a_tile_brings_nobody_points() -> None:
    """Each player of the game is there."""
    at = late("carcassonne", 1, 1)
    assert passing(turn_problem(at, next(draws(at)))).points == (0, 0)
