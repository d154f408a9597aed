"""Titles, hints and solutions in words: they lead, and give nothing away."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from burgrave.model.errors import FileError
from burgrave.model.files.positions import read_position
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.rules.index import SWITCHES
from burgrave.puzzles.files.library import find, puzzle, puzzle_entries
from burgrave.puzzles.files.puzzle_files import read_puzzle, write_puzzle
from burgrave.puzzles.judging.stated_facts import restated
from burgrave.puzzles.questions import Most
from burgrave.puzzles.questions.wording import noun, turn
from burgrave.puzzles.selfplay import rehearsal
from burgrave.puzzles.study.puzzle import Lesson
from burgrave.puzzles.study.study import study
from burgrave.puzzles.themes import THEMES
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.differences import Cause, changes, reason
from burgrave.puzzles.words.hints import HINTS, hints
from burgrave.puzzles.words.last_tile import ruled_out
from burgrave.puzzles.words.theme_words import COUNTING, GIFT, IDEAS, QUIET, TOGETHER
from burgrave.puzzles.words.titles import title, titles
from burgrave.solver.problem import Goal

SHOWN = (
    "the-gap-below-the-square",
    "blue-is-one-tile-short",
    "the-long-arm",
    "behind-the-knight-s-back",
)
"""Puzzles of three games; the last one shows no theme."""


def test_each_theme_has_the_words_of_a_teacher() -> None:
    """No two have the same hint or maxim, or a noun of a title in common."""
    unlike = {*IDEAS} ^ {*THEMES}
    assert not unlike, f"puzzles/words/theme_words.py has not the words of these themes: {unlike}"
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
    assert title(good, Random(1)) in fitting
    place = rf"(?<![-\d]){key.cell}(?!\d)"
    for text in (*told, *fitting):
        assert not re.search(place, text)
    for text in (*told[:2], *fitting):
        assert str(key.tile) not in text.split()


def test_the_first_hint_names_the_larger_of_two_things() -> None:
    """The key leaves Red a short road instead of the long one: the hint looks at the long one."""
    assert hints(puzzle(find("both-hold-the-same-tile")))[0].startswith("Look at the road at -4,3.")


def test_the_last_hint_refutes_the_natural_move() -> None:
    """It names the move and the reply to it, unless one of them lies on the cell of the key."""
    refuted = []
    for name in SHOWN:
        played = study(puzzle(find(name)))
        assert played is not None
        natural = explanations.natural(played)
        assert natural is not None
        cells = [step.move.cell for step in natural.steps[:2]]
        told = hints(puzzle(find(name)))[-1]
        refuted.append("It is not this: " in told)
        assert refuted[-1] is (played.key.move.cell not in cells)
        assert all((f" on {cell}" in told) is refuted[-1] for cell in cells)
    assert {*refuted} == {True, False}


def test_a_solution_tells_why_the_natural_move_fails() -> None:
    """The cell that the opponent takes, the path that it decides, the balance, and the maxim."""
    played = study(replace(puzzle(find("the-gap-below-the-square")), lesson=None))
    assert played is not None
    notice, trap, key, play, maxim = explanations.explanation(played).split("\n")
    assert "Each side has one follower left." in notice
    assert "That takes the cell 3,2, which White needs." in trap
    assert "It takes this cell before Black does." in key
    assert "Black loses 8 points with the path at 3,6 instead of the one at 2,3" in play
    assert maxim == f"To remember: {IDEAS['court-majority'].maxim}"


UNTRIED = {
    "both-hold-the-same-tile": QUIET,
    "red-s-last-turn": COUNTING,
    "tower-and-house-in-one-corner": COUNTING,
    "one-danger-of-two": COUNTING,
    "two-points-for-red": GIFT,
    "one-tile-with-two-cities": TOGETHER,
}


def test_without_theme_and_tries_the_words_are_of_what_the_key_does() -> None:
    """Nothing yet; places a follower; wins points; is the last turn; gives points; serves two."""
    for name, words in UNTRIED.items():
        played = study(replace(puzzle(find(name)), refutations=()))
        assert played is not None
        assert (name, explanations.idea(played).maxim) == (name, words.maxim)


def test_a_maxim_of_those_who_help_is_about_the_thing_that_decides() -> None:
    """The try that fails tells which thing it is."""
    played = study(puzzle(find("one-tile-with-two-cities")))
    assert played is not None
    assert explanations.idea(played).maxim.startswith("A farmer earns nothing now.")


def test_a_key_rules_out_no_more_than_it_does() -> None:
    """What is lost of a turn is told where the tile still fits the cell in another way."""
    for name, words in (
        ("six-or-nine-on-the-wall", "Black's squire on 5,8 with the tile turned this way."),
        ("one-city-two-tiles-for-it", "Red's monk on 1,-1."),
        ("the-richest-man-on-the-board", "Blue's capture on 1,1."),
        ("within-the-tower-s-reach", "Red's farmer on one part of -1,1."),
    ):
        assert f"rules out {words}" in explanations.told(puzzle(find(name)))


def test_the_points_that_are_told_add_up() -> None:
    """Red's 3 and 4 points by these turns are not the 12 that he has in the end."""
    told = explanations.told(puzzle(find("a-prisoner-or-a-field")))
    assert "What stood on the board before brings Red 5 and Blue 4 more." in told
    assert "The game ends Red 12, Blue 11." in told
    played = study(puzzle(find("a-long-road-and-a-large-city")))
    assert played is not None
    whys = explanations.reasons(played)
    assert any("than after the key; other things make up for 4 of them." in why for why in whys)


