"""A wrong claim of an engine does not get out."""

from __future__ import annotations

import pytest

from model.notation import read_move
from solver.answers import Objective
from solver.certify import CertificateError, certify
from solver.engines import Found
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
