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
from solver.problem import Goal, Play, Problem, TileOrder
from solver.search.engine import SearchEngine

FOLDER = Path(__file__).parents[2] / "benchmarks" / "positions"
CASTLES = sorted(path.stem for path in FOLDER.glob("k[5-9]-*.toml"))
FALCONS = sorted(path.stem for path in FOLDER.glob("falcon-k4-*.toml"))
PLANES = sorted(path.stem for path in FOLDER.glob("plane-*.toml"))
PRUNINGS = ("windows", "killers", "merged", "star", "last")


def later(position: Position, left: int, seed: int) -> Position:
    """Return a position some random turns later, with so many tiles left."""
    rng = random.Random(seed)
    while len(position.order) + len(position.bag) > left:
        draw = next(draws(position))
        moves = list(legal_moves(position, draw.tile))
        position = play(position, rng.choice(moves)).position
    return position


def values(position: Position, order: TileOrder, engine: SearchEngine) -> dict[object, object]:
    """Return the value of every first move."""
    problem = Problem(
        position=position,
        asker=position.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=order,
        every=True,
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
            assert values(where, order, SearchEngine(**{option: False})) == expected, option


@pytest.mark.parametrize("name", PLANES)
def test_no_pruning_changes_a_value_on_a_plane(name: str) -> None:
    """Two tiles unknown; Star2, windows and last turns."""
    position = load_position(FOLDER / f"{name}.toml")
    position = replace(position, bag=position.bag[:2])
    expected = values(position, TileOrder.CHANCE, SearchEngine())
    for option in PRUNINGS:
        found = values(position, TileOrder.CHANCE, SearchEngine(**{option: False}))
        assert found == expected, option
