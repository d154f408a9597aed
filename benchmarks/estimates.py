"""Compare estimates with exact values on late positions of games of the policy against itself.

    python -m benchmarks.estimates carcassonne --games 40 --keep rows.jsonl
    python -m benchmarks.estimates carcassonne --games 20 --far --keep far.jsonl
    python -m benchmarks.estimates castle --games 10 --tiles 5 --nodes 300000000 --keep five.jsonl
    python -m benchmarks.estimates --fit rows.jsonl far.jsonl

From each game come positions with 1 to 4 tiles to come, the next one known, the others in the bag;
with ``--tiles`` only the one with so many. A search gives the exact value of each first move. By
tiles to come the first command prints:

- the positions, and how many others were left out since no search proved their value;
- the mean error of the estimated values with its standard error;
- the standard deviation of the errors about 0 beyond that of the playouts;
- the share of the intervals of 95 % that hold the exact value, with its own interval of 95 %.

Results are kept in a file, and a command that was stopped goes on from there. ``--fit`` prints the
allowances for the policy's mistakes with which 95 % of the intervals hold: ``mistakes`` in
``solver/simulation/policy.toml``. It checks them across: allowances from one half of the games on
the intervals of the other half.

With ``--far`` the policy plays as it does with more than 4 tiles to come: it looks at the last turn
alone. One turn with 4 tiles to come then is chosen at sight. The standard deviation of its errors
is ``spread``. With more tiles to come each further turn adds such an error. So the allowance grows
like the distance of a random walk: see ``solver.simulation.policy.mistakes``.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from math import ceil, hypot, sqrt
from pathlib import Path
from typing import NamedTuple

from benchmarks.work import GAMES
from burgrave.model.draws import as_seen
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.position import Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel import game as kernel
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.playouts import DESK, judge
from burgrave.solver.kernel.records import record
from burgrave.solver.limits import Limits
from burgrave.solver.questions import evaluate, expected
from burgrave.solver.questions.evaluation import CONFIDENT
from burgrave.solver.result import Status
from burgrave.solver.search import playouts as played
from burgrave.solver.simulation.policy import mistakes, weights

FEWEST, MOST = 2, 4
"""Tiles to come of positions whose estimates can miss the exact value."""
NODES = 3_000_000
"""Turns of a search by default; what needs more is left out."""
HELD = 0.95
"""Share of the intervals that should hold the exact value."""
NATURAL = 0.85
"""The chance that the best turn is played; else it is one of the better half."""
EXACT = 1e-6
"""Points of error that come from floating-point numbers."""


class Asked(NamedTuple):
    """What positions are compared, and how well."""

    playouts: int = 1000
    """Of each estimate."""
    nodes: int = NODES
    """Turns of a search at most."""
    tiles: int | None = None
    """Tiles to come; None for each number from 1 to ``MOST``."""


class Row(NamedTuple):
    """An estimate beside the exact value."""

    game: str
    """The name of the game."""
    number: int
    """Of the game played, which tells its tiles."""
    tiles: int
    """Tiles to come."""
    error: float | None
    """The estimate less the exact value, in points; None if no search proved the value."""
    of_playouts: float
    """The standard error of the playouts."""

    def held(self, besides: float) -> bool:
        """Tell whether the interval with an allowance for mistakes holds the exact value."""
        assert self.error is not None
        return abs(self.error) <= CONFIDENT * hypot(self.of_playouts, besides) + EXACT


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
    each = weights(position.game.id)
    desk = record(DESK)
    moves, gone = [], []
    for at, tile in enumerate(order):
        left = len(order) - 1 - at
        kind, last = opened.kind(tile), left == 0
        end = kernel.turns(state, tables, kind, last, False, desk.out, desk.hints, 0)
        if end == 0:
            gone.append(tile)
            continue
        mover = kernel.mover(state)
        values = {
            int(turn): judge(state, tables, int(turn), left, mover, each, desk)
            for turn in desk.out[:end]
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


def compared(name: str, number: int, position: Position, asked: Asked) -> Row | None:
    """Return the comparison of a position; None if one move alone is legal.

    Args:
        name: of the game.
        number: of the game played.
        position: with its next tile known.
        asked: the playouts of the estimate and the turns of the search.

    """
    found = evaluate(position, playouts=asked.playouts, seed=number % 1000 + 1, prove=False)
    if len(found.moves) <= 1:
        return None
    besides = mistakes(position.game.id, found.tiles - 1)
    half = (found.high - found.low) / 2
    of_playouts = sqrt(max(0.0, (half / CONFIDENT) ** 2 - besides**2))
    error = None
    try:
        exact = expected(position, budget=Limits(nodes=asked.nodes))
        if exact.status is Status.OPTIMAL and exact.value is not None:
            error = found.value - float(exact.value)
    except QuestionError:
        pass
    return Row(name, number, found.tiles, error, of_playouts)


def kept(file: Path) -> list[Row]:
    """Return the rows that a file keeps; none if there is no such file."""
    if not file.exists():
        return []
    return [Row(*json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def gathered(name: str, numbers: Sequence[int], asked: Asked, file: Path) -> Iterator[Row]:
    """Yield the rows of some games, each kept in a file as soon as it is there."""
    known: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in kept(file):
        known[row.game, row.number].append(row)
    for number in numbers:
        if (name, number) in known:
            yield from known[name, number]
            continue
        positions = islice(
            ends(name, number, asked.tiles or MOST), None if asked.tiles is None else 1
        )
        rows = [
            new
            for position in positions
            if (new := compared(name, number, position, asked)) is not None
        ]
        with file.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        yield from rows


def allowance(rows: Iterable[Row]) -> float:
    """Return the standard error besides that of playouts with which 95 % of intervals hold.

    It is the quantile of split conformal prediction, which holds for new positions of the same kind
    however few they are (V. Vovk, A. Gammerman, G. Shafer, 2005).
    """
    wanted = sorted(
        sqrt(max(0.0, (row.error / CONFIDENT) ** 2 - row.of_playouts**2))
        for row in rows
        if row.error is not None
    )
    return wanted[min(len(wanted), ceil(HELD * (len(wanted) + 1))) - 1]


def spread(rows: Iterable[Row]) -> float:
    """Return the standard deviation of the errors about 0 beyond that of the playouts."""
    squares = [row.error**2 - row.of_playouts**2 for row in rows if row.error is not None]
    return sqrt(max(0.0, statistics.fmean(squares)))


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the interval of 95 % of a share (E. B. Wilson, 1927)."""
    z2 = CONFIDENT**2 / count
    middle = (share + z2 / 2) / (1 + z2)
    half = sqrt(z2 * (share * (1 - share) + z2 / 4)) / (1 + z2)
    return middle - half, middle + half


