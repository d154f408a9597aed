"""The games that can be played, put together from rules, boards and shipped tiles."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import NamedTuple

from model.boards import PLANE
from model.files.tilesets import shipped_board, shipped_tile_set
from model.games import Game, carcassonne_defaults, castle_defaults
from model.rules.carcassonne.book import CARCASSONNE_BOOK
from model.rules.carcassonne.setup import FOLLOWERS_EACH
from model.rules.castle import CASTLE_BOOK
from model.rules.tower.book import TOWER_BOOK
from model.tiles import TileSet

CASTLE = "castle"
CARCASSONNE = "carcassonne"
WITH_TOWER = "carcassonne+tower"
CASTLE_FOLLOWERS = 6
COLOURS = ("red", "blue", "green", "yellow", "black", "grey")
"""Names of the players of Carcassonne, as many as play, unless they have others."""
DEFAULT_PROFILE = "rgg2006"


class Profile(NamedTuple):
    """A bundle of switch values."""

    name: str
    title: str
    switches: Mapping[str, str]
    """Values that are not the default, by name of the switch."""


def castle_game(tile_set: TileSet | None = None) -> Game:
    """Return The Castle with default switches and start spaces.

    Args:
        tile_set: the tiles; by default the shipped reconstruction.

    """
    board, kinds, shows = shipped_board("castle")
    return Game(
        id=CASTLE,
        title="Carcassonne: The Castle",
        players=("white", "black"),
        followers=CASTLE_FOLLOWERS,
        rules=CASTLE_BOOK,
        board=board,
        tile_set=tile_set or shipped_tile_set("castle"),
        picture_kinds=kinds,
        shows=shows,
        switches=castle_defaults(),
    )


def carcassonne_game(
    *,
    tower: bool = False,
    players: Sequence[str] = COLOURS[:2],
    profile: str = DEFAULT_PROFILE,
    tile_set: TileSet | None = None,
) -> Game:
    """Return Carcassonne, with The Tower by wish.

    Args:
        tower: whether the 18 tiles, the tower pieces and the rules of The Tower take part.
        players: names of the players in the order of their turns, in small letters.
        profile: the bundle of switch values.
        tile_set: the tiles; by default the shipped ones.

    Raises:
        KeyError: there is no such profile.

    """
    bundle = profiles()[profile]
    game = Game(
        id=WITH_TOWER if tower else CARCASSONNE,
        title="Carcassonne with The Tower" if tower else "Carcassonne",
        players=tuple(players),
        followers=FOLLOWERS_EACH,
        rules=TOWER_BOOK if tower else CARCASSONNE_BOOK,
        board=PLANE,
        tile_set=tile_set or carcassonne_tiles(tower=tower),
        switches=carcassonne_defaults(tower=tower),
        profile=profile,
    )
    known = {switch.name for switch, _ in game.switches}
    return game.with_switches({n: v for n, v in bundle.switches.items() if n in known})


@cache
def carcassonne_tiles(*, tower: bool) -> TileSet:
    """Return the shipped tiles of Carcassonne, those of The Tower among them by wish."""
    base = shipped_tile_set("carcassonne")
    if not tower:
        return base
    more = shipped_tile_set("tower")
    return replace(
        base,
        id=WITH_TOWER,
        title=f"{base.title}; {more.title}",
        note=f"{base.note.strip()}\n{more.note.strip()}",
        kinds=(*base.kinds, *more.kinds),
    )


@cache
def profiles() -> dict[str, Profile]:
    """Return the bundles of switch values, by name."""
    text = (resources.files("model.data") / "profiles.toml").read_text(encoding="utf-8")
    return {
        name: Profile(name, entry["title"], entry.get("switches", {}))
        for name, entry in tomllib.loads(text).items()
    }
