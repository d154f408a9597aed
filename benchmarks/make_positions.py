"""Make the frozen endings of the benchmark from games of self-play.

    python -m benchmarks.make_positions benchmarks/positions
    python -m benchmarks.make_positions benchmarks/positions --game castle+falcon

Players who spend every follower leave endings without a decision; these keep some back. Each
ending comes from a game of its own. Published figures refer to the files in
``benchmarks/positions``. So they never change, even if a change in the players would make others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

from burgrave.model.files.games import shipped_game
from burgrave.model.files.paths import write_whole
from burgrave.model.files.positions import position_data
from burgrave.model.files.toml import FORMAT, to_toml
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.registry import CASTLE
from burgrave.puzzles.selfplay.games import new_position, play_game
from burgrave.puzzles.selfplay.players import Sensible, anew

ENDINGS = {
    CASTLE: {2: 3, 3: 4, 4: 4, 5: 5, 6: 5, 7: 4, 8: 3, 9: 9},
    "castle+falcon": {2: 3, 3: 3, 4: 3},
}
"""Number of endings, by game and the tiles left."""
PREFIX = {CASTLE: "k", "castle+falcon": "falcon-k"}
"""The prefixes of the files' names."""
RESERVES = (2, 3)
"""Followers that the players keep back, in turn from game to game."""
LOOSENESS = (0.2, 0.3, 0.4)
"""Probability that a move is any of the five best, in turn from game to game."""
AT_HAND = 4
"""Followers in supply of both together at least, and each has one."""


def player(seed: int) -> Sensible:
    """Return the player who plays both sides of a game."""
    return Sensible(
        reserve=RESERVES[seed % len(RESERVES)], looseness=LOOSENESS[seed % len(LOOSENESS)]
    )


def ending(game: Game, seed: int, tiles: int) -> Position | None:
    """Return the position of a game with this number of tiles left, if it has a choice.

    Args:
        game: The Castle, with or without The Falcon.
        seed: of the game.
        tiles: to be drawn from the position on.

    Returns:
        The position; None if the game has none with large supplies, kings, falconers and a wall
        tile on a corner tower.

    """
    rng = Random(seed)
    both = anew(player(seed))
    for position, _ in play_game(new_position(game, rng), (both, both), rng):
        supplies = [state.supply for state in position.players]
        if len(position.order) == tiles:
            rich = min(supplies) > 0 and sum(supplies) >= AT_HAND and position.towers
            ranks = [rank for state in position.players for rank in state.specials]
            return position if rich and (ranks or not game.specials) else None
    return None


def endings(game: Game, first_seed: int) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file.

    Args:
        game: The Castle, with or without The Falcon.
        first_seed: of the first game; those that have no ending of use are passed over.

    """
    seeds = count(first_seed)
    for tiles, wanted in ENDINGS[game.id].items():
        for number in range(1, wanted + 1):
            seed, position = next(
                (seed, found) for seed in seeds if (found := ending(game, seed, tiles)) is not None
            )
            yield f"{PREFIX[game.id]}{tiles}-{number}", text(seed, position)


def text(seed: int, position: Position) -> str:
    """Return the file of a position, with the game it comes from."""
    both = player(seed)
    name = position.game.name(position.to_move)
    head = {
        "burgrave": FORMAT,
        "type": "position",
        "title": f"{len(position.order)} tiles left, {name} to lay {position.order[0]}",
        "note": f"From a game of self-play, seed {seed}; both players keep {both.reserve} followers"
        f" back and pick any of their {both.few} best moves with probability {both.looseness}.",
    }
    return to_toml(head | position_data(position))


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Make the frozen endings of the benchmark.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1000, help="seed of the first game")
    parser.add_argument("--game", choices=list(ENDINGS), default=CASTLE)
    options = parser.parse_args()
    game = shipped_game(options.game)
    for name, content in endings(game, options.seed):
        write_whole(options.folder / f"{name}.toml", content)
        print(name)


if __name__ == "__main__":
    main()
