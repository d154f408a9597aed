"""Quizzes of positions: varied, right, proved by two engines of different make."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from burgrave.model.engine import judge, play
from burgrave.model.errors import QuestionError
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move
from burgrave.model.rules.index import RULES
from burgrave.puzzles.files.library import find, position
from burgrave.puzzles.judging.solving import certified, certify
from burgrave.puzzles.judging.stated_facts import restated, stated
from burgrave.puzzles.making.quiz import quiz
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.solver.engines import make

SENTENCES = {rule.id: rule.sentence.removesuffix(".") for rule in RULES}


@cache
def asked(name: str) -> tuple[Puzzle, ...]:
    """Return a quiz of eight questions."""
    return tuple(quiz(position(find(name)), 8, 1, name))


each = pytest.mark.parametrize(
    "name", ["two-cities-one-answer", "falcon-01", "castle-04", "whose-field-will-it-be"]
)


@each
def test_each_answer_is_what_the_rules_engine_says(name: str) -> None:
    """The verdict with every broken rule, the points in order, the totals at the end."""
    for puzzle in asked(name):
        at, answer = puzzle.position, puzzle.answer
        move = read_move(at, puzzle.question.move)  # type: ignore[attr-defined]
        if puzzle.question.name == "legal":
            broken = {found.rule for found in judge(at, move).violations}
            assert (answer.legal, {*answer.breaks}) == (not broken, broken)
            continue
        played = play(at, move)
        if puzzle.question.name == "final":
            totals = final_scoring(played.position).scores
            assert [int(entry.split()[1]) for entry in answer.points] == list(totals)
            continue
        gains = [0] * len(at.players)
        for entry in answer.points:
            player, points = entry.split()
            gains[at.game.players.index(player)] += int(points)
        after = [state.score for state in played.position.players]
        assert [state.score + g for state, g in zip(at.players, gains, strict=True)] == after


@each
def test_a_quiz_is_varied_and_misses_by_one_rule(name: str) -> None:
    """Questions of all sorts, no move twice; an illegal move has one fault and cites the rule."""
    puzzles = asked(name)
    assert len(puzzles) == 8
    assert {puzzle.question.name for puzzle in puzzles} == {"legal", "scores", "final"}
    assert len({puzzle.question for puzzle in puzzles}) == 8
    for puzzle in (one for one in puzzles if one.question.name == "scores"):
        events = play(puzzle.position, read_move(puzzle.position, puzzle.question.about)).events
        assert any(event.anchor for event in events)  # something is complete
    assert {puzzle.answer.legal for puzzle in puzzles} >= {True, False}
    for puzzle in puzzles:
        assert len(puzzle.answer.breaks) <= 1
        assert {*puzzle.answer.breaks} <= {*puzzle.rules}
        assert all(SENTENCES[rule] in puzzle.explanation for rule in puzzle.rules)


def test_two_engines_of_different_make_prove_an_answer() -> None:
    """An edited answer is proved by neither, and the words are those that the answer makes."""
    for puzzle in asked("two-cities-one-answer"):
        assert puzzle.certification is not None
        assert len({make(engine) for engine in puzzle.certification.engines}) == 2
        assert restated(puzzle) == stated(puzzle)
        answer = puzzle.answer
        wrong = (
            replace(answer, legal=not answer.legal)
            if answer.legal is not None
            else replace(answer, points=("red 77", *answer.points))
        )
        assert not certified(certify(replace(puzzle, answer=wrong)))


def test_a_position_without_a_placeable_tile_has_no_quiz() -> None:
    """A bag is drawn from; a finished game has nothing to ask."""
    at = position(find("whose-field-will-it-be"))
    drawn = quiz(replace(at, order=(), bag=at.order), 2, 3)
    assert [puzzle.position.order[:1] for puzzle in drawn]
    with pytest.raises(QuestionError, match="next tile"):
        quiz(replace(at, order=()), 2, 3)


def test_a_game_that_one_make_of_engines_plays_alone_has_no_quiz() -> None:
    """The value of the switch is named; nothing was said before, and nothing asked."""
    at = position(find("falcon-01"))
    wide = replace(at, game=at.game.with_switches({"chapel_completion": "like_cloister"}))
    with pytest.raises(QuestionError, match="few engines know chapel_completion = like_cloister"):
        quiz(wide, 2, 1)
