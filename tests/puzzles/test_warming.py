"""Compiling beforehand: no question compiles anything afterwards, and failures are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from burgrave.model.errors import BurgraveError
from burgrave.puzzles import warming
from burgrave.puzzles.warming import warm

ROOT = Path(__file__).parents[2]
ASK = """
from burgrave.puzzles.files.library import find, position
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Play
from burgrave.solver.questions import best, evaluate, expected, forced, maximum, winning
few = Limits(nodes=100)
for name, bag in (("castle-04", "not-knowing-what-comes"), ("prisoner-of-the-tower", None)):
    at = position(find(name))
    forced(at, budget=few), winning(at, budget=few), best(at, engine="state")
    maximum(at, play=Play.SOLITAIRE, engine="search", budget=few)
    evaluate(at, playouts=20, prove=False)
    if bag:
        expected(position(find(bag)), budget=few)
forced(position(find("three-at-one-table")), budget=few)
"""


@pytest.mark.long
@pytest.mark.slow
def test_after_it_no_question_compiles() -> None:
    """Questions of each kind, about each family of games, find their code on the disk."""
    warm()
    asked = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert asked.stderr == ""


def test_a_family_that_cannot_be_compiled_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message holds the last words of the process."""
    monkeypatch.setattr(warming, "FAMILIES", {"chess": ()})
    with pytest.raises(BurgraveError, match=r"the code for chess cannot be compiled: KeyError"):
        warm()
