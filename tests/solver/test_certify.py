"""A wrong claim of an engine does not get out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model import engine
from model.features import Features, position_features
from model.notation import read_move
from model.position import Position
from solver import certify as certificates
from solver.answers import Objective
from solver.certify import CertificateError, certify
from solver.engines import Found
from solver.questions import best, expected, turn
from tests.solver.positions import position

TOWER = ("TT@2,0r0 white:knight.N",)


@pytest.mark.parametrize(("objective", "value"), [(Objective.POINTS, 4), (Objective.LEAD, 4)])
def test_true_claims_are_certified(objective: Objective, value: int) -> None:
    """A move that brings what is promised gets its value and its events."""
    before = position(TOWER, "TT")
    move = read_move(before, "TT@2,1r2")
    choice = certify(before, Found(move=move, gains=(4, 0)), objective)
    assert (choice.value, [event.points for event in choice.parts]) == (value, [4])


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
    found = Found(move=read_move(before, text), gains=gains)
    with pytest.raises(CertificateError, match=message):
        certify(before, found, Objective.POINTS)


def test_the_position_before_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many first moves are replayed, they begin with the features of one position."""
    read: list[Position] = []

    def features(at: Position) -> Features:
        read.append(at)
        return position_features(at)

    for module in (engine, certificates, turn):
        monkeypatch.setattr(module, "position_features", features)
    before = position(TOWER, "TT")
    drawn = replace(before, order=(), bag=before.order)
    assert len(expected(drawn, engine="search").first) > 10
    assert [at == drawn for at in read] == [True]
    read.clear()
    assert len(best(before, top=10, engine="state").moves) >= 10
    assert [at == before for at in read] == [True]
