"""The ladder and the learning of the value, without games."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np  # noqa: TID253 -- sums of a regression
import pytest

from benchmarks import ladder
from benchmarks.ladder import Duel, elo, player, score
from benchmarks.learn_values import Sums


def duels(leads: list[int]) -> list[Duel]:
    """Return games in pairs with the same tiles."""
    return [
        Duel("castle", "cut-9", "level-1", at // 2, at % 2, lead, (0.1, 0.2))
        for at, lead in enumerate(leads)
    ]


def test_a_share_of_wins_has_an_interval() -> None:
    won = score(duels([3] * 20))
    assert won.share == 1
    low, high = won.interval
    assert low == pytest.approx(20 / (20 + 1.96**2))
    assert high == pytest.approx(1)
    even = score(duels([3, -3] * 50))
    # Both games of a pair were decided by the tiles: each pair tells the same.
    assert (even.share, even.error) == (0.5, 0)
    mixed = score(duels([3, 3, -3, -3] * 25))
    # Two games that always go together tell as much as one.
    assert mixed.interval[0] == pytest.approx(0.5 - 1.96 * 0.5 / np.sqrt(50), abs=0.01)
    assert mixed.lead == 0
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(191, abs=1)


def test_a_ladder_goes_on_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[tuple[int, int]] = []

    def duel(game: str, names: tuple[str, str], number: int, seat: int) -> Duel:
        played.append((number, seat))
        return Duel(game, *names, number, seat, 5, (0.01, 0.02))

    monkeypatch.setattr(ladder, "duel", duel)
    options = ["--game", "castle", "--pair", "cut-9", "level-1", "--keep", str(tmp_path / "kept")]
    for games, new in ((2, 2), (4, 2), (4, 0)):
        before = len(played)
        monkeypatch.setattr(sys, "argv", ["ladder", *options, "--games", str(games)])
        ladder.main()
        assert len(played) - before == new
    assert len({*played}) == 4
    assert "| castle | cut-9 | level-1 | 4 | 100.0%" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["level-0", "level-9", "cut", "whole-x", "best-5"])
def test_an_unknown_player_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no player"):
        player(name)


def test_the_regression_finds_the_weights() -> None:
    rng = np.random.default_rng(1)
    truth, sums = np.array([2.0, -1.0, 0.0]), Sums(3)
    for _ in range(5):
        rows = rng.normal(size=(400, 3))
        sums.add(rows, rows @ truth + rng.normal(size=400))
    assert sums.solved() == pytest.approx(truth, abs=0.1)
