"""Compare the engines move by move on random positions: legality, points, order, best moves.

    python -m benchmarks.agreement --positions 300 --seed 1
    python -m benchmarks.agreement --positions 300 --seed 1 --plane

Positions have wall tiles 1 to 3 in hand, markers near corner towers and random switches. With
``--plane`` they are those of Carcassonne, most with The Tower, under all profiles and switches.
Brute force is slow and may be left out for most of them. Prints a table; exit code 1 if
anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict

from model.files.positions import write_position
from model.position import Position
from model.switches import WALL_OWN_TURN_ONLY
from solver.cpsat.engine import CpsatEngine
from solver.engines import Lister
from solver.problem import Goal
from solver.questions import best, turn_problem
from solver.result import ScoredMove
from solver.search.turns import ReferenceEngine, StateEngine
from tests.planes import PROFILES, rich_plane
from tests.solver.brute import BruteEngine
from tests.solver.positions import rich_falcon_position, rich_position


def listed(engine: Lister, position: Position) -> tuple[list[ScoredMove], float]:
    """Return every legal move of every draw, and the seconds it took."""
    started = time.perf_counter()
    found: list[ScoredMove] = []
    for draw in engine.draws(position):
        problem = turn_problem(position, draw)
        found += engine.moves(problem) or ()
    return found, time.perf_counter() - started


def best_differs(position: Position, found: list[ScoredMove], goal: Goal) -> bool:
    """Tell whether the proved optimum is not the maximum of the reference's list."""
    tile = found[0].move.tile
    mine = [one for one in found if one.move.tile == tile]
    worth = [turn_problem(position, None, goal=goal).worth(*one.points) for one in mine]
    answer = best(position, tile=tile, goal=goal)
    expected = [one.move for one, value in zip(mine, worth, strict=True) if value == max(worth)]
    return answer.value != max(worth) or [choice.move for choice in answer.first] != expected


def compare(position: Position, engines: list[Lister]) -> tuple[list[str], dict[str, float], int]:
    """Return which comparisons failed, seconds by engine, and the number of legal moves."""
    seconds: dict[str, float] = {}
    expected, seconds["reference"] = listed(ReferenceEngine(), position)
    wrong = []
    for engine in engines:
        found, seconds[engine.name] = listed(engine, position)
        if found != expected:
            wrong.append(f"{engine.name} list")
    # With the switch off the lead of a turn is not the mover's alone, and is refused.
    plane = position.game.board.endless
    own_turn = plane or position.game.value(WALL_OWN_TURN_ONLY) == "on"
    for goal in (Goal.POINTS, Goal.LEAD) if own_turn else (Goal.POINTS,):
        started = time.perf_counter()
        if expected[0].move.tile is not None and best_differs(position, expected, goal):
            wrong.append(f"best by {goal}")
        seconds[f"best by {goal}"] = time.perf_counter() - started
    return wrong, seconds, len(expected)


def main() -> int:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description="Compare the engines on random positions.")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--falcon", action="store_true", help="positions of The Falcon")
    parser.add_argument("--brute-every", type=int, default=5, help="0: brute force never")
    parser.add_argument("--plane", action="store_true", help="Carcassonne and The Tower")
    options = parser.parse_args()
    total: defaultdict[str, float] = defaultdict(float)
    runs: Counter[str] = Counter()
    longest: defaultdict[str, float] = defaultdict(float)
    mismatches = moves = 0
    for index in range(options.positions):
        seed = options.seed * 1_000_000 + index
        position = rich_falcon_position(seed) if options.falcon else rich_position(seed)
        if options.plane:
            position = rich_plane(seed, PROFILES[index % len(PROFILES)])
        engines: list[Lister] = [CpsatEngine(), StateEngine()]
        if options.brute_every and index % options.brute_every == 0 and not options.plane:
            engines.append(BruteEngine())
        wrong, seconds, count = compare(position, engines)
        moves += count
        runs.update(seconds.keys())
        for name, spent in seconds.items():
            total[name] += spent
            longest[name] = max(longest[name], spent)
        if wrong:
            mismatches += 1
            print(f"seed {seed}: {', '.join(wrong)}\n{write_position(position)}", file=sys.stderr)
    print(f"{options.positions} positions, {moves} legal moves, {mismatches} mismatches")
    print(f"{'engine':<16}{'positions':>10}{'s mean':>10}{'s longest':>11}")
    for name, spent in total.items():
        print(f"{name:<16}{runs[name]:>10}{spent / runs[name]:>10.3f}{longest[name]:>11.3f}")
    return int(mismatches > 0)


if __name__ == "__main__":
    sys.exit(main())
