"""Values of related questions: which is no less than which."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

from burgrave.model.position import Position
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.result import odds
from tests.solver.endings import IN_CASTLE, ending
from tests.solver.questioning import GUARDED, asked_for, engines, value

pytestmark = pytest.mark.slow

LINES = 60
"""Lines to the end of the endings asked about."""
QUICK = ("search", "exhaustive")
"""Engines that take little time for a tiny ending, the quicker one first."""


@cache
def known_ending(seed: int) -> Position:
    """Return an ending in a small hall with two or three tiles left, open to every question."""
    numbers = (number for number in range(seed * 1000, seed * 1000 + 999) if number % IN_CASTLE)
    at = next(found for n in numbers if len((found := ending(n, LINES)).order) in {2, 3})
    return replace(at, game=at.game.with_switches(GUARDED))


def agreed(problem: Problem) -> Fraction:
    """Return the value of a problem, by the quickest engine that answers it."""
    known = engines()
    return value(next(known[name] for name in QUICK if known[name].answers(problem)), problem)


@pytest.mark.parametrize("play", list(Play))
@pytest.mark.parametrize("seed", range(2))
def test_an_order_lies_between_the_worst_and_the_best(seed: int, play: Play) -> None:
    """Any order of the bag is worth no less than the worst, no more than the best; chance too.

    Worst: somebody picks the tiles against the asker, and may pick those of the order. Whatever
    the asker does without knowing the order, he may do knowing it. An opponent who knows it has no
    more choices than one who agrees with the picker. Best: likewise, with who
    picks on the asker's side. Chance: it takes the mean of values of which the others take the
    least or the greatest. Every other step keeps their order.

    Without an opponent, the best order is chosen together with the moves, so its value is that of
    the best of all orders. To know the order is on average worth no less than not to know it.
    """
    at = known_ending(seed)
    orders = [(*at.order[:-2], *rest) for rest in permutations(at.order[-2:])]
    goal = Goal.LEAD if seed % 2 or play is Play.AGAINST else Goal.POINTS
    given = [agreed(asked_for(replace(at, order=order), goal, play)) for order in orders]
    bag = replace(at, order=at.order[:-2], bag=tuple(sorted(at.order[-2:])))
    worst, chance, best = (
        agreed(asked_for(bag, goal, play, order))
        for order in (TileOrder.ANY, TileOrder.CHANCE, TileOrder.CHOOSE)
    )
    assert worst <= chance <= best
    assert worst <= min(given)
    assert max(given) <= best
    if play is not Play.AGAINST:
        assert best == max(given)
        assert chance <= sum(given) / len(given)


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("seed", range(4, 6))
def test_help_is_worth_no_less_than_resistance(seed: int, goal: Goal) -> None:
    """Helped, the asker gets no less: where an opponent takes the least, a helper takes the most.

    The turns are the same; every other step of counting keeps the order of values.
    """
    at = known_ending(seed)
    if goal is not Goal.POINTS:
        helped, against = (agreed(asked_for(at, goal, p)) for p in (Play.HELPED, Play.AGAINST))
        assert helped >= against
    bag = replace(at, order=(), bag=tuple(sorted(at.order[:2])))
    for order in TileOrder:
        if order is not TileOrder.GIVEN and goal is not Goal.POINTS:
            assert agreed(asked_for(bag, goal, Play.HELPED, order)) >= agreed(
                asked_for(bag, goal, Play.AGAINST, order)
            )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8, 10))
def test_with_all_turns_his_own_nobody_matters(seed: int) -> None:
    """If extra turns give the player to move every tile, help, resistance, solitaire are one.

    The opponent has no turn, and no decision in another's turn if wall tiles 2 and 3 are for the
    owner's turn only. In final scoring he maximises his own total in every kind of play.
    """
    at = known_ending(seed)
    alone = replace(at, extra_turns=len(at.order) - 1)
    for goal in (Goal.LEAD, Goal.WIN):
        assert len({agreed(asked_for(alone, goal, play)) for play in Play}) == 1
    for order in (TileOrder.CHANCE, TileOrder.ANY):
        bag = replace(alone, order=(), bag=tuple(sorted(at.order)))
        assert len({agreed(asked_for(bag, Goal.LEAD, play, order)) for play in Play}) == 1


@pytest.mark.parametrize("seed", range(12, 14))
def test_what_one_has_the_other_lacks(seed: int) -> None:
    """Against each other, the lead of one is that of the other with the sign changed.

    Each takes the least for the other where he takes the most for himself. The worst unknown order
    for one is the best for the other. Of winning less losing the same holds:
    it weighs more than any chance of a draw, which both count in one way.
    """
    at = known_ending(seed)
    bag = replace(at, order=at.order[:1], bag=tuple(sorted(at.order[1:])))
    pairs = (
        (at, TileOrder.GIVEN, TileOrder.GIVEN),
        (bag, TileOrder.CHANCE, TileOrder.CHANCE),
        (bag, TileOrder.ANY, TileOrder.CHOOSE),
    )
    for position, mine, theirs in pairs:
        one = asked_for(position, Goal.LEAD, Play.AGAINST, mine)
        other = replace(one, order=theirs, asker=1 - one.asker)
        assert agreed(one) == -agreed(other)
    one = asked_for(bag, Goal.WIN, Play.AGAINST, TileOrder.CHANCE)
    other = replace(one, asker=1 - one.asker)
    here, there = odds(one, agreed(one)), odds(other, agreed(other))
    assert here.win - here.loss == there.loss - there.win
