"""Titles, hints and solutions in words: they lead, and give nothing away."""

from __future__ import annotations

import pytest

from model.notation import read_move
from puzzles import telling
from puzzles.comparing import Cause, changes, reason
from puzzles.ideas import IDEAS
from puzzles.library import find, puzzle
from puzzles.study.study import study
from puzzles.themes import THEMES
from puzzles.titles import titles
from puzzles.tutor import HINTS, hints

SHOWN = ("the-larger-house", "the-surveyor-waits", "the-long-arm", "weighed-and-counted")
"""Composed puzzles of three games; the last one shows no theme."""


def test_each_theme_has_the_words_of_a_teacher() -> None:
    """No two have the same hint or maxim, or a noun of a title in common."""
    assert {*IDEAS} == {*THEMES}
    assert len({idea.hint for idea in IDEAS.values()}) == len(IDEAS)
    assert len({idea.maxim for idea in IDEAS.values()}) == len(IDEAS)
    nouns = [noun for idea in IDEAS.values() for noun in idea.nouns]
    assert len({*nouns}) == len(nouns)


@pytest.mark.parametrize("name", SHOWN)
def test_titles_and_hints_name_no_place_of_the_key(name: str) -> None:
    """Three hints lead to the idea and the piece; several titles fit."""
    good = puzzle(find(name))
    key = read_move(good.position, good.answer.moves[0])
    told = hints(good)
    assert len({*told}) == HINTS
    fitting = list(titles(good))
    assert len({*fitting}) == len(fitting) > 5
    for text in (*told, *fitting):
        assert str(key.cell) not in text
        assert str(key.tile) not in text.split()


def test_a_solution_tells_why_the_natural_move_fails() -> None:
    """The cell that the opponent takes, the keep that it decides, the balance, and the maxim."""
    played = study(puzzle(find("the-larger-house")))
    assert played is not None
    notice, trap, key, maxim = telling.explanation(played).split("\n")
    assert "White has one follower left." in notice
    assert "That takes the cell 0,1, which White needs." in trap
    assert "It takes this cell before Black does." in key
    assert "White gets 71 points more for the largest empty area" in key
    assert maxim == f"To remember: {IDEAS['keep-race'].maxim}"


CAUSED = {
    "the-only-man": Cause.SPENT,
    "weighed-and-counted": Cause.SHARED,
    "the-last-count": Cause.PLACE,
    "nobody-left-at-home-in-two-steps": Cause.CAPTURED,
    "the-surveyor-waits": Cause.HANDED,
    "not-yet": Cause.MISSED,
}


@pytest.mark.parametrize("name", CAUSED)
def test_the_reason_of_a_try_is_found(name: str) -> None:
    """A follower missing or captured, a share, a cell, points for the opponent or for the asker."""
    played = study(puzzle(find(name)))
    assert played is not None
    tempting = telling.natural(played)
    assert tempting is not None
    found = reason(played, tempting)
    assert found is not None
    assert found.cause is CAUSED[name]
    differences = changes(played, tempting)
    signs = [1 if one.player == played.asker else -1 for one in differences]
    total = sum(sign * one.points for sign, one in zip(signs, differences, strict=True))
    assert total == played.value - tempting.value


QUIZZED = {
    "one-thing-at-a-time": ("legal",),
    "a-road-for-a-road": ("-2,-1", "K@"),
    "whose-city-was-it": ("@",),
    "the-monk-or-the-knight": ("0,-1",),
}


@pytest.mark.parametrize("name", QUIZZED)
def test_no_hint_gives_the_answer_away(name: str) -> None:
    """Of an answer that is no move of this turn, three hints name no verdict, cell or turn."""
    told = hints(puzzle(find(name)))
    assert len({*told}) == HINTS
    assert not any(secret in text for text in told for secret in QUIZZED[name])


def test_values_are_told_as_what_they_are() -> None:
    """A maximum is told in points, a result as a win or a loss, a mean as an average."""
    for name, words in (
        ("all-for-white", "No line after it brings more than 65 points."),
        (
            "not-knowing-what-comes",
            "On average it ends 10 points ahead instead of 11 points ahead.",
        ),
        ("by-a-hair", "Red loses."),
        ("helping-hands", "If the game ended now, Black would be 72 points ahead."),
    ):
        good = puzzle(find(name))
        assert words in " ".join((good.explanation, *(one.why for one in good.refutations)))
