"""Games played on and taken back at speed: what self-play and puzzles use of the states.

What is told is a plain value. Cells, features, followers and turns are numbers or values to be
handed back; those of features and followers hold until a tile is laid or taken back.
"""

from model.position import Position
from solver.simulation.castle import CastleSimulation
from solver.simulation.plane import PlaneSimulation
from solver.simulation.simulation import (
    Completed,
    Outcome,
    Scoring,
    Simulation,
    Stake,
    Threat,
)

__all__ = [
    "CastleSimulation",
    "Completed",
    "Outcome",
    "PlaneSimulation",
    "Scoring",
    "Simulation",
    "Stake",
    "Threat",
    "simulation",
]


def simulation(position: Position) -> Simulation:
    """Return a game that begins at a position, for two players."""
    endless = position.game.board.endless
    return PlaneSimulation(position) if endless else CastleSimulation(position)
