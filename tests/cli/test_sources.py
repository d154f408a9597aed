"""What a command accepts as a position, and what it says of everything else."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from burgrave.cli import sources
from burgrave.puzzles.files.library import find
from burgrave.puzzles.files.sets import shipped_sets
from tests.cli.conftest import Burgrave

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
SAVE = str(EXAMPLES / "two-farms.jcz")
RECORD = str(EXAMPLES / "three-turns.toml")
COMMANDS = ("check", "draw", "moves", "score", "best", "count", "why")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("file", "words"),
    [
        (SAVE, "is a game of JCloisterZone of 3 turns, not a position: add --at TURN, from 1 to 4"),
        (RECORD, "is a record of 3 turns, not a position: add --at TURN, from 1 to 4"),
    ],
)
def test_a_game_is_no_position_without_a_turn(
    burgrave: Burgrave, command: str, file: str, words: str
) -> None:
    """Every command says how to name the turn, and which command reads the whole game."""
    answer = burgrave(command, file)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert ("burgrave import" if file == SAVE else "burgrave replay") in answer.err


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_name_is_not_the_folder(burgrave: Burgrave, command: str) -> None:
    """As of a variable of a shell that is not set."""
    answer = burgrave(command, "")
    assert (answer.code, answer.out) == (2, "")
    assert "a name is empty" in answer.err


@pytest.mark.parametrize("file", [SAVE, RECORD])
def test_at_takes_the_position_that_replay_and_import_write(burgrave: Burgrave, file: str) -> None:
    """A turn means the same to every command."""
    command = "import" if file == SAVE else "replay"
    for turn in ("1", "2", "4"):
        written = burgrave(command, file, "--at", turn).out
        expected = burgrave("score", "-", "--json", text=written)
        got = burgrave("score", file, "--at", turn, "--json")
        assert got.code == expected.code == 0
        assert got.data == expected.data


def test_a_turn_that_is_not_there_is_refused(burgrave: Burgrave) -> None:
    """Also one of what has no turns."""
    assert "has 3 turns; allowed are 1 to 4" in burgrave("check", RECORD, "--at", "5").err
    for name in ("castle-04", "market-day", "CA-69"):
        answer = burgrave("check", name, "--at", "1")
        assert answer.code == 2
        assert "names a turn of a record or a save" in answer.err


def test_a_record_without_moves_is_its_position(burgrave: Burgrave) -> None:
    """It has one meaning."""
    data = {**tomllib.loads(Path(RECORD).read_text(encoding="utf-8")), "moves": []}
    data.pop("result", None)
    assert burgrave("check", "-", text=json.dumps(data)).out == "Possible.\n"


def test_a_puzzle_stands_for_its_position(burgrave: Burgrave, tmp_path: Path) -> None:
    """As a file, and as the single line of a file of puzzles; several lines have no one meaning."""
    text = json.dumps(tomllib.loads(find("market-day").text))
    lines = tmp_path / "some.jsonl"
    lines.write_text(f"{text}\n\n")
    assert burgrave("moves", str(lines)).out == burgrave("moves", "market-day").out
    lines.write_text(f"{text}\n{text}\n")
    answer = burgrave("moves", str(lines))
    assert answer.code == 2
    assert f"{lines} holds 2 puzzles, not a position: run burgrave solve {lines}" in answer.err


@pytest.mark.parametrize(
    ("command", "file", "words"),
    [
        ("check", "doors.toml", "burgrave tiles check reads it"),
        ("best", "doors.toml", "burgrave tiles check reads it"),
        ("replay", "two-ways.toml", "burgrave check reads it"),
        ("replay", "to-the-door.toml", "burgrave solve reads it"),
        ("import", "three-turns.toml", "is no game of another program; burgrave replay reads it"),
        ("solve", "two-ways.toml", "burgrave check reads it"),
        ("solve", "three-turns.toml", "burgrave replay reads it"),
        ("solve", "two-farms.jcz", "burgrave import reads it"),
        ("tiles check", "two-ways.toml", "burgrave check reads it"),
    ],
)
def test_another_sort_of_file_names_the_command_that_reads_it(
    burgrave: Burgrave, command: str, file: str, words: str
) -> None:
    """Whoever mixes them up learns what to type."""
    answer = burgrave(*command.split(), str(EXAMPLES / file))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.rstrip().endswith(words)


def test_replay_plays_a_save(burgrave: Burgrave) -> None:
    """It plays like the record that ``import`` makes of it."""
    record = burgrave("import", SAVE).out
    assert burgrave("replay", SAVE).out == burgrave("replay", "-", text=record).out


def test_a_card_can_be_shown_where_a_position_is(burgrave: Burgrave) -> None:
    """By its id in any case; one with several cases is asked for by the case."""
    assert burgrave("check", "ca-69").code == 0
    assert "several cases: CA-90, CA-91, CA-92" in burgrave("check", "CA-9").err


def test_a_file_comes_before_a_shipped_set_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file comes before an id; without the file the name is that of the set."""
    monkeypatch.chdir(tmp_path)
    first = shipped_sets()[0]
    file = tmp_path / first.id
    file.write_text(find("castle-04").text, encoding="utf-8")
    assert sources.shipped_set(first.id) is None
    file.write_text(find(first.puzzles[-1]).text, encoding="utf-8")
    assert [one.id for one in sources.puzzles(first.id)] == [first.puzzles[-1]]
    file.unlink()
    assert sources.shipped_set(first.id) == first
    assert [one.id for one in sources.puzzles(first.id)] == list(first.puzzles)
