"""Compare first moves of estimates with those of a race of up to 50 times as many playouts.

    python -m benchmarks.first_moves carcassonne --tiles 6 10 20 40 --positions 12 --keep rows.jsonl

Positions come from games of the policy against itself. ``evaluate`` names a first move with as
many playouts as by default. The race then plays the same numbers of playouts after each first move.
After each stage it drops the moves that surely lose to the best one (O. Maron, A. Moore, "The
racing algorithm", 1997). It ends when one move is left, when all left are as good within a quarter
of a point, or when its playouts are spent. So close moves get nearly all playouts.

By tiles to come it prints the share of equal first moves, then the share of moves that are as good:
equal, or left at the end of the race. Each has its interval of 95 %. The regret is the mean loss
in points of the first moves, equal ones included, by the race. Results are kept in a file, and a
command that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253 -- playouts come as arrays

from benchmarks.estimates import ends, wilson
from benchmarks.work import GAMES
from burgrave.model.draws import stuck
from burgrave.solver.limits import Limits
from burgrave.solver.questions import evaluate
from burgrave.solver.questions.evaluation import SENSIBLE
from burgrave.solver.questions.means import CONFIDENT
from burgrave.solver.search.playouts import CHUNK, Field, run

MORE = 50
"""By how much more playouts the race may spend."""
STAGE = 200
"""Playouts of each move in the first stage; each later stage doubles their number."""
SURE = 3.0
"""Standard errors of the difference beyond which a move surely loses."""
ALIKE = 0.25
"""Points of difference that do not matter."""


class First(NamedTuple):
    """The first move of an estimate, judged by a race."""

    game: str
    """The name of the game."""
    number: int
    """Of the game played, which tells its tiles."""
    tiles: int
    """Tiles to come."""
    same: bool
    """Whether both name the same move."""
    regret: float
    """Points that the move loses against the race's."""
    error: float
    """Standard error of the regret."""
    left: int
    """Moves left at the end of the race."""
    good: bool
    """Whether the move is among them."""
    playouts: int
    """Of the race."""


class Race(NamedTuple):
    """What a race of first turns came to."""

    best: int
    """Index of the best turn."""
    left: Sequence[int]
    """Indices of the turns left at the end."""
    lost: Any
    """By playout, by how much the turn that was judged is worse than the best."""
    playouts: int
    """Of all turns."""


def race(field: Field, turns: Sequence[int | None], mine: int, most: int) -> Race:
    """Race first turns against each other.

    Args:
        field: where they start.
        turns: the first turns.
        mine: index of the turn that is judged.
        most: playouts in all.

    """
    clock = Limits(jobs=1).start()
    leads = {index: np.zeros(0) for index in range(len(turns))}
    left, at, each, spent = [*leads], 0, STAGE, 0
    best, lost = mine, np.zeros(1)
    while len(left) > 1 and spent < most:
        each = max(CHUNK, min(each, (most - spent) // len(left) // CHUNK * CHUNK))
        found = run(field, [turns[index] for index in left], at, at + each, clock)
        for index, (totals, _) in zip(left, found, strict=True):
            leads[index] = np.concatenate((leads[index], field.leads(totals)))
        spent, at, each = spent + each * len(left), at + each, at + each
        best = max(left, key=lambda index: leads[index].mean())
        if mine in left:
            lost = leads[best] - leads[mine]
        behind = {index: leads[best] - leads[index] for index in left}
        error = {index: one.std(ddof=1) / sqrt(one.size) for index, one in behind.items()}
        left = [index for index in left if behind[index].mean() <= SURE * error[index]]
        if all(behind[index].mean() + CONFIDENT * error[index] <= ALIKE for index in left):
            break
    return Race(best, left, lost, spent)


def first(name: str, tiles: int, number: int) -> First | None:
    """Return the judgement of a first move with so many tiles to come; None if it is forced."""
    position = next(ends(name, number, tiles))
    seed = number % 1000 + 1
    found = evaluate(position, seed=seed, prove=False)
    if found.legal == 1:
        return None
    move, drawn = found.moves[0].move, stuck(position) + 1
    field = Field(position, drawn, seed + 500)
    turns, moves, _ = field.first_turns(position.order[:drawn], SENSIBLE, move)
    mine = moves.index(move)
    ran = race(field, turns, mine, MORE * found.playouts)
    return First(
        name,
        number,
        tiles,
        ran.best == mine,
        float(ran.lost.mean()),
        float(ran.lost.std()) / sqrt(ran.lost.size),
        len(ran.left),
        mine in ran.left,
        ran.playouts,
    )


def judged(name: str, tiles: int, numbers: Sequence[int], file: Path) -> Iterator[First]:
    """Yield the judgements of first moves, each kept in a file as soon as it is there."""
    for number in numbers:
        row = kept(file).get((name, tiles, number))
        if row is None and (row := first(name, tiles, number)) is not None:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
        if row is not None:
            yield row


def kept(file: Path) -> dict[tuple[str, int, int], First]:
    """Return the rows that a file keeps, by game, tiles and number; none if there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = (First(*json.loads(line)) for line in lines)
    return {(row.game, row.tiles, row.number): row for row in rows}


def told(label: str, rows: Sequence[First]) -> str:
    """Return the line of the table about some rows."""
    shares = []
    for marks in ([row.same for row in rows], [row.good for row in rows]):
        share = statistics.fmean(marks)
        low, high = wilson(share, len(rows))
        shares.append(f"{share:>6.0%} ({low:>3.0%} to {high:>4.0%})")
    regrets = [row.regret for row in rows]
    error = statistics.pstdev(regrets) / sqrt(len(regrets))
    return (
        f"{label:>16}{len(rows):>10} {shares[0]:>22}{shares[1]:>22}"
        f"{statistics.fmean(regrets):>8.2f} ± {error:.2f}{max(regrets):>8.2f}"
    )


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description="Compare first moves with those of a race.")
    parser.add_argument("games", choices=GAMES, nargs="+")
    parser.add_argument("--tiles", type=int, nargs="+", default=[6, 10, 20, 40])
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("first_moves.jsonl"), metavar="FILE")
    options = parser.parse_args()
    numbers = [options.seed * 1000 + index for index in range(options.positions)]
    print(
        f"{'':16}{'positions':>10} {'same first move':>22}{'as good':>22}{'regret':>15}{'most':>8}"
    )
    for name in options.games:
        for tiles in options.tiles:
            rows = []
            for row in judged(name, tiles, numbers, options.keep):
                rows.append(row)
                print(f"{name} {tiles}: {len(rows)}", end="\r", file=sys.stderr)
            print(told(f"{name}, {tiles}", rows))


if __name__ == "__main__":
    main()
