"""Games that play and undo turns at speed, for self-play and puzzles.

All results are plain values. Cells, features, followers and turns are numbers to be handed back.
Those of features and followers hold until a tile is laid or taken back; a turn holds where it was
listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.errors import QuestionError
from model.position import Position
from solver.engines import IN_CASTLES, refuse_unknown
from solver.simulation.simulation import (
    Completed,
    Outcome,
    Scoring,
    Simulation,
    Stake,
    Threat,
)
from solver.simulation.table import PLAYED_BY, Table, refuse_wall_tiles, table

if TYPE_CHECKING:
    from solver.simulation.castle import CastleSimulation as CastleSimulation
    from solver.simulation.plane import PlaneSimulation as PlaneSimulation

__all__ = [
    "PLAYED_BY",
    "Completed",
    "Outcome",
    "Scoring",
    "Simulation",
    "Stake",
    "Table",
    "Threat",
    "refuse_wall_tiles",
    "simulation",
    "table",
]


def simulation(position: Position) -> Simulation:
    """Return a game that begins at a position, for two players.

    Raises:
        QuestionError: the kernel does not know a switch's value, or the game is too large for it.

    """
    refuse_unknown("search", position.game)
    # The kernel loads numba, which is not needed to name a simulation.
    from solver.kernel import codec  # noqa: PLC0415

    refused = codec.refusal(position)
    if refused is not None:
        raise QuestionError(f"no game can be played at speed with {refused}")
    if position.game.id in IN_CASTLES:
        from solver.simulation.castle import CastleSimulation  # noqa: PLC0415

        return CastleSimulation(position)
    from solver.simulation.plane import PlaneSimulation  # noqa: PLC0415

    return PlaneSimulation(position)
