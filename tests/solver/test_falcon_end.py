"""Final scoring of The Falcon: reference, kernel and a plain reading of the rules.

Reference and kernel share a reading: who takes tokens first, what joins, what a player chooses.
The plain reading (``tests.falcon_end``) shares no code with either; ``benchmarks.falcon_ends``
compares thousands of games.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.falcon_ends import compared, finished
from burgrave.model.components import Rank
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.solver.simulation.walk import Walk
from tests.solver.positions import rich_falcon_position
from tests.strategies import walk


@pytest.mark.parametrize("switches", [False, True], ids=["default", "any switches"])
def test_three_ways_end_a_game_alike(*, switches: bool) -> None:
    """Scores and leads in tokens are equal; the choice of wall tiles is one of the best."""
    for seed in range(60):
        result = compared(finished(seed, switches=switches))
        assert not result.wrong, (seed, result.wrong)


@pytest.mark.long
def test_choices_that_are_as_good_may_bring_other_tokens() -> None:
    """The totals are decided, the tokens are not: a wall tile may take one that changes nothing.

    So two programs that agree on all scores may tell other tokens.
    """
    assert any(len(compared(finished(seed)).leads) > 1 for seed in range(200))


def ending(seed: int) -> Position:
    """Return a position with no tile left, wall tiles 4 to 9 in hand, kings on the board."""
    rng = random.Random(seed)
    position = rich_falcon_position(seed)
    for step in walk(position, rng, rng.randint(0, 3)):
        position = step.played.position
    deck = [n for n in range(4, 10) for _ in range(2)]
    rng.shuffle(deck)
    hands = [sorted(deck.pop() for _ in range(rng.randrange(7))) for _ in position.players]
    players = tuple(
        replace(state, wall_tiles=tuple(hand), fresh_wall_tiles=())
        for state, hand in zip(position.players, hands, strict=True)
    )
    return replace(position, players=players, order=(), bag=(), in_extra_turn=False, extra_turns=0)


@pytest.mark.long
def test_the_kernel_scores_kings_as_the_reference() -> None:
    """Its totals are those of the reference, with many wall tiles and kings on many a feature."""
    kings = 0
    for seed in range(60):
        over = ending(seed)
        kings += any(follower.rank is Rank.KING for follower in over.followers)
        assert Walk(over).totals() == final_scoring(over).scores, seed
    assert kings >= 20
