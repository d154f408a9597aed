"""Games as a base and its expansions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burgrave.model.books import book
from burgrave.model.files.games import shipped_game, shipped_tiles
from burgrave.model.files.tilesets import shipped_tile_set, shipped_tile_sets
from burgrave.model.registry import BASES, EXPANSIONS, GAMES, ids, split, switches

ROOT = Path(__file__).parents[2]


def test_ids_are_made_of_a_base_and_its_expansions() -> None:
    """A base alone comes first, and expansions stand in the order of the alphabet."""
    assert [game for game in GAMES if "+" not in game] == [*BASES]
    assert GAMES.index("carcassonne+tower") < GAMES.index("carcassonne+inns+tower")
    for game in GAMES:
        base, expansions = split(game)
        assert "+".join((base, *sorted(expansions))) == game
        assert {EXPANSIONS[name].base for name in expansions} <= {base}
    assert ids(base="castle")[:2] == ("castle", "castle+falcon")
    assert ids(expansion="tower") == tuple(game for game in GAMES if "tower" in split(game)[1])


@pytest.mark.parametrize("name", EXPANSIONS)
def test_an_expansion_has_tiles(name: str) -> None:
    """Its games begin with them."""
    assert name in shipped_tile_sets(), f"write model/expansions/{name}/tiles.toml"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_its_base_with_what_its_expansions_bring(game_id: str) -> None:
    """Rules, switches and tiles of the base come first, and none is lost."""
    game, base = shipped_game(game_id), shipped_game(split(game_id)[0])
    assert (game.base, game.expansions) == split(game_id)
    assert book(game_id).all[: len(book(base.id).all)] == book(base.id).all
    assert game.switches[: len(base.switches)] == base.switches
    assert [switch for switch, _ in game.switches] == [*switches(game_id)]
    more = [kind for name in game.expansions for kind in shipped_tile_set(name).kinds]
    assert game.tile_set.kinds == (*base.tile_set.kinds, *more)
    assert {one.title for one in game.without} == {
        f"{one.title} expansion"
        for name, one in EXPANSIONS.items()
        if one.base == game.base and name not in game.expansions
    }


def test_players_are_named_or_counted() -> None:
    """A number takes the first names of the base."""
    assert shipped_game("carcassonne", players=3).players == ("red", "blue", "green")
    assert shipped_game("carcassonne", players=("ann", "bob")).players == ("ann", "bob")
    assert shipped_game("castle").players == BASES["castle"].players


def test_own_tiles_of_a_base_are_joined_by_those_of_its_expansions() -> None:
    """A kind of an own set hides that of an expansion with its id."""
    own = shipped_tile_set("castle")
    both = shipped_tiles("castle+falcon", own)
    assert both.id == own.id
    assert both.title.endswith(shipped_tile_set("falcon").title)
    assert shipped_tiles("castle+falcon", both).kinds == both.kinds


def test_no_other_place_lists_games() -> None:
    """An id of a game with an expansion stands nowhere in the code: the registry makes it."""
    named = re.compile(rf'"(?:{"|".join(map(re.escape, (g for g in GAMES if "+" in g)))})"')
    for room in ("model", "solver", "puzzles", "cli", "burgrave"):
        for path in sorted((ROOT / room).rglob("*.py")):
            assert not named.search(path.read_text(encoding="utf-8")), path
