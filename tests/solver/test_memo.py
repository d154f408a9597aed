"""Tables with bounded memory: what they forget changes no answer."""

from __future__ import annotations

import pytest

from solver import memo
from solver.questions import forced
from tests.solver import plane_endings


def test_a_full_table_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """It never has more entries than it may."""
    monkeypatch.setattr(memo, "MOST", 3)
    table = memo.Memo[int, int]()
    sizes = []
    for number in range(7):
        table[number] = number
        sizes.append(len(table))
    assert sizes == [1, 2, 3, 1, 2, 3, 1]
    assert table == {6: 6}


@pytest.mark.parametrize("engine", ["maxn", "plane"])
@pytest.mark.parametrize("seed", [3, 5, 8])
def test_what_is_forgotten_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch, seed: int, engine: str
) -> None:
    """With room for next to nothing as with room for all."""
    at = plane_endings.ending(seed, 2, 20_000, players=2, tower=True)
    whole = forced(at, engine=engine)
    monkeypatch.setattr(memo, "MOST", 2)
    again = forced(at, engine=engine)
    assert (again.value, again.first) == (whole.value, whole.first)
