"""The measured work: games and turns in compiled code, questions, commands."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measuring import Sample, command_cpu, timed, user_cpu
from burgrave.model.draws import as_seen
from burgrave.model.engine import legal_moves, play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import load_position
from burgrave.model.games import Game
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import expected, forced, maximum
from burgrave.solver.questions.game import able_engines
from burgrave.solver.result import Answer, Result, Status
from tests.corpus import endings as recorded

POSITIONS = Path(__file__).parent / "positions"
RECORDED = Path(__file__).parent.parent / "tests" / "data" / "corpus" / "base_tower.jsonl.gz"
"""Games of The Tower recorded by an independent engine."""
SEED = 7
MIDDLE = 30
"""Turns after which a turn and its undoing are timed."""
GAMES: dict[str, Callable[[], Game]] = {
    "carcassonne": partial(shipped_game, "carcassonne"),
    "tower": partial(shipped_game, "carcassonne+tower"),
    "castle": partial(shipped_game, "castle"),
    "falcon": partial(shipped_game, "castle+falcon"),
}


def play_games(name: str, batches: int, seconds: float) -> Iterator[tuple[str, Sample]]:
    """Yield random games a second, turns listed a second, and ns for a turn and its undoing.

    Args:
        name: a key of ``GAMES``.
        batches: samples of each.
        seconds: user CPU that a batch takes at least.

    """
    import numpy as np

    from benchmarks.stepping import play_and_undo  # noqa: PLC0415
    from burgrave.solver.kernel import codec, game  # noqa: PLC0415
    from burgrave.solver.kernel.chance import (  # noqa: PLC0415
        GAMES_PLAYED,
        LIST_TOO_LONG,
        TURNS_LISTED,
        random_games,
    )
    from burgrave.solver.kernel.records import numbers_of  # noqa: PLC0415

    position = new_position(GAMES[name](), random.Random(SEED))
    s, t = codec.state_of(position), codec.tables_of(position.game)
    order = [numbers_of(position.game)[tile] for tile in position.order]
    tiles = np.array(order, np.int64)
    points, sums, tally = (np.zeros(size, np.int64) for size in (6, 6, 4))
    room, none = np.zeros(1 << 16, np.int64), np.zeros(0, np.int64)

    seed = SEED

    def games(number: int) -> None:
        nonlocal seed
        seed = random_games(s, t, tiles, number, seed, points, sums, room, none, tally)

    games(1)
    number = _enough(games, seconds)
    for _ in range(batches):
        tally[:] = 0
        begun = user_cpu()
        games(number)
        taken = user_cpu() - begun
        if tally[LIST_TOO_LONG]:
            raise ValueError(f"{name}: the list of turns is too long")
        yield f"games-{name}", Sample(float(tally[GAMES_PLAYED]) / taken)
        yield f"turns-{name}", Sample(float(tally[TURNS_LISTED]) / taken)

    rng = random.Random(SEED)
    for kind in order[:MIDDLE]:
        if end := game.turns(s, t, kind, False, True, room, none, 0):
            game.play(s, t, int(room[rng.randrange(end)]), False)
    end = 0
    for kind in sorted(set(order[MIDDLE:])):
        end = game.turns(s, t, kind, False, True, room, none, end)
    turns = room[:end].copy()

    def steps(times: int) -> None:
        play_and_undo(s, t, turns, times)

    steps(1)
    times = _enough(steps, seconds / 2)
    for _ in range(batches):
        begun = user_cpu()
        steps(times)
        yield f"step-{name}", Sample((user_cpu() - begun) / (times * end) * 1e9)


def play_out(name: str, batches: int, seconds: float) -> Iterator[tuple[str, Sample]]:
    """Yield the policy's playouts a second from the middle of a game that it plays.

    Args:
        name: a key of ``GAMES``.
        batches: samples.
        seconds: user CPU that a batch takes at least.

    """
    from burgrave.solver.questions import at_sight  # noqa: PLC0415
    from burgrave.solver.search.playouts import Field  # noqa: PLC0415

    position = new_position(GAMES[name](), random.Random(SEED))
    for _ in range(len(position.order) // 2):
        position = play(position, at_sight(as_seen(position))).position
    field = Field(position, 0, SEED)

    def games(number: int) -> None:
        field.results(None, 0, number)

    games(1)
    number = _enough(games, seconds)
    for _ in range(batches):
        begun = user_cpu()
        games(number)
        yield f"playouts-{name}", Sample(number / (user_cpu() - begun))


def _enough(work: Callable[[int], Any], seconds: float) -> int:
    """Return the number of repetitions that take the wanted seconds of user CPU."""
    number = 1
    while True:
        begun = user_cpu()
        work(number)
        taken = user_cpu() - begun
        if taken >= seconds / 4:
            return max(1, round(number * seconds / taken))
        number *= 4


def _forgotten(position: Position) -> Position:
    """Return a position of which the first tile alone is known."""
    return replace(position, order=position.order[:1], bag=tuple(sorted(position.order[1:])))


def _expect_every(position: Position) -> Answer:
    """Ask for the expected lead of every first move, the order after the first tile unknown."""
    return expected(_forgotten(position))


def _lead(position: Position) -> Result:
    """Ask the engine for the expected lead of every first move, all tiles being in the bag.

    No move is replayed by the rules engine: that would take longer than the search.
    """
    problem = Problem(
        position=position,
        asker=position.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=TileOrder.CHANCE,
        every=True,
    )
    return next(able_engines(problem)).solve(problem)


QUESTIONS: dict[str, Callable[[Position], Answer | Result]] = {
    "force": forced,
    "expect": _expect_every,
    "lead": _lead,
    "max": maximum,
}
"""The group of a measure → its question."""


def positions(name: str) -> list[Position]:
    """Return the positions of a measure, such as ``force-k6`` or ``max-tower-k3``.

    Those of the Castle are the frozen endings. ``lead`` takes this number of tiles from the bags
    of the endings of Carcassonne. ``tower`` takes the ends of recorded games of The Tower.
    """
    group, *where, left = name.split("-")
    tiles = int(left.removeprefix("k"))
    if where == ["tower"]:
        found = [at for at in recorded(RECORDED, tiles) if not at.over]
        return [at for at in found if group == "max" or len(at.players) == 2]
    if group == "lead":
        files = "plane4-*.toml" if tiles == 4 else "plane-*.toml"
        planes = [load_position(path) for path in sorted(POSITIONS.glob(files))]
        return [replace(at, bag=at.bag[:tiles]) for at in planes]
    return [load_position(path) for path in sorted(POSITIONS.glob(f"k{tiles}-*.toml"))]


def ask(name: str, few: int | None, seconds: float) -> Iterator[tuple[str, Sample]]:
    """Yield the time of a measure's question for each of its positions.

    The first position is asked about with one tile left before anything is timed, so that the
    program is loaded and compiled.

    Args:
        name: the measure, as for ``positions``.
        few: positions at most; None for all.
        seconds: limit of processor time for an answer.

    """
    question = QUESTIONS[name.split("-", maxsplit=1)[0]]
    found = positions(name)[:few]
    question(_nearly_over(found[0]))
    for position in found:
        yield name, timed(partial(_proves, question, position), seconds)


def _proves(question: Callable[[Position], Answer | Result], position: Position) -> bool:
    """Ask a question; tell whether its answer is proved."""
    return question(position).status is Status.OPTIMAL


def _nearly_over(position: Position) -> Position:
    """Return a position with its next tile alone left to lay, and one more where that is known."""
    if position.order:
        return replace(position, order=position.order[:2], bag=())
    return replace(position, bag=position.bag[:1])


CASTLE = str(POSITIONS / "k3-1.toml")
PLANE = str(POSITIONS / "plane-01.toml")


def start(name: str, times: int) -> Iterator[tuple[str, Sample]]:
    """Yield the processor time of a command, started anew each time, with warm caches.

    Args:
        name: ``start-help``, ``start-check``, ``start-moves``, ``start-best`` or ``start-force``.
        times: samples.

    """
    words = {
        "start-help": ["--help"],
        "start-check": ["check", CASTLE, _first_move(CASTLE)],
        "start-moves": ["moves", CASTLE],
        "start-best": ["best", CASTLE],
        "start-force": ["force", CASTLE],
    }[name]
    command_cpu(words)
    for _ in range(times):
        yield name, Sample(command_cpu(words))


def _first_move(path: str) -> str:
    """Return the first legal move of a position file."""
    position = load_position(Path(path))
    return write_move(position, next(legal_moves(position)))


def compile_first(name: str) -> Iterator[tuple[str, Sample]]:
    """Yield the processor time of a question whose compiled code is not on disk.

    Args:
        name: ``compile-castle`` (``force``, three tiles) or ``compile-carcassonne`` (``expect``,
            three tiles).

    """
    words = {"compile-castle": ["force", CASTLE], "compile-carcassonne": ["expect", PLANE]}[name]
    with tempfile.TemporaryDirectory() as folder:
        yield name, Sample(command_cpu(words, {"BURGRAVE_CACHE": folder}))
