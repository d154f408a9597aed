"""The worked examples of The Falcon's rules, as shipped positions."""

from __future__ import annotations

import pytest

from burgrave.model.engine import play
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.notation import read_move
from burgrave.puzzles.files.library import find, position
from burgrave.solver.questions import best
from burgrave.solver.result import Status


@pytest.mark.parametrize(
    ("example", "move", "points", "tokens", "most"),
    [("falcon-01", "F04@0,9r0", 15, 3, 15), ("falcon-02", "F08@7,3r3", 8, 1, 9)],
)
def test_points_and_tokens_are_those_of_the_rules(
    example: str, move: str, points: int, tokens: int, most: int
) -> None:
    """The move closes the feature; a preacher beside the path of the second brings 1 more."""
    before = position(find(example))
    after = play(before, read_move(before, move)).position.players[0]
    assert (after.score, after.part(FalconHoldings).tokens) == (points, tokens)
    answer = best(before)
    assert (answer.value, answer.status) == (most, Status.OPTIMAL)
