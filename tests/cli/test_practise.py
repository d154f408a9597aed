"""``burgrave practise``: a game against a level, kept as a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from burgrave.cli.exits import ANSWERED, NO, UNUSABLE
from burgrave.model.engine import legal_moves
from burgrave.model.files.positions import read_record
from burgrave.model.notation import write_move
from burgrave.puzzles.files.library import find, position
from tests.cli.conftest import Burgrave

MISTAKE = Path(__file__).parents[1] / "data" / "cli" / "mistake.toml"
"""A record of Carcassonne with three tiles to come; Red is to move."""
LEVEL = ("--at", "1", "--level", "1")


def test_a_game_is_played_to_its_end_and_kept_as_a_record(
    burgrave: Burgrave, tmp_path: Path
) -> None:
    kept = tmp_path / "game.toml"
    options = (str(MISTAKE), *LEVEL, "--keep", str(kept))
    left = burgrave("practise", *options, text="T@-3,0r3\nquit\n")
    assert left.code == NO
    assert "Level 1: takes the most points." in left.err
    assert "1. Red: T@-3,0r3" in left.out
    assert "2. Blue: " in left.out
    assert len(read_record("kept", kept.read_text()).moves) == 2
    # The last turn is Red's again.
    hinted = burgrave("practise", *options, text="hint\nhint\nhint\nhint\nquit\n").out
    assert hinted.count("The move of level 1: L@") == 2
    move = hinted.rpartition("The move of level 1: ")[2].splitlines()[0].removesuffix(".")
    ended = burgrave("practise", *options, text=f"{move}\n")
    assert ended.code == ANSWERED
    assert "Result: " in ended.out
    assert burgrave("replay", str(kept)).code == ANSWERED
    # It is over, and stays so; --force begins anew.
    assert burgrave("practise", *options).code == ANSWERED
    anew = burgrave("practise", *options, "--force", text="quit\n")
    assert anew.code == NO
    assert not kept.exists()


def test_a_move_is_taken_back(burgrave: Burgrave, tmp_path: Path) -> None:
    kept = tmp_path / "game.toml"
    text = "back\nT@-3,0r3\nback\nT@0,0r0\nboard\n?\nT@-5,5r0\nquit\n"
    told = burgrave("practise", str(MISTAKE), *LEVEL, "--keep", str(kept), text=text)
    assert "no move of yours" in told.err
    assert "That is not legal" in told.out
    assert "take back your last move" in told.out
    assert read_record("kept", kept.read_text()).moves[0] == "T@-5,5r0"


def test_the_level_may_begin(burgrave: Burgrave) -> None:
    told = burgrave("practise", str(MISTAKE), *LEVEL, "--as", "blue", text="quit\n")
    assert "1. Red: T@" in told.out
    wrong = burgrave("practise", str(MISTAKE), *LEVEL, "--as", "rot")
    assert wrong.code == UNUSABLE
    assert "--as: no player 'rot'" in wrong.err


@pytest.mark.parametrize("command", [("practise",), ("practise", "--json"), ("play", "E@0,1r0")])
def test_turns_in_a_row_are_no_game_against_an_opponent(
    burgrave: Burgrave, command: tuple[str, ...]
) -> None:
    """The opponent had the second turn, though both are Blue's; from a file too."""
    name, *more = command
    told = burgrave(name, "two-edges-and-a-field", *more)
    assert (told.code, told.out) == (UNUSABLE, "")
    assert "every turn of this puzzle is Blue's" in told.err
    given = burgrave(name, "-", *more, text=find("two-edges-and-a-field").text)
    assert (given.code, given.out) == (UNUSABLE, "")
    partners = burgrave("play", "the-rival-lends-a-tile", "E@0,1r0")
    assert "every turn" not in partners.err


def test_another_game_is_not_gone_on_with(burgrave: Burgrave) -> None:
    told = burgrave("practise", "castle-04", "--keep", str(MISTAKE))
    assert told.code == UNUSABLE
    assert "another position" in told.err


def test_no_folder_is_taken_for_a_record(burgrave: Burgrave, tmp_path: Path) -> None:
    """--force ended with a traceback; a record in no folder, only after the first move."""
    for place in (tmp_path, tmp_path / "no" / "game.toml"):
        for force in ((), ("--force",)):
            told = burgrave("practise", str(MISTAKE), *LEVEL, "--keep", str(place), *force)
            assert (told.code, told.out) == (UNUSABLE, "")
            assert "folder" in told.err


def test_one_move_is_nobodys_game(burgrave: Burgrave, tmp_path: Path) -> None:
    """--json prints a move: a player and a record were ignored, the player's name unread."""
    for more in (("--as", "rot"), ("--keep", str(tmp_path / "game.toml"))):
        told = burgrave("practise", "castle-01", "--json", *more)
        assert (told.code, told.out) == (UNUSABLE, "")
        assert "leave out --as and --keep" in told.err


@pytest.mark.parametrize("level", ["1", "3"])
def test_the_move_of_a_level_is_legal_and_repeatable(burgrave: Burgrave, level: str) -> None:
    told = burgrave("practise", "castle-01", "--level", level, "--json").data
    start = position(find("castle-01"))
    assert told["notation"] in {write_move(start, move) for move in legal_moves(start)}
    again = burgrave("practise", "castle-01", "--level", level, "--json").data
    assert again | {"seconds": told["seconds"]} == told
