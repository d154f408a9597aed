"""Compare estimates with exact values on late positions of games of the policy against itself.

    python -m benchmarks.estimates carcassonne --games 40 --playouts 2000

From each game come positions with 1 to 4 tiles to come, the next one known, the others in the bag.
A search gives the exact value of each first move. By tiles to come it prints the mean error of the
estimated values with its standard error. It prints the standard deviation of the errors beyond
that of the playouts. Last comes the share of the intervals of 95 % that hold the exact value.
``mistakes`` in ``solver/estimates/policy.toml`` comes from these figures.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import defaultdict
from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np  # noqa: TID253 -- arrays for the kernel

from benchmarks.work import GAMES
from model.draws import as_seen
from model.engine import play
from model.position import Position
from puzzles.selfplay.games import new_position
from solver.estimates import policy
from solver.estimates.means import CONFIDENT
from solver.estimates.runs import ROOM
from solver.kernel import game as kernel
from solver.kernel.codec import Opened
from solver.kernel.job import PLAYERS
from solver.kernel.playouts import judge
from solver.limits import Limits
from solver.questions import evaluate, expected
from solver.result import Status

MOST = 4
"""Tiles to come at most."""
NODES = 3_000_000
"""Turns of a search; what needs more is left out."""
NATURAL = 0.85
"""The chance that the best turn is played; else it is one of the better half."""


def ends(name: str, seed: int) -> Iterator[Position]:
    """Yield the last positions of a game that the policy plays against itself, as players see them.

    Args:
        name: of the game, as in ``benchmarks.work``.
        seed: of all chance.

    """
    rng = random.Random(seed)
    position = new_position(GAMES[name](), rng)
    opened = Opened(position)
    state, tables, order = opened.state, opened.tables, position.order
    weights = policy.weights(position.game.id)
    out, hints = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    points, hope = np.zeros(PLAYERS, np.int64), np.zeros(PLAYERS)
    moves, gone = [], []
    for at, tile in enumerate(order):
        left = len(order) - 1 - at
        end = kernel.turns(state, tables, opened.kind(tile), left == 0, False, out, hints, 0)
        if end == 0:
            gone.append(tile)
            continue
        mover = kernel.mover(state)
        values = {
            int(turn): judge(state, tables, int(turn), left, mover, weights, points, hope)
            for turn in out[:end]
        }
        best = sorted(values, key=lambda turn: -values[turn])
        chosen = best[0] if rng.random() < NATURAL else rng.choice(best[: (end + 1) // 2])
        moves.append(opened.move(state, chosen, tuple(gone)))
        gone = []
        kernel.play(state, tables, chosen, left == 0)
    for move in moves:
        if len(position.order) <= MOST:
            yield as_seen(position)
        position = play(position, move).position


def compared(position: Position, playouts: int, seed: int) -> tuple[int, float, float, bool] | None:
    """Return tiles to come, error, standard error of the playouts, whether the interval holds.

    None if no exact value is known, or one move alone is legal.
    """
    exact = expected(position, budget=Limits(nodes=NODES))
    if exact.status is not Status.OPTIMAL or exact.value is None:
        return None
    found = evaluate(position, playouts=playouts, seed=seed, prove=False)
    if not found.moves:
        return None
    error = found.value - float(exact.value)
    besides = policy.mistakes(position.game.id, found.tiles - 1)
    half = (found.high - found.low) / 2
    of_playouts = sqrt(max(0.0, (half / CONFIDENT) ** 2 - besides**2))
    return found.tiles, error, of_playouts, found.low <= float(exact.value) <= found.high


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description="Compare estimates with exact values.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows: dict[int, list[Any]] = defaultdict(list)
    for index in range(options.games):
        for position in ends(options.game, options.seed * 1000 + index):
            if (row := compared(position, options.playouts, index + 1)) is not None:
                rows[row[0]].append(row)
    print(f"{'tiles':>5}{'positions':>11}{'error':>8}{'±':>7}{'beyond':>8}{'held':>7}")
    for tiles, found in sorted(rows.items()):
        errors = [row[1] for row in found]
        playouts = statistics.fmean(row[2] ** 2 for row in found)
        spread = statistics.pvariance(errors)
        print(
            f"{tiles:>5}{len(found):>11}{statistics.fmean(errors):>+8.2f}"
            f"{sqrt(spread / len(found)):>7.2f}{sqrt(max(0.0, spread - playouts)):>8.2f}"
            f"{statistics.fmean(row[3] for row in found):>7.1%}"
        )


if __name__ == "__main__":
    main()
