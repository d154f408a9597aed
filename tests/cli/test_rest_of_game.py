"""The commands about the rest of a game, from the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burgrave.model.files.positions import write_position
from burgrave.puzzles.files.library import find, position
from tests.cli.conftest import Burgrave


def test_max_is_confirmed_by_a_second_engine(burgrave: Burgrave) -> None:
    """The largest final score, its line, and who confirmed it."""
    answer = burgrave("max", "castle-01", "--certify", "--json")
    assert (answer.code, answer.data["value"], answer.data["engine"]) == (0, 104, "search")
    assert answer.data["scores"][0] == 104
    assert answer.data["confirmed"][-1] == "confirmed by a second engine, time"
    alone = burgrave("max", "castle-01", "--for", "black", "--mode", "solitaire", "--json")
    assert alone.data["player"] == "black"
    assert (
        alone.data["value"]
        >= burgrave("max", "castle-01", "--for", "black", "--json").data["value"]
    )


def test_win_says_who_wins(burgrave: Burgrave) -> None:
    """A sentence, and odds of 0 and 1 as JSON."""
    assert burgrave("win", "castle-01").out.startswith("White loses (proved)")
    odds = burgrave("win", "castle-01", "--json").data["odds"]
    assert {name: one["value"] for name, one in odds.items()} == {"win": 0, "draw": 0, "loss": 1}


def test_expect_knows_a_known_order(burgrave: Burgrave) -> None:
    """With nothing unknown the expected lead is the one that can be forced."""
    answer = burgrave("expect", "castle-01", "--best", "--json")
    assert answer.data["value"] == burgrave("force", "castle-01", "--json").data["value"]


def test_best_looks_ahead(burgrave: Burgrave) -> None:
    """Looking at all tiles that are left is what can be forced."""
    answer = burgrave("best", "castle-01", "--ahead", "1")
    assert answer.out.startswith("With best play White loses by 7 points (proved)\n")
    sooner = burgrave("best", "castle-01", "--ahead", "0", "--objective", "lead")
    assert ", 1 tile from now" in sooner.out


def test_why_names_rules_or_nothing(burgrave: Burgrave) -> None:
    """Exit 0 with reasons, exit 1 where nothing forbids it."""
    answer = burgrave("why", "castle-01", "--feature", "2,4.E", "--json")
    assert (answer.code, [rule["id"] for rule in answer.data["rules"]]) == (
        0,
        ["castle.place.path"],
    )
    assert burgrave("why", "castle-01", "--score", "80").code == 1
    inside = burgrave("why", "castle-04", "--cell", "6,0")
    assert "castle.place.inside" in inside.out


@pytest.mark.slow
def test_why_says_what_nobody_knows_and_takes_as_is_best(
    burgrave: Burgrave, tmp_path: Path
) -> None:
    """The order of the bag, and wall tiles face down where they count; with one tile, no order."""
    known = position(find("castle-01"))
    bag = replace(known, order=(), bag=tuple(sorted(known.order)))
    path = tmp_path / "bag.toml"
    path.write_text(write_position(bag))
    told = burgrave("why", str(path), "--feature", "2,4.E")
    assert "forbid it, whatever the order of the tiles in the bag; without" in told.out
    assert "  2 tiles are left: in any order K33, K56\n" in told.out
    assert burgrave("why", str(path), "--score", "80", "--json").data["chosen"] == ["order"]
    hidden = replace(bag, order=("K56",), bag=("K33",), towers=(("82/83", 0),))
    path.write_text(write_position(hidden))
    sure = burgrave("why", str(path), "--score", "69")
    if_best = "if the numbers of the wall tiles that lie face down are as is best for it"
    assert (sure.code, sure.out) == (1, f"Nothing forbids it, {if_best}.\n")
    never = burgrave("why", str(path), "--score", "999")
    assert "2 tiles are left: K56, K33\n" in never.out
    assert "the wall tile on 82/83 is face down; it may be any that has not been seen" in never.out
    assert burgrave("why", str(path), "--score", "80", "--nodes", "1").code in {0, 3}


def test_numbers_without_end_are_numbers(burgrave: Burgrave) -> None:
    """A score or a limit that no engine can hold is answered like any other of its size."""
    many = "9" * 30
    assert burgrave("why", "castle-01", "--score", many).code == 0
    assert burgrave("why", "castle-01", "--score", f"-{many}").code == 1
    for engine in ("time", "search"):
        assert burgrave("max", "castle-01", "--engine", engine, "--nodes", many).code == 0


def test_why_tells_what_is_wanting(burgrave: Burgrave) -> None:
    """What the tile does not show, and what the player does not hold, is said in words."""
    for name, option, value, rules, told in (
        ("castle-04", "--doubled", "path", [], "no wall tile doubles a path"),
        ("castle-05", "--doubled", "tower", ["castle.wall.when"], "White needs 1 more wall tile 2"),
        ("castle-04", "--extra", "2", ["castle.wall.when"], "White needs 2 more wall tiles 1"),
        ("castle-05", "--follower", "court", [], "tile K42 shows no court"),
        ("castle-04", "--follower", "house", ["castle.follower.supply"], "0 followers to place"),
        ("castle-04", "--cell", "3,3", ["castle.place.inside"], "on 3,3 lies K25"),
        ("castle-04", "--cell", "6,0", ["castle.place.inside"], "6,0 lies outside the wall"),
        ("castle-04", "--cell", "5,5", ["castle.place.adjacent"], "beside 5,5: nothing"),
    ):
        answer = burgrave("why", name, option, value, "--json")
        found = [rule["id"] for rule in answer.data["rules"]]
        assert (answer.code, found) == (0, rules)
        assert told in answer.data["facts"][-1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("max", "castle-01", "--for", "red"), "There are white, black."),
        (("max", "castle-10"), "the order of 6 tiles is not known; put them into 'order', or ask"),
        (
            ("why", "castle-01", "--extra", "100"),
            "--extra: found '100', expected 99 or less",
        ),
        (
            ("force", "castle-01", "--jobs", "65"),
            "--jobs: found '65', expected 64 or less",
        ),
        (("count", "castle-10", "--best", "max"), "is not known; put them into 'order'\n"),
        (("force", "castle-10"), "put them into 'order', or ask what to expect\n"),
        (("max", "castle-01", "--engine", "full"), "does not answer this question"),
        (("force", "castle-01", "--nodes", "0"), "give a number of turns above 0"),
        (("win", "castle-01", "--time", "0"), "give a number of seconds above 0"),
        (("best", "castle-01", "--ahead", "-1"), "--ahead: found '-1', expected 0 or more"),
        (("best", "castle-01", "--ahead", "0"), "--ahead 0 compares leads after this turn"),
        (("best", "castle-01", "--ahead", "1", "--engine", "cpsat"), "--ahead excludes"),
        (("best", "castle-01", "--ahead", "1", "--top", "3"), "--ahead excludes"),
        (("best", "castle-01", "--ahead", "1", "--objective", "points"), "--ahead excludes"),
        (("best", "castle-01", "--nodes", "5"), "need --ahead"),
        (("expect", "castle-10", "--tile", "K99"), "has no tile 'K99'"),
        (("why", "castle-01", "--feature", "2,4.E", "--score", "9"), "ask one thing"),
        (("why", "castle-01", "--cell", "x"), "a cell is written like 3,4"),
        (("why", "castle-01", "--follower", "chapel"), "castle has no chapel; followers stand on"),
        (("why", "city-on-every-side", "--extra", "1"), "carcassonne has no wall tiles"),
    ],
)
def test_impossible_demands_are_refused(
    burgrave: Burgrave, args: tuple[str, ...], message: str
) -> None:
    """One clear message, exit 2."""
    answer = burgrave(*args)
    assert (answer.code, message in answer.err) == (2, True), answer.err


def test_without_enough_turns_limits_and_a_guess_are_told(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 3 in words and as JSON: no value, between what it lies, and moves named as a guess.

    In words wide limits are no answer: the command that estimates stands instead.
    """
    answer = burgrave("expect", "castle-10", "--nodes", "1")
    head, title, first = answer.out.splitlines()[:3]
    assert answer.code == 3
    assert head == (
        "Nothing useful is proved for Black: `burgrave evaluate` estimates the lead;"
        " more --time or --nodes may prove it."
    )
    assert title == (
        "  first moves that are a guess, nothing proved: the best if the game ended after it"
    )
    data = burgrave("expect", "castle-10", "--nodes", "1", "--json").data
    assert (data["value"], data["status"], data["moves"], data["line"]) == (None, "unknown", [], [])
    least, most = data["least"]["value"], data["most"]["value"]
    assert most - least >= 100
    assert first.strip().partition("  ")[0] == data["guess"][0]
    assert len(data["guess"]) == 6
    monkeypatch.setattr("burgrave.cli.render.game_answers._WIDE", most - least + 1)
    head, limits = burgrave("expect", "castle-10", "--nodes", "1").out.splitlines()[:2]
    assert head == (
        "Nothing is proved for Black: the search was stopped; allow more with --time or --nodes."
    )
    assert limits == f"  its lead is between {least} and {most} (proved)"
    assert burgrave("count", "castle-01", "--depth", "2", "--nodes", "3").code == 3


