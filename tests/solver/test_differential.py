"""Every engine that looks several turns ahead gives the same answers, on random endings."""

from __future__ import annotations

import random

import pytest

from burgrave.solver.limits import Limits
from tests.solver.questioning import (
    able,
    ask,
    broken_bound,
    broken_lines,
    compare,
    questions,
)

pytestmark = pytest.mark.slow

LINES = 120
"""Lines to the end of an ending; ``benchmarks.differential`` takes longer ones, and more."""


@pytest.mark.parametrize("seed", range(1, 61))
def test_all_engines_agree(seed: int) -> None:
    """Values and first moves are the same, lines are legal, early stops tell the truth."""
    agree(seed, falcon=False)


@pytest.mark.parametrize("seed", range(1, 13))
def test_all_engines_agree_with_the_falcon(seed: int) -> None:
    """Likewise with kings and falconers, chapels, tokens and gates."""
    agree(seed, falcon=True)


def test_a_wall_tile_that_nobody_has_seen_is_taken_in_the_last_turn_but_one() -> None:
    """What is known of the last two turns at a glance does not tell its number."""
    agree(43_000_217, falcon=False, lines=300)


def test_a_last_turn_after_a_tile_without_a_place_is_worded_as_the_last() -> None:
    """Wall tiles 1 that must be played may not be played then: nothing comes after it."""
    agree(90_211_000_582, falcon=False, lines=400)


@pytest.mark.long
def test_a_solitaire_ends_with_the_askers_turn() -> None:
    """Also where the last tile has no place: who scores first at the end takes tokens first."""
    agree(450, falcon=True, lines=80)


def agree(seed: int, *, falcon: bool, lines: int = LINES) -> None:
    """Assert that the engines agree on every question about an ending."""
    rng = random.Random(seed)
    for asked in questions(seed, lines, falcon=falcon):
        answering = able(asked.problem)
        if len(answering) == 1:
            continue  # the exhaustive engine alone answers: nothing to compare it with
        answers = {name: ask(engine, asked.problem, Limits()) for name, engine in answering.items()}
        for name, answer in answers.items():
            assert answer.proved, f"{asked} by {name}"
        results = list(compare(asked.problem, answers))
        assert results
        assert not [result for result in results if result.wrong], str(asked)
        for name, answer in answers.items():
            assert not list(broken_lines(asked.problem, answer.result)), f"{asked} by {name}"
            if name != "exhaustive":
                stopped = broken_bound(answering[name], asked.problem, answer, rng)
                assert not list(stopped), f"{asked} by {name}"
