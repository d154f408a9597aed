"""Learn the value that judges cut playouts, from games of the policy with itself.

    python -m benchmarks.learn_values --count 6000 --seed 1 --write

The outlook of the policy misses the final leads; the weights are fitted to what it misses, by
ridge regression over all positions of all games, for each game and number of players. Some moves
are random, so that strange positions are seen too. A tenth of the games tells how much of the
spread of final leads is explained.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253 -- arrays for the kernel

from benchmarks.lessons import lesson
from benchmarks.measuring import add_workers, chosen_workers
from burgrave.model.files.games import shipped_game
from burgrave.model.registry import BASES, GAMES, split
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.playouts import DESK
from burgrave.solver.kernel.records import record
from burgrave.solver.pool import Pool
from burgrave.solver.search.playouts import LOOKED_AT, LOOKS
from burgrave.solver.simulation.policy import weights
from burgrave.solver.simulation.values import POWERS, powers, read_values, seen
from burgrave.solver.workers.tasks import ordered

FILE = Path(__file__).parents[1] / "solver" / "simulation" / "values.json"
RANDOM = 60
"""Moves at random of 1000."""
SHRINK = 0.003
"""The ridge: the share of a column's mean square by which weights are drawn to 0."""
HELD_OUT = 10
"""One game of so many is not learned from."""
TOGETHER = 100
"""Games whose rows are multiplied at once."""


class Fit(NamedTuple):
    """Learned weights."""

    coefficients: Any
    """Number, power → coefficient."""
    before: float
    """The share of the spread of final leads that the outlook explains, on games held out."""
    after: float
    """The same of the learned value."""


class Sums:
    """The sums of a regression."""

    def __init__(self, size: int) -> None:
        """Begin without a row."""
        self.squares = np.zeros((size, size))
        self.products = np.zeros(size)
        self.rows = 0

    def add(self, rows: Any, missed: Any) -> None:
        """Add rows with what the outlook misses in each."""
        self.squares += rows.T @ rows
        self.products += rows.T @ missed
        self.rows += len(rows)

    def solved(self) -> Any:
        """Return the coefficients."""
        ridge = SHRINK * np.diag(self.squares) + 1e-9 * self.rows
        return np.linalg.solve(self.squares + np.diag(ridge), self.products)


def fitted(name: str, players: int, games: int, seed: int, pool: Pool | None = None) -> Fit:
    """Return weights learned from games of so many players.

    Args:
        name: id of the game.
        players: how many play.
        games: how many games are played.
        seed: of all chance.
        pool: the workers that play; None for this process.

    """
    game = shipped_game(name, players=players)
    numbers = sum(size for _, size in seen(game.id))
    sums, by_left = Sums(numbers * POWERS), powers()
    kept: list[tuple[Any, Any, Any]] = []
    held: list[tuple[Any, Any, Any]] = []
    seeds = range(seed * 1_000_003, seed * 1_000_003 + games)
    for index, done in enumerate(ordered(partial(_played, game, players, numbers), seeds, pool)):
        (held if index % HELD_OUT == 0 else kept).append(done.result())
        if len(kept) == TOGETHER or index == games - 1:
            rows, missed, _ = (np.concatenate(part) for part in zip(*kept, strict=True))
            sums.add(_spread_out(rows, by_left), missed)
            kept = []
    coefficients = sums.solved()
    rows, missed, leads = (np.concatenate(part) for part in zip(*held, strict=True))
    left_over = missed - _spread_out(rows, by_left) @ coefficients
    spread = float(leads @ leads)
    return Fit(
        coefficients.reshape(numbers, POWERS),
        1 - float(missed @ missed) / spread,
        1 - float(left_over @ left_over) / spread,
    )


def _spread_out(rows: Any, by_left: Any) -> Any:
    """Return rows of numbers times the powers of their tiles left; the last column has those."""
    times = by_left[rows[:, -1].astype(int)]
    return (rows[:, :-1, None] * times[:, None, :]).reshape(len(rows), -1)


def _played(game: Any, players: int, numbers: int, seed: int) -> tuple[Any, Any, Any]:
    """Return the rows of a game, what the outlook misses of the final lead in each, and that lead.

    A row has the numbers of a player less the mean of the others', and the tiles left. Of two
    players one is enough.
    """
    position = new_position(game, random.Random(seed))
    opened = Opened(position)
    tiles = np.array([opened.kind(tile) for tile in position.order])
    size = tiles.size
    facts, hopes = np.zeros((size, players, numbers)), np.zeros((size, players))
    lesson(
        opened.state,
        opened.tables,
        tiles,
        seed % ((1 << 32) - 1) + 1,
        RANDOM,
        LOOKS,
        np.array(LOOKED_AT[-1][1], np.int64),
        weights(game.id),
        record(DESK),
        facts,
        hopes,
    )
    share = np.eye(players) - (1 - np.eye(players)) / (players - 1)
    share = share[: 1 if players == 2 else players]
    leads = np.einsum("pq,iq->ip", share, hopes)
    missed = leads[-1] - leads[:-1]
    rows = np.einsum("pq,iqn->ipn", share, facts[:-1]).reshape(-1, numbers)
    left = np.repeat(np.arange(size - 1, 0, -1), len(share))
    final = np.broadcast_to(leads[-1], missed.shape).ravel()
    return np.column_stack((rows, left)), missed.ravel(), final


def _lines(found: dict[str, dict[str, Any]]) -> str:
    """Return weights as JSON, a line for each game and number of players."""
    games = (
        f'"{game}": {{\n'
        + ",\n".join(f' "{number}": {json.dumps(rows)}' for number, rows in weights_of.items())
        + "\n}"
        for game, weights_of in found.items()
    )
    head = '{\n"burgrave": 1,\n"type": "values",\n"games": {\n'
    return head + ",\n".join(games) + "\n}\n}\n"


def main() -> None:
    """Learn, print how much is explained, and write the file."""
    parser = argparse.ArgumentParser(description="Learn the value that judges cut playouts.")
    parser.add_argument("games", nargs="*", default=[*GAMES], choices=[*GAMES], metavar="GAME")
    parser.add_argument("--count", type=int, default=6000, help="games for two players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="keep the weights in values.json")
    add_workers(parser)
    options = parser.parse_args()
    with chosen_workers(options) as pool:
        learn(options, pool)


def learn(options: argparse.Namespace, pool: Pool | None) -> None:
    """Learn from the games of some workers."""
    found = read_values(FILE.name, FILE.read_text(encoding="utf-8"))
    for name in options.games:
        for players in range(2, len(BASES[split(name)[0]].players) + 1):
            begun = time.perf_counter()
            fit = fitted(name, players, options.count, options.seed, pool)
            rows, at = {}, 0
            for number, size in seen(name):
                part = fit.coefficients[at : at + size]
                rows[number] = [[round(float(one), 4) for one in row] for row in part]
                at += size
            found.setdefault(name, {})[str(players)] = rows
            print(
                f"{name}, {players} players, {options.count} games: explained {fit.before:.3f}"
                f" before, {fit.after:.3f} after; {time.perf_counter() - begun:.0f} s",
                flush=True,
            )
            if options.write:
                FILE.write_text(_lines(found), encoding="utf-8")


if __name__ == "__main__":
    # Workers of a cluster know the functions by the name of this module.
    from benchmarks.learn_values import main as run

    run()
