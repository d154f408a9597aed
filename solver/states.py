"""The incremental state of a game in a castle."""

from __future__ import annotations

from model.games import CASTLE_FALCON
from model.position import Position
from solver.falcon.state import FalconState
from solver.game_state import GameState


def game_state(position: Position) -> GameState:
    """Return a position that turns can be played on and taken back.

    Args:
        position: a position of The Castle, with or without The Falcon.

    """
    return FalconState(position) if position.game.id == CASTLE_FALCON else GameState(position)
