"""The incremental states of the games: what searches play turns on and take them back from."""

from __future__ import annotations

from model.games import CASTLE_FALCON, WITH_TOWER
from model.position import Position
from solver.falcon.ending import falcon_totals
from solver.falcon.state import FalconState
from solver.final_value import final_scores
from solver.game_state import GameState
from solver.plane.state import PlaneState
from solver.plane.towers import TowerState


def game_state(position: Position) -> GameState:
    """Return a position that turns can be played on and taken back.

    Args:
        position: a position of The Castle, with or without The Falcon.

    """
    return FalconState(position) if position.game.id == CASTLE_FALCON else GameState(position)


def totals(state: GameState) -> tuple[int, int]:
    """Return each player's total after final scoring.

    Args:
        state: a state with no tile left to draw.

    """
    return falcon_totals(state) if isinstance(state, FalconState) else final_scores(state)


def plane_state(position: Position) -> PlaneState:
    """Return a position that turns can be played on and taken back.

    Args:
        position: a position of Carcassonne, with or without The Tower.

    """
    return TowerState(position) if position.game.id == WITH_TOWER else PlaneState(position)
