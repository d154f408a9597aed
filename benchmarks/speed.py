"""How fast the reference engine and the start of the program are.

Run it from the project's folder: ``python -m benchmarks.speed``. Seeds are fixed, so that
two runs do the same work; only the times differ. Times are of the processor, those of the
start of commands by the clock on the wall.
"""

from __future__ import annotations

import argparse
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from model.engine import legal_moves, play
from model.features import feature_graph, features, position_features
from model.files.games import castle_game
from model.files.positions import write_position
from model.laying import lay
from model.notation import write_move
from model.places import places
from model.position import Position
from puzzles.selfplay.games import new_position, play_game
from puzzles.selfplay.players import random_player
from solver.game_state import GameState

SEED = 7
PEERS = (0.2, 600.0)
"""Random games a second of public pure-Python engines of the sister game, Carcassonne."""
PROGRAM = "from cli.app import main; main()"
"""What the command ``burgrave`` runs, wherever it is installed."""
ROUNDS = 15
"""How often the cost of laying a tile is taken."""
BY_GRAPH = 20
"""Tiles that the reference lays in each."""
TURNS = (10, 30, 50)
"""Turns after which the cost of one step is measured."""


def seconds(
    work: Callable[[], object], times: int, clock: Callable[[], float] = time.process_time
) -> float:
    """Return the median time of a piece of work, by default of the processor."""
    taken = []
    for _ in range(times):
        begun = clock()
        work()
        taken.append(clock() - begun)
    return median(taken)


def random_game(position: Position, rng: random.Random) -> tuple[list[Position], int]:
    """Play to the end by choosing among all legal moves; return positions and moves listed."""
    line = [position]
    listed = 0
    while not line[-1].over:
        moves = list(legal_moves(line[-1]))
        listed += len(moves)
        line.append(play(line[-1], rng.choice(moves)).position)
    return line, listed


def row(name: str, value: str, note: str = "") -> None:
    """Print a row of the table."""
    print(f"{name:44} {value:>12}  {note}")


def engine_rows(games: int) -> list[Position]:
    """Print moves and games a second; return the positions of the last game."""
    begun = time.process_time()
    turns = listed = 0
    line: list[Position] = []
    for seed in range(games):
        rng = random.Random(SEED + seed)
        line, moves = random_game(new_position(castle_game(), rng), rng)
        turns += len(line) - 1
        listed += moves
    taken = time.process_time() - begun
    row("legal moves listed a second", f"{listed / taken:.0f}", f"{listed} moves, {turns} turns")
    row(
        "random games a second, every move listed",
        f"{games / taken:.2f}",
        among_peers(games / taken),
    )
    begun = time.process_time()
    for seed in range(games):
        rng = random.Random(SEED + seed)
        play_game(new_position(castle_game(), rng), (random_player, random_player), rng)
    rate = games / (time.process_time() - begun)
    row("random games a second, one move made up", f"{rate:.2f}", among_peers(rate))
    begun = time.process_time()
    for seed in range(games):
        game_on_the_state(random.Random(SEED + seed))
    rate = games / (time.process_time() - begun)
    row("random games a second on the state", f"{rate:.2f}", among_peers(rate))
    return line


def game_on_the_state(rng: random.Random) -> None:
    """Play a game on the incremental state by choosing among all legal turns."""
    position = new_position(castle_game(), rng)
    state = GameState(position)
    order = [state.board.kind_index[tile] for tile in position.order]
    for index, kind in enumerate(order):
        last = index == len(order) - 1
        turns = state.turns(kind, last=last)
        if turns:
            state.play(rng.choice(turns), last=last)


def among_peers(rate: float) -> str:
    """Say where a number of games a second lies among the peers."""
    low, high = PEERS
    return f"peers {low} to {high:.0f}: slowest x {rate / low:.1f}, fastest / {high / rate:.0f}"


