"""``burgrave puzzles`` with a dataset: puzzles in, queries, puzzles out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from burgrave.cli.answers import answer_schema
from burgrave.puzzles.files import library
from tests.cli.conftest import ROOT, Burgrave

NAMES = ("market-day", "eight-points-or-six", "whose-field-will-it-be")
SCHEMA = Draft202012Validator(answer_schema(["puzzles"]))
pytestmark = pytest.mark.every_case


@pytest.fixture
def place(burgrave: Burgrave, tmp_path: Path) -> str:
    """A dataset of three puzzles."""
    path = str(tmp_path / "many")
    told = burgrave("puzzles", path, *(word for name in NAMES for word in ("--add", name)))
    assert (told.code, told.out) == (0, f"3 puzzles added to {path}, which has 3.\n")
    return path


def listed(burgrave: Burgrave, *args: str) -> list[str]:
    """Return the ids that a query lists."""
    answer = burgrave("puzzles", *args, "--json")
    assert answer.code == 0, answer.err
    SCHEMA.validate(answer.data)
    return [one["id"] for one in answer.data]


def test_words_and_options_choose_puzzles(burgrave: Burgrave, place: str) -> None:
    """As of the shipped puzzles, and in the order of their adding."""
    assert listed(burgrave, place) == [*NAMES]
    assert listed(burgrave, place, "best") == ["eight-points-or-six"]
    assert listed(burgrave, place, "--game", "CASTLE", "--theme", "wall-tile-timing") == [NAMES[1]]
    assert listed(burgrave, place, "--difficulty", "1-5", "carcassonne") == [NAMES[2]]
    assert listed(burgrave, place, "market-day", "--question", "best,force") == ["market-day"]
    told = burgrave("puzzles", place, "castle", "best")
    assert told.out.split()[:4] == ["eight-points-or-six", "2", "castle", "best"]
    assert told.err == "1 of 3 puzzles\n"
    assert "No puzzle fits" in burgrave("puzzles", place, "castle", "5").out
    shipped = burgrave("puzzles", "--game", "castle", "best", "--theme", "wall-tile-timing", "2")
    assert shipped.out.startswith("eight-points-or-six")


def test_puzzles_come_out_as_they_went_in(burgrave: Burgrave, place: str, tmp_path: Path) -> None:
    """Lines of a dataset make the same dataset; a second time nothing is added."""
    lines, other = str(tmp_path / "all.jsonl"), str(tmp_path / "other")
    assert burgrave("puzzles", place, "-o", lines, "--json").data == {"file": lines, "puzzles": 3}
    assert burgrave("puzzles", place, "-o", lines).code == 2
    first = burgrave("puzzles", other, "--add", lines, "--json").data
    assert (first["added"], first["present"], first["puzzles"]) == (3, 0, 3)
    again = burgrave("puzzles", other, "--add", place, "--add", lines)
    assert again.out.startswith(f"0 puzzles added to {other}, which has 3.\n6 puzzles not added")
    assert burgrave("solve", other, "--ask", text="quit\n").code == 2
    whole = (Path(other) / "part-000001.parquet").read_bytes()
    assert whole == (Path(place) / "part-000001.parquet").read_bytes()
    one = str(tmp_path / "one.jsonl")
    assert burgrave("puzzles", place, "market-day", "-o", one).out == f"1 puzzle in {one}\n"
    assert burgrave("check", one).code == 0
    shipped = str(tmp_path / "shipped.jsonl")
    assert burgrave("puzzles", "market-day", "-o", shipped).code == 0
    assert json.loads(Path(shipped).read_text())["id"] == "market-day"


def test_a_composer_learns_where_a_position_stands(burgrave: Burgrave, place: str) -> None:
    """In a dataset and among the shipped puzzles; exit 1 where it does not."""
    found = burgrave("puzzles", place, "--like", "market-day")
    assert (found.code, f"The position stands in {place} as market-day: " in found.out) == (0, True)
    nowhere = burgrave("puzzles", place, "--like", "castle-01")
    told = f"The position does not stand in {place}, nor turned or mirrored.\n"
    assert (nowhere.code, nowhere.out) == (1, told)
    assert burgrave("puzzles", place, "--like", "castle-01", "--json").data == []
    (one,) = burgrave("puzzles", place, "--like", "market-day", "--json").data
    assert (one["id"], one["match"]) == ("market-day", "same")


def test_a_position_is_found_among_the_shipped_puzzles(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each puzzle of its game is read for that."""
    few = tuple(map(library.find, NAMES))
    monkeypatch.setattr(library, "puzzle_entries", lambda: few)
    found = burgrave("puzzles", "--like", "eight-points-or-six")
    assert found.code == 0
    assert "stands in the shipped puzzles as eight-points-or-six" in found.out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["{}", "--theme", "pateince"], "no puzzle has the theme 'pateince'. "),
        (["{}", "--theme", ""], "no puzzle has the theme ''"),
        (["{}", "--game", "castle,"], "no puzzle has the game ''"),
        (["{}", "--question", "forse"], "Did you mean force?"),
        (["{}", "--difficulty", "4-2"], "give a number from 1 to 5, or two: 2-4"),
        (["{}", "--difficulty", "9"], "give a number from 1 to 5, or two: 2-4"),
        (["{}", "markt-day"], "no puzzle has the id, game, theme or question 'markt-day'"),
        (["{}/none"], "is no dataset: it has no dataset.json"),
        (["{}/dataset.json"], "is no dataset: it is a file; burgrave puzzles DATASET --add"),
        (["made.jsonl"], "'made.jsonl' is no dataset: it has no dataset.json"),
        (["{}", "--add", "no-such.jsonl"], "no-such.jsonl: cannot be read"),
        (["{}", "--add", "{}/part-000001.parquet"], "part-000001.parquet"),
        (["{}", "castle", "--add", "market-day"], "--add takes the dataset alone"),
        (["--add", "market-day"], "--add needs a dataset"),
        (["{}", "castle", "--like", "market-day"], "--like searches all puzzles"),
        (["{}", "--like", "nosuch"], "no file and no shipped position 'nosuch'"),
        (["{}", "-o", "found.toml"], "found.toml: a file of puzzles ends in .jsonl"),
        (["{}", "-o", "none/found.jsonl"], "there is no folder none"),
        (["{}", "--sets"], "--sets lists all shipped sets"),
        (["a\0b/c"], "cannot be looked for"),
    ],
)
def test_strange_requests_get_one_message(
    burgrave: Burgrave, place: str, args: list[str], told: str
) -> None:
    """Exit 2, one line, and the dataset stays."""
    before = {one.name: one.read_bytes() for one in Path(place).iterdir()}
    answer = burgrave("puzzles", *(arg.replace("{}", place) for arg in args))
    assert (answer.code, answer.out) == (2, ""), answer.err
    assert told in answer.err
    assert len(answer.err.splitlines()) == 1
    assert {one.name: one.read_bytes() for one in Path(place).iterdir()} == before


