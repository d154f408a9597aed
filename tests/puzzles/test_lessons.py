"""Rule lessons: every rule decides a move somewhere, and nothing in the lesson can go."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Thread

import pytest

from burgrave.model.book import book_of
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.files.games import shipped_game
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.model.rule import instead
from burgrave.model.rules.carcassonne.farms import CITY4
from burgrave.model.rules.castle.completion import SINGLE
from burgrave.model.rules.castle.ending import END_ORDER
from burgrave.model.rules.castle.scoring import PATH_SCORE
from burgrave.model.rules.index import RULES
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.files.puzzle_files import read_puzzle, write_puzzle
from burgrave.puzzles.judging.solving import certified, certify, solve
from burgrave.puzzles.making.rule_lessons import RuleWish, game_of, rule_named
from burgrave.puzzles.questions import Final
from burgrave.puzzles.rulings.rulings import Point, Ruling, explanation, ruled_otherwise, ruling
from burgrave.puzzles.rulings.without_a_rule import Otherwise, otherwise
from burgrave.puzzles.study.puzzle import Puzzle

FIRST: dict[str, int] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "lessons.toml").read_text(encoding="utf-8")
)
"""For each rule the number of its first lesson with seed 1, so that nothing is looked for."""


@cache
def lesson(rule_id: str) -> Puzzle:
    """Return the lesson on a rule."""
    made = RuleWish(rule=rule_id, seed=1).candidate(FIRST[rule_id])
    assert made is not None
    return made


def asked(question: str, found: Ruling) -> object:
    """Return what of a ruling a question asks about."""
    if question == "legal":
        return found.legal
    end = None if found.end is None else (found.end.scores, found.end.winner, found.end.tokens)
    return (found.legal, end) if question == "final" else (found.legal, found.totals)


def deciding(made: Puzzle) -> Otherwise | None:
    """Return the first game in which the verdict of a lesson is another."""
    here = ruling(made.position, read_move(made.position, made.question.move))  # type: ignore[attr-defined]
    verdict = asked(made.question.name, here)
    for other in otherwise(rule_named(made.rules[0]), made.position.game):
        if asked(made.question.name, ruled_otherwise(here, other)) != verdict:
            return other
    return None


def smaller(position: Position, move: str) -> list[Position]:
    """Return a position without each tile on which nothing stands, and without each follower.

    What the move names stays.
    """
    manned = {f.node.cell for f in position.followers} | {
        tower.cell for tower in position.part(Towers).built
    }
    found = [
        replace(position, tiles=tuple(t for t in position.tiles if t != tile))
        for tile in position.tiles
        if tile.cell not in manned and str(tile.cell) not in move
    ]
    found += [
        replace(position, followers=tuple(f for f in position.followers if f != follower))
        for follower in position.followers
        if str(follower.node.cell) not in move
    ]
    return [less for less in found if not problems(less)]


@pytest.mark.parametrize("rule_id", list(FIRST))
def test_a_rule_decides_its_lesson(rule_id: str) -> None:
    """The verdict is another without the rule or by a switch, and without any piece it is not."""
    made = lesson(rule_id)
    assert not problems(made.position)
    assert made.certification is not None
    other = deciding(made)
    assert other is not None
    name = made.question.name
    text = made.question.move  # type: ignore[attr-defined]
    for less in smaller(made.position, text):
        here = ruling(less, read_move(less, text))
        there = ruled_otherwise(here, other)
        alike = name == "legal" or here.legal is there.legal
        assert not alike or asked(name, here) == asked(name, there)


@pytest.mark.parametrize("rule_id", list(FIRST))
def test_a_lesson_tells_both_verdicts(rule_id: str) -> None:
    """The words give the verdict with the rule, and each one that differs without it."""
    made = lesson(rule_id)
    law = rule_named(rule_id)
    cited = f"{law.sentence.removesuffix('.')}."
    assert made.explanation.startswith(f"{cited} So here the ")
    _, here, *others = re.split(
        r" (?:So here|Without this rule|In another reading [^:]+: then) ",
        made.explanation.removeprefix(cited),
    )
    assert others
    assert here not in others
    given = ruling(made.position, read_move(made.position, made.question.move))  # type: ignore[attr-defined]
    verdict = asked(made.question.name, given)
    for other in otherwise(law, made.position.game):
        same = asked(made.question.name, ruled_otherwise(given, other)) == verdict
        again = f" It is the same where {other.reading}."
        assert same or f" {other.words} " in made.explanation or again in made.explanation
    answer = made.answer
    if answer.legal is not None:
        assert ("is not legal" in here) is not answer.legal
    for entry in answer.points:
        assert entry.capitalize() in here


def test_readings_with_one_verdict_tell_it_once() -> None:
    """Two other readings of the farms pay 3 points: the end of the game stands there once."""
    shown = puzzle(find("the-field-between-two-cities"))
    assert isinstance(shown.question, Final)
    first = replace(shown.position, game=shipped_game("carcassonne", edition="rgg2006"))
    here = ruling(first, read_move(first, shown.question.move))
    told = explanation(CITY4, here, Point.FINAL)
    assert told.count("the game ends Red 3, Blue 0, and Red wins") == 1
    assert told.count("In another reading") == told.count("It is the same where") == 1


def test_rules_that_decide_no_move_are_refused() -> None:
    """The setup and who begins decide no move, and the order of final scoring no total.

    Squares are in the data of tiles, and no tile of the shipped sets shows a feature inside.
    """
    refused = [rule for rule in RULES if not otherwise(rule, game_of(rule))]
    others = [rule.id for rule in refused if rule not in book_of(game_of(rule)).setup]
    known = ["castle.setup.start", "castle.path.square", "castle.end.order"]
    assert others == known, (
        "say in without of the book how the game goes without these rules, or here"
        f" that they decide no move: {[one for one in others if one not in known]}"
    )
    assert "changes no total" in END_ORDER.text
    refused.append(SINGLE)
    unlike = ({rule.id for rule in RULES} - {rule.id for rule in refused}) ^ set(FIRST)
    assert not unlike, (
        "tests/data/lessons.toml gives for each rule that can be taught, and no other, the first n"
        f" of which RuleWish(rule=rule, seed=1).candidate(n) is a puzzle: {sorted(unlike)}"
    )
    for rule in refused:
        with pytest.raises(QuestionError, match=rule.id):
            rule_named(rule.id)


def test_what_stands_instead_of_a_rule_does_so_in_one_place() -> None:
    """Within the block and this thread alone, and not after an error."""
    heard: list[int] = []
    made = lesson("castle.path.score")
    position = made.position
    here = ruling(position, read_move(position, made.question.move))  # type: ignore[attr-defined]

    def listen() -> None:
        heard.append(sum(ruling(here.position, here.move).totals))

    with instead({PATH_SCORE.id: lambda *_: 99}):
        other = Thread(target=listen)
        other.start()
        other.join()
        changed = ruling(here.position, here.move)
    with suppress(ZeroDivisionError), instead({PATH_SCORE.id: lambda *_: 1 // 0}):
        ruling(here.position, here.move)
    assert heard == [sum(here.totals)]
    assert changed.totals != here.totals
    assert ruling(here.position, here.move) == here


def test_a_lesson_is_a_puzzle_like_others() -> None:
    """Lessons of each question come back from their files and are answered as they are stored."""
    kinds = {}
    for rule_id in ("castle.follower.one", "castle.path.score", "castle.end.courts"):
        made = lesson(rule_id)
        kinds[made.question.name] = made
        assert read_puzzle("written", write_puzzle(made)) == made
        assert certified(certify(made))
        wrong = replace(
            made.answer, points=("white 99", "black 1"), legal=made.answer.legal is False
        )
        assert not solve(replace(made, answer=wrong)).passed
    assert set(kinds) == {"legal", "scores", "final"}


@pytest.mark.slow
def test_a_lesson_takes_only_followers_who_are_there() -> None:
    """Whoever a move takes prisoner stands on the board, before and after simplification."""
    seen = 0
    for rule_id in (name for name in FIRST if name.startswith("tower.")):
        made = lesson(rule_id)
        move = read_move(made.position, made.question.move)  # type: ignore[attr-defined]
        followers = {follower.node for follower in made.position.followers}
        guards = {tower.cell for tower in made.position.part(Towers).guarded}
        for capture in move.captures:
            seen += 1
            if capture.segment is None:
                assert capture.cell in guards, rule_id
            else:
                assert (capture.cell, capture.segment) in followers, rule_id
    assert seen


@pytest.mark.parametrize("rule_id", ["castle.wall.8", "castle.wall.9", "falcon.aerie.end"])
def test_what_gives_points_gives_somebody_more(rule_id: str) -> None:
    """The two ends of a lesson differ, and by the rule somebody has more than without it."""
    made = lesson(rule_id)
    other = deciding(made)
    assert other is not None
    here = ruling(made.position, read_move(made.position, made.question.move))  # type: ignore[attr-defined]
    there = ruled_otherwise(here, other)
    assert here.end is not None
    assert there.end is not None
    assert any(a > b for a, b in zip(here.end.scores, there.end.scores, strict=True))
