"""Puzzles without what their solutions do not need."""

from __future__ import annotations

from model.problems import problems
from puzzles.library import find, position
from puzzles.simplify import simplified


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
