"""The limits of what each player can have, against what can be had and what is forced."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from model.files.positions import load_position
from model.position import Position
from solver.problem import Goal, Play, Problem, TileOrder
from solver.questions import partial_answer, reach
from solver.search.engine import SearchEngine
from tests.solver import plane_endings
from tests.solver.endings import ending
from tests.solver.gatherings import gathering

POSITIONS = Path(__file__).parents[2] / "benchmarks" / "positions"
LINES = 400
"""Lines to the end of an ending."""
ASKED = (
    (Play.HELPED, Goal.POINTS),
    (Play.HELPED, Goal.LEAD),
    (Play.SOLITAIRE, Goal.LEAD),
    (Play.AGAINST, Goal.LEAD),
)


def positions(game: str, seed: int) -> Iterator[Position]:
    """Yield random endings of a game, with random switches."""
    if game in {"castle", "falcon"}:
        yield ending(seed, LINES, falcon=game == "falcon")
        yield from gathering(seed, falcon=game == "falcon")
        return
    rng = random.Random(seed)
    tiles, players = rng.choice((1, 1, 2)), rng.randint(2, 4)
    if game == "tower" and rng.random() < 0.6:
        yield plane_endings.besieged(seed, tiles, LINES, players=players)
    else:
        tower = game == "tower"
        yield plane_endings.ending(seed, tiles, LINES, players=players, tower=tower, turns=(2, 30))


def problems(at: Position, rng: random.Random) -> Iterator[Problem]:
    """Yield problems of a position, for each player as the asker."""
    for asker, (play, goal) in product(range(len(at.players)), ASKED):
        if play is Play.AGAINST and asker != at.to_move:
            continue
        yield Problem(
            position=at,
            asker=asker,
            goal=goal,
            play=play,
            order=TileOrder.GIVEN,
            horizon=rng.choice((None, None, None, 1, 2)),
        )


@cache
def solved(game: str, seed: int) -> tuple[tuple[Problem, Fraction | None], ...]:
    """Return problems of endings with their values, of which no limit is a part."""
    rng = random.Random(seed)
    asked = [problem for at in positions(game, seed) for problem in problems(at, rng)]
    return tuple((problem, SearchEngine().solve(problem).value) for problem in asked)


def broken(game: str, seed: int) -> int:
    """Return the number of problems whose value is not between the limits."""
    return sum(not _within(problem, value) for problem, value in solved(game, seed))


def _within(problem: Problem, value: Fraction | None) -> bool:
    """Tell whether a value lies between the limits of a problem."""
    least, most = partial_answer.bounds(problem)
    assert least is not None
    assert most is not None
    assert value is not None
    return least <= value <= most


@pytest.mark.parametrize("game", ["castle", "falcon", "carcassonne", "tower"])
@pytest.mark.parametrize("seed", range(200, 212))
def test_nobody_reaches_more_or_less(game: str, seed: int) -> None:
    """Whoever plays for whom, with all switches, kings, wall tiles, captures and ransoms."""
    assert not broken(game, seed)


def _nothing(*_: object) -> int:
    """Return 0 for the points of a part."""
    return 0


def _nothing_each(castle: Any, _: object) -> list[int]:
    """Return 0 for each tile to come."""
    return [0 for _ in castle._ground.stock]


def _strength(ground: Any, player: int, *features: object) -> int:
    """Return the followers on features now instead of those that may join."""
    return int(ground.strength(player, *features))


PARTS: dict[str, tuple[object, str, object]] = {
    "features that are joined": (reach._Gains, "touched", _nothing),
    "features that are completed": (reach._Gains, "filled", _nothing),
    "followers to come": (reach._Ground, "gathered", _strength),
    "tiles on a plane": (reach._Plane, "_own", _nothing),
    "farms": (reach._Plane, "_farm", _nothing),
    "ransoms": (partial_answer, "PRICE_OF_A_FOLLOWER", 0),
    "tiles in a castle": (reach._Castle, "_coming", _nothing_each),
    "large features": (reach._Castle, "_size", _nothing),
    "corner towers on the way": (reach._Castle, "_comes_to", _nothing),
    "the empty area": (reach, "largest_empty_area", _nothing),
    "wall tiles 2 and 3": (reach, "DOUBLERS", {}),
    "wall tile 9": (reach, "TILE_9", _nothing),
    "the king in play": (reach._Castle, "_king_in_play", _nothing),
    "the king at the end": (reach._Castle, "_king_at_the_end", _nothing),
}
"""Parts of the limits: where each stands, and what stands there without it."""


@pytest.mark.parametrize(
    ("part", "game", "seed"),
    [
        ("features that are joined", "castle", 308),
        ("features that are joined", "carcassonne", 213),
        ("features that are completed", "castle", 301),
        ("features that are completed", "tower", 201),
        ("followers to come", "castle", 301),
        ("followers to come", "carcassonne", 204),
        ("tiles on a plane", "tower", 213),
        ("farms", "tower", 201),
        ("ransoms", "tower", 209),
        ("tiles in a castle", "castle", 301),
        ("large features", "falcon", 302),
        ("corner towers on the way", "castle", 1002),
        ("the empty area", "castle", 1008),
        ("wall tiles 2 and 3", "castle", 314),
        ("wall tile 9", "castle", 312),
        ("the king in play", "falcon", 305),
        ("the king at the end", "falcon", 300),
    ],
)
def test_each_part_is_needed(
    part: str, game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it there are endings whose value is outside the limits."""
    owner, name, without = PARTS[part]
    assert not broken(game, seed)
    monkeypatch.setattr(owner, name, without)
    assert broken(game, seed)


@pytest.mark.parametrize(
    ("name", "width"),
    [("k9-1", 358), ("k3-1", 114), ("falcon-k4-2", 320), ("plane-01", 233), ("plane-09", 181)],
)
def test_limits_are_no_wider_than_they_were(name: str, width: int) -> None:
    """The lead of measured positions lies in an interval of so many points."""
    at = load_position(POSITIONS / f"{name}.toml")
    problem = Problem(
        position=at, asker=at.to_move, goal=Goal.LEAD, play=Play.AGAINST, order=TileOrder.GIVEN
    )
    least, most = partial_answer.bounds(problem)
    assert least is not None
    assert most is not None
    assert most - least <= width
