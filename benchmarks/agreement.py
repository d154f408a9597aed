"""Compare the engines move by move on random positions: legality, points, order, best moves.

    python -m benchmarks.agreement --positions 300 --seed 1
    python -m benchmarks.agreement --positions 300 --seed 1 --plane
    python -m benchmarks.agreement --positions 5000 --seed 1 --lists
    python -m benchmarks.agreement --games 200 --seed 1 --game castle+falcon
    python -m benchmarks.agreement --games 200 --seed 1 --rich

Positions have wall tiles 1 to 3 in hand, markers near corner towers and random switches. With
``--plane`` they are those of Carcassonne, most with The Tower, under all editions and switches, and
with ``--with inns`` those with Inns & Cathedrals too.
Brute force is slow and may be left out for most of them. ``--lists`` compares the lists of turns
alone, with one drawn tile each, and goes on from each position by random turns to as many more.
``--games`` plays whole games on the shipped tiles by rules and kernel at once: it compares all
turns, and totals and position after one of them by lot. Those of Carcassonne have 2 to 6 players in
turn, and every second one random switches. With ``--rich`` games in a castle begin with a random
position, its tiles and its switches.
Prints a table, also when it is stopped by Ctrl-C, by ``timeout`` or after ``--time`` seconds; exit
code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from benchmarks.measuring import require_means, until_stopped
from burgrave.model.book import book_of
from burgrave.model.engine import play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import write_position
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.registry import GAMES
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.model.switches import WALL_OWN_TURN_ONLY
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.cpsat.engine import CpsatEngine
from burgrave.solver.engines import REFERENCE, Lister
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, turn_problem
from burgrave.solver.result import ScoredMove
from burgrave.solver.search.turns import ReferenceEngine, StateEngine
from burgrave.solver.simulation import PLAYED_BY, table
from tests.planes import EDITIONS, OTHERS, rich_plane
from tests.solver.brute import BruteEngine
from tests.solver.positions import rich_falcon_position, rich_position
from tests.strategies import named


class Compared(NamedTuple):
    """What a comparison found."""

    wrong: list[str]
    """Which comparisons failed."""
    seconds: dict[str, float]
    """Time by engine."""
    moves: int
    """Number of legal moves."""


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


def compare(position: Position, engines: list[Lister]) -> Compared:
    """Compare all turns of a position, and the best of them."""
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
    return Compared(wrong, seconds, len(expected))


def compare_lists(position: Position, rng: random.Random) -> tuple[Compared, Position | None]:
    """Compare the turns with one tile that may be drawn, and play one of them.

    Returns:
        What `compare` returns, and the position after a turn by lot; None if the game is over.

    """
    seconds: dict[str, float] = {}
    lists: dict[str, list[ScoredMove]] = {}
    draw = rng.choice(list(ReferenceEngine().draws(position)))
    for engine in (ReferenceEngine(), CpsatEngine(), StateEngine()):
        started = time.perf_counter()
        lists[engine.name] = list(engine.moves(turn_problem(position, draw)) or ())
        seconds[engine.name] = time.perf_counter() - started
    expected = lists["reference"]
    wrong = [f"{name} list with {draw}" for name, found in lists.items() if found != expected]
    further = play(position, rng.choice(expected).move).position
    return Compared(wrong, seconds, len(expected)), None if further.over else further


def compare_game(position: Position, rng: random.Random) -> Iterator[tuple[Position, Compared]]:
    """Play a game by lot with rules and kernel at once, and compare both at each turn.

    Args:
        position: the first one, with all tiles in known order.
        rng: chooses the turns.

    Yields:
        Each position with the moves, the totals and the position after one of them compared.

    """
    games = {way: table(position, way) for way in PLAYED_BY}
    discards: tuple[str, ...] = ()
    for index, tile in enumerate(position.order):
        last, seconds, wrong = index == len(position.order) - 1, dict[str, float](), []
        turns, moves, ends = {}, {}, {}
        for way, game in games.items():
            started = time.perf_counter()
            turns[way] = list(game.turns(tile, last=last))
            moves[way] = [game.move(turn, discards) for turn in turns[way]]
            seconds[way] = time.perf_counter() - started
        number = len(moves[REFERENCE])
        if any(found != moves[REFERENCE] for found in moves.values()):
            wrong.append(f"moves of turn {index + 1}")
        if wrong or not number:
            yield position, Compared(wrong, seconds, number)
            discards = (*discards, tile)
            if wrong:
                return
            continue
        chosen, discards = rng.randrange(number), ()
        for way, game in games.items():
            game.play(turns[way][chosen], last=last)
            ends[way] = (game.totals(), game.position())
        if any(found != ends[REFERENCE] for found in ends.values()):
            wrong.append(f"totals or position after turn {index + 1}")
        yield position, Compared(wrong, seconds, number)
        position = ends[REFERENCE][1]


def known(position: Position, rng: random.Random) -> Position:
    """Return a position with its tiles in an order by lot and a number for each wall tile."""
    order, position = list(position.bag), named(position)
    left = list((+unseen(position)).elements())
    rng.shuffle(order)
    rng.shuffle(left)
    towers = tuple((name, number or left.pop()) for name, number in position.towers)
    return replace(position, order=(*position.order, *order), bag=(), towers=towers)


def some_game(name: str, index: int, rng: random.Random) -> Game:
    """Return the game of a number: of Carcassonne for some players, and some with switches."""
    if not shipped_game(name).board.endless:
        return shipped_game(name)
    most = book_of(shipped_game(name)).most_players
    game = shipped_game(name, players=2 + index % (most - 1))
    if index % 2 == 0:
        return game
    return game.with_switches({each.name: rng.choice(each.values) for each, _ in game.switches})


def comparisons(
    options: argparse.Namespace, seed: int, index: int
) -> Iterator[tuple[Position, Compared]]:
    """Compare on a random position, and with ``--lists`` on those after it."""
    rng = random.Random(seed)
    if options.games and not options.rich:
        yield from compare_game(new_position(some_game(options.game, index, rng), rng), rng)
        return
    position = rich_falcon_position(seed) if options.falcon else rich_position(seed)
    if options.games:
        yield from compare_game(known(position, rng), rng)
        return
    if options.plane:
        position = rich_plane(seed, EDITIONS[index % len(EDITIONS)], others=options.others)
    if not options.lists:
        engines: list[Lister] = [CpsatEngine(), StateEngine()]
        if options.brute_every and index % options.brute_every == 0 and not options.plane:
            engines.append(BruteEngine())
        yield position, compare(position, engines)
        return
    further: Position | None = position
    while further is not None:
        position = further
        found, further = compare_lists(position, rng)
        yield position, found


def main() -> int:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description="Compare the engines on random positions.")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--falcon", action="store_true", help="positions of The Falcon")
    parser.add_argument("--brute-every", type=int, default=5, help="0: brute force never")
    parser.add_argument("--plane", action="store_true", help="Carcassonne and The Tower")
    help_of = "with --plane: further expansions"
    parser.add_argument(
        "--with", dest="others", nargs="+", choices=OTHERS, default=(), help=help_of
    )
    parser.add_argument("--lists", action="store_true", help="only the lists, and game by game")
    parser.add_argument("--games", type=int, help="so many whole games on the shipped tiles")
    parser.add_argument("--rich", action="store_true", help="games from random positions")
    parser.add_argument("--time", type=float, help="stop after so many seconds")
    parser.add_argument("--game", choices=GAMES, default=GAMES[0], help="which, with --games")
    options = parser.parse_args()
    require_means()
    total: defaultdict[str, float] = defaultdict(float)
    runs: Counter[str] = Counter()
    longest: defaultdict[str, float] = defaultdict(float)
    positions = mismatches = moves = 0
    with until_stopped(options.time):
        for index in range(options.games) if options.games else count():
            if not options.games and positions >= options.positions:
                break
            seed = options.seed * 1_000_000 + index
            for position, found in comparisons(options, seed, index):
                positions += 1
                moves += found.moves
                runs.update(found.seconds.keys())
                for name, spent in found.seconds.items():
                    total[name] += spent
                    longest[name] = max(longest[name], spent)
                if found.wrong:
                    mismatches += 1
                    words = f"seed {seed}: {', '.join(found.wrong)}"
                    print(f"{words}\n{write_position(position)}", file=sys.stderr)
            print(f"{positions} positions", end="\r", file=sys.stderr, flush=True)
    print(f"{positions} positions, {moves} legal moves, {mismatches} mismatches")
    print(f"{'engine':<16}{'positions':>10}{'s mean':>10}{'s longest':>11}")
    for name, spent in total.items():
        print(f"{name:<16}{runs[name]:>10}{spent / runs[name]:>10.3f}{longest[name]:>11.3f}")
    return int(mismatches > 0)


if __name__ == "__main__":
    sys.exit(main())
