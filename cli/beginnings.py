"""Fresh positions: shuffled by a number, or with everything unknown."""

from __future__ import annotations

from dataclasses import replace
from random import Random, SystemRandom

from model.errors import QuestionError
from model.files.games import (
    CASTLE_GAMES,
    COLOURS,
    carcassonne_game,
    editions,
)
from model.games import DEFAULT_EDITION, GAMES, WITH_TOWER, Game
from model.naming import quoted, suggestion
from model.position import Position
from puzzles.selfplay.games import new_position

_SEEDS = 2**32
FEWEST = 2
"""Players of Carcassonne at least."""


def _game(name: str, players: int | None, edition: str | None) -> Game:
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
    if players is not None and not FEWEST <= players <= len(COLOURS):
        raise QuestionError(f"{players} players: give {FEWEST} to {len(COLOURS)}")
    if name in CASTLE_GAMES:
        if players not in {None, 2} or edition is not None:
            raise QuestionError("The Castle is for two players and has one edition alone")
        return CASTLE_GAMES[name](None)
    if edition is not None and edition not in editions():
        raise QuestionError(f"no edition {quoted(edition)}.{suggestion(edition, editions())}")
    return carcassonne_game(
        tower=name == WITH_TOWER,
        players=COLOURS[: players or 2],
        edition=edition or DEFAULT_EDITION,
    )


def shuffled(
    name: str, seed: int | None, players: int | None = None, edition: str | None = None
) -> tuple[str, Position]:
    """Begin a game in which the order of the tiles and all wall tiles are known.

    Args:
        name: the game.
        seed: the same number gives the same position; None for one picked by chance.
        players: how many play; None for 2.
        edition: the edition of Carcassonne's rules; None for the default.

    Returns:
        A title that names the seed, and the position.

    """
    chosen = SystemRandom().randrange(_SEEDS) if seed is None else seed
    game = _game(name, players, edition)
    return f"{game.title}, shuffled by {chosen}", new_position(game, Random(chosen))  # noqa: S311


def untouched(
    name: str, players: int | None = None, edition: str | None = None
) -> tuple[str, Position]:
    """Begin a game of which nothing is known: tiles in a bag, wall tiles face down."""
    game = _game(name, players, edition)
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
) -> tuple[str, Position]:
    """Begin a game; the arguments are those of the functions above.

    Returns:
        A title, and the position.

    Raises:
        QuestionError: there is no such game, player or edition; a seed and ``unknown`` exclude
            each other.

    """
    if unknown and seed is not None:
        raise QuestionError("--seed and --unknown exclude each other")
    if unknown:
        title, position = untouched(name, players, edition)
    else:
        title, position = shuffled(name, seed, players, edition)
    return title, with_first(position, first)
