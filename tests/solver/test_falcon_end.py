"""Final scoring of The Falcon: reference, incremental state and a plain reading of the rules.

Reference and state share a reading: who takes tokens first, what joins, what a player chooses.
The plain reading (``tests.falcon_end``) shares no code with either; ``benchmarks.falcon_ends``
compares thousands of games.
"""

from __future__ import annotations

import pytest

from benchmarks.falcon_ends import compared, finished


@pytest.mark.parametrize("switches", [False, True], ids=["default", "any switches"])
def test_three_ways_end_a_game_alike(*, switches: bool) -> None:
    """Scores and leads in tokens are equal; the choice of wall tiles is one of the best."""
    for seed in range(60):
        result = compared(finished(seed, switches=switches))
        assert not result.wrong, (seed, result.wrong)


def test_choices_that_are_as_good_may_bring_other_tokens() -> None:
    """The totals are decided, the tokens are not: a wall tile may take one that changes nothing.

    So two programs that agree on all scores may tell other tokens.
    """
    assert any(len(compared(finished(seed)).leads) > 1 for seed in range(200))
