"""Calibrate estimates: against exact values near the end, against themselves far from it.

    python -m benchmarks.estimates --keep rows.jsonl --write

Positions come from games that the policy plays against itself, the next tile known, the others in
the bag. The command measures three things.

- **Exact values.** With 1 to 5 tiles to come a search gives the exact value. The table has the mean
  error of the estimates, and the share of intervals of 95 % that hold the exact value.
- **Claims.** With 10, 20 and 40 tiles to come the value that ``evaluate`` tells of the move that it
  chose is compared with that of more playouts with other tiles. A value that is told of the largest
  of several means is too large; the mean difference shows it.
- **Allowances** for mistakes of the policy, with which 95 % of the intervals hold: ``mistakes`` in
  ``solver/simulation/policy.toml``. The table of exact values checks them across: allowances from
  one half of the games on the intervals of the other half. ``spread`` is the standard deviation of
  the errors with 4 tiles to come if the policy looks at the last turn alone, as it does farther
  from the end. There each turn adds such an error; see ``solver.simulation.policy.mistakes``.

Results are kept in a file, and a command that was stopped goes on. ``--write`` replaces
``benchmarks/estimates.md``, which the documents and ``RESULTS.md`` hold.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import ceil, hypot, sqrt
from pathlib import Path
from typing import NamedTuple

from benchmarks.work import GAMES
from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.naming import times
from burgrave.model.position import Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel import game as kernel
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.playouts import DESK, judge
from burgrave.solver.kernel.records import record
from burgrave.solver.limits import Limits
from burgrave.solver.questions import evaluate, expected
from burgrave.solver.questions.means import CONFIDENT
from burgrave.solver.result import Evaluation, Status
from burgrave.solver.search import playouts as played
from burgrave.solver.simulation.policy import mistakes, weights

NAMES = {
    "carcassonne": "Carcassonne",
    "tower": "The Tower",
    "castle": "The Castle",
    "falcon": "The Falcon",
}
TABLES = Path(__file__).parent / "estimates.md"
FEWEST, MOST = 2, 5
"""Tiles to come of positions whose estimates can miss the exact value, and are searched."""
AT_SIGHT = 4
"""Tiles to come of positions in which one turn at sight is measured."""
FAR = (10, 20, 40)
"""Tiles to come of positions whose claims are measured."""
AGAIN = 1.5
"""Playouts of a second estimate, as a share of those of the first: nearly all go to one move."""
NODES = 10_000_000
"""Turns of a search by default; what needs more is left out."""
HELD = 0.95
"""Share of the intervals that should hold the exact value."""
NATURAL = 0.85
"""The chance that the best turn is played; else it is one of the better half."""
EXACT = 1e-6
"""Points of error that come from floating-point numbers."""


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
    at_sight: float | None = None
    """The error if one turn is chosen at sight; None if it was not measured."""

    def held(self, besides: float) -> bool:
        """Tell whether the interval with an allowance for mistakes holds the exact value."""
        assert self.error is not None
        return abs(self.error) <= CONFIDENT * hypot(self.of_playouts, besides) + EXACT


class Claim(NamedTuple):
    """The value that is told of the best move, beside that of other playouts."""

    game: str
    """The name of the game."""
    number: int
    """Of the game played, which tells its tiles."""
    tiles: int
    """Tiles to come."""
    claimed: float
    """The value that was told, in points."""
    again: float
    """The value of the same move by other playouts."""


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


def compared(name: str, number: int, position: Position, playouts: int, nodes: int) -> Row | None:
    """Return the comparison of a position with its exact value; None if one move alone is legal.

    Args:
        name: of the game.
        number: of the game played.
        position: with its next tile known.
        playouts: of the estimate.
        nodes: turns of the search at most.

    """
    seed = number % 1000 + 1
    found = evaluate(position, playouts=playouts, seed=seed, prove=False)
    if len(found.moves) <= 1:
        return None
    besides = mistakes(position.game.id, found.tiles - 1)
    half = (found.high - found.low) / 2
    of_playouts = sqrt(max(0.0, (half / CONFIDENT) ** 2 - besides**2))
    exact = None
    try:
        answer = expected(position, every=False, budget=Limits(nodes=nodes))
        if answer.status is Status.OPTIMAL and answer.value is not None:
            exact = float(answer.value)
    except QuestionError:
        pass
    if exact is None:
        return Row(name, number, found.tiles, None, of_playouts)
    sight = None
    if found.tiles == AT_SIGHT:
        sight = _short_sighted(position, playouts, seed).value - exact
    return Row(name, number, found.tiles, found.value - exact, of_playouts, sight)


def _short_sighted(position: Position, playouts: int, seed: int) -> Evaluation:
    """Return the estimate if the policy looks at the last turn alone."""
    looked_at = played.LOOKED_AT
    played.LOOKED_AT = looked_at[1:]
    try:
        return evaluate(position, playouts=playouts, seed=seed, prove=False)
    finally:
        played.LOOKED_AT = looked_at


def claim(name: str, number: int, tiles: int) -> Claim | None:
    """Return the value told of a position beside that of other playouts; None if it is forced."""
    position = next(ends(name, number, tiles))
    found = evaluate(position, seed=number % 1000 + 1, prove=False)
    if found.legal <= 1:
        return None
    best, drawn = found.moves[0].move, stuck(position) + 1
    field = played.Field(position, drawn, number % 1000 + 501)
    turns, moves, _ = field.first_turns(position.order[:drawn], 1, best)
    turn = turns[moves.index(best)]
    [(totals, _)] = played.run(field, [turn], 0, int(AGAIN * found.playouts), Limits().start())
    return Claim(name, number, tiles, found.value, float(field.leads(totals).mean()))


class Kept:
    """Results in a file, each a line of JSON; a unit of work is there or is done.

    Args:
        file: where they are kept; it need not be there.

    """

    def __init__(self, file: Path) -> None:
        """Read the file."""
        self.file = file
        self.units: dict[tuple[str, str, int, int], list[Row | Claim]] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            kind, name, number, tiles, found = json.loads(line)
            made = [(Row if kind == "row" else Claim)(*one) for one in found]
            self.units[kind, name, number, tiles] = made

    def add(self, unit: tuple[str, str, int, int], found: Sequence[Row | Claim]) -> None:
        """Keep the results of a unit of work: kind, game, number and tiles to come."""
        self.units[unit] = [*found]
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps([*unit, found]) + "\n")

    @property
    def rows(self) -> list[Row]:
        """All comparisons with exact values."""
        return [one for found in self.units.values() for one in found if isinstance(one, Row)]

    @property
    def claims(self) -> list[Claim]:
        """All comparisons of claims."""
        return [one for found in self.units.values() for one in found if isinstance(one, Claim)]


def gather(
    kept: Kept, names: Sequence[str], numbers: Sequence[int], asked: tuple[int, int]
) -> None:
    """Compare what the file does not keep yet.

    Args:
        kept: the file.
        names: of the games.
        numbers: of the games played.
        asked: the playouts of an estimate beside an exact value, and turns of the search at most.

    """
    for number, name in product(numbers, names):
        print(f"{name} {number}", end="\r", file=sys.stderr)
        if ("row", name, number, MOST) not in kept.units:
            rows = (compared(name, number, one, *asked) for one in ends(name, number))
            kept.add(("row", name, number, MOST), [row for row in rows if row is not None])
        for tiles in FAR:
            if ("claim", name, number, tiles) not in kept.units:
                one = claim(name, number, tiles)
                kept.add(("claim", name, number, tiles), [] if one is None else [one])


def allowance(rows: Iterable[Row]) -> float:
    """Return the standard error besides that of playouts with which 95 % of intervals hold.

    Without rows it is 0. It is the quantile of split conformal prediction, which holds for new
    positions of the same kind however few they are (V. Vovk, A. Gammerman, G. Shafer, 2005).
    """
    wanted = sorted(
        sqrt(max(0.0, (row.error / CONFIDENT) ** 2 - row.of_playouts**2))
        for row in rows
        if row.error is not None
    )
    return wanted[min(len(wanted), ceil(HELD * (len(wanted) + 1))) - 1] if wanted else 0.0


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the interval of 95 % of a share (E. B. Wilson, 1927)."""
    z2 = CONFIDENT**2 / count
    middle = (share + z2 / 2) / (1 + z2)
    half = sqrt(z2 * (share * (1 - share) + z2 / 4)) / (1 + z2)
    return middle - half, middle + half