CAUSED = {
    "one-tile-short-of-a-city": Cause.SPENT,
    "behind-the-knight-s-back": Cause.SHARED,
    "the-open-city-in-the-north-east": Cause.PLACE,
    "two-cells-one-cloister": Cause.CAPTURED,
    "two-curves-and-a-cloister": Cause.HANDED,
    "red-s-last-turn": Cause.MISSED,
}


@pytest.mark.parametrize("name", CAUSED)
def test_the_reason_of_a_try_is_found(name: str) -> None:
    """A follower missing or captured, a share, a cell, points for the opponent or for the asker."""
    played = study(puzzle(find(name)))
    assert played is not None
    tempting = explanations.natural(played)
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
        "tower-and-path-in-one-move": "K49@0,0r3 knight.W =0,0.N =0,0.W",
        "three-at-one-table": "J@-1,0r3 thief.N",
    }
    monkeypatch.setattr(rehearsal, "simulation", None)
    for name, move in tempting.items():
        asked = puzzle(find(name))
        played = study(asked)
        assert played is not None
        found = explanations.natural(played)
        assert found is not None
        assert found.step.move == read_move(asked.position, move)
        assert len(hints(asked)) == HINTS


def test_in_a_question_for_points_the_most_points_tempt() -> None:
    """Before, a move that scores nothing was called natural where others score ten points."""
    played = study(puzzle(find("a-small-tower-beside-the-path")))
    assert played is not None
    tempting = explanations.natural(played)
    assert tempting is not None
    assert tempting.value == max(other.value for other in played.others) == 10


BALANCED = {
    "blue-s-prisoner-red-s-tile": "Blue gains 3 points for the ransom not paid.",
    "round-the-corner": "Blue gives up 4 for it and 1 for the roads at -1,0.",
    "thieves-side-by-side": "Blue gains 2 points for the city at 0,0 and 1 for the roads at -2,1.",
    "city-on-every-side": "Compared with the natural move, Red gains 6 points for the city",
    "one-city-two-tiles-for-it": "Red loses 1 point with the cloister at 2,-1 instead of the one at"
    " 1,-1.",
    "tower-and-path-in-one-move": "Compared with the natural move, Black gains 2 points for wall",
    "the-cell-in-the-west": "Blue gains 8 points for the field by both cities at -2,-1. In return",
    "a-road-and-a-field": "Blue loses 5 points for the road at 2,-1; Red gains 4 for it.",
}


@pytest.mark.parametrize("name", BALANCED)
def test_like_things_are_weighed_against_each_other(name: str) -> None:
    """A thing instead of its like is one difference, and none if both pay the same."""
    played = study(puzzle(find(name)))
    assert played is not None
    assert BALANCED[name] in explanations.explanation(played)


def test_every_reading_of_a_switch_has_words() -> None:
    """Each value of each switch is told as a clause of its own."""
    told = [clause for switch in SWITCHES for clause in switch.readings.values()]
    assert len({*told}) == len(told)
    assert all(switch.question.endswith("?") for switch in SWITCHES)


def test_the_first_hint_names_what_the_solution_gains() -> None:
    """A puzzle about a cloister to come does not open with the field of the wrong move."""
    assert hints(puzzle(find("where-the-last-man-stands")))[0].endswith(" yet: a cloister.")
    assert "Look at the field by the city" in hints(puzzle(find("a-field-round-the-corner")))[0]


def test_a_hint_names_whom_the_key_gives_points() -> None:
    """Two players are spoken of before, so a pronoun would not tell."""
    assert hints(puzzle(find("a-city-edge-too-many")))[2].endswith("It gives Blue nothing at once.")


def test_a_hint_does_not_hide_what_the_key_pays() -> None:
    """A ransom may cost more than the turn brings, and that is not nothing."""
    assert hints(puzzle(find("a-man-in-red-s-hand")))[2].endswith("It costs points at once.")


