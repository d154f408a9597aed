"""Each pruning of the compiled search is turned off in turn: the values stay the same."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from model.draws import draws
from model.engine import legal_moves, play
from model.files.positions import load_position
from model.position import Position
from solver.limits import Limits
from solver.problem import Goal, Play, Problem, TileOrder
from solver.progress import Reporter
from solver.search.engine import SearchEngine

FOLDER = Path(__file__).parents[2] / "benchmarks" / "positions"
CASTLES = sorted(path.stem for path in FOLDER.glob("k[5-9]-*.toml"))
FALCONS = sorted(path.stem for path in FOLDER.glob("falcon-k4-*.toml"))
PLANES = sorted(path.stem for path in FOLDER.glob("plane-*.toml"))
PRUNINGS = ("windows", "killers", "merged", "star", "last", "hopeless", "idle", "answered")


def later(position: Position, left: int, seed: int) -> Position:
    """Return a position some random turns later, with so many tiles left."""
    rng = random.Random(seed)
    while len(position.order) + len(position.bag) > left:
        draw = next(draws(position))
        moves = list(legal_moves(position, draw.tile))
        position = play(position, rng.choice(moves)).position
    return position


def values(
    position: Position,
    order: TileOrder,
    engine: SearchEngine,
    goal: Goal = Goal.LEAD,
    play: Play = Play.AGAINST,
) -> dict[object, object]:
    """Return the value of every first move."""
    problem = Problem(
        position=position,
        asker=position.to_move,
        goal=goal,
        play=play,
        order=order,
        every=True,
        watch=Limits().start(),
        reporter=Reporter(),
    )
    found = engine.solve(problem)
    assert found.value is not None
    return {one.move: one.value for one in found.first} | {None: found.value}


@pytest.mark.parametrize("name", CASTLES + FALCONS)
@pytest.mark.parametrize("seed", [0, 1])
def test_no_pruning_changes_a_value_in_a_castle(name: str, seed: int) -> None:
    """Endings reached by random turns, two tiles in known order or unknown, all options."""
    position = later(load_position(FOLDER / f"{name}.toml"), 2, seed)
    if position.over:
        return
    forgotten = replace(position, order=(), bag=tuple(sorted(position.order)))
    for where, order in ((position, TileOrder.GIVEN), (forgotten, TileOrder.CHANCE)):
        expected = values(where, order, SearchEngine())
        for option in PRUNINGS:
            assert values(where, order, replace(SearchEngine(), **{option: False})) == expected, (
                option
            )


@pytest.mark.parametrize("name", CASTLES[::3])
@pytest.mark.parametrize(
    ("goal", "play"),
    [
        (Goal.LEAD, Play.AGAINST),
        (Goal.WIN, Play.AGAINST),
        (Goal.POINTS, Play.AGAINST),
        (Goal.POINTS, Play.HELPED),
        (Goal.POINTS, Play.SOLITAIRE),
    ],
)
def test_prunings_together_change_no_value(name: str, goal: Goal, play: Play) -> None:
    """Three tiles: before the last two, where answered turns and idle followers are left out."""
    position = later(load_position(FOLDER / f"{name}.toml"), 3, len(name) + ord(name[-1]))
    whole = replace(SearchEngine(), **dict.fromkeys(PRUNINGS[1:], False))
    for engine in (SearchEngine(), SearchEngine(last=False), SearchEngine(answered=False)):
        found = values(position, TileOrder.GIVEN, engine, goal, play)
        assert found == values(position, TileOrder.GIVEN, whole, goal, play)


@pytest.mark.parametrize("name", PLANES)
def test_no_pruning_changes_a_value_on_a_plane(name: str) -> None:
    """Two tiles unknown; Star2, windows and last turns."""
    position = load_position(FOLDER / f"{name}.toml")
    position = replace(position, bag=position.bag[:2])
    expected = values(position, TileOrder.CHANCE, SearchEngine())
    for option in PRUNINGS:
        found = values(position, TileOrder.CHANCE, replace(SearchEngine(), **{option: False}))
        assert found == expected, option
