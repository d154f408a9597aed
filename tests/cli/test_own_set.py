"""A game with a tile set of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burgrave.model.files.positions import read_position
from burgrave.model.files.tilesets import load_tile_set
from burgrave.puzzles.files.puzzle_files import read_puzzles
from tests.cli.conftest import Burgrave

OWN = """
burgrave = 1
type = "tiles"
id = "mine"
title = "nine tiles"
[quarters]
"tthh-ew" = 5
"cccc" = 3
"hhhh" = 1
"""


MORE = """
burgrave = 1
type = "tiles"
id = "mine"
title = "twenty tiles"
[quarters]
"tthh-ew" = 2
"cccc-ns" = 2
"hhhh" = 2
"tttt" = 2
"ccct-eswom" = 2
"httt" = 2
"cchh-es" = 2
"ttcc-s" = 2
"ttch-eswf" = 2
"hhcc-ew" = 2
"""


@pytest.mark.parametrize("how", ["--unknown", "--seed=3"])
@pytest.mark.parametrize("game", ["castle", "castle+falcon"])
def test_a_game_is_begun_with_a_set_of_ones_own(
    burgrave: Burgrave, tmp_path: Path, game: str, how: str
) -> None:
    """Its tiles alone are to come, and the position can be read and played."""
    file = tmp_path / "mine.toml"
    file.write_text(OWN)
    begun = burgrave("new", game, how, "--tiles", str(file))
    position = read_position("begun", begun.out)
    wanted = ["cccc"] * 3 + ["hhhh"] + ["tthh-ew"] * 5
    assert sorted((*position.order, *position.bag)) == wanted
    assert burgrave("check", "-", text=begun.out).code == 0


def test_a_set_that_the_game_does_not_have_is_refused(burgrave: Burgrave, tmp_path: Path) -> None:
    """Chapels belong to The Falcon; a file that is missing is named."""
    file = tmp_path / "mine.toml"
    file.write_text(OWN + '"kkcc" = 1\n')
    told = burgrave("new", "castle", "--tiles", str(file))
    assert (told.code, "chapel" in told.err, "The Falcon" in told.err) == (2, True, True)
    assert told.err.startswith(f"Error: {file}: tiles: kind kkcc")
    assert burgrave("new", "castle+falcon", "--tiles", str(file)).code == 0
    assert burgrave("new", "castle", "--tiles", str(tmp_path / "none.toml")).code == 2


@pytest.mark.long
@pytest.mark.slow
def test_puzzles_are_made_with_a_set_of_ones_own(burgrave: Burgrave, tmp_path: Path) -> None:
    """Its tiles alone lie on the board and are to come; a second run continues the first."""
    file, made = tmp_path / "mine.toml", tmp_path / "made.jsonl"
    file.write_text(MORE)
    known = {kind.id for kind in load_tile_set(file).kinds}
    command = ("generate", "--theme", "any", "--seed", "2", "--tiles-left", "2", "--turns", "3")
    command = (*command, "-o", str(made))
    own = ("--tiles", str(file), "--json")
    first = burgrave(*command, *own)
    assert first.code == 0
    (puzzle,) = read_puzzles("made", made.read_text())
    at = puzzle.position
    assert {*(tile.kind.id for tile in at.tiles), *at.order, *at.bag} <= known
    assert puzzle.origin is not None
    assert f"--tiles {file} " in puzzle.origin.options
    assert burgrave(*command, *own).out == first.out
    assert "the same options as before" in burgrave(*command).err


def test_a_game_with_a_set_of_ones_own_is_practised(burgrave: Burgrave, tmp_path: Path) -> None:
    """The level lays the first tile of the set."""
    file, game = tmp_path / "mine.toml", tmp_path / "game.toml"
    file.write_text(OWN)
    assert burgrave("new", "castle", "--seed", "3", "--tiles", str(file), "-o", str(game)).code == 0
    first = read_position("game", game.read_text()).order[0]
    told = burgrave("practise", str(game), "--level", "1", "--json")
    assert told.code == 0
    assert json.loads(told.out)["notation"].startswith(f"{first}@")
