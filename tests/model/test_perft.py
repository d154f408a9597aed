"""Move counts by depth are those of the frozen file."""

from __future__ import annotations

import pytest

from burgrave.model.problems import problems
from tests.perft import Frozen, frozen, shown, split

POSITIONS = frozen()
CASTLE = [entry for entry in POSITIONS if not entry.position.game.board.endless]


@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry.id)
def test_move_counts_are_frozen(entry: Frozen) -> None:
    """Legal moves at depth 1 and 2 are as many as the file says; a failure shows the split."""
    counts = split(entry.position)
    found = (len(counts), sum(counts.values()))
    assert found == entry.moves, f"{entry.id}: moves after each move\n{shown(counts)}"


def test_the_frozen_positions_can_arise() -> None:
    """The files have at least 14 positions, each possible, with a name and an origin of its own."""
    assert len({entry.id for entry in POSITIONS}) == len(POSITIONS) >= 14
    for entry in POSITIONS:
        assert problems(entry.position) == ()
        assert entry.shows
        assert entry.origin
        assert len(entry.moves) == 2


def test_the_frozen_positions_bring_their_tiles_along() -> None:
    """No tile of a frozen castle is one of the shipped set, which may be retuned."""
    for entry in CASTLE:
        position = entry.position
        own = {tile.kind.id for tile in position.tiles}
        own |= {*position.order, *position.bag, *position.discarded}
        assert all(kind_id.startswith("P-") for kind_id in own)
