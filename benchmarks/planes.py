"""Carcassonne and The Tower: exact answers on endings, and how fast games are played.

    python -m benchmarks.planes
    python -m benchmarks.planes --only maximum --tiles 1 2 3 4

The first table tells the time for the exact expected lead of each first move, 1, 2 and 3 tiles
being left in the bag in unknown order: of the three tiles of an ending the first, the first two
or all. A public solver in Rust tells win or loss alone; its times are those that were
measured for it elsewhere. ``maximum`` asks for the most points and the largest lead that the player
to move can reach at the end of the recorded games of The Tower, of 2 to 6 players, by each engine
that answers, and fails if two values differ. The last table plays random games, by choosing among
all turns listed or by making one up. Times are of the processor.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from statistics import median

from model.book import book_of
from model.draws import draws
from model.engine import legal_moves, play
from model.features import position_features
from model.files.games import COLOURS, carcassonne_game
from model.files.positions import load_position
from model.laying import lay
from model.places import places
from model.position import Position
from puzzles.selfplay.games import new_position
from solver.limits import Limits
from solver.plane.state import Turn
from solver.plane.tables import NOTHING
from solver.problem import Goal, Play, Problem, TileOrder
from solver.progress import Reporter
from solver.questions.game import able_engines
from solver.result import Result, Status
from solver.states import plane_state
from tests.corpus import endings as recorded

POSITIONS = Path(__file__).parent / "positions"
RUST = {1: 0.02, 2: 0.6, 3: 53.0}
"""Seconds of a public solver in Rust for win or loss, by the tiles left."""
SEED = 7
TABLES = ("expected", "maximum", "speed")
RECORDED = Path(__file__).parent.parent / "tests" / "data" / "corpus" / "base_tower.jsonl.gz"
"""Games of The Tower recorded by an independent engine."""


def endings() -> list[tuple[str, Position]]:
    """Return the frozen endings by name."""
    return [(path.stem, load_position(path)) for path in sorted(POSITIONS.glob("plane-*.toml"))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An ending with what an engine found."""

    name: str
    tiles: int
    engine: str
    seconds: float
    result: Result


def answered(tiles: int, engine: str | None, seconds: float) -> Iterator[Run]:
    """Yield what an engine finds out about the endings with so many tiles of their bags."""
    for name, position in endings():
        problem = Problem(
            position=replace(position, bag=position.bag[:tiles]),
            asker=position.to_move,
            goal=Goal.LEAD,
            play=Play.AGAINST,
            order=TileOrder.CHANCE,
            every=True,
            watch=Limits(seconds=seconds).start(),
            reporter=Reporter(),
        )
        solver = next(e for e in able_engines(problem) if engine in {None, e.name})
        begun = time.process_time()
        result = solver.solve(problem)
        taken = time.process_time() - begun
        yield Run(name=name, tiles=tiles, engine=solver.name, seconds=taken, result=result)


def summary(runs: Sequence[Run]) -> Iterator[str]:
    """Yield a line for each number of tiles left."""
    yield row("tiles", "proved", "median s", "longest s", "median turns", "Rust, win or loss: s")
    yield row(*["---"] * 6)
    for tiles, some in groupby(runs, key=lambda run: run.tiles):
        group = list(some)
        proved = sum(run.result.status is Status.OPTIMAL for run in group)
        times = [run.seconds for run in group]
        yield row(
            tiles,
            f"{proved} of {len(group)}",
            f"{median(times):.3f}",
            f"{max(times):.3f}",
            f"{median(run.result.nodes for run in group):.0f}",
            RUST[tiles],
        )


