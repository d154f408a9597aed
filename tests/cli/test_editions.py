"""The edition of Carcassonne's rules: chosen by one word, and named wherever rules matter."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from burgrave.model.files.games import editions
from tests.cli.conftest import Burgrave

BARE = """
burgrave = 1
type = "position"
game = "carcassonne"
board = ["D@0,0r0 red:farmer.EL", "U@1,0r0"]
order = ["E"]
"""
"""A last turn that completes a city of two tiles beside Red's farm, of an edition unnamed."""
SMALL_CITY = "E@0,1r2 knight.S"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return the position's file by the edition that it names; one names none."""
    found = {}
    for name in ("", *editions()):
        path = tmp_path / f"of-{name}.toml"
        key = f'edition = "{name}"\n' if name else ""
        path.write_text(BARE.replace("board", f"{key}board"), encoding="utf-8")
        found[name] = str(path)
    return found


ANSWERS = (
    "check {}",
    "check {} E@0,1r2",
    "play {} E@0,1r2",
    "score {}",
    "best {}",
    "force {}",
    "win {}",
    "expect {}",
    "max {}",
    "count {}",
    "evaluate {}",
    "why {} --cell 1,1",
    "moves {}",
    "compose {}",
)


@pytest.mark.parametrize("line", ANSWERS, ids=lambda line: line.split()[0])
def test_an_answer_names_the_edition(burgrave: Burgrave, files: dict[str, str], line: str) -> None:
    """In words and as JSON: the one of the file, and today's where a file names none."""
    for named, edition in (("rgg2006", "rgg2006"), ("", "today")):
        words = line.format(files[named]).split()
        told = burgrave(*words)
        assert f"rules: Carcassonne, edition {edition}" in told.out + told.err
        assert burgrave(*words, "--json").data["edition"] == edition


@pytest.mark.parametrize(
    "line", ["check castle-04", "best path-house-and-tower", "moves castle-04"]
)
def test_a_game_with_one_edition_names_none(burgrave: Burgrave, line: str) -> None:
    """The Castle was printed by one set of rules."""
    told = burgrave(*line.split())
    assert "edition" not in told.out + told.err
    assert "edition" not in burgrave(*line.split(), "--json").data


def test_an_edition_decides_points(burgrave: Burgrave, files: dict[str, str]) -> None:
    """A small city brings 4 and the farm 3 today, 2 and 4 in the English box of 2006."""
    ended = {
        name: burgrave("play", path, SMALL_CITY, "--json").data["position"]["player"]
        for name, path in files.items()
    }
    assert {name: players["red"]["score"] for name, players in ended.items()} == {
        name: 2 if name == "rgg2006" else 4 for name in files
    }
    final = {}
    for name in ("", "today", "rgg2006"):
        made = Path(files[name]).with_suffix(".json")
        burgrave("play", files[name], SMALL_CITY, "-o", str(made))
        final[name] = burgrave("score", str(made), "--json").data["final"]["scores"]["red"]
    assert final == {"": 7, "today": 7, "rgg2006": 6}


def test_a_single_switch_is_named_beside_the_edition(burgrave: Burgrave, tmp_path: Path) -> None:
    """What differs from the edition is told, whatever the edition."""
    path = tmp_path / "tie.toml"
    path.write_text(BARE + '[switches]\ntie = "none"\n', encoding="utf-8")
    assert "rules: Carcassonne, edition today with tie = none" in burgrave("check", str(path)).out
    assert "Carcassonne, edition today with tie = none." in burgrave("draw", str(path)).out


def test_a_written_file_and_line_name_the_edition(burgrave: Burgrave, tmp_path: Path) -> None:
    """So a later default changes no file that was written, and no line."""
    path = tmp_path / "new.toml"
    assert burgrave("new", "carcassonne", "--seed", "1", "-o", str(path)).code == 0
    assert tomllib.loads(path.read_text(encoding="utf-8"))["edition"] == "today"
    line = burgrave("draw", str(path), "--line").out.strip()
    assert "edition today" in burgrave("check", line).out


OLD_LINES = (
    (
        "burgrave:1:carcassonne:red:0-0:1:eNptjT0PgjAQhv-KeefG1AVMJwbZXJ2IMQccagK0uYoJIfx3e8rodLnn_Vpwp4Hh0JA0"
        "FKMfR4ZB6GlmiXAVhNsE6n5iXA1e_jb4twY27klatZ0Ka6zYXcKuIxlY9uU5GS7FQblmvbQs6i31-03ALd-mdGLjJRVbgziF0M9w"
        "2boN_1XzNcnx8QxB86iJs7w71lg_1hBCtQ"
    ),
    (
        "burgrave:1:carcassonne:red:0-0:1:eNptjT0PgkAMhv-K6XwxhwMkNzHI5upEjClQlOSgl56YEMJ_96qMTs37vB9d4YEjgYMW"
        "pcUYeZoIDAThfvA7V-1xIYngahDqEmj8THAz8OL7yG8N7pxROo2dS2us2EPCrkcZSY7VJQWuZaZcuywdiWYrVb8X4NbvUjqxZUnD"
        "1kCcQ_ALuHzbH_91iy3Z8TmEoH3om6LALD_B9gFBnkdl"
    ),
)
"""Lines of an older release: of the rules of 2006, which went unnamed, and of others."""


@pytest.mark.parametrize("line", OLD_LINES)
def test_a_line_of_before_the_editions_is_refused(burgrave: Burgrave, line: str) -> None:
    """The rules that it leaves unsaid were others: it is never read by those of today."""
    told = burgrave("check", line)
    assert (told.code, told.out) == (2, "")
    assert "a release with other tiles, another board or other rules" in told.err
