"""Whole games saved by JCloisterZone, of each edition of its sets."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from burgrave.model.final import final_scoring
from burgrave.model.formats.save_support import application
from burgrave.model.formats.saves import read_save
from tests.corpus import opening
from tests.model.test_saves import RECORDED, as_save, ended

WHOLE = (
    *("base-40000", "base-40003", "base_tower-100000", "base_tower-100004"),
    *("base_ic-70005", "base_tower_ic-130029"),
)
"""Games of 2, 5, 2, 6, 2 and 6 players; in the first a tile had no place."""


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_ends_as_it_did_there(name: str) -> None:
    """Final points and discarded tiles are equal: its numbers say which tiles were drawn."""
    game = RECORDED[name]
    save = read_save("test.jcz", json.dumps(as_save(game)))
    assert save.remarks == ()
    position = ended(save)
    assert save.record.position.order == opening(game).order
    assert list(final_scoring(position).scores) == game["final"]["points"]
    assert [position.game.tile_set.kind(tile).code for tile in position.discarded] == (
        game["discarded"]
    )


@pytest.mark.parametrize("name", ["base-40003", "base_tower_ic-130005"])
def test_a_game_with_the_tiles_of_today_is_the_same(name: str) -> None:
    """Tiles with gardens have codes of their own; without gardens and abbots they mean nothing."""
    save = as_save(RECORDED[name], numbers=False)
    save["setup"]["sets"] = {one.replace(":1", ":2"): 1 for one in save["setup"]["sets"]}
    gardens = [pair for tiles in application().gardens.values() for pair in tiles.items()]
    named = 0
    for garden, plain in gardens:
        laid = [m["payload"] for m in save["replay"] if m["type"] == "PLACE_TILE"]
        for payload in [one for one in laid if one["tileId"] == plain][:1]:
            payload["tileId"], named = garden, named + 1
    assert named >= 7
    position = ended(read_save("test.jcz", json.dumps(save)))
    scores = final_scoring(replace(position, bag=())).scores
    assert list(scores) == RECORDED[name]["final"]["points"]


def test_without_numbers_a_tile_that_left_unseen_is_named() -> None:
    """The game may be over, but a save cannot tell; a remark says why."""
    game = RECORDED["base-40000"]
    save = read_save("test.jcz", json.dumps(as_save(game, numbers=False)))
    position = ended(save)
    assert (position.order, position.bag) == ((), ("B",))
    assert any("of B there may be fewer" in said for said in save.remarks)
    scores = final_scoring(replace(position, bag=())).scores
    assert list(scores) == game["final"]["points"]
