"""The shipped positions and puzzles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.rules.index import RULES
from puzzles.library import entries, find, position, puzzle
from puzzles.solving import solve

PUZZLES = [entry.id for entry in entries() if entry.kind == "puzzle"]


def test_enough_is_shipped() -> None:
    """At least twelve endgames of one to six tiles, three of them puzzles."""
    left = [len(at.order) + len(at.bag) for at in map(position, entries())]
    assert len(left) >= 12
    assert set(left) <= set(range(1, 7))
    assert len(PUZZLES) >= 3


@pytest.mark.parametrize("engine", ["cpsat", "reference", "state"])
@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_a_stored_answer_is_what_the_engines_find(puzzle_id: str, engine: str) -> None:
    """Value, status and all best moves of a puzzle come out of every engine."""
    verdict = solve(puzzle(find(puzzle_id)), engine)
    assert (verdict.passed, verdict.got) == (True, verdict.expected)


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_an_edited_answer_fails(puzzle_id: str) -> None:
    """Another value, or a best move left out or added, is found out."""
    good = puzzle(find(puzzle_id))
    answer = good.answer
    assert isinstance(answer.value, int)
    for wrong in (replace(answer, value=answer.value + 1), replace(answer, moves=answer.moves[1:])):
        assert not solve(replace(good, answer=wrong), "state").passed


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_a_puzzle_says_why(puzzle_id: str) -> None:
    """It has an explanation, cites rules that exist, and tells where it comes from."""
    shown = puzzle(find(puzzle_id))
    assert len(shown.explanation) > 100
    assert shown.rules
    assert set(shown.rules) <= {rule.id for rule in RULES}
    assert "self-play" in shown.provenance