@pytest.mark.usefixtures("out_of_time")
def test_max_without_enough_time_tells_a_line(burgrave: Burgrave) -> None:
    """A lower bound with its line to the end, and an upper one where one is known."""
    answer = burgrave("max", "castle-09", "--time", "60")
    head, most, title = answer.out.splitlines()[:3]
    assert (answer.code, head.endswith("at least (not proved to be all)")) == (3, True)
    assert most.startswith("  at most ")
    assert title == "  the line is a guess: each turn is the best if the game ended after it"
    data = burgrave("max", "castle-09", "--time", "60", "--json").data
    assert (data["status"], data["complete"], data["guess"]) == ("bound", False, data["line"][:1])
    assert data["value"] == data["least"]["value"] < data["most"]["value"]
    assert data["scores"][data["player"] == "black"] == data["value"]
    assert data["moves"][0]["notation"] == data["guess"][0]


def test_a_win_is_told_by_what_is_excluded(burgrave: Burgrave) -> None:
    """That a player may win or lose is no news."""
    answer = burgrave("win", "castle-09", "--nodes", "1", "--json")
    assert (answer.code, answer.data["least"], answer.data["most"]) == (3, None, None)
    assert len(answer.data["guess"]) == 1


def test_lines_of_more_moves_than_there_are_tiles(burgrave: Burgrave) -> None:
    """They end with the game, and no more is said of them."""
    answer = burgrave("count", "castle-01", "--depth", "9")
    assert answer.out == "7065 legal lines of at most 9 moves\n"
