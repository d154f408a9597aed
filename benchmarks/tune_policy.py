"""Tune the policy of the playouts by self-play, or measure it against the greedy one.

    python -m benchmarks.tune_policy carcassonne --steps 200 --seed 1 > better.toml
    python -m benchmarks.tune_policy carcassonne --measure 1000

A step changes a few numbers by chance. Both policies then play the same games, once on either
side; the change is kept if it wins clearly more points than it loses. Greedy is the policy with all
weights 0: it takes the turn that leads by most if the game ended now. Needs some processor time:
a step of 200 games of Carcassonne takes half a second.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from dataclasses import dataclass
from math import exp, log10, sqrt
from typing import Any

import numpy as np  # noqa: TID253 -- arrays for the kernel

from benchmarks.measuring import until_stopped
from benchmarks.work import GAMES
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.playouts import DESK, WHOLE, playouts
from burgrave.solver.kernel.records import record
from burgrave.solver.simulation.policy import parameters, rows, weights

ALL = 1 << 15
"""Turns compared: all."""
CLEARLY = 1.3
"""Standard errors by which a change must be better."""


@dataclass(frozen=True, slots=True)
class Match:
    """The results of a policy against another.

    Attributes:
        leads: its lead at the end of each game.

    """

    leads: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of games that it won, a draw counted half."""
        return statistics.fmean((lead > 0) + 0.5 * (lead == 0) for lead in self.leads)

    @property
    def mean(self) -> float:
        """Its mean lead, in points."""
        return statistics.fmean(self.leads)

    @property
    def error(self) -> float:
        """The standard error of the mean, games with the same tiles taken together."""
        pairs = [sum(pair) / 2 for pair in zip(self.leads[::2], self.leads[1::2], strict=True)]
        return statistics.stdev(pairs) / sqrt(len(pairs))


def match(name: str, one: Any, other: Any, games: int, seed: int) -> Match:
    """Let two policies play pairs of games with the same tiles.

    Args:
        name: of the game, as in ``benchmarks.work``.
        one: weights of the policy that is measured.
        other: those of its opponent.
        games: how many pairs.
        seed: of the tiles.

    """
    desk, points, none = record(DESK), np.zeros((1, 6)), np.zeros((1, 1))
    game, tries = GAMES[name](), np.array([ALL, ALL])
    leads = []
    for index in range(games):
        opened = Opened(new_position(game, random.Random(seed * 1_000_003 + index)))
        order = np.array([opened.kind(tile) for tile in opened.position.order])
        for seat in range(2):
            playouts(
                opened.state,
                opened.tables,
                order,
                order.size,
                order[None].copy(),
                np.array([index + 1]),
                tries,
                np.zeros(2, np.int64),
                np.stack((one, other) if seat == 0 else (other, one)),
                WHOLE,
                none,
                desk,
                points,
            )
            leads.append(int(points[0, seat] - points[0, 1 - seat]))
    return Match(tuple(leads))


def tuned(name: str, steps: int, games: int, seed: int) -> dict[str, float]:
    """Return better numbers for a game, found until Ctrl-C; print each change kept to stderr."""
    rng, game = random.Random(seed), GAMES[name]().id
    best = dict(parameters()[game])
    with until_stopped():
        for step in range(steps):
            changed = dict(best)
            for key in rng.sample(sorted(best), rng.choice((1, 2, 3))):
                changed[key] = round(best[key] * exp(rng.gauss(0, 0.5)) + rng.gauss(0, 0.1), 3)
            both = rows(game, changed), rows(game, best)
            played = match(name, *both, games, seed * 1000 + step)
            if played.mean > CLEARLY * played.error:
                # What was lucky once must be better again, with other tiles.
                played = match(name, *both, 2 * games, seed * 1000 + step + 500_000)
                if played.mean > CLEARLY * played.error:
                    best = changed
                    print(f"{step}: {played.mean:+.2f} ± {played.error:.2f}", file=sys.stderr)
    return best


def main() -> None:
    """Tune or measure, and print."""
    parser = argparse.ArgumentParser(description="Tune or measure the policy of the playouts.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--games", type=int, default=100, help="pairs of games a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", type=int, help="play so many games against greedy instead")
    options = parser.parse_args()
    game = GAMES[options.game]().id
    if options.measure:
        mine = weights(game)
        played = match(options.game, mine, 0 * mine, options.measure // 2, options.seed)
        share = min(max(played.share, 0.001), 0.999)
        elo, error = 400 * log10(share / (1 - share)), played.error
        print(f"wins {share:.3f} (Elo {elo:+.0f}), lead {played.mean:+.2f} ± {1.96 * error:.2f}")
        return
    best = tuned(options.game, options.steps, options.games, options.seed)
    print(f'["{game}"]')
    for key, value in best.items():
        print(f"{key} = {value}")


if __name__ == "__main__":
    main()