def test_a_key_beside_no_tile_is_not_sought_near_one() -> None:
    """The key of a Castle puzzle may lie at a start space, far from every tile."""
    assert (
        hints(puzzle(find("two-markets-in-hand")))[0]
        == "Look at the start spaces. What do they show?"
    )


def test_what_the_opponent_takes_is_not_called_shared() -> None:
    """He scores it alone; and a cloister beside another one has no second owner."""
    played = study(puzzle(find("road-city-or-field")))
    assert played is not None
    assert "So Blue alone scores the road at -2,0." in explanations.explanation(played)
    played = study(puzzle(find("the-cloister-at-the-edge")))
    assert played is not None
    assert not any("share" in why for why in explanations.reasons(played))


QUIZZED = {
    "a-busy-turn": ("legal",),
    "a-road-for-a-road": ("-2,-1", "K@"),
    "whose-city-was-it": ("@",),
    "the-monk-or-the-knight": ("-1,1",),
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
    "name",
    ["red-s-last-turn", "a-road-for-a-road", "whose-city-was-it", "the-field-between-two-cities"],
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
        ("two-markets-in-hand", "No line after it brings more than 13 points."),
        (
            "not-knowing-what-comes",
            "On average Red ends 9 points ahead instead of 10.",
        ),
        ("city-on-every-side", "Red loses."),
        ("eight-points-or-none-at-once", "Black draws."),
        ("tower-and-path-in-one-move", "If the game ended now, Black would be 7 points behind."),
    ):
        good = puzzle(find(name))
        played = study(good)
        assert played is not None
        told = (explanations.explanation(played), *explanations.reasons(played))
        assert words in " ".join(told)
    good = puzzle(find("two-markets-in-hand"))
    led = study(replace(good, lesson=None, question=Most(asker=0, goal=Goal.LEAD)))
    assert led is not None
    assert "If the game ended now, White would be 6 points behind." in explanations.explanation(led)


def test_a_capture_names_the_follower_who_is_captured() -> None:
    """A knight and a farmer of Red's stand side by side, and either can be taken."""
    told = explanations.told(puzzle(find("two-men-in-reach")))
    assert "captures Red's knight on -2,1 (TW01@-3,1r0 ^-3,1 x-2,1.N)" in told
    assert "captures Red's farmer on -1,1 (TW01@-1,0r1 ^-1,0 x-1,1.E)" in told


@pytest.mark.parametrize("name", ["three-tiles-one-of-them-red-s", "a-city-of-two-or-of-three"])
def test_a_helped_try_is_played_on(name: str) -> None:
    """A line to its most is stored, and told up to the points that are missing."""
    good = puzzle(find(name))
    played = study(good)
    assert played is not None
    for one, other in zip(good.refutations, played.others, strict=True):
        assert other.steps[-1].after.over
        text = one.why or explanations.explanation(played).split("\n")[1]
        assert all(f"({move})" in text for move in one.line[1:])
        assert " less for the " in text


BESIDE_ONE = """burgrave = 1
type = "position"
game = "castle"
to_move = "black"
board = ["K53@2,0r0", "K58@2,1r0 white:merchant.S", "K21@0,2r0 black:squire.E"]
"""
"""White's last tile lies beside his first one; Black's lies apart."""
DOUBLED_BY_A_KING = """burgrave = 1
type = "position"
game = "castle+falcon"
to_move = "black"
board = ["K32@2,0r2 white:squire.N", "K14@3,0r0", "K58@4,0r2"]
white = { score = 4 }
"""
"""A king of White's doubled the tower of the tile on 4,0, and is home again."""


def test_the_last_tile_is_found_by_ruling_out_the_others() -> None:
    """By whose follower stands there, by what had no place, by the turns, points and prisoners."""
    for name, last, words in (
        (
            "four-points-and-nobody-there",
            Cell(-1, 0),
            (
                "The follower on 1,-1 is Red's, so Red laid that tile. The tile on 1,0 came before"
                " the one on 1,-1, which touches no other. If the tile on 0,1 came last, Blue had"
                " one turn before it. But his followers stand on -1,0 and 1,0."
            ),
        ),
        (
            "the-monk-or-the-knight",
            Cell(-1, 1),
            (
                "If the tile on 0,-1 came last, the one on -1,1 could only come second, in Blue's"
                " turn. But Red's knight stands there."
            ),
        ),
        (
            BESIDE_ONE,
            Cell(2, 1),
            "before the one on 2,1, which touches no other and meets no start space.",
        ),
        (
            "a-tile-that-nobody-stands-on",
            Cell(-1, 0),
            (
                "Red's tiles were -1,0 and 1,1. But his thief still stands on -1,0 and nothing on"
                " 1,1 is complete: nobody brought him 4 points."
            ),
        ),
        (
            "three-tiles-and-a-prisoner",
            Cell(-1, 0),
            "there was no tower on -1,1 yet when Blue took",
        ),
        (
            "three-tiles-and-a-prisoner",
            Cell(-1, 0),
            (
                "in Blue's first turn Red had nobody on the board but the knight on -1,0, who still"
                " stands. So nobody could be captured."
            ),
        ),
        ("who-did-not-stay", Cell(1, 1), "on -1,1 with one piece does not reach."),
        ("a-piece-and-a-guard", Cell(0, 1), "had one turn for a piece and a guard."),
        (DOUBLED_BY_A_KING, Cell(2, 0), "It brings him 2 points at most, not 4."),
    ):
        shipped = "\n" not in name
        past = puzzle(find(name)).position if shipped else read_position("past", name)
        assert words in " ".join(ruled_out(past, last))


