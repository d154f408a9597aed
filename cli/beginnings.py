"""Fresh positions: shuffled by a number, or with everything unknown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom

from burgrave.model.errors import QuestionError
from burgrave.model.files.games import editions, shipped_game, with_tiles
from burgrave.model.files.positions import refuse_foreign_kinds
from burgrave.model.files.tilesets import load_tile_set
from burgrave.model.games import DEFAULT_EDITION, Game
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.model.registry import BASES, GAMES, split
from burgrave.puzzles.selfplay.games import new_position

_SEEDS = 2**32
FEWEST = 2
"""Players of Carcassonne at least."""


def game_of(name: str, players: int | None, edition: str | None = None) -> Game:
    """Return a game by name, with its shipped tiles.

    Args:
        name: the game.
        players: how many play; None for 2.
        edition: the edition of the rules; None for the default.

    Raises:
        QuestionError: there is no such game or edition, or the game has another number of players.

    """
    if name not in GAMES:
        raise QuestionError(f"no game {quoted(name)}.{suggestion(name, GAMES)}")
    base = BASES[split(name)[0]]
    most = max(len(one.players) for one in BASES.values())
    if players is not None and not FEWEST <= players <= most:
        raise QuestionError(f"{players} players: give {FEWEST} to {most}")
    if not base.edited and (players not in {None, 2} or edition is not None):
        raise QuestionError("The Castle is for two players and has one edition alone")
    if edition is not None and edition not in editions():
        raise QuestionError(f"no edition {quoted(edition)}.{suggestion(edition, editions())}")
    return shipped_game(name, players=players or 2, edition=edition or DEFAULT_EDITION)


def game_with(
    name: str, players: int | None, edition: str | None = None, tiles: Path | None = None
) -> Game:
    """Return a game by name that is played with the tile set of a file, if one is given.

    Raises:
        FileError: the tile set cannot be used in this game.
        QuestionError: there is no such game or edition, or the game has another number of players.

    """
    game = game_of(name, players, edition)
    if tiles is None:
        return game
    game = with_tiles(game, load_tile_set(tiles))
    refuse_foreign_kinds(str(tiles), game)
    return game


def shuffled(game: Game, seed: int | None = None) -> tuple[str, Position]:
    """Begin a game in which the order of the tiles and all wall tiles are known.

    Args:
        game: the game.
        seed: the same number gives the same position; None for one picked by chance.

    Returns:
        A title that names the seed, and the position.

    """
    chosen = SystemRandom().randrange(_SEEDS) if seed is None else seed
    begun_by = Random(chosen)  # noqa: S311 -- to be repeated
    return f"{game.title}, shuffled by {chosen}", new_position(game, begun_by)


def untouched(game: Game) -> tuple[str, Position]:
    """Begin a game of which nothing is known: tiles in a bag, wall tiles face down."""
    position = new_position(game, Random(0))  # noqa: S311 -- what it shuffles is forgotten
    towers = tuple((tower, 0) for tower, _ in position.towers)
    bag = tuple(sorted(position.order))
    return f"{game.title}, nothing drawn", replace(position, order=(), bag=bag, towers=towers)


def with_first(position: Position, player: str | None) -> Position:
    """Return the position with a player to begin; None for the first.

    Raises:
        QuestionError: no player has that name.

    """
    names = position.game.players
    if player is None:
        return position
    if player not in names:
        raise QuestionError(f"no player {quoted(player)}.{suggestion(player, names)}")
    return replace(position, to_move=names.index(player))


def begun(  # noqa: PLR0913 -- the options of the command
    name: str,
    seed: int | None,
    *,
    unknown: bool,
    first: str | None,
    players: int | None,
    edition: str | None,
    tiles: Path | None = None,
) -> tuple[str, Position]:
    """Begin a game; the other arguments are those of the functions above.

    Args:
        name: the game.
        seed: of the shuffled tiles.
        unknown: whether nothing is known of the order.
        first: the player who begins.
        players: how many play.
        edition: the edition of the rules.
        tiles: a file with a tile set that the game is played with, in place of the shipped tiles.

    Returns:
        A title, and the position.

    Raises:
        FileError: the tile set cannot be used in this game.
        QuestionError: there is no such game, player or edition; a seed and ``unknown`` exclude
            each other.

    """
    if unknown and seed is not None:
        raise QuestionError("--seed and --unknown exclude each other")
    game = game_with(name, players, edition, tiles)
    title, position = untouched(game) if unknown else shuffled(game, seed)
    return title, with_first(position, first)
