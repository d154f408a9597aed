"""Puzzles without what their solutions do not need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.puzzles.files.library import find, position
from burgrave.puzzles.judging.canonical import form
from burgrave.puzzles.study.simplify import bare, pieces, simplified
from burgrave.solver.questions import forced

LARGE = "castle-06"
"""A castle that is nearly full."""


def test_what_is_not_needed_goes() -> None:
    """With nothing asked of it a position keeps what the rules need, else what is asked for."""
    at = position(find("castle-04"))
    bare = simplified(at, lambda less: True)
    assert (bare.tiles, bare.followers, bare.towers, bare.spent) == ((), (), (), ())
    assert not problems(bare)
    wanted = at.followers[0]
    kept = simplified(at, lambda less: wanted in less.followers)
    assert kept.followers == (wanted,)
    assert not problems(kept)
    assert len(kept.tiles) < len(at.tiles)
    assert simplified(at, lambda less: False) == at


def test_what_stands_on_no_feature_goes_by_itself() -> None:
    """Wall tiles go but for those that are wanted; board and followers stay."""
    at = position(find("castle-04"))
    wanted = at.towers[0]
    less = bare(at, lambda smaller: wanted in smaller.towers)
    assert less.towers == (wanted,)
    assert not any(state.wall_tiles for state in less.players)
    assert (less.tiles, less.followers) == (at.tiles, at.followers)


class Asked:
    """Tells whether the best first move is alone and as it was; counts how often it is asked."""

    def __init__(self, at: Position) -> None:
        """Ask for the best move of a position."""
        (self.key,) = forced(at).first
        self.times = 0

    def __call__(self, less: Position) -> bool:
        """Ask for the best moves of a smaller position."""
        self.times += 1
        found = forced(less)
        return found.complete and [one.move for one in found.first] == [self.key.move]


@pytest.mark.long
@pytest.mark.slow
def test_a_full_castle_keeps_its_only_best_move_and_nothing_to_spare() -> None:
    """No single piece more can go, and the engines are asked less often than there are pieces."""
    at = position(find(LARGE))
    at = replace(at, order=at.order[:1])
    keeps = Asked(at)
    number = len(list(pieces(at)))
    small = simplified(at, keeps)
    times = keeps.times
    assert keeps(small)
    assert len(small.tiles) < len(at.tiles) / 2
    assert form(small) != form(at)
    for take in pieces(small):
        less = take(small)
        assert less == small or problems(less) or not keeps(less)
    assert times < 2 * number
