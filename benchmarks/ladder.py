"""Let ways to play meet in whole games, and print their strength as Elo with intervals.

    python -m benchmarks.ladder --game carcassonne --games 400 --keep ladder.jsonl
    python -m benchmarks.ladder --game castle --pair cut-300 whole-60 --keep ladder.jsonl

Without ``--pair`` each level of ``practise`` meets the next one. ``cut-N`` chooses its moves by N
playouts that are cut and judged by the learned value, ``whole-N`` by N playouts to the end, and
``told-N`` plays the best move of ``evaluate``. Two games have the same tiles, with the seats
exchanged. The table tells the processor time a move, so that one may choose N for equal times. A
file that is kept is continued: what stands there is not played again. ``--jobs`` processes or the
workers of ``--cluster`` play; the games are the same.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import product
from math import log10, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import add_workers, chosen_workers
from benchmarks.work import GAMES
from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import canonical, play
from burgrave.model.final import final_scoring
from burgrave.model.position import Move, Position
from burgrave.puzzles.games.levels import LEVELS, Level, answer
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.players import drawn_by, passed
from burgrave.solver.limits import Limits
from burgrave.solver.questions import choose, evaluate
from burgrave.solver.workers.tasks import in_words, ordered

ALONE = Limits(jobs=1)
CONFIDENT = 1.96
Player = Callable[[Position, int], Move]
"""Returns a move in a position with a placeable tile, by a seed."""


class Duel(NamedTuple):
    """A game of two ways to play."""

    game: str
    """As in ``benchmarks.work``."""
    one: str
    """The first way, as it is named on the command line."""
    other: str
    number: int
    """Of the pair of games, which has the same tiles."""
    seat: int
    """0 if the first way moves first, or 1."""
    lead: int
    """Of the first way at the end, in points."""
    seconds: tuple[float, float]
    """Processor time a move of both."""


def player(name: str) -> Player:
    """Return a way to play by its name.

    Raises:
        ValueError: there is none of this name.

    """
    kind, _, number = name.partition("-")
    if kind == "level" and number.isdigit() and int(number) in LEVELS:
        return partial(_by_level, LEVELS[int(number)])
    if kind in {"cut", "whole", "told"} and number.isdigit():
        return partial(_by_playouts, kind, int(number))
    raise ValueError(f"no player '{name}': level-1 to level-{max(LEVELS)}, cut-N, whole-N, told-N")


def _by_level(level: Level, position: Position, seed: int) -> Move:
    """Return the move of a level."""
    return answer(position, level, seed, ALONE).move


def _by_playouts(kind: str, playouts: int, position: Position, seed: int) -> Move:
    """Return a move by playouts."""
    seen = as_seen(position)
    if kind == "told":
        found = evaluate(seen, playouts=playouts, seed=seed, prove=False, budget=ALONE)
        return found.moves[0].move
    cut = kind == "cut"
    return choose(seen, playouts=playouts, seed=seed, prove=False, cut=cut, budget=ALONE).move


def duel(game: str, names: tuple[str, str], number: int, seat: int) -> Duel:
    """Play a game.

    Args:
        game: as in ``benchmarks.work``.
        names: the two ways to play.
        number: of the pair of games; it fixes the tiles and all chance.
        seat: 0 if the first way moves first, or 1.

    """
    position = new_position(GAMES[game](), random.Random(number))
    players = [player(name) for name in names]
    seconds, moves = [0.0, 0.0], [0, 0]
    turn = 0
    while not position.over:
        if stuck(position) == len(position.order):
            move = passed(position, drawn_by(position, random.Random(number)))
        else:
            who = position.to_move ^ seat
            begun = time.process_time()
            move = canonical(position, players[who](position, number * 1000 + turn + 1))
            seconds[who] += time.process_time() - begun
            moves[who] += 1
        position = play(position, move).position
        turn += 1
    totals = final_scoring(position).scores
    each = (seconds[0] / max(1, moves[0]), seconds[1] / max(1, moves[1]))
    return Duel(game, names[0], names[1], number, seat, totals[seat] - totals[1 - seat], each)


def _duel(asked: tuple[str, tuple[str, str], int, int]) -> Duel:
    """Play a game, with the arguments of ``duel``."""
    return duel(*asked)


class Score(NamedTuple):
    """What the games of two ways to play came to, seen from the first."""

    games: int
    share: float
    """Games won, a draw counted half."""
    error: float
    """Its standard error; games with the same tiles count as one."""
    lead: float
    """Mean, in points."""
    lead_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of 95 % of the share, by Wilson (1927).

        Its number of games is at most the one that would give the error if games were independent.
        """
        spread = self.share * (1 - self.share)
        count = (
            min(float(self.games), spread / self.error**2) if spread and self.error else self.games
        )
        far = CONFIDENT**2 / count
        middle = (self.share + far / 2) / (1 + far)
        half = sqrt(far * (spread + far / 4)) / (1 + far)
        return middle - half, middle + half


