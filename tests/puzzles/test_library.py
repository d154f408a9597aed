"""The shipped positions and puzzles."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from model.games import CARCASSONNE, CASTLE, CASTLE_FALCON, WITH_TOWER
from model.rules.index import RULES
from puzzles.canonical import form
from puzzles.library import entries, find, position, puzzle, puzzle_entries
from puzzles.puzzle import HARDEST, Puzzle
from puzzles.questions import Force, Most, Win
from puzzles.solving import solve
from puzzles.stated import finished, restated, stated
from puzzles.themes import THEMES

PUZZLES = [entry.id for entry in puzzle_entries()]
BEST = [e.id for e in puzzle_entries() if e.question == "best" and e.game == CASTLE]
SLOW = ("how-soon-can-it-be-closed",)
"""Puzzles that take more than 2 seconds."""


@cache
def shown(puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle."""
    return puzzle(find(puzzle_id))


def test_enough_is_shipped() -> None:
    """Endgames of one to six tiles; puzzles of every game, theme, question and difficulty."""
    endings = [position(e) for e in entries() if e.kind == "position"]
    left = [len(at.order) + len(at.bag) for at in (*endings, *(shown(n).position for n in PUZZLES))]
    assert set(left) <= set(range(1, 7))
    games = Counter(entry.game for entry in puzzle_entries())
    assert games[CASTLE] >= 30
    assert games[CASTLE_FALCON] >= 12
    assert games[CARCASSONNE] + games[WITH_TOWER] >= 18
    assert {theme for entry in puzzle_entries() for theme in entry.themes} == set(THEMES)
    levels = {entry.difficulty for entry in puzzle_entries()} - {None}
    assert levels == set(range(1, HARDEST + 1))
    hardest = {entry.game for entry in puzzle_entries() if entry.difficulty == HARDEST}
    assert hardest >= {CASTLE, CASTLE_FALCON, CARCASSONNE}
    questions = {"best", "force", "expect", "win", "max", "legal", "scores", "final", "complete"}
    assert {entry.question for entry in puzzle_entries()} == questions


def test_no_two_puzzles_look_alike() -> None:
    """Titles and positions differ."""
    assert len({entry.title for entry in puzzle_entries()}) == len(PUZZLES)
    assert len({form(shown(name).position) for name in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle_id", [name for name in PUZZLES if name not in SLOW])
def test_a_stored_answer_is_found_anew(puzzle_id: str) -> None:
    """Value, best moves, line, refutations and themes come out as they are stored."""
    verdict = solve(shown(puzzle_id))
    assert verdict.got == verdict.expected


@pytest.mark.parametrize("engine", ["cpsat", "reference"])
@pytest.mark.parametrize("puzzle_id", BEST)
def test_a_best_move_is_what_the_engines_find(puzzle_id: str, engine: str) -> None:
    """Value, status and all best moves of a turn come out of every engine."""
    verdict = solve(shown(puzzle_id), engine)
    assert (verdict.passed, verdict.got) == (True, verdict.expected)


@pytest.mark.parametrize("puzzle_id", BEST)
def test_an_edited_answer_fails(puzzle_id: str) -> None:
    """Another value, or a best move left out or added, is found out."""
    good = shown(puzzle_id)
    answer = good.answer
    assert isinstance(answer.value, int)
    for wrong in (replace(answer, value=answer.value + 1), replace(answer, moves=answer.moves[1:])):
        assert not solve(replace(good, answer=wrong), "state").passed


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_a_puzzle_says_why(puzzle_id: str) -> None:
    """It has an explanation, cites rules that exist, and tells where it comes from."""
    good = shown(puzzle_id)
    assert len(good.explanation) > 100
    assert good.rules
    ids = {rule.id for rule in RULES}
    assert set(good.rules) <= ids
    cited = re.findall(r"\[([a-z0-9., -]+)\]", good.explanation)
    assert cited
    assert {one for text in cited for one in text.split(", ")} <= ids
    if isinstance(good.question, Force | Win | Most):
        assert good.answer.line
        assert good.refutations
    assert good.provenance
    for one in good.refutations:
        assert one.move in good.explanation or one.why


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_every_value_that_is_told_is_found_anew(puzzle_id: str) -> None:
    """Difficulty, rules and explanation are those that the answer makes.

    The values in these words are the engine's: of the turns played out, of final scoring, and of
    the refuted moves, which the test of the stored answers asks for.
    """
    good = shown(puzzle_id)
    assert finished(good)
    assert restated(good) == stated(good)


@pytest.mark.parametrize("puzzle_id", PUZZLES)
def test_two_engines_stand_behind_an_answer(puzzle_id: str) -> None:
    """The file names the engines that proved it, and the day."""
    stamp = shown(puzzle_id).certification
    assert stamp is not None
    assert len(set(stamp.engines)) >= 2
    assert stamp.date
