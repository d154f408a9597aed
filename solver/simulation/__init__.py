"""Games that play and undo turns at speed, for self-play and puzzles.

All results are plain values. Cells, features, followers and turns are numbers to be handed back.
Those of features and followers hold until a tile is laid or taken back; a turn holds where it was
listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burgrave.model.errors import QuestionError
from burgrave.model.position import Position
from burgrave.model.registry import CARCASSONNE
from burgrave.solver.engines import REFERENCE
from burgrave.solver.simulation.simulation import ByRules as ByRules
from burgrave.solver.simulation.simulation import Completed as Completed
from burgrave.solver.simulation.simulation import Judged as Judged
from burgrave.solver.simulation.simulation import Outcome as Outcome
from burgrave.solver.simulation.simulation import Table as Table
from burgrave.solver.simulation.simulation import Threat as Threat

if TYPE_CHECKING:
    from burgrave.solver.simulation.games import Simulation as Simulation

COMPILED = "state"
"""The engine that lists turns on the compiled kernel."""
PLAYED_BY = (COMPILED, REFERENCE)
"""The two ways to play a game on, the faster first."""


def simulation(position: Position) -> Simulation:
    """Return a game that begins at a position, for two players.

    Raises:
        QuestionError: the kernel does not know a switch's value, or the game is too large for it.

    """
    from burgrave.solver.simulation.games import CastleSimulation, PlaneSimulation  # noqa: PLC0415

    made = PlaneSimulation if position.game.base == CARCASSONNE else CastleSimulation
    return made(position)


def table(position: Position, way: str) -> Table:
    """Return a game that begins at a position, played in a way of ``PLAYED_BY``.

    As many turns can be played as tiles are to come, whichever these are.

    Raises:
        QuestionError: the engine cannot play the position, or there is no such engine.

    """
    if way == REFERENCE:
        return ByRules(position)
    if way != COMPILED:
        raise QuestionError(
            f"the engine {way} does not play every line; {' and '.join(PLAYED_BY)} do"
        )
    from burgrave.solver.simulation.walk import Walk  # noqa: PLC0415 -- numba loads late

    return Walk(position)


def quick_table(position: Position) -> Table:
    """Return a game that begins at a position: on the kernel, or by the rules if it refuses."""
    try:
        return table(position, COMPILED)
    except QuestionError:
        return ByRules(position)
