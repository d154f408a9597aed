"""Make the frozen endings of Carcassonne from games of self-play.

    python -m benchmarks.make_planes benchmarks/positions
    python -m benchmarks.make_planes benchmarks/positions --tiles 4 --seed 3000

Both players take what changes final scoring most for the better and keep followers back, so that
the ending has decisions. Each ending comes from a game of its own: two players, the base game,
three or four tiles of different kinds left in unknown order. Published figures refer to these
files. So they never change, even if a change in the players would make others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random

from burgrave.model.engine import play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.paths import write_whole
from burgrave.model.files.positions import position_data
from burgrave.model.files.toml import FORMAT, to_toml
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.simulation.walk import Walk

ENDINGS = {3: 12, 4: 4}
"""Tiles left in the bag → endings."""
FEW = 6
"""Best moves among which a player may pick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saver:
    """A player with one turn of foresight who saves followers."""

    reserve: int
    """Followers that he keeps, unless one comes home at once."""
    looseness: float
    """Probability with which he picks any of his best moves."""

    def move(self, position: Position, rng: Random) -> Move | None:
        """Pick a move; None if the next tile has no place."""
        mover, walk = position.to_move, Walk(position)
        found = []
        for turn in walk.turns(position.order[0], last=False):
            move = walk.move(turn)
            walk.play(turn, last=False)
            totals = walk.totals()
            walk.undo()
            change = 2 * totals[mover] - sum(totals)
            found.append((change - self._cost(position, move) + rng.random(), move))
        if not found:
            return None
        found.sort(key=lambda pair: -pair[0])
        return rng.choice(found[:FEW])[1] if rng.random() < self.looseness else found[0][1]

    def _cost(self, position: Position, move: Move) -> float:
        """Return the cost of the follower of a move, in points."""
        if not move.followers:
            return 0.0
        before = position.players[position.to_move].supply
        after = play(position, move).position.players[position.to_move].supply
        if after >= before:
            return 0.0
        return 0.5 if before > self.reserve else 100.0


def ending(seed: int, tiles: int) -> Position | None:
    """Return the position of a game with its last tiles left.

    Args:
        seed: of the game.
        tiles: how many.

    Returns:
        The position; None if two of the tiles are equal, or the supplies are small.

    """
    rng = Random(seed)
    saver = player(seed)
    position = new_position(shipped_game("carcassonne"), rng)
    while len(position.order) > tiles:
        move = saver.move(position, rng)
        if move is None:
            return None
        position = play(position, move).position
    supply = min(state.supply for state in position.players)
    if len(set(position.order)) < tiles or supply < saver.reserve:
        return None
    return replace(position, order=(), bag=tuple(sorted(position.order)))


def player(seed: int) -> Saver:
    """Return the player who plays both sides of a game."""
    return Saver(reserve=2 + seed % 2, looseness=(0.2, 0.3, 0.4)[seed % 3])


def endings(first_seed: int, tiles: int) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file, of games with seeds from one on."""
    seeds = count(first_seed)
    for number in range(1, ENDINGS[tiles] + 1):
        seed, position = next(
            (seed, found) for seed in seeds if (found := ending(seed, tiles)) is not None
        )
        saver = player(seed)
        head = {
            "burgrave": FORMAT,
            "type": "position",
            "title": f"Carcassonne, {tiles} tiles left in the bag: {', '.join(position.bag)}",
            "note": f"From a game of self-play, seed {seed}; both players keep {saver.reserve}"
            f" followers back and pick any of their {FEW} best moves with probability"
            f" {saver.looseness}.",
        }
        yield (
            f"plane{'' if tiles == 3 else tiles}-{number:02}",
            to_toml(head | position_data(position)),
        )


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Make the frozen endings of Carcassonne.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=2000, help="seed of the first game")
    parser.add_argument("--tiles", type=int, choices=ENDINGS, default=3, help="left in the bag")
    options_given = parser.parse_args()
    for name, content in endings(options_given.seed, options_given.tiles):
        write_whole(options_given.folder / f"{name}.toml", content)
        print(name)


if __name__ == "__main__":
    main()