def told(label: str, rows: Sequence[Row]) -> str:
    """Return the line of a table about some rows."""
    proved = [row for row in rows if row.error is not None]
    errors = [row.error for row in proved if row.error is not None]
    held = statistics.fmean(
        row.held(mistakes(GAMES[row.game]().id, row.tiles - 1)) for row in proved
    )
    low, high = wilson(held, len(proved))
    return (
        f"{label:>5}{len(proved):>11}{len(rows) - len(proved):>10}"
        f"{statistics.fmean(errors):>+8.2f}{statistics.pstdev(errors) / sqrt(len(errors)):>7.2f}"
        f"{spread(proved):>8.2f}{held:>8.1%}  {low:.1%} to {high:.1%}"
    )


def allowances(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the allowances with 1 tile left after the turn, and with more."""
    few = allowance(row for row in rows if row.tiles == FEWEST)
    # An allowance for more tiles is no smaller: few positions tell little.
    return few, max(few, allowance(row for row in rows if row.tiles > FEWEST))


def fitted(rows: Sequence[Row], far: Sequence[Row]) -> Iterator[str]:
    """Yield the allowances for mistakes as lines of ``policy.toml``.

    Args:
        rows: comparisons.
        far: comparisons made with ``--far``; the lines have no ``spread`` without them.

    """
    for name in dict.fromkeys(row.game for row in rows):
        mine = [row for row in rows if row.game == name]
        few, more = allowances(mine)
        yield f'[mistakes."{GAMES[name]().id}"]'
        yield f"few = {[round(few, 2), *[round(more, 2)] * (MOST - FEWEST)]}"
        if most := [row for row in far if row.game == name and row.tiles == MOST]:
            yield f"spread = {spread(most):.2f}"


def crossed(rows: Sequence[Row]) -> dict[Row, bool]:
    """Return which intervals hold the exact value with allowances from other games alone.

    The games with even numbers give the allowances for those with odd ones, and these for those.
    """
    held = {}
    for name, half in product(GAMES, range(2)):
        mine = [row for row in rows if row.game == name]
        few, more = allowances([row for row in mine if row.number % 2 != half])
        for row in mine:
            if row.number % 2 == half and row.error is not None:
                besides = 0.0 if row.tiles < FEWEST else few if row.tiles == FEWEST else more
                held[row] = row.held(besides)
    return held


def checked(rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines with the mean errors and how many intervals hold, checked by other games."""
    held = crossed(rows)
    groups: dict[str, tuple[str | None, int | None]] = {
        f"{name}, {tiles} to come": (name, tiles) for name in GAMES for tiles in range(1, MOST + 1)
    }
    groups |= {name: (name, None) for name in GAMES} | {"all": (None, None)}
    for label, (name, tiles) in groups.items():
        some = [row for row in held if name in {None, row.game} and tiles in {None, row.tiles}]
        out = sum(
            row.error is None and name in {None, row.game} and tiles in {None, row.tiles}
            for row in rows
        )
        errors = [row.error for row in some if row.error is not None]
        error = statistics.pstdev(errors) / sqrt(len(errors))
        share = statistics.fmean(held[row] for row in some)
        low, high = wilson(share, len(some))
        yield (
            f"{label}: {len(some)} positions, {out} left out,"
            f" error {statistics.fmean(errors):+.2f} ± {error:.2f},"
            f" held {share:.1%} ({low:.1%} to {high:.1%})"
        )


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description="Compare estimates with exact values.")
    parser.add_argument("game", choices=GAMES, nargs="?", default="carcassonne")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("estimates.jsonl"), metavar="FILE")
    parser.add_argument("--tiles", type=int, help="tiles to come, one number alone")
    parser.add_argument("--nodes", type=int, default=NODES, help="turns of a search at most")
    parser.add_argument("--far", action="store_true", help="play as with many tiles to come")
    parser.add_argument(
        "--fit", type=Path, nargs="+", metavar="FILE", help="print allowances instead"
    )
    options = parser.parse_args()
    if options.fit:
        rows, *far = map(kept, options.fit)
        print("\n".join((*checked(rows), "", *fitted(rows, [row for some in far for row in some]))))
        return
    if options.far:
        played.LOOKED_AT = played.LOOKED_AT[1:]
    numbers = [options.seed * 1000 + index for index in range(options.games)]
    rows = []
    asked = Asked(options.playouts, options.nodes, options.tiles)
    for row in gathered(options.game, numbers, asked, options.keep):
        rows.append(row)
        print(f"{row.number - numbers[0] + 1} games", end="\r", file=sys.stderr)
    print(f"{'tiles':>5}{'positions':>11}{'left out':>10}{'error':>8}{'±':>7}{'beyond':>8}  held")
    for tiles in sorted({row.tiles for row in rows}):
        print(told(str(tiles), [row for row in rows if row.tiles == tiles]))
    print(told("all", rows))


if __name__ == "__main__":
    main()
