"""The games that can be played, put together from rule books, boards and shipped tiles."""

from __future__ import annotations

import copyreg
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

from burgrave.model.boards import PLANE, with_wide_gates
from burgrave.model.carcassonne.book import CARCASSONNE_BOOK
from burgrave.model.carcassonne.tower_book import TOWER_BOOK
from burgrave.model.castle.book import CASTLE_BOOK
from burgrave.model.castle.falcon_book import FALCON_BOOK
from burgrave.model.components import Rank
from burgrave.model.files.tilesets import OWN, set_of, shipped_board, shipped_tile_set
from burgrave.model.games import (
    CARCASSONNE,
    CASTLE,
    CASTLE_FALCON,
    DEFAULT_EDITION,
    WITH_TOWER,
    Edition,
    Expansion,
    Game,
    carcassonne_defaults,
    castle_defaults,
    falcon_defaults,
)
from burgrave.model.rules.carcassonne.placement import ORIGIN
from burgrave.model.rules.carcassonne.setup import FOLLOWERS_EACH, START_TILE
from burgrave.model.rules.castle.setup import NAMES
from burgrave.model.switches import FALCON_SWITCHES, TOWER_SWITCHES
from burgrave.model.tiles import PlacedTile, TileKind, TileSet

CASTLE_FOLLOWERS = 6
FALCON_SPECIALS = (Rank.FALCONER, Rank.KING)
COLOURS = ("red", "blue", "green", "yellow", "black", "grey")
"""Names of the players of Carcassonne, as many as play, unless they have others."""


@cache
def falcon_expansion() -> Expansion:
    """Return the names that The Falcon brings."""
    pieces = ["chapel", "preacher", "king", "falconer"]
    keys = ["aeries", "taken_aeries", "specials", "fresh_specials", "tokens", "at_gate"]
    board, _, _ = shipped_board("falcon")
    names = [kind.id for kind in shipped_tile_set("falcon").kinds]
    names += [gate.name for gate in board.gates]
    names += [switch.name for switch in FALCON_SWITCHES]
    return _expansion("The Falcon expansion", CASTLE_FALCON, [*pieces, *keys, *names])


@cache
def tower_expansion() -> Expansion:
    """Return the names that The Tower brings."""
    names = ["built", "pieces", "prisoners", "tower_place"]
    names += [kind.id for kind in shipped_tile_set("tower").kinds]
    names += [switch.name for switch in TOWER_SWITCHES]
    return _expansion("The Tower expansion", WITH_TOWER, names)


def _expansion(title: str, game: str, names: Iterable[str]) -> Expansion:
    """Return an expansion by which a game has some names."""
    return Expansion(title=title, game=game, brings=frozenset(name.lower() for name in names))