def allowances(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the allowances with 1 tile left after the turn, and with more."""
    few = allowance(row for row in rows if row.tiles == FEWEST)
    # An allowance for more tiles is no smaller: few positions tell little.
    return few, max(few, allowance(row for row in rows if row.tiles > FEWEST))


def spread(rows: Sequence[Row]) -> float:
    """Return the deviation of the errors of one turn at sight beyond that of the playouts."""
    squares = [row.at_sight**2 - row.of_playouts**2 for row in rows if row.at_sight is not None]
    return sqrt(max(0.0, statistics.fmean(squares)))


def fitted(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the allowances for mistakes as lines of ``policy.toml``."""
    for name in dict.fromkeys(row.game for row in rows):
        mine = [row for row in rows if row.game == name]
        few, more = allowances(mine)
        yield f'[mistakes."{GAMES[name]().id}"]'
        yield f"few = {[round(few, 2), *[round(more, 2)] * (MOST - FEWEST)]}"
        yield f"spread = {spread(mine):.2f}"


def crossed(rows: Sequence[Row]) -> dict[Row, bool]:
    """Return which intervals hold the exact value with allowances from other games alone.

    The games with even numbers give the allowances for those with odd ones, and these for those.
    """
    held = {}
    for name, half in product(GAMES, range(2)):
        mine = [row for row in rows if row.game == name]
        if not mine:
            continue
        few, more = allowances([row for row in mine if row.number % 2 != half])
        for row in mine:
            if row.number % 2 == half and row.error is not None:
                besides = 0.0 if row.tiles < FEWEST else few if row.tiles == FEWEST else more
                held[row] = row.held(besides)
    return held


def checked(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of the mean errors and the intervals that hold, checked by other games."""
    yield "| positions | number | left out | mean error, points | intervals that hold |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    held = crossed(rows)
    groups: dict[str, tuple[str | None, int | None]] = {
        **{title: (name, None) for name, title in NAMES.items()},
        **{f"{times(tiles, 'tile')} to come": (None, tiles) for tiles in range(1, MOST + 1)},
        "all": (None, None),
    }
    for label, (name, tiles) in groups.items():
        mine = [row for row in rows if name in {None, row.game} and tiles in {None, row.tiles}]
        errors = [row.error for row in mine if row.error is not None]
        if not errors:
            continue
        share = statistics.fmean(held[row] for row in mine if row.error is not None)
        low, high = wilson(share, len(errors))
        yield (
            f"| {label} | {len(errors)} | {len(mine) - len(errors)} | {spelled(errors)} |"
            f" {share:.1%} ({low:.1%} to {high:.1%}) |"
        )


def claimed(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield a table of how much the values that are told exceed those of other playouts."""
    yield "| claims | number | told less measured again, points |"
    yield "| --- | ---: | ---: |"
    groups: dict[str, tuple[str | None, int | None]] = {
        **{title: (name, None) for name, title in NAMES.items()},
        **{f"{tiles} tiles to come": (None, tiles) for tiles in FAR},
        "all": (None, None),
    }
    for label, (name, tiles) in groups.items():
        found = [
            one.claimed - one.again
            for one in claims
            if name in {None, one.game} and tiles in {None, one.tiles}
        ]
        if found:
            yield f"| {label} | {len(found)} | {spelled(found)} |"


def spelled(values: Sequence[float]) -> str:
    """Return a mean with its standard error."""
    error = statistics.pstdev(values) / sqrt(len(values))
    return f"{statistics.fmean(values):+.2f} ± {error:.2f}"


def main() -> None:
    """Compare, and print the tables."""
    parser = argparse.ArgumentParser(description="Calibrate estimates.")
    parser.add_argument("--games", choices=GAMES, nargs="+", default=[*GAMES])
    parser.add_argument("--number", type=int, default=24, help="games of each, 2 or more")
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("estimates.jsonl"), metavar="FILE")
    parser.add_argument("--nodes", type=int, default=NODES, help="turns of a search at most")
    parser.add_argument("--write", action="store_true", help="keep the tables")
    options = parser.parse_args()
    numbers = [options.seed * 1000 + index for index in range(options.number)]
    kept = Kept(options.keep)
    gather(kept, options.games, numbers, (options.playouts, options.nodes))
    tables = "\n".join((*checked(kept.rows), "", *claimed(kept.claims), ""))
    print(tables)
    print("\n".join(fitted(kept.rows)))
    if options.write:
        TABLES.write_text(tables, encoding="utf-8")


if __name__ == "__main__":
    main()
