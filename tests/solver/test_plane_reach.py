"""The bound of what a player on a plane can reach, against all that can be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from solver.plane.reach import PlaneReach
from solver.plane.state import PlaneState
from solver.problem import Goal, Play, Problem, TileOrder
from solver.questions import partial_answer
from solver.search.engine import SearchEngine
from tests.solver import plane_endings

LINES = 400


def problems(seed: int) -> Iterator[Problem]:
    """Yield problems of a random ending in which all play for one player or he plays alone."""
    rng = random.Random(seed)
    tiles, players = rng.choice((1, 1, 2)), rng.randint(2, 3)
    if rng.random() < 0.4:
        at = plane_endings.besieged(seed, tiles, LINES, players=players)
    else:
        tower = rng.random() < 0.5
        at = plane_endings.ending(seed, tiles, LINES, players=players, tower=tower)
    for asker, play, goal in product(
        range(players), (Play.HELPED, Play.SOLITAIRE), (Goal.POINTS, Goal.LEAD)
    ):
        yield Problem(
            position=at,
            asker=asker,
            goal=goal,
            play=play,
            order=TileOrder.GIVEN,
        )


def exceeded(seed: int) -> int:
    """Return in how many problems of an ending more can be reached than the limits say."""
    found = 0
    for problem in problems(seed):
        least, most = partial_answer.bounds(problem)
        value = SearchEngine().solve(problem).value
        assert value is not None
        assert least is not None
        assert most is not None
        assert least <= value
        found += most < value
    return found


@pytest.mark.parametrize("seed", range(200, 224))
def test_nobody_reaches_more(seed: int) -> None:
    """In Carcassonne and The Tower, with all switches and two or three players."""
    assert not exceeded(seed)


class Open(PlaneReach):
    """Takes no feature to be completed."""

    def _closes(self, root: int) -> bool:
        return root < 0


class Old(PlaneReach):
    """Leaves out what tiles to come bring by themselves."""

    def _new(self, kind: int) -> int:
        return min(kind, 0)


class Apart(PlaneReach):
    """Lets no tile join features that the player does not hold."""

    def _look(self) -> None:
        super()._look()
        self._there = []


class Fallow(PlaneReach):
    """Knows no farms."""

    def __init__(self, state: PlaneState, stock: list[int], tiles: int) -> None:
        super().__init__(state, stock, tiles)
        self._farm = 0


class Worldly(PlaneReach):
    """Knows no cloisters."""

    def _worth(self, root: int) -> int:
        board = self.state.board
        return 0 if root in board.cloisters.values() else super()._worth(root)


@pytest.mark.parametrize(
    ("kind", "seed"), [(Open, 219), (Old, 210), (Apart, 202), (Fallow, 242), (Worldly, 339)]
)
def test_each_part_is_needed(
    kind: type[PlaneReach], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it there are endings in which more is reached."""
    monkeypatch.setattr(partial_answer, "PlaneReach", kind)
    assert exceeded(seed)


def test_ransoms_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player has more than features bring if others buy their followers back from him."""
    assert not exceeded(466)
    monkeypatch.setattr(partial_answer, "PRICE_OF_A_FOLLOWER", 0)
    assert exceeded(466)
