"""Fresh positions: shuffled by a number, or with everything unknown."""

from __future__ import annotations

from dataclasses import replace
from random import Random, SystemRandom

from model.files.games import castle_game
from model.games import Game
from model.position import Position
from puzzles.selfplay import new_position

_SEEDS = 2**32
_GAMES = {"castle": castle_game}


def _game(name: str) -> Game:
    """Return a game by name, with its shipped tiles and default switches."""
    return _GAMES[name]()


def shuffled(name: str, seed: int | None) -> tuple[str, Position]:
    """Begin a game in which the order of the tiles and all wall tiles are known.

    Args:
        name: the game.
        seed: the same number gives the same position; None for one picked by chance.

    Returns:
        A title that names the seed, and the position.

    """
    chosen = SystemRandom().randrange(_SEEDS) if seed is None else seed
    game = _game(name)
    return f"{game.title}, shuffled by {chosen}", new_position(game, Random(chosen))  # noqa: S311


def untouched(name: str) -> tuple[str, Position]:
    """Begin a game of which nothing is known: tiles in a bag, wall tiles face down."""
    game = _game(name)
    position = new_position(game, Random(0))  # noqa: S311 -- what it shuffles is forgotten
    towers = tuple((tower, 0) for tower, _ in position.towers)
    bag = tuple(sorted(position.order))
    return f"{game.title}, nothing drawn", replace(position, order=(), bag=bag, towers=towers)


def with_first(position: Position, player: str) -> Position:
    """Return the position with a player to begin."""
    return replace(position, to_move=position.game.players.index(player))