def score(duels: list[Duel]) -> Score:
    """Return what games came to."""
    pairs: dict[int, list[Duel]] = {}
    for one in duels:
        pairs.setdefault(one.number, []).append(one)
    shares = [statistics.fmean(_won(one.lead) for one in pair) for pair in pairs.values()]
    leads = [statistics.fmean(one.lead for one in pair) for pair in pairs.values()]
    count = len(pairs)
    errors = [
        statistics.stdev(some) / sqrt(count) if count > 1 else 0.5 for some in (shares, leads)
    ]
    return Score(
        len(duels), statistics.fmean(shares), errors[0], statistics.fmean(leads), errors[1]
    )


def _won(lead: int) -> float:
    """Return 1 for a win, 0 for a loss."""
    return (lead > 0) + 0.5 * (lead == 0)


def elo(share: float) -> float:
    """Return the difference in Elo of a share of wins, at most 800 either way."""
    return 400 * log10(min(max(share, 0.01), 0.99) / (1 - min(max(share, 0.01), 0.99)))


def kept(file: Path | None) -> list[Duel]:
    """Return the games of a file."""
    if file is None or not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [Duel._make((*row, tuple(seconds))) for *row, seconds in rows]


def table(duels: list[Duel]) -> str:
    """Return the strengths as a table in Markdown."""
    lines = [
        "| game | player | opponent | games | wins | Elo | lead | ms a move |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    found: dict[tuple[str, str, str], list[Duel]] = {}
    for one in duels:
        found.setdefault((one.game, one.one, one.other), []).append(one)
    for (game, first, second), some in found.items():
        result = score(some)
        low, high = result.interval
        times = [1000 * statistics.fmean(one.seconds[who] for one in some) for who in (0, 1)]
        lines.append(
            f"| {game} | {first} | {second} | {result.games}"
            f" | {result.share:.1%} ({low:.1%} to {high:.1%})"
            f" | {elo(result.share):+.0f} ({elo(low):+.0f} to {elo(high):+.0f})"
            f" | {result.lead:+.1f} ± {CONFIDENT * result.lead_error:.1f}"
            f" | {times[0]:.1f} : {times[1]:.1f} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Play, keep and print; return 1 if a game broke down."""
    parser = argparse.ArgumentParser(description="Measure the strength of ways to play.")
    parser.add_argument("--game", action="append", choices=[*GAMES], help="all by default")
    parser.add_argument("--pair", action="append", nargs=2, metavar="PLAYER")
    parser.add_argument("--games", type=int, default=100, help="of each pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="the file that is continued")
    add_workers(parser)
    options = parser.parse_args()
    steps = sorted(LEVELS)[1:]
    pairs: list[Any] = options.pair or [(f"level-{step}", f"level-{step - 1}") for step in steps]
    for name in (name for pair in pairs for name in pair):
        player(name)
    duels = kept(options.keep)
    done = {one[:5] for one in duels}
    todo: list[tuple[str, tuple[str, str], int, int]] = []
    for index, game in product(range(options.games), options.game or [*GAMES]):
        number, seat = options.seed * 1_000_003 + index // 2, index % 2
        todo += [
            (game, (first, second), number, seat)
            for first, second in pairs
            if (game, first, second, number, seat) not in done
        ]
    failed = False
    with chosen_workers(options) as pool, closing(ordered(_duel, todo, pool)) as results:
        for at, one in enumerate(results, start=1):
            print(f"{at} of {len(todo)}", end="\r", file=sys.stderr)
            if one.error is not None:
                failed = True
                print(*one.item, in_words(one.error), file=sys.stderr)
                continue
            duels.append(one.result())
            if options.keep:
                with options.keep.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(duels[-1]) + "\n")
    print(table(duels))
    return int(failed)


if __name__ == "__main__":
    # Workers of a cluster know the functions by the name of this module.
    from benchmarks.ladder import main as run

    sys.exit(run())