def details(runs: Sequence[Run]) -> Iterator[str]:
    """Yield a line for each ending."""
    yield row("ending", "tiles", "engine", "expected lead", "first moves", "turns", "s")
    yield row(*["---"] * 7)
    for run in runs:
        found = run.result
        first = len(found.first)
        taken = f"{run.seconds:.3f}"
        yield row(run.name, run.tiles, run.engine, found.value, first, found.nodes, taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Most:
    """How an engine answers a question about the end of a recorded game of The Tower."""

    tiles: int
    engine: str
    seconds: float
    result: Result


def maxima(tiles: int, name: str | None, seconds: float) -> Iterator[Most]:
    """Yield what each engine, or the one of a name, says can be reached with so many tiles left.

    Raises:
        ValueError: two engines prove different values.

    """
    for position in (at for at in recorded(RECORDED, tiles) if not at.over):
        for goal in (Goal.POINTS, Goal.LEAD):
            problem = Problem(
                position=position,
                asker=position.to_move,
                goal=goal,
                play=Play.HELPED,
                order=TileOrder.GIVEN,
                watch=Limits().start(),
                reporter=Reporter(),
            )
            proved = set()
            for engine in able_engines(problem):
                if engine.name == "exhaustive" or name not in {None, engine.name}:
                    continue
                begun = time.process_time()
                result = engine.solve(replace(problem, watch=Limits(seconds=seconds).start()))
                taken = time.process_time() - begun
                if result.status is Status.OPTIMAL:
                    proved.add(result.value)
                yield Most(
                    tiles=tiles,
                    engine=engine.name,
                    seconds=taken,
                    result=result,
                )
            if len(proved) > 1:
                raise ValueError(f"{goal} with {tiles} tiles of {position.game.players}: {proved}")


def most(found: Sequence[Most]) -> Iterator[str]:
    """Yield a line for each number of tiles and engine."""
    yield row("tiles", "engine", "proved", "median s", "longest s", "median nodes")
    yield row(*["---"] * 6)
    for tiles, engine in sorted({(one.tiles, one.engine) for one in found}):
        group = [one for one in found if (one.tiles, one.engine) == (tiles, engine)]
        times = [one.seconds for one in group]
        yield row(
            tiles,
            engine,
            f"{sum(one.result.status is Status.OPTIMAL for one in group)} of {len(group)}",
            f"{median(times):.2f}",
            f"{max(times):.2f}",
            f"{median(one.result.nodes for one in group):.0f}",
        )


def row(*cells: object) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def started(rng: random.Random) -> Position:
    """Return the beginning of a game of two."""
    return new_position(carcassonne_game(tower=False, players=COLOURS[:2]), rng)


def listing(rng: random.Random) -> tuple[int, int]:
    """Play a game by choosing among all legal moves; return moves played and moves listed."""
    position, played, listed = started(rng), 0, 0
    while not position.over:
        moves = list(legal_moves(position))
        listed, played = listed + len(moves), played + 1
        position = play(position, rng.choice(moves)).position
    return played, listed


def making_up(rng: random.Random) -> tuple[int, int]:
    """Play a game by choosing a place, then one of the moves on it."""
    position, played = started(rng), 0
    while not position.over:
        conduct = book_of(position.game).conduct
        draw = next(draws(position))
        if draw.tile is None:
            moves = list(conduct.passes(position, draw.discards))
        else:
            tile = rng.choice(list(places(position, draw.tile)))
            placement = lay(position, tile, position_features(position), draw.discards)
            moves = list(conduct.turns(placement, draw.discards))
        position, played = play(position, rng.choice(moves)).position, played + 1
    return played, 0


def state_listing(rng: random.Random) -> tuple[int, int]:
    """Play a game on the incremental state by choosing among all legal turns."""
    position, played, listed = started(rng), 0, 0
    state = plane_state(position)
    for tile in position.order:
        if turns := state.turns(state.board.kind_index[tile]):
            listed, played = listed + len(turns), played + 1
            state.play(rng.choice(turns))
    return played, listed


def state_making_up(rng: random.Random) -> tuple[int, int]:
    """Play a game on the incremental state by choosing a place, then a follower."""
    position, played = started(rng), 0
    state = plane_state(position)
    for tile in position.order:
        kind = state.board.kind_index[tile]
        if found := list(state.board.places(kind)):
            cell, rotation = rng.choice(found)
            mark = state.mark()
            state.lay(cell, kind, rotation)
            segments = [NOTHING, *state.claimable(kind, alike=True)]
            state.undo(mark)
            state.play(Turn(cell, kind, rotation, rng.choice(segments)))
            played += 1
    return played, 0


WAYS: dict[str, Callable[[random.Random], tuple[int, int]]] = {
    "reference, every move listed": listing,
    "reference, one move made up": making_up,
    "incremental state, every turn listed": state_listing,
    "incremental state, one turn made up": state_making_up,
}
"""Ways to play a random game."""


def speed(games: int) -> Iterator[str]:
    """Yield a line for each way to play random games."""
    yield row("random games", "games a second", "moves listed a second", "moves played a second")
    yield row(*["---"] * 4)
    yield row("public engines in pure Python", "0.2 and 600", "", "13 and 12,800")
    for name, game in WAYS.items():
        begun = time.process_time()
        played = listed = 0
        for seed in range(games):
            more = game(random.Random(SEED + seed))
            played, listed = played + more[0], listed + more[1]
        taken = time.process_time() - begun
        moves = f"{listed / taken:.0f}" if listed else ""
        yield row(name, f"{games / taken:.2f}", moves, f"{played / taken:.0f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Exact endings of Carcassonne, and speed.")
    parser.add_argument("--only", nargs="+", default=TABLES, choices=TABLES)
    parser.add_argument("--tiles", nargs="+", type=int, default=list(RUST), choices=range(1, 6))
    parser.add_argument("--engine", help="the engine that answers")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of an answer")
    parser.add_argument("--games", type=int, default=2, help="random games to play")
    given = parser.parse_args()
    tables: list[Iterator[str]] = []
    if "expected" in given.only:
        few = [n for n in given.tiles if n in RUST]
        runs = [run for n in few for run in answered(n, given.engine, given.seconds)]
        tables += [summary(runs), details(runs)]
    if "maximum" in given.only:
        tables.append(
            most([one for n in given.tiles for one in maxima(n, given.engine, given.seconds)])
        )
    if "speed" in given.only:
        tables.append(speed(given.games))
    for table in tables:
        print("\n".join(table), end="\n\n")


if __name__ == "__main__":
    main()
