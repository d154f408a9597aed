"""Difficulty on real positions: it rises with what makes a position harder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from model.notation import write_move
from model.position import Position
from puzzles.candidates.guess import tempting
from puzzles.difficulty import Features, level, measured
from puzzles.generator import described, posed
from puzzles.library import find, puzzle
from puzzles.questions import Force
from puzzles.study.puzzle import HARDEST
from puzzles.study.study import study
from solver.questions import forced
from solver.result import RootMove

ASKED = Force()
PLIES = ("the-long-view", "one-comes-home", "count-the-spaces", "one-for-one")
"""Puzzles in which one first move alone is best however few of their tiles come."""


def rated(at: Position, key: RootMove, wrong: Sequence[RootMove]) -> tuple[int, Features]:
    """Return the level of a position with its best first move and wrong ones, and its measures."""
    made = posed(at, ASKED, key, wrong)
    solution = study(made)
    assert solution is not None
    told = described(made, solution)
    assert told.difficulty is not None
    return told.difficulty, measured(told, solution)


def as_generated(at: Position) -> tuple[int, Features]:
    """Rate a position by the wrong first moves that the generator finds tempting."""
    (key,) = forced(at).first
    values = {m: ASKED.worth(at, write_move(at, m)) for m in tempting(at, key.move)}
    return rated(at, key, [RootMove(move=m, value=v) for m, v in values.items() if v is not None])


@pytest.mark.parametrize("puzzle_id", PLIES)
def test_a_position_is_harder_the_more_tiles_come(puzzle_id: str) -> None:
    """The same board with one tile left, then two, and so on: more turns, a longer look."""
    at = puzzle(find(puzzle_id)).position
    left = range(1, len(at.order) + 1)
    rows = [as_generated(replace(at, order=at.order[:tiles])) for tiles in left]
    assert [features.plies for _, features in rows] == list(left)
    depths = [features.depth for _, features in rows]
    levels = [found for found, _ in rows]
    assert depths == sorted(depths)
    assert levels == sorted(levels)
    assert depths[0] == 0 < depths[-1]
    assert levels[0] < levels[-1]


def test_a_position_is_harder_the_more_moves_are_plausible() -> None:
    """The same board, of which more and more moves that come near the best are looked at."""
    at = puzzle(find("the-long-view")).position
    at = replace(at, order=at.order[:1])
    (key,) = forced(at).first
    every = sorted(forced(at, every=True).first, key=lambda one: -one.value)
    near = [one for one in every if one.move != key.move]
    rows = [rated(at, key, near[:number]) for number in (0, 1, 3, 7, 13)]
    assert [features.plausible for _, features in rows] == [1, 2, 4, 8, 14]
    levels = [found for found, _ in rows]
    assert levels == sorted(levels)
    assert levels[0] < levels[-1]


def test_shipped_levels_are_those_that_are_measured() -> None:
    """A sample of the hardest: the stored level is the one that their measures make."""
    for puzzle_id in ("count-the-spaces", "as-little-as-possible"):
        good = puzzle(find(puzzle_id))
        solution = study(good)
        assert solution is not None
        assert good.difficulty == level(measured(good, solution)) == HARDEST


def test_a_look_ahead_counts_final_scoring() -> None:
    """Who ends the game after each tile finds these keys at once: they are not deep."""
    for puzzle_id in ("a-keep-at-last", "shared-fields"):
        good = puzzle(find(puzzle_id))
        solution = study(good)
        assert solution is not None
        for tiles in range(1, len(good.position.order)):
            short = replace(good.position, order=good.position.order[:tiles])
            best = {write_move(short, one.move) for one in forced(short).first}
            assert best == set(good.answer.moves)
        assert measured(good, solution).depth == 0


def test_a_look_ahead_asks_what_the_puzzle_asks() -> None:
    """Where both players help, a look does not let them play against each other."""
    good = puzzle(find("helping-hands"))
    solution = study(good)
    assert solution is not None
    short = replace(good.position, order=good.position.order[:1])
    values = good.question.values(short)
    best = {move for move, value in values.items() if value == max(values.values())}
    assert measured(good, solution).depth == int(best != set(good.answer.moves))
