"""Links that a published copy opens: what they hold is what the program draws."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from burgrave.cli.drawings import drawing_named, link
from burgrave.cli.publish.stock import pictures
from burgrave.cli.reviews import game_from
from burgrave.cli.sources import position, record
from burgrave.model.draws import as_seen
from burgrave.model.engine import play
from burgrave.model.pictures import stamps
from tests.cli.conftest import Burgrave

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SAMPLE = str(resources.files("burgrave.cli.serve") / "sample.toml")
MOST_LETTERS = 4000
"""Letters of a link to a whole game, which chat and mail leave whole."""


def held(url: str) -> Any:
    """Return what a link holds."""
    packed = url.partition("#/boards/packed:")[2]
    text = zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    return json.loads(text)


@pytest.mark.parametrize("name", ["falcon-game", "tower-game", "full-castle"])
def test_a_link_holds_what_lies_on_the_board(burgrave: Burgrave, name: str) -> None:
    """Every stamp, whose pictures are there; the words say who is to move."""
    file = str(EXAMPLES / f"{name}.toml")
    made = burgrave("draw", file, "--site", "https://a.example/b", "--json")
    assert made.data["link"].startswith("https://a.example/b/#/boards/packed:")
    drawn, shown = held(made.data["link"]), position(file)
    assert drawn == json.loads(json.dumps(drawing_named(file)))
    assert drawn["stamps"] == [list(stamp) for stamp in stamps(shown)]
    assert drawn["scores"] == [player.score for player in shown.players]
    assert f"{shown.game.name(shown.to_move)} is to move" in drawn["says"][0]
    known = pictures(shown.game.id)
    tiles = {tile.kind.id for tile in shown.tiles}
    assert {stamp[0] for stamp in drawn["stamps"]} - tiles <= set(known["pictures"])
    assert drawn["tiles"] == known["tiles"]


def test_a_link_to_a_game_holds_its_turns() -> None:
    """Stamps that go and come lead to every position as the players saw it; it stays short."""
    game = game_from(*record(SAMPLE))
    url = link("", drawing_named(SAMPLE))
    assert len(url) < MOST_LETTERS
    drawn = held(url)
    shown = drawn["stamps"]
    assert len(drawn["steps"]) == len(game.turns)
    for (before, move), step in zip(game.turns, drawn["steps"], strict=True):
        after = play(before, move).position
        assert [step["mover"], *step["scores"]] == [
            None if after.over else after.to_move,
            *(player.score for player in after.players),
        ]
        shown = [one for at, one in enumerate(shown) if at not in step["off"]] + step["on"]
        assert sorted(shown) == sorted(map(list, stamps(as_seen(after))))
    assert sum(points for _, points in drawn["end"]["events"]) > 0


def test_what_a_site_cannot_draw_is_refused_in_words(burgrave: Burgrave) -> None:
    """A tile of one's own, an address that is none, and wishes for a picture."""
    own = burgrave("draw", "CA-39", "--site", "https://a.example")
    assert (own.code, "no picture of your own tiles (court, tower-end)" in own.err) == (2, True)
    assert burgrave("draw", "castle-04", "--site", "a.example").code == 2
    assert burgrave("draw", "castle-04", "--site", "https://a.example", "--legal").code == 2
