"""Titles, hints and solutions in words: they lead, and give nothing away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.errors import FileError
from model.geometry import Cell
from model.notation import read_move
from puzzles import telling
from puzzles.comparing import Cause, changes, reason
from puzzles.ideas import IDEAS
from puzzles.library import find, puzzle
from puzzles.puzzle_files import read_puzzle, write_puzzle
from puzzles.retracing import ruled_out
from puzzles.selfplay import rehearsal
from puzzles.stated import restated
from puzzles.study.puzzle import Lesson
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
    notice, trap, key, play, maxim = telling.explanation(played).split("\n")
    assert "White has one follower left." in notice
    assert "That takes the cell 0,1, which White needs." in trap
    assert "It takes this cell before Black does." in key
    assert "White gains 71 points for the largest empty area" in play
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


def test_no_hint_waits_for_code_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules engine finds the try that tempts: an empty cache made the first hint wait."""
    tempting = {
        "landing-order": "C16@6,1r3 knight.E =5,1.E =6,1.E",
        "one-follower-and-two-rivals": "K@2,0r3",
    }
    monkeypatch.setattr(rehearsal, "simulation", None)
    for name, move in tempting.items():
        asked = puzzle(find(name))
        played = study(asked)
        assert played is not None
        found = telling.natural(played)
        assert found is not None
        assert found.step.move == read_move(asked.position, move)
        assert len(hints(asked)) == HINTS


def test_what_the_opponent_takes_is_not_called_shared() -> None:
    """He scores it alone; and a cloister beside another one has no second owner."""
    played = study(puzzle(find("a-narrow-balance-on-the-road")))
    assert played is not None
    assert "So Blue alone scores the road at -2,0." in telling.explanation(played)
    played = study(puzzle(find("one-last-post-at-the-cloister")))
    assert played is not None
    assert not any("share" in why for why in telling.reasons(played))


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


LESSON = Lesson(
    hint="Whose is it?",
    notice="A thief waits.",
    trap="The gate stays open.",
    key="It shuts the gate.",
    maxim="Shut gates.",
)


@pytest.mark.parametrize(
    "name", ["not-yet", "a-road-for-a-road", "whose-city-was-it", "tile-by-tile"]
)
def test_the_words_of_the_author_stand_in_their_places(name: str) -> None:
    """They open the lesson, stand beside the wrong move and the key, and close it."""
    good = replace(puzzle(find(name)), lesson=LESSON)
    lines = restated(good)["explanation"].splitlines()
    assert lines[0].startswith(LESSON.notice)
    assert lines[-1] == f"To remember: {LESSON.maxim}"
    assert all(any(words in line for line in lines[1:-1]) for words in (LESSON.trap, LESSON.key))
    assert LESSON.hint in hints(good)
    assert read_puzzle("told", write_puzzle(good)).lesson == LESSON
    with pytest.raises(FileError, match=r"lesson\.key"):
        read_puzzle("told", write_puzzle(good).replace(LESSON.key, "It wins 4 points."))


def test_values_are_told_as_what_they_are() -> None:
    """A maximum is told in points, a result as a win or a loss, a mean as an average."""
    for name, words in (
        ("all-for-white", "White ends with 65 points instead of 73 points."),
        (
            "not-knowing-what-comes",
            "On average it ends 10 points ahead instead of 11 points ahead.",
        ),
        ("by-a-hair", "Red loses."),
        ("helping-hands", "If the game ended now, Black would be 72 points ahead."),
    ):
        good = puzzle(find(name))
        assert words in " ".join((good.explanation, *(one.why for one in good.refutations)))


@pytest.mark.parametrize("name", ["the-rival-lends-a-hand", "two-in-a-row"])
def test_a_helped_try_is_played_on(name: str) -> None:
    """A line to its most is stored, and told up to the points that are missing."""
    good = puzzle(find(name))
    played = study(good)
    assert played is not None
    for one, other in zip(good.refutations, played.others, strict=True):
        assert other.steps[-1].after.over
        text = one.why or telling.explanation(played).split("\n")[1]
        assert all(f"({move})" in text for move in one.line[1:])
        assert " less for the " in text


def test_the_last_tile_is_found_by_ruling_out_the_others() -> None:
    """By whose follower stands there, by what would hang alone, by the turns of the others."""
    told = " ".join(ruled_out(puzzle(find("farmers-on-three-sides")).position, Cell(2, 0)))
    assert "The follower on 0,1 is Red's, so Red laid that tile." in told
    assert "The tile on 1,0 came earlier: a tile beside it touches no other." in told
    assert "If the tile on -1,0 came last, no order of the others gives" in told
    told = " ".join(ruled_out(puzzle(find("which-squire-came-late")).position, Cell(6, 3)))
    assert "With the tile on 6,4 at the end, no order of the others brings these points" in told


def test_the_nearest_miss_of_an_added_tile_tells_what_it_lacks() -> None:
    """Points that one player has too few, or the follower who stays."""
    for name, words in (
        ("one-tile-and-all-square", "That would make 6 to 7. Red gets 1 point less than"),
        ("a-herald-and-a-squire", "Then White's squire on 6,4 stays on the board."),
    ):
        assert words in telling.told(puzzle(find(name)))
