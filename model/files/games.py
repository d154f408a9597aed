"""The games that come with the program, put together from their files and rule books."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from model.files.tilesets import shipped_board, shipped_tile_set
from model.games import Expansion, Game, castle_defaults, falcon_defaults
from model.position import Rank
from model.rules.castle import CASTLE_BOOK
from model.rules.falcon import FALCON_BOOK
from model.switches import FALCON_SWITCHES
from model.tiles import TileKind, TileSet

CASTLE = "castle"
CASTLE_FALCON = "castle+falcon"
CASTLE_FOLLOWERS = 6
FALCON_SPECIALS = (Rank.FALCONER, Rank.KING)


@cache
def falcon_expansion() -> Expansion:
    """Return what The Falcon brings, by name."""
    pieces = ["chapel", "preacher", "king", "falconer"]
    keys = ["aeries", "taken_aeries", "specials", "fresh_specials", "tokens", "at_gate"]
    board, _, _ = shipped_board("falcon")
    names = [kind.id for kind in shipped_tile_set("falcon").kinds]
    names += [gate.name for gate in board.gates]
    names += [switch.name for switch in FALCON_SWITCHES]
    return Expansion(
        title="The Falcon expansion",
        game=CASTLE_FALCON,
        brings=frozenset(name.lower() for name in (*pieces, *keys, *names)),
    )


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
        without=(falcon_expansion(),),
    )


def falcon_game(tile_set: TileSet | None = None) -> Game:
    """Return The Castle with The Falcon, default switches and start spaces.

    Args:
        tile_set: the tiles of The Castle, to which those of the expansion are added; by
            default the shipped reconstruction.

    """
    board, kinds, shows = shipped_board("falcon")
    tiles = tile_set or shipped_tile_set("castle")
    own = {kind.id.lower() for kind in tiles.kinds}
    more = (kind for kind in shipped_tile_set("falcon").kinds if kind.id.lower() not in own)
    game = Game(
        id=CASTLE_FALCON,
        title="Carcassonne: The Castle with The Falcon",
        players=("white", "black"),
        followers=CASTLE_FOLLOWERS,
        specials=FALCON_SPECIALS,
        rules=FALCON_BOOK,
        board=board,
        tile_set=replace(tiles, kinds=(*tiles.kinds, *more)),
        picture_kinds=kinds,
        shows=shows,
        switches=falcon_defaults(),
    )
    return game.with_switches({})


GAMES: dict[str, Callable[[TileSet | None], Game]] = {
    CASTLE: castle_game,
    CASTLE_FALCON: falcon_game,
}
"""The games by id."""


def game_of(game_id: str, tile_set: TileSet | None = None) -> Game:
    """Return a game by its id, with its shipped tiles or those of a set."""
    return GAMES[game_id](tile_set)


def default_shows(game: Game) -> tuple[str, ...]:
    """Return what the start spaces of a game show unless a position says otherwise."""
    switches = {switch.name: value for switch, value in game.switches}
    return game_of(game.id).with_switches(switches).shows


def shipped_kinds(game: Game) -> tuple[TileKind, ...]:
    """Return the kinds of tiles that a game of this set has without any of its own."""
    return game_of(game.id, shipped_tile_set(game.tile_set.id)).tile_set.kinds
