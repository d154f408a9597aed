"""Tables with bounded memory."""

from __future__ import annotations

import pytest

from solver import memo


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
