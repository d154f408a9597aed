"""A game with a tile set of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.files.positions import read_position
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
    assert burgrave("new", "castle+falcon", "--tiles", str(file)).code == 0
    assert burgrave("new", "castle", "--tiles", str(tmp_path / "none.toml")).code == 2