def step_rows(position: Position, turn: int) -> None:
    """Print the cost of a graph of features, of laying a tile, and of a list of moves."""
    laid = position.laid()
    graph = feature_graph(position.game, laid)
    size = f"{len(graph)} nodes, {sum(map(len, graph.values())) // 2} edges"
    build = seconds(lambda: feature_graph(position.game, laid), 20)
    row(f"graph of features after {turn} turns", f"{1000 * build:.2f} ms", size)
    before = position_features(position)
    cost = seconds(lambda: features(position.game, laid, position.followers), 20)
    row(f"features after {turn} turns", f"{1000 * cost:.2f} ms", f"{cost / build:.1f} graphs")
    tile = next(places(position, position.order[0]))
    cost = seconds(lambda: lay(position, tile, before), 20)
    row(f"laying a tile after {turn} turns", f"{1000 * cost:.2f} ms", f"{cost / build:.1f} graphs")
    count = len(list(legal_moves(position)))
    cost = seconds(lambda: list(legal_moves(position)), 5)
    row(f"list of moves after {turn} turns", f"{1000 * cost:.1f} ms", f"{count} moves")


def state_rows(position: Position, turn: int) -> None:
    """Print what the incremental state saves, as ratios to the reference in the same run."""
    state = GameState(position)
    kinds = sorted({state.board.kind_index[tile] for tile in position.order})
    lies = [(cell, kind, r) for kind in kinds for cell, r in state.board.places(kind)]

    def lay_and_undo() -> None:
        for cell, kind, rotation in lies:
            mark = state.mark()
            state.board.lay(cell, kind, rotation)
            state.undo(mark)

    before = position_features(position)
    same = [tile for kind in sorted(set(position.order)) for tile in places(position, kind)]
    some = random.Random(SEED).choices(same, k=BY_GRAPH)

    def by_graph() -> None:
        for tile in some:
            lay(position, tile, before)

    lay_and_undo()
    # In turns, and the fastest of each: what else the machine does is no part of either.
    both = [(seconds(lay_and_undo, 1), seconds(by_graph, 1)) for _ in range(ROUNDS)]
    fast = min(state_s for state_s, _ in both) / len(lies)
    slow = min(graph_s for _, graph_s in both) / len(some)
    row(
        f"lay and undo on the state after {turn} turns",
        f"{1e6 * fast:.1f} us",
        f"{slow / fast:.0f} x faster than laying a tile by graph",
    )
    kind = state.board.kind_index[position.order[0]]
    fast = seconds(lambda: state.turns(kind, last=False), 5)
    slow = seconds(lambda: list(legal_moves(position)), 3)
    row(
        f"list of turns on the state after {turn} turns",
        f"{1000 * fast:.2f} ms",
        f"{slow / fast:.0f} x faster than the reference",
    )


def start_rows(position: Position) -> None:
    """Print how long the commands take that are to start at once."""
    bare = _run([sys.executable, "-c", "pass"])
    row("start of Python alone", f"{1000 * bare:.0f} ms")
    move = write_move(position, next(legal_moves(position)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "position.toml"
        path.write_text(write_position(position), encoding="utf-8")
        for name, words in (
            ("burgrave --help", ["--help"]),
            ("burgrave check POSITION MOVE", ["check", str(path), move]),
            ("burgrave moves POSITION", ["moves", str(path)]),
        ):
            taken = _run([sys.executable, "-c", PROGRAM, *words])
            row(f"start of {name}", f"{1000 * taken:.0f} ms", f"{taken / bare:.0f} bare Pythons")


def _run(command: list[str]) -> float:
    """Return the median time of a command."""
    work = partial(subprocess.run, command, check=True, capture_output=True)
    return seconds(work, 5, time.perf_counter)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3, help="random games to play")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, seed {SEED}")
    line = engine_rows(options.games)
    for turn in TURNS:
        step_rows(line[turn], turn)
        state_rows(line[turn], turn)
    start_rows(line[50])


if __name__ == "__main__":
    main()
