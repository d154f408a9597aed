"""A wrong claim of an engine does not get out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from burgrave.model import engine
from burgrave.model.features import Features, position_features
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, expected, game, turn, turn_problem
from burgrave.solver.result import CertificateError, RootMove, certify_turn
from tests.solver.positions import position

TOWER = ("TT@2,0r0 white:knight.N",)


@pytest.mark.parametrize(("goal", "value"), [(Goal.POINTS, 4), (Goal.LEAD, 4)])
def test_true_claims_are_certified(goal: Goal, value: int) -> None:
    """A move that brings the claimed points gets its value and its events."""
    before = position(TOWER, "TT")
    move = read_move(before, "TT@2,1r2")
    problem = turn_problem(before, None, goal=goal)
    choice = certify_turn(problem, RootMove(move=move, value=Fraction(value), points=(4, 0)))
    assert (choice.value, [event.points for event in choice.events]) == (value, [4])


@pytest.mark.parametrize(
    ("text", "gains", "message"),
    [
        ("TT@2,1r2", (5, 0), r"said to bring \(5, 0\); it brings \(4, 0\)"),
        ("TT@2,1r2", (0, 4), r"said to bring \(0, 4\)"),
        ("TT@2,0r0", (0, 0), "said to be legal, but: cell 2,0 already holds"),
    ],
)
def test_false_claims_are_refused(text: str, gains: tuple[int, int], message: str) -> None:
    """A move with other points, or an illegal one, is a bug that escapes."""
    before = position(TOWER, "TT")
    problem = turn_problem(before, None)
    worth = Fraction(problem.worth(*gains))
    found = RootMove(move=read_move(before, text), value=worth, points=gains)
    with pytest.raises(CertificateError, match=message):
        certify_turn(problem, found)


def test_another_value_than_the_points_give_is_refused() -> None:
    """The value of a move is made of its points."""
    before = position(TOWER, "TT")
    found = RootMove(move=read_move(before, "TT@2,1r2"), value=Fraction(5), points=(4, 0))
    with pytest.raises(CertificateError, match="said to be worth 5; it is worth 4"):
        certify_turn(turn_problem(before, None), found)


def test_the_position_before_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many first moves are replayed, they begin with the features of one position."""
    read: list[Position] = []

    def features(at: Position) -> Features:
        read.append(at)
        return position_features(at)

    for module in (engine, game, turn):
        monkeypatch.setattr(module, "position_features", features)
    before = position(TOWER, "TT")
    drawn = replace(before, order=(), bag=before.order)
    assert len(expected(drawn, engine="search").first) > 10
    assert [at == drawn for at in read] == [True]
    read.clear()
    assert len(best(before, top=10, engine="state").first) >= 10
    assert [at == before for at in read] == [True]
