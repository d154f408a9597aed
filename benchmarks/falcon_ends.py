"""Compare final scoring of random finished games of The Falcon in three ways.

    python -m benchmarks.falcon_ends --games 5000 --seed 1
    python -m benchmarks.falcon_ends --games 1500 --seed 1 --switches

The reference, the kernel and a plain reading of the rules (``tests.falcon_end``) must find the
same scores. Reference and plain reading must also find the same lead in tokens for the same wall
tiles. Games are whole random games in small halls with gates, chapels and aeries;
``--switches`` changes switches too. Print the counts, also when it is stopped early by Ctrl-C, by
``timeout`` or after ``--time`` seconds; exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import NamedTuple

from benchmarks.measuring import require_means, until_stopped
from burgrave.model.expansions.falcon.switches import FALCON_SWITCHES
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.model.switches import CASTLE_SWITCHES, ENCLOSED_HOLE_BLOCKS
from burgrave.solver.engines import ONLY_BY
from burgrave.solver.simulation.walk import Walk
from tests.falcon_end import FalconEnd
from tests.strategies import falcon_hall_game, falcon_opening, named, walk

SIZES = ((3, 3), (4, 3), (3, 2))
"""Columns and rows of the halls."""
ALL = (*CASTLE_SWITCHES, *FALCON_SWITCHES)


class Compared(NamedTuple):
    """Three ways to end a game, side by side."""

    wrong: tuple[str, ...]
    """The differences in words; empty if there are none."""
    leads: frozenset[int]
    """Leads in tokens with which the game may end if both choose as well as they can."""


def finished(seed: int, *, switches: bool = False) -> Position:
    """Return the end of a random game in a small hall.

    Args:
        seed: the seed of the random game.
        switches: whether some switches are changed.

    """
    rng = random.Random(seed)
    changed = {}
    if switches:
        # The plain reading knows when a feature is complete by the default alone.
        foreign = {name for name, _ in ONLY_BY} | {ENCLOSED_HOLE_BLOCKS.name}
        known = [switch for switch in ALL if switch.name not in foreign]
        changed = {one.name: rng.choice(one.values) for one in known if rng.random() < 0.4}
    game = falcon_hall_game(rng, changed, rng.choice(SIZES), rich=rng.random() < 0.4)
    at = falcon_opening(game, rng)
    for step in walk(at, rng):
        at = step.played.position
    return named(at)


def compared(at: Position) -> Compared:
    """Compare the ends of a finished game.

    Args:
        at: a position with no tile left and every wall tile in hand named.

    """
    plain, reference = FalconEnd(at), final_scoring(at)
    best, told = plain.best(), plain.told(reference.uses)
    leads = frozenset(plain.leads_in_tokens(best.scores))
    lead = reference.tokens[0] - reference.tokens[1]
    wrong = []
    if (found := Walk(at).totals()) != reference.scores:
        wrong.append(f"kernel {found}, reference {reference.scores}")
    if best.scores != reference.scores:
        wrong.append(f"plain reading {best.scores}, reference {reference.scores}")
    if told != (reference.scores, lead):
        wrong.append(f"{reference.uses}: plain {told}, reference {(reference.scores, lead)}")
    if lead not in leads:
        wrong.append(f"lead in tokens {lead}, by the plain reading one of {set(leads)}")
    return Compared(tuple(wrong), leads)


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description="Compare final scoring of The Falcon.")
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--switches", action="store_true", help="change switches")
    parser.add_argument("--time", type=float, help="stop after so many seconds")
    options = parser.parse_args()
    require_means()
    first, count = options.seed * 1_000_000, Counter[str]()
    with until_stopped(options.time):
        for seed in range(first, first + options.games):
            result = compared(finished(seed, switches=options.switches))
            count["games"] += 1
            count["differ"] += bool(result.wrong)
            count["several leads in tokens"] += len(result.leads) > 1
            for words in result.wrong:
                print(f"{seed}: {words}", file=sys.stderr)
            if seed % 100 == 0:
                print(f"{seed - first} of {options.games}", end="\r", file=sys.stderr, flush=True)
    print(
        f"{count['games']} finished games: {count['differ']} differ, in"
        f" {count['several leads in tokens']} choices as good bring other tokens"
    )
    return int(count["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
