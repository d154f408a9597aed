"""Small changes of a position: they reach every sort of piece that a game has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.files.games import shipped_game, with_tiles
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.model.registry import CARCASSONNE, CASTLE
from burgrave.puzzles.candidates.changes import changed, unused
from burgrave.puzzles.candidates.composing import start

STARTS, STEPS = range(2, 6), 150


def reached(game: str) -> Iterator[Position]:
    """Yield possible positions that changes by lot lead to, from some starts."""
    for seed in STARTS:
        rng = Random(seed)
        at = start(shipped_game(game), 2, 6, rng)
        for _ in range(0 if at is None else STEPS):
            assert at is not None
            other = changed(at, rng)
            if not problems(other):
                at = other
                yield at


def sorts(at: Position) -> Iterator[str]:
    """Yield the sorts of pieces in a position that one game alone has."""
    for tower in at.part(Towers).built:
        ranked = "guard" if tower.rank is Rank.FOLLOWER else f"{tower.rank} guard"
        yield "tower" if tower.guard is None else ranked
    for state in at.players:
        for one in state.part(TowerHoldings).prisoners:
            yield "prisoner" if one.rank is Rank.FOLLOWER else f"{one.rank} prisoner"
        yield from ["token"] * state.part(FalconHoldings).tokens
        yield from map(str, state.specials)
    yield from (f"{one.rank} on the board" for one in at.followers if one.rank != Rank.FOLLOWER)


@pytest.mark.parametrize(
    ("game", "found"),
    [
        (CASTLE, set[str]()),
        (
            "castle+falcon",
            {"token", "king", "falconer", "king on the board", "falconer on the board"},
        ),
        (CARCASSONNE, set[str]()),
        ("carcassonne+tower", {"tower", "guard", "prisoner"}),
        (
            "carcassonne+inns+tower",
            {"tower", "guard", "big guard", "prisoner", "big prisoner", "big", "big on the board"},
        ),
    ],
)
def test_changes_reach_the_pieces_of_a_game(game: str, found: set[str]) -> None:
    """Towers, guards and prisoners; kings, falconers and tokens; no such piece elsewhere."""
    assert {sort for at in reached(game) for sort in sorts(at)} == found


def test_a_set_without_another_tile_can_be_changed_too() -> None:
    """All three tiles of a small set are on the board or to come."""
    whole = shipped_game("castle")
    few = whole.tile_set.kinds[:3]
    game = with_tiles(whole, replace(whole.tile_set, kinds=tuple(replace(k, count=1) for k in few)))
    rng = Random(4)
    found = (start(game, 2, 1, rng) for _ in range(20))
    at = next(one for one in found if one is not None)
    assert not unused(at)
    for _ in range(200):
        assert {tile.kind.id for tile in changed(at, rng).tiles} <= {kind.id for kind in few}
