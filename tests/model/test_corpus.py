"""Recorded games of an independent engine agree with ours at every decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.corpus import compare, games

FOLDER = Path(__file__).parents[1] / "data" / "corpus"
GAMES = [record for path in sorted(FOLDER.glob("*.jsonl.gz")) for record in games(path)]


@pytest.mark.parametrize("record", GAMES, ids=lambda record: record["game"])
def test_a_recorded_game_is_ours_at_every_decision(record: dict[str, Any]) -> None:
    """All places, followers, guards, towers, captures, scores, events and supplies are equal.

    The games are of 2 to 6 players, with and without The Tower and Inns & Cathedrals, one with a
    tile that had no place. benchmarks/corpus.py does the same for whole folders.
    """
    found = compare(record)
    assert found.differences == []
    placed = sum(step["message"]["type"] == "PLACE_TILE" for step in record["steps"])
    assert found.compared["placements"] >= placed
    assert found.compared["state"] == placed
    assert found.compared["captures"] == sum(
        step["message"]["type"] == "PLACE_TOKEN" for step in record["steps"]
    )


def test_the_games_cover_every_number_of_players() -> None:
    """2 to 5 players without The Tower, 2 to 6 with it; captures, ransoms and exchanges.

    With Inns & Cathedrals two and six, with The Tower and without.
    """
    tables = {
        ("inns-and-cathedrals:1" in one["sets"], "tower:1" in one["sets"], one["players"])
        for one in GAMES
    }
    without = {(False, n) for n in range(2, 6)} | {(True, n) for n in range(2, 7)}
    with_inns = {(tower, n) for tower in (False, True) for n in (2, 6)}
    assert tables == {(False, *one) for one in without} | {(True, *one) for one in with_inns}
    happened = {event["type"] for record in GAMES for event in record["other_events"]}
    assert happened == {"tile-discarded", "ransom-paid", "prisoners-exchange"}
