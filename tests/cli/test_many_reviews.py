"""``burgrave review`` about several games: the table, the sums of each player, what goes wrong."""

from __future__ import annotations

import csv
import json
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burgrave.cli import many_reviews
from burgrave.cli.exits import ANSWERED, INTERRUPTED, NO, UNUSABLE
from burgrave.cli.kept import Kept
from burgrave.cli.progress import Pace
from burgrave.cli.render import review_table
from burgrave.cli.reviews import game_of
from burgrave.model.errors import FileError
from burgrave.puzzles.files import parquet
from burgrave.puzzles.games import review
from burgrave.puzzles.games.review import ReviewedTurn
from tests.cli.conftest import Burgrave

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FEW = ("--playouts", "100", "--jobs", "1")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with two games, a broken one between them, and a file that is no game."""
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(EXAMPLES / "two-farms.jcz", folder / "a.jcz")
    (folder / "b.toml").write_text("moves = [\n")
    shutil.copy(EXAMPLES / "two-farms.jcz", folder / "c.jcz")
    (folder / "notes.md").write_text("no game")
    return folder


def test_a_folder_is_reviewed_and_goes_on_from_what_is_kept(
    burgrave: Burgrave, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, kept = tmp_path / "turns.csv", tmp_path / "kept"
    options = (*FEW, "--table", str(table), "--keep", str(kept), "--json")
    told = burgrave("review", str(games), *options)
    assert told.code == NO
    assert [Path(one).name for one in told.data["games"]] == ["a.jcz", "c.jcz"]
    assert [Path(one["game"]).name for one in told.data["left_out"]] == ["b.toml"]
    assert "1 of 3: " in told.err
    assert "2 of 3: left out: " in told.err
    with table.open(newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [*rows[0]] == [*review_table.Row.__slots__]
    assert [(Path(row["game"]).name, row["turn"]) for row in rows] == [
        *(("a.jcz", str(turn)) for turn in (1, 2, 3)),
        *(("c.jcz", str(turn)) for turn in (1, 2, 3)),
    ]
    for one in told.data["players"]:
        mine = [float(row["loss"]) for row in rows if row["player"] == one["player"]]
        others = [float(row["loss"]) for row in rows if row["player"] != one["player"]]
        assert one["lost"] == pytest.approx(sum(mine) / len(mine), abs=1e-3)
        field = sum(others) / len(others)
        assert one["against_the_field"] == pytest.approx(one["lost"] - field, abs=2e-3)
        # A best move loses nothing, so the kinds make up the whole.
        by_kind = sum(kind["lost"] for kind in one["kinds"].values())
        assert by_kind == pytest.approx(one["lost"], abs=5e-3)
    # The last game begins anew, the other one is kept.
    last = next(kept.glob("c-*.jsonl"))
    last.write_text("".join(last.read_text().splitlines(keepends=True)[:2]))
    asked: list[Any] = []
    real = review.evaluate
    monkeypatch.setattr(review, "evaluate", lambda *a, **k: asked.append(a) or real(*a, **k))
    again = burgrave("review", str(games), *options)
    assert again.data == told.data
    assert 0 < len(asked) <= 6
    # What was kept says nothing about the speed.
    assert "a minute" in told.err.splitlines()[0]
    assert "a minute" not in again.err.splitlines()[0]


def test_a_summary_fits_a_narrow_terminal() -> None:
    game = game_of(str(EXAMPLES / "two-farms.jcz"))
    turn = next(review.review(game.turns, playouts=100))
    [row] = review_table.rows_of(game, [turn])
    wide = replace(row, player="a name of far too many letters", loss=-10.0, luck=-123.4)
    lines = [*review_table.summary_text([row, wide])]
    assert max(map(len, lines)) <= 80
    assert any("a name of fa…" in line for line in lines)


def test_time_left_is_told_in_seconds_minutes_or_hours() -> None:
    for wanted, left in ((2, "60 s left"), (4, "3 min left"), (301, "5.0 h left")):
        pace = Pace(wanted=wanted, name="games", started=time.monotonic() - 60)
        assert pace.rate(1) == f", 1.0 a minute, {left}"


def test_ctrl_c_leaves_the_table_of_the_finished_games(
    burgrave: Burgrave, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Callable[[str], Any] = game_of

    def until(name: str) -> Any:
        if name.endswith("c.jcz"):
            raise KeyboardInterrupt
        return real(name)

    monkeypatch.setattr(many_reviews, "game_of", until)
    table = tmp_path / "turns.jsonl"
    told = burgrave("review", str(games), *FEW, "--table", str(table))
    assert told.code == INTERRUPTED
    assert "Interrupted after 1 of 3 games; --keep DIR would keep them." in told.err
    rows = [json.loads(line) for line in table.read_text().splitlines()]
    assert [row["turn"] for row in rows] == [1, 2, 3]
    assert "1 game, 3 turns" in told.out


def test_a_full_disk_ends_the_review_and_leaves_what_is_kept(
    burgrave: Burgrave, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To review the other games would be in vain."""
    kept = tmp_path / "kept"

    def full(self: Kept[int, ReviewedTurn], *lines: Mapping[str, object]) -> None:
        assert self.file is not None
        if self.file.name.startswith("c-"):
            raise FileError(str(self.file), ["cannot be written: No space left on device"])
        write(self, *lines)

    write = Kept._write
    monkeypatch.setattr(Kept, "_write", full)
    told = burgrave("review", str(games), *FEW, "--keep", str(kept))
    assert (told.code, told.out) == (UNUSABLE, "")
    assert told.err.splitlines()[-1].endswith("cannot be written: No space left on device")
    assert len([*kept.glob("a-*.jsonl")]) == 1