def test_several_orders_are_ruled_out_together() -> None:
    """Each of them has a turn whose tile bears another player's follower."""
    good = puzzle(find("three-colours-on-five-tiles")).position
    owners = zip(good.followers, (2, 1, 0, 0), strict=True)
    changed = replace(good, followers=tuple(man._replace(player=one) for man, one in owners))
    assert (
        "If the tile on 0,2 came last, Blue laid the one on -1,0 or 1,1 in the second turn, where"
        " Green's farmer and Red's knight stand, or Red laid the one on -1,0 in the first turn,"
        " where Green's farmer stands."
    ) in " ".join(ruled_out(changed, Cell(2, 1)))


def test_every_shipped_past_gives_a_reason_for_each_tile() -> None:
    """No tile is ruled out by the bare statement that no game ends on it."""
    for entry in puzzle_entries():
        if entry.question in {"last", "history"}:
            assert "no order of the others" not in explanations.told(puzzle(entry)), entry.id


def test_the_nearest_miss_of_an_added_tile_tells_what_it_lacks() -> None:
    """Points that one player has too few, a follower who stays, a player who scores nothing."""
    for name, words in (
        (
            "one-tile-and-all-is-square",
            "That would make Red 6, Blue 7. Red gets 1 point less than",
        ),
        (
            "red-in-the-city-blue-on-the-road",
            "Then Red's knight on -2,0 and Blue's thief on -1,1 stay on the board.",
        ),
        ("two-kings-wait", "The nearest miss: Black lays K31 on 3,7 without a follower"),
        ("two-kings-wait", "Then White scores nothing."),
    ):
        assert words in explanations.told(puzzle(find(name)))


def test_things_on_one_tile_are_told_apart() -> None:
    """A road and its like beside it are two things, though they share the tile of a crossing."""
    played = study(puzzle(find("the-open-end-of-the-road")))
    assert played is not None
    tempting = explanations.natural(played)
    assert tempting is not None
    roads = [one for one in changes(played, tempting) if noun(one.event) == "road"]
    assert len(roads) == len({one.event.anchor for one in roads}) == 2


def test_the_big_follower_is_told_with_his_role_and_by_his_rank() -> None:
    """Notation names his rank alone; of two prisoners the words say which one comes home."""
    good = puzzle(find("one-big-man-at-home"))
    told = turn(good.position, read_move(good.position, "IC15@1,0r0 big.N"))
    assert told.startswith("lays IC15 on 1,0 with the big follower as a farmer (")
    held = read_position(
        "held",
        """
        burgrave = 1
        type = "position"
        game = "carcassonne+inns+tower"
        board = ["TW02@0,-1r0", "D@0,0r0 blue:thief.E"]
        order = ["E"]
        player.red = { score = 3, specials = [], pieces = 1 }
        player.blue = { prisoners = ["red", "red:big"] }
        """,
    )
    captured = "raises the tower on 0,-1, captures Blue's thief on 0,0 and gets"
    for back, who in (("big", "the big follower"), ("follower", "an ordinary follower")):
        move = read_move(held, f"E@0,1r2 ^0,-1 x0,0.E:{back}")
        assert f"{captured} {who} home for him (" in turn(held, move)
    bought = read_move(held, "ransom:blue:big E@0,1r2 guard@0,-1:big")
    assert turn(held, bought).startswith("buys the big follower back, lays E on 0,1")


def test_a_maxim_about_a_city_knows_cathedrals() -> None:
    """It said that an uncompleted city pays half, where the cathedral made it pay nothing."""
    good = puzzle(find("the-last-tile-is-a-cathedral"))
    assert "with a cathedral nothing" in explanations.told(replace(good, lesson=Lesson()))
