"""The limits of what each player can have, against what can be had and what is forced."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import inf
from pathlib import Path
from typing import Any

import pytest

from model.components import Node
from model.files.positions import load_position
from model.geometry import Cell
from model.position import Position
from solver.problem import Goal, Play, Problem, TileOrder
from solver.questions import partial_answer
from solver.reach import castle, gains, ground, plane
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


def _nothing(*_: object, **__: object) -> int:
    """Return 0 for the points of a part."""
    return 0


def _nothing_each(castle: Any, _: object) -> list[int]:
    """Return 0 for each tile to come."""
    return [0 for _ in castle._ground.stock]


def _far(*_: object) -> float:
    """Return more tiles than there are for those that join two features."""
    return inf


PARTS: dict[str, tuple[object, str, object]] = {
    "features that are joined": (gains.Gains, "touched", _nothing),
    "features that are completed": (gains.Gains, "filled", _nothing),
    "followers to come": (ground.Ground, "claims", _nothing),
    "followers near by": (ground.Ground, "apart", _far),
    "tiles on a plane": (plane.Plane, "_own", _nothing),
    "farms": (plane.Plane, "_farms", _nothing),
    "ransoms": (partial_answer, "PRICE_OF_A_FOLLOWER", 0),
    "courts": (castle, "_courts", _nothing),
    "tiles in a castle": (castle.Castle, "_coming", _nothing_each),
    "large features": (castle.Castle, "_size", _nothing),
    "corner towers on the way": (castle.Castle, "_comes_to", _nothing),
    "the empty area": (castle, "largest_empty_area", _nothing),
    "wall tiles 2 to 7": (castle.Castle, "_worth", _nothing),
    "wall tile 9": (castle, "TILE_9", _nothing),
    "the king in play": (castle.Castle, "_king_in_play", 0),
    "the king at the end": (castle.Castle, "_king_at_the_end", _nothing),
}
"""Parts of the limits: where each stands, and what stands there without it."""


@pytest.mark.parametrize(
    ("part", "game", "seed"),
    [
        ("features that are joined", "castle", 201),
        ("features that are joined", "carcassonne", 213),
        ("features that are completed", "castle", 200),
        ("features that are completed", "tower", 201),
        ("followers to come", "castle", 200),
        ("followers to come", "carcassonne", 200),
        ("followers near by", "castle", 200),
        ("tiles on a plane", "carcassonne", 200),
        ("farms", "tower", 201),
        ("ransoms", "tower", 209),
        ("courts", "castle", 201),
        ("tiles in a castle", "castle", 200),
        ("large features", "falcon", 204),
        ("corner towers on the way", "castle", 1002),
        ("the empty area", "castle", 203),
        ("wall tiles 2 to 7", "castle", 203),
        ("wall tile 9", "castle", 203),
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
    [("k9-1", 342), ("k3-1", 93), ("falcon-k4-2", 262), ("plane-01", 81), ("plane-09", 80)],
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


@pytest.mark.parametrize("seed", range(40))
def test_no_choice_of_cells_brings_more(seed: int) -> None:
    """Against every way to fill cells, capture followers and keep away from what lends most."""
    rng = random.Random(seed)
    cells, men = [Cell(x, 0) for x in range(6)], [Node(Cell(x, 9), 0) for x in range(2)]
    tiles, captures, away = rng.randint(1, 4), rng.randint(0, 1), rng.randint(0, 1)
    fit = gains.Fit(rng.sample(cells, rng.randint(1, 5)), rng.randint(0, 3))
    limit = gains.Gains(tiles, captures, [[fit]] * away)
    stakes = []
    for _ in range(rng.randint(1, 7)):
        places = rng.sample(cells, rng.randint(1, 4))
        points, every, who = rng.randint(1, 9), rng.random() < 0.4, rng.sample(men, 1)
        if every:
            limit.filled(places, points)
        else:
            limit.touched(places, points, who)
        stakes.append((places, points, every, who))

    def won(filled: tuple[Cell, ...], taken: tuple[Node, ...]) -> int:
        return sum(
            points
            for places, points, every, who in stakes
            if (all if every else any)(cell in filled for cell in places)
            or (not every and who[0] in taken)
        )

    def best(filled: tuple[Cell, ...], taken: tuple[Node, ...]) -> int:
        # Who keeps away fills a cell that is left to him; the others fill theirs first.
        spoilt = combinations(fit.cells, min(fit.spoilt, len(fit.cells) - 1))
        left = [set(fit.cells) - {*gone} for gone in spoilt]
        return max(min(won((*filled, cell), taken) for cell in some) for some in left)

    value = best if away else won
    assert limit.most >= max(
        value(filled, taken)
        for filled in combinations(cells, tiles - away)
        for taken in combinations(men, captures)
    )


def test_two_tiles_cannot_help_themselves_to_everything() -> None:
    """Each of two cells is wanted by all; one follower between them is captured at once."""
    man, (west, east) = Node(Cell(5, 5), 0), (Cell(0, 0), Cell(3, 0))
    limit = gains.Gains(1, 1)
    limit.touched([west], 4)
    limit.touched([east], 3)
    limit.touched([], 5, [man])
    limit.filled([west, east], 50)
    assert limit.most == 4 + 5
    # Who keeps away takes the other cell, unless it may be spoilt.
    assert [_kept(west, east, spoilt) for spoilt in (0, 1)] == [3, 4]


def _kept(west: Cell, east: Cell, spoilt: int) -> int:
    """Return the limit for one tile of a player who keeps away from a cell."""
    limit = gains.Gains(1, 0, [[gains.Fit([west, east], spoilt)]])
    limit.touched([west], 4)
    limit.touched([east], 3)
    return limit.most
