"""Titles, hints and solutions in words: they lead, and give nothing away."""

from __future__ import annotations

import pytest

from model.notation import read_move
from puzzles import telling
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


def test_a_solution_tells_what_the_natural_move_misses() -> None:
    """The keep that the try loses, the tile that the opponent scores by it, and the maxim."""
    played = study(puzzle(find("the-larger-house")))
    assert played is not None
    told = telling.explanation(played)
    assert "White misses this: White's keep is larger (2 to 0)" in told
    assert "Black gains this: Black scores the house of 1 tile: 1." in told
    assert told.endswith(f"To remember: {IDEAS['keep-race'].maxim}")


def test_values_are_told_as_what_they_are() -> None:
    """A maximum is told in points, a result as a win or a loss, and both for whom they count."""
    for name, words in (
        ("all-for-white", "White ends with 65 points instead of 73 points."),
        ("by-a-hair", "Red loses."),
        ("helping-hands", "If the game ended now, Black would be 50 points ahead."),
    ):
        good = puzzle(find(name))
        assert words in " ".join((good.explanation, *(one.why for one in good.refutations)))