def test_one_game_has_a_table_and_a_picture_too(burgrave: Burgrave, tmp_path: Path) -> None:
    table, picture = tmp_path / "turns.jsonl", tmp_path / "game.svg"
    game = str(EXAMPLES / "two-farms.jcz")
    told = burgrave("review", game, *FEW, "--table", str(table), "--picture", str(picture))
    assert told.code == ANSWERED
    assert len(table.read_text().splitlines()) == 3
    assert "points lost against the best move" in picture.read_text()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--table", "turns.xlsx"), "name a file that ends in .csv, .jsonl or .parquet"),
        (("--table", "turns.parquet"), "Parquet needs the extra 'tables'"),
        (("--picture", "a.svg"), "take one game"),
        (("--ask",), "take one game"),
    ],
)
def test_what_cannot_be_done_is_refused_before_any_work(
    burgrave: Burgrave,
    games: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: tuple[str, ...],
    message: str,
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(parquet, "import_module", missing)
    told = burgrave("review", str(games), *more)
    assert (told.code, told.out) == (UNUSABLE, "")
    assert message in told.err


def test_a_place_for_no_picture_or_puzzle_is_refused_before_any_work(burgrave: Burgrave) -> None:
    game = str(EXAMPLES / "two-farms.jcz")
    picture = burgrave("review", game, "--picture", "game.png")
    puzzles = burgrave("review", game, "--puzzles", game)
    assert picture.err == "Error: --picture game.png: name a file that ends in .svg\n"
    assert puzzles.err == f"Error: {game}: no file can be made there: Not a directory\n"
    assert (picture.code, puzzles.code) == (UNUSABLE, UNUSABLE)


def test_a_folder_without_a_game_is_refused(burgrave: Burgrave, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("")
    told = burgrave("review", str(tmp_path))
    assert told.code == UNUSABLE
    assert "no file in this folder ends in .jcz, .json, .toml, .txt" in told.err
    (tmp_path / "a.toml").write_text("moves = [\n")
    told = burgrave("review", str(tmp_path))
    assert told.code == UNUSABLE
    assert "none of the 1 games can be reviewed" in told.err


def test_a_kept_game_may_write_a_tile_in_another_of_like_rotations(
    burgrave: Burgrave, tmp_path: Path
) -> None:
    """The file of the review was refused: it has the move in the lowest rotation."""
    kept = tmp_path / "kept.jsonl"
    options = (str(EXAMPLES / "arena.json"), *FEW, "--keep", str(kept), "--json")
    first = burgrave("review", *options)
    assert burgrave("review", *options).data == first.data
