"""Moves that no notation writes are refused or found fault with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burgrave.model.components import Role
from burgrave.model.engine import violations
from burgrave.model.errors import CallError
from burgrave.model.files.games import shipped_game
from burgrave.model.geometry import Cell
from burgrave.model.position import Deployment, Move, PlayerState, Position
from burgrave.model.rules.castle.setup import TURN_ORDER


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"tile": "K01"}, id="a tile without a cell"),
        pytest.param({"cell": Cell(0, 2)}, id="a cell without a tile"),
        pytest.param({"tile": "K01", "cell": Cell(0, 2), "rotation": 4}, id="a fifth rotation"),
        pytest.param({"extra_turns": -1}, id="a turn less"),
    ],
)
def test_half_a_placement_is_no_move(fields: dict[str, object]) -> None:
    """A move names tile and cell together, and a rotation that exists."""
    with pytest.raises(CallError, match=r"names a tile|rotation|extra_turns"):
        Move(**fields)


def test_a_turn_without_a_placement_is_empty() -> None:
    """A pass with a follower or a wall tile breaks the order of a turn, even when it may pass."""
    game = shipped_game("castle")
    position = Position(game=game, players=(PlayerState(), PlayerState()), order=("K01",))
    passing = Move(discards=("K01",))
    follower = Deployment(Cell(0, 2), 0, Role.KNIGHT)
    for move in (replace(passing, followers=(follower,)), replace(passing, extra_turns=1)):
        found = [finding.message for finding in violations(position, move)]
        assert any("without a placement" in message for message in found)
        assert TURN_ORDER.id in {finding.rule for finding in violations(position, move)}
