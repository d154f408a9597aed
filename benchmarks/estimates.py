"""Compare estimates with exact values on late positions of games of the policy against itself.

    python -m benchmarks.estimates carcassonne --games 40 --playouts 2000

From each game come positions with 1 to 4 tiles to come, the next one known, the others in the bag.
A search gives the exact value of each first move. By tiles to come it prints the mean error of the
estimated values with its standard error. It prints the standard deviation of the errors beyond
that of the playouts. Last comes the share of the intervals of 95 % that hold the exact value.
Below stands the allowance with which 95 % of them would: ``mistakes`` in
``solver/estimates/policy.toml`` comes from it, and is then checked with another seed.

With ``--agree N`` the first moves of estimates with N tiles to come are compared with those of 50
times as many playouts instead.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np  # noqa: TID253 -- arrays for the kernel

from benchmarks.work import GAMES
from model.draws import as_seen
from model.engine import play
from model.errors import QuestionError
from model.position import Position
from puzzles.selfplay.games import new_position
from solver.estimates import policy
from solver.estimates.means import CONFIDENT
from solver.estimates.runs import ROOM
from solver.kernel import game as kernel
from solver.kernel.codec import Opened
from solver.kernel.playouts import judge
from solver.kernel.records import PLAYERS
from solver.limits import Limits
from solver.questions import evaluate, expected
from solver.result import Status

MOST = 4
"""Tiles to come at most."""
NODES = 3_000_000
"""Turns of a search; what needs more is left out."""
HELD = 0.95
"""Share of the intervals that should hold the exact value."""
MORE = 50
"""By how much more playouts are the reference for first moves."""
NATURAL = 0.85
"""The chance that the best turn is played; else it is one of the better half."""


class Row(NamedTuple):
    """An estimate beside the exact value."""

    tiles: int
    """Tiles to come."""
    error: float
    """The estimate less the exact value, in points."""
    of_playouts: float
    """The standard error of the playouts."""
    held: bool
    """Whether the interval holds the exact value."""


def ends(name: str, seed: int, most: int = MOST) -> Iterator[Position]:
    """Yield the last positions of a game that the policy plays against itself, as players see them.

    Args:
        name: of the game, as in ``benchmarks.work``.
        seed: of all chance.
        most: tiles to come at most.

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
        if len(position.order) <= most:
            yield as_seen(position)
        position = play(position, move).position


def compared(position: Position, playouts: int, seed: int) -> Row | None:
    """Return the comparison of a position.

    None if no exact value is known, or one move alone is legal.
    """
    try:
        exact = expected(position, budget=Limits(nodes=NODES))
    except QuestionError:
        return None
    if exact.status is not Status.OPTIMAL or exact.value is None:
        return None
    found = evaluate(position, playouts=playouts, seed=seed, prove=False)
    if not found.moves:
        return None
    error = found.value - float(exact.value)
    besides = policy.mistakes(position.game.id, found.tiles - 1)
    half = (found.high - found.low) / 2
    of_playouts = sqrt(max(0.0, (half / CONFIDENT) ** 2 - besides**2))
    return Row(found.tiles, error, of_playouts, found.low <= float(exact.value) <= found.high)


def allowance(rows: Iterable[Row]) -> float:
    """Return the standard error for each root of a tile left with which 95 % of intervals hold."""
    wanted = sorted(
        sqrt(max(0.0, (row.error / CONFIDENT) ** 2 - row.of_playouts**2) / (row.tiles - 1))
        for row in rows
        if row.tiles > 1
    )
    return wanted[min(len(wanted) - 1, int(HELD * len(wanted)))]


def agreement(name: str, tiles: int, games: int, playouts: int, seed: int) -> tuple[int, float]:
    """Return how often an estimate and one of 50 times as many playouts name the same first move.

    Returns:
        The number of games in which they do, and the mean loss of the others by the larger one.

    """
    same, lost = 0, []
    for index in range(games):
        position = next(ends(name, seed * 1000 + index, tiles))
        found = evaluate(position, playouts=playouts, seed=index + 1, prove=False)
        first = found.moves[0].move
        best = evaluate(
            position, playouts=MORE * playouts, seed=index + 500, prove=False, played=first
        )
        same += best.moves[0].move == first
        if best.moves[0].move != first and best.loss is not None:
            lost.append(best.loss.points)
    return same, statistics.fmean(lost) if lost else 0.0


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description="Compare estimates with exact values.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agree", type=int, metavar="TILES", help="compare first moves instead")
    options = parser.parse_args()
    if options.agree:
        same, lost = agreement(
            options.game, options.agree, options.games, options.playouts, options.seed
        )
        print(f"same first move: {same} of {options.games}; the others lose {lost:.2f} points")
        return
    rows: dict[int, list[Row]] = defaultdict(list)
    for index in range(options.games):
        for position in ends(options.game, options.seed * 1000 + index):
            if (row := compared(position, options.playouts, index + 1)) is not None:
                rows[row.tiles].append(row)
        print(f"{index + 1} games", end="\r", file=sys.stderr)
    print(f"{'tiles':>5}{'positions':>11}{'error':>8}{'±':>7}{'beyond':>8}{'held':>7}")
    for tiles, found in sorted(rows.items()):
        errors = [row.error for row in found]
        playouts = statistics.fmean(row.of_playouts**2 for row in found)
        spread = statistics.pvariance(errors)
        print(
            f"{tiles:>5}{len(found):>11}{statistics.fmean(errors):>+8.2f}"
            f"{sqrt(spread / len(found)):>7.2f}{sqrt(max(0.0, spread - playouts)):>8.2f}"
            f"{statistics.fmean(row.held for row in found):>7.1%}"
        )
    every = [row for found in rows.values() for row in found]
    held = statistics.fmean(row.held for row in every)
    print(
        f"{len(every)} positions, error {statistics.fmean(row.error for row in every):+.2f}, held"
        f" {held:.1%}; allowance for {HELD:.0%}: {allowance(every):.2f}"
    )


if __name__ == "__main__":
    main()