def test_broken_lines_are_told_and_nothing_is_added(
    burgrave: Burgrave, place: str, tmp_path: Path
) -> None:
    """Each with its number, twenty at most; other files likewise."""
    lines = tmp_path / "lines.jsonl"
    burgrave("puzzles", "market-day", "-o", str(lines))
    good = lines.read_text().replace('"market-day"', '"other"')
    lines.write_bytes(f"{good}\n{{}}\nno\n".encode() + b"\xff\n" + b"{\n" * 40)
    told = burgrave("puzzles", place, "--add", str(lines))
    assert told.code == 2
    assert f"{lines}: line 3: burgrave: the file version is missing" in told.err
    assert "line 5: byte 0 is not UTF-8 text" in told.err
    assert len(told.err.splitlines()) == 20
    assert listed(burgrave, place) == [*NAMES]
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "folder").mkdir()
    for name in ("empty.jsonl", "folder"):
        answer = burgrave("puzzles", place, "--add", str(tmp_path / name))
        assert (answer.code, len(answer.err.splitlines())) == (2, 1)
    (tmp_path / "folder" / "one.json").write_text(good.replace('"move', '"mvoe', 1))
    assert burgrave("puzzles", place, "--add", str(tmp_path / "folder")).code == 2
    (tmp_path / "folder" / "one.json").write_text(good)
    assert burgrave("puzzles", place, "--add", str(tmp_path / "folder")).code == 0


def test_a_query_loads_little() -> None:
    """Neither solver nor graph library, and no pyarrow: half a second of start-up."""
    spy: Any = (
        "import sys\nfrom burgrave.cli.app import main\ntry:\n  main()\nfinally:\n"
        "  print(*{name.partition('.')[0] for name in sys.modules})"
    )
    place = str(ROOT / "no-such" / "place")
    done = subprocess.run(
        [sys.executable, "-c", spy, "puzzles", place, "castle"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert not {*done.stdout.split()} & {"ortools", "networkx", "numba", "pyarrow", "duckdb"}
