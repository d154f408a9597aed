"""The endings for which the benchmark's figures are quoted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import mean

import pytest

from burgrave.model.components import Rank
from burgrave.model.files.positions import load_position

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "benchmarks" / "positions"


def test_the_frozen_endings_are_what_they_are_said_to_be() -> None:
    """37 endings, 2 to 9 tiles left in known order, followers at hand, wall tiles on towers."""
    found = {path.stem: load_position(path) for path in sorted(FOLDER.glob("k*.toml"))}
    tiles = Counter(len(at.order) for at in found.values())
    assert tiles == {2: 3, 3: 4, 4: 4, 5: 5, 6: 5, 7: 4, 8: 3, 9: 9}
    for name, at in found.items():
        assert name.startswith(f"k{len(at.order)}-")
        assert not at.bag
        assert at.towers
        assert all(number for _, number in at.towers)
        assert min(player.supply for player in at.players) >= 1
    assert mean(player.supply for at in found.values() for player in at.players) >= 2


def test_the_frozen_endings_of_the_falcon_are_what_they_are_said_to_be() -> None:
    """9 endings, 2 to 4 tiles left in known order, a king or falconer at hand in each."""
    found = {path.stem: load_position(path) for path in sorted(FOLDER.glob("falcon-k*.toml"))}
    assert Counter(len(at.order) for at in found.values()) == {2: 3, 3: 3, 4: 3}
    for name, at in found.items():
        assert name.startswith(f"falcon-k{len(at.order)}-")
        assert at.game.id == "castle+falcon"
        assert at.towers
        assert min(player.supply for player in at.players) >= 1
        assert any(player.specials for player in at.players)
    assert any(
        follower.rank is not Rank.FOLLOWER for at in found.values() for follower in at.followers
    )


def test_the_frozen_endings_of_carcassonne_are_what_they_are_said_to_be() -> None:
    """12 endings of two players with followers at hand, three kinds of tiles in the bag."""
    found = [load_position(path) for path in sorted(FOLDER.glob("plane-*.toml"))]
    assert len(found) == 12
    for at in found:
        assert at.game.id == "carcassonne"
        assert not at.order
        assert len(at.players) == 2
        assert len(set(at.bag)) == len(at.bag) == 3
        assert len(at.tiles) + len(at.discarded) == 69
        assert min(player.supply for player in at.players) >= 2
