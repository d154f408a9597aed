"""The constraint models of The Falcon where its switches and tokens decide the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from burgrave.model.castle import final
from burgrave.model.castle.final_uses import Uses, final_hand, targets, use_worth
from burgrave.model.expansions.falcon.switches import (
    AERIE_SHARED,
    AERIE_SUPPLY,
    CHAPEL_IS_BUILDING,
    GATE_STOP,
)
from burgrave.model.features import Features
from burgrave.model.position import Position
from burgrave.model.rule import Switch
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from tests.solver.endings import ending
from tests.solver.questioning import ask, broken_lines, engines

LINES = 60
"""Lines to the end of an ending."""
BITING: Mapping[Switch, tuple[int, ...]] = {
    AERIE_SHARED: (1, 28),
    AERIE_SUPPLY: (123,),
    GATE_STOP: (16, 18),
    CHAPEL_IS_BUILDING: (0,),
}
"""Endings with a switch changed that changes an answer."""
SACRIFICES = (123,)
"""Endings in which a player gives up points at the end of some line for more tokens."""


TAKEN_FROM_BEHIND = (0, 41)
"""Endings in which both players hold last wall tiles and one of them leads in tokens."""


def problems(at: Position) -> Iterator[Problem]:
    """Yield every question that the models answer: points or lead of either, alone or helped."""
    for asker in (0, 1):
        for goal in (Goal.POINTS, Goal.LEAD):
            for play in (Play.HELPED, Play.SOLITAIRE):
                yield Problem(
                    position=at,
                    asker=asker,
                    goal=goal,
                    play=play,
                    order=TileOrder.GIVEN,
                )


def true_value(problem: Problem) -> object:
    """Return what trying everything finds."""
    return ask(engines()["exhaustive"], problem, Limits()).result.value


def leaves_points(position: Position, board: Features, uses: Uses) -> bool:
    """Tell whether wall tiles 4 to 6 could bring a player more points."""
    for player in (0, 1):
        hand = final_hand(position, player)
        for number in (4, 5, 6):
            mine = [use for use in uses if (use.player, use.wall_tile) == (player, number)]
            taken = [board.at(use.node) for use in mine if use.node is not None]
            best = targets(position, board, player, number)[: hand[number]]
            won, most = (
                sum(use_worth(position, one, player, number) for one in some)
                for some in (taken, best)
            )
            if won < most:
                return True
    return False


def assert_both_find(problem: Problem, value: object) -> None:
    """Assert that both encodings prove a value, with a line that has it."""
    for name in ("time", "rank"):
        assert engines()[name].answers(problem)
        answer = ask(engines()[name], problem, Limits())
        assert answer.proved
        assert answer.result.value == value
        assert not list(broken_lines(problem, answer.result))


@pytest.mark.parametrize(
    ("switch", "seed"), [(switch, seed) for switch, seeds in BITING.items() for seed in seeds]
)
def test_switches_that_change_the_answer(switch: Switch, seed: int) -> None:
    """Each is known by both encodings, in endings that have another answer without it."""
    at = ending(seed, LINES, falcon=True)
    assert at.game.value(switch) != switch.default
    players = tuple(replace(state, at_gate=False) for state in at.players)
    plain = replace(at, game=at.game.with_switches({switch.name: switch.default}), players=players)
    bites = False
    for problem in problems(at):
        value = true_value(problem)
        assert_both_find(problem, value)
        bites = bites or true_value(replace(problem, position=plain)) != value
    assert bites


@pytest.mark.parametrize("seed", SACRIFICES)
def test_points_are_left_for_tokens(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last choice of both players is that of the rules, which is not always most points."""
    at = ending(seed, LINES, falcon=True)
    left: list[Uses] = []
    chosen = final.best_uses

    def noted(position: Position, board: Features) -> Uses:
        """Return what the players choose, and note it if it leaves points."""
        uses = chosen(position, board)
        if leaves_points(position, board, uses):
            left.append(uses)
        return uses

    monkeypatch.setattr(final, "best_uses", noted)
    for problem in problems(at):
        value = true_value(problem)
        monkeypatch.undo()
        assert_both_find(problem, value)
        monkeypatch.setattr(final, "best_uses", noted)
    assert left


@pytest.mark.parametrize("seed", TAKEN_FROM_BEHIND)
def test_one_choice_leaves_the_tokens_of_another_alone(seed: int) -> None:
    """Each choice of the last wall tiles is compared with the same tokens of play."""
    for problem in problems(ending(seed, LINES, falcon=True)):
        assert_both_find(problem, true_value(problem))
