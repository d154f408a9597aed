"""The games that can be played, put together from rule books, boards and shipped tiles."""

from __future__ import annotations

import copyreg
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

from burgrave.model.boards import PLANE, with_wide_gates
from burgrave.model.book import book_of
from burgrave.model.books import book
from burgrave.model.files.tilesets import OWN, set_of, shipped_board, shipped_tile_set
from burgrave.model.games import DEFAULT_EDITION, Edition, Game, Missing
from burgrave.model.registry import BASES, EXPANSIONS, split, switches
from burgrave.model.rules.carcassonne.placement import ORIGIN
from burgrave.model.tiles import PlacedTile, TileKind, TileSet


@cache
def _missing(base: str, name: str) -> Missing:
    """Return the names that an expansion would bring to a base."""
    one = EXPANSIONS[name]
    names = [*one.words, *(kind.id for kind in shipped_tile_set(name).kinds)]
    names += [switch.name for switch in one.switches]
    if one.board:
        names += [gate.name for gate in shipped_board(one.board)[0].gates]
    return Missing(
        title=f"{one.title} expansion",
        game=f"{base}+{name}",
        brings=frozenset(word.lower() for word in names),
    )


def shipped_game(
    game_id: str,
    *,
    players: Sequence[str] | int = 2,
    edition: str = DEFAULT_EDITION,
    tile_set: TileSet | None = None,
) -> Game:
    """Return a game with its switches at the values of an edition, and default start spaces.

    Args:
        game_id: one of ``model.registry.GAMES``.
        players: names of the players in the order of their turns, in small letters, or how many
            play, who then have names of the base.
        edition: the edition whose rules hold, of a base that has several.
        tile_set: tiles of the base, to which those of its expansions are added; by default the
            shipped ones.

    Raises:
        KeyError: there is no such game or edition.

    """
    base_id, expansions = split(game_id)
    base, more = BASES[base_id], [EXPANSIONS[name] for name in expansions]
    boards = [base.board, *(one.board for one in more if one.board)]
    board, kinds, shows = shipped_board(boards[-1]) if boards[-1] else (PLANE, (), ())
    game = Game(
        id=game_id,
        title=" with ".join(filter(None, [base.title, " and ".join(one.title for one in more)])),
        players=base.players[:players] if isinstance(players, int) else tuple(players),
        followers=base.followers,
        specials=book(game_id).ranks,
        rules=book(game_id),
        board=board,
        tile_set=shipped_tiles(game_id, tile_set),
        picture_kinds=kinds,
        shows=shows,
        switches=tuple((switch, switch.default) for switch in switches(game_id)),
        walls=(board, with_wide_gates(board)) if board.gates else (),
        edition=editions()[edition] if base.edited else None,
        without=tuple(
            _missing(base_id, name)
            for name, one in EXPANSIONS.items()
            if one.base == base_id and name not in expansions
        ),
    )
    known = {switch.name for switch in switches(game_id)}
    usual = {} if game.edition is None else game.edition.switches
    return game.with_switches({name: value for name, value in usual.items() if name in known})


@cache
def shipped_tiles(game_id: str, tile_set: TileSet | None = None) -> TileSet:
    """Return the tiles of a game, those of its expansions after those of its base.

    Args:
        game_id: the game.
        tile_set: the tiles of the base; by default the shipped ones.

    """
    base_id, expansions = split(game_id)
    tiles = tile_set or shipped_tile_set(base_id)
    for more in map(shipped_tile_set, expansions):
        own = {kind.id.lower() for kind in tiles.kinds}
        tiles = replace(
            tiles,
            title=f"{tiles.title}; {more.title}",
            note=f"{tiles.note.strip()}\n{more.note.strip()}",
            kinds=(*tiles.kinds, *(kind for kind in more.kinds if kind.id.lower() not in own)),
        )
    return tiles


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
    return shipped_game(game.id).with_switches(switches).shows


def first_tiles(game: Game) -> tuple[PlacedTile, ...]:
    """Return the tile that lies on the table when a game begins; none in a castle."""
    start = book_of(game).start_tile
    return (PlacedTile(cell=ORIGIN, kind=game.tile_set.kind(start), rotation=0),) if start else ()


def with_tiles(game: Game, own: TileSet) -> Game:
    """Return a game that is played with an own tile set in place of the shipped tiles.

    The tile with which Carcassonne begins stays, unless the set has one of that id.
    """
    begins = [kind for kind in game.tile_set.kinds if kind.id == book_of(game).start_tile]
    ids = {kind.id for kind in own.kinds}
    kinds = (*(replace(kind, count=1) for kind in begins if kind.id not in ids), *own.kinds)
    return replace(game, tile_set=set_of(kinds))


def shipped_kinds(game: Game) -> tuple[TileKind, ...]:
    """Return the kinds of tiles that a game of this set has without any of its own."""
    if game.tile_set.id == OWN:
        return ()
    return shipped_tiles(game.id, shipped_tile_set(game.tile_set.id)).kinds


def _parts(game: Game) -> tuple[Callable[..., Game], tuple[object, ...]]:
    """Return what makes a game anew in another process: rules are functions, which stay here."""
    edition = DEFAULT_EDITION if game.edition is None else game.edition.name
    parts = (game.id, game.players, edition, game.changed_switches(), game.tile_set, game.shows)
    return _again, parts


def _again(  # noqa: PLR0913, PLR0917 -- the parts of a game
    name: str,
    players: tuple[str, ...],
    edition: str,
    changed: dict[str, str],
    tile_set: TileSet,
    shows: tuple[str, ...],
) -> Game:
    """Return the game of which these are the parts."""
    game = shipped_game(name, players=players, edition=edition).with_switches(changed)
    return replace(game, tile_set=tile_set, shows=shows)


copyreg.pickle(Game, _parts)