def castle_game(tile_set: TileSet | None = None) -> Game:
    """Return The Castle with default switches and start spaces.

    Args:
        tile_set: the tiles; by default the shipped ones.

    """
    board, kinds, shows = shipped_board("castle")
    return Game(
        id=CASTLE,
        title="Carcassonne: The Castle",
        players=NAMES,
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
            default the shipped ones.

    """
    board, kinds, shows = shipped_board("falcon")
    tiles, falcon = tile_set or shipped_tile_set("castle"), shipped_tile_set("falcon")
    own = {kind.id.lower() for kind in tiles.kinds}
    more = (kind for kind in falcon.kinds if kind.id.lower() not in own)
    game = Game(
        id=CASTLE_FALCON,
        title="Carcassonne: The Castle with The Falcon",
        players=NAMES,
        followers=CASTLE_FOLLOWERS,
        specials=FALCON_SPECIALS,
        rules=FALCON_BOOK,
        board=board,
        tile_set=_both(tiles, falcon, (*tiles.kinds, *more)),
        picture_kinds=kinds,
        shows=shows,
        switches=falcon_defaults(),
        walls=(board, with_wide_gates(board)),
    )
    return game.with_switches({})


CASTLE_GAMES: dict[str, Callable[[TileSet | None], Game]] = {
    CASTLE: castle_game,
    CASTLE_FALCON: falcon_game,
}
"""The games that are played in a castle, by id."""


def carcassonne_game(
    *,
    tower: bool = False,
    players: Sequence[str] = COLOURS[:2],
    edition: str = DEFAULT_EDITION,
    tile_set: TileSet | None = None,
) -> Game:
    """Return Carcassonne, with The Tower by wish.

    Args:
        tower: whether the 18 tiles, the tower pieces and the rules of The Tower take part.
        players: names of the players in the order of their turns, in small letters.
        edition: the name of the edition whose rules hold.
        tile_set: the tiles; by default the shipped ones.

    Raises:
        KeyError: there is no such edition.

    """
    rules = editions()[edition]
    game = Game(
        id=WITH_TOWER if tower else CARCASSONNE,
        title="Carcassonne with The Tower" if tower else "Carcassonne",
        players=tuple(players),
        followers=FOLLOWERS_EACH,
        rules=TOWER_BOOK if tower else CARCASSONNE_BOOK,
        board=PLANE,
        tile_set=tile_set or carcassonne_tiles(tower=tower),
        switches=carcassonne_defaults(tower=tower),
        edition=rules,
        without=() if tower else (tower_expansion(),),
    )
    known = {switch.name for switch, _ in game.switches}
    return game.with_switches({n: v for n, v in rules.switches.items() if n in known})


@cache
def carcassonne_tiles(*, tower: bool) -> TileSet:
    """Return the shipped tiles of Carcassonne, those of The Tower among them by wish."""
    base = shipped_tile_set("carcassonne")
    if not tower:
        return base
    more = shipped_tile_set("tower")
    return replace(_both(base, more, (*base.kinds, *more.kinds)), id=WITH_TOWER)


def _both(base: TileSet, more: TileSet, kinds: tuple[TileKind, ...]) -> TileSet:
    """Return a tile set with the title and the note of an expansion too.

    Args:
        base: the set whose id it keeps.
        more: the set of the expansion.
        kinds: its kinds.

    """
    title, note = f"{base.title}; {more.title}", f"{base.note.strip()}\n{more.note.strip()}"
    return replace(base, title=title, note=note, kinds=kinds)


@cache
def editions() -> dict[str, Edition]:
    """Return the editions of Carcassonne's rules, by name."""
    text = (resources.files("burgrave.model.data") / "editions.toml").read_text(encoding="utf-8")
    return {
        name: Edition(name=name, title=entry["title"], switches=entry.get("switches", {}))
        for name, entry in tomllib.loads(text).items()
    }


def default_shows(game: Game) -> tuple[str, ...]:
    """Return the default pictures of a castle's start spaces."""
    switches = {switch.name: value for switch, value in game.switches}
    return CASTLE_GAMES[game.id](None).with_switches(switches).shows


def first_tile(game: Game) -> PlacedTile:
    """Return the tile that lies on the table when a game of Carcassonne begins."""
    return PlacedTile(cell=ORIGIN, kind=game.tile_set.kind(START_TILE), rotation=0)


def with_tiles(game: Game, own: TileSet) -> Game:
    """Return a game that is played with an own tile set in place of the shipped tiles.

    The tile with which Carcassonne begins stays, unless the set has one of that id.
    """
    begins = [kind for kind in game.tile_set.kinds if game.board.endless and kind.id == START_TILE]
    ids = {kind.id for kind in own.kinds}
    kinds = (*(replace(kind, count=1) for kind in begins if kind.id not in ids), *own.kinds)
    return replace(game, tile_set=set_of(kinds))


def shipped_kinds(game: Game) -> tuple[TileKind, ...]:
    """Return the kinds of tiles that a game of this set has without any of its own."""
    if game.tile_set.id == OWN:
        return ()
    if game.board.endless:
        return carcassonne_tiles(tower=game.id == WITH_TOWER).kinds
    return CASTLE_GAMES[game.id](shipped_tile_set(game.tile_set.id)).tile_set.kinds


def _parts(game: Game) -> tuple[Callable[..., Game], tuple[object, ...]]:
    """Return what makes a game anew in another process: rules are functions, which stay here."""
    edition = DEFAULT_EDITION if game.edition is None else game.edition.name
    parts = (game.id, game.players, edition, game.changed_switches(), game.tile_set, game.shows)
    return _again, parts


def _again(  # noqa: PLR0913, PLR0917 -- the parts of a game
    name: str,
    players: tuple[str, ...],
    edition: str,
    switches: dict[str, str],
    tile_set: TileSet,
    shows: tuple[str, ...],
) -> Game:
    """Return the game of which these are the parts."""
    if name in CASTLE_GAMES:
        game = CASTLE_GAMES[name](None)
    else:
        game = carcassonne_game(tower=name == WITH_TOWER, players=players, edition=edition)
    game = game.with_switches(switches)
    return replace(game, players=players, tile_set=tile_set, shows=shows)


copyreg.pickle(Game, _parts)
