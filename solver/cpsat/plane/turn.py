"""One turn of Carcassonne: each solution is a turn with ransom and one action.

Its value is the points of the turn; final scoring has no part in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from model.draws import Draw
from model.position import Position
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from solver.cpsat.base.cp import Expression, Reading
from solver.cpsat.base.instance import before_turn
from solver.cpsat.base.logic import Logic, weighted
from solver.cpsat.connectivity.by_turn import ByTurn
from solver.cpsat.plane.instance import survey
from solver.cpsat.plane.model import PlanePlay, plane_play
from solver.cpsat.plane.prisoners import solvent
from solver.cpsat.plane.reading import PlaneStep, cell_of, move_of, read_plan
from solver.cpsat.plane.scoring import cloisters, roads_and_cities
from solver.listing import ScoredMove

NEAR = 2
"""To explain something the tile is tried on all cells that many steps from others."""


class PlaneSolution(NamedTuple):
    """A turn as the model has it."""

    step: PlaneStep
    gains: tuple[int, ...]
    """Points by player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneTurn:
    """A turn as variables."""

    play: PlanePlay
    discards: tuple[str, ...]
    totals: tuple[Expression, ...]
    """Points by player."""
    entangled: bool = False
    """Whether how a move is named depends on all others."""

    @property
    def logic(self) -> Logic:
        """The model."""
        return self.play.table.logic

    def read(self, reading: Reading) -> PlaneSolution:
        """Read a solution off the variables."""
        (step,) = read_plan(self.play, reading)
        return PlaneSolution(step, tuple(map(reading, self.totals)))

    def found(self, solutions: Iterable[PlaneSolution]) -> list[ScoredMove]:
        """Return the moves that solutions stand for, in the order of the reference engine."""
        return [self.shown(solution) for solution in sorted(solutions, key=_rank)]

    def shown(self, solution: PlaneSolution) -> ScoredMove:
        """Return a solution as a move."""
        move = move_of(self.play, (solution.step,), 0, self.discards)
        return ScoredMove(move, solution.gains)


def _rank(solution: PlaneSolution) -> tuple[object, ...]:
    """Return the place of a move in the reference engine's list."""
    step = solution.step
    action: tuple[object, ...] = (0,)
    if step.segment >= 0:
        action = (1, step.segment)
    elif step.guard is not None:
        action = (2, cell_of((step,), step.guard), 1, 0)
    elif step.piece is not None:
        action = (2, cell_of((step,), step.piece), 0, -1 if step.taken is None else step.taken)
    early = -1 if step.early is None else step.early
    late = -1 if step.late is None else step.late
    return step.spot or (), early, action, late


def plane_turn(position: Position, draw: Draw, *, explain: bool = False) -> PlaneTurn:
    """Build the model of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid, if any, and those that had no place before it.
        explain: whether rules become literals that can be assumed.

    """
    logic = Logic(explain=explain)
    at = before_turn(position, draw)
    at = replace(at, order=at.order[:1])
    instance, _ = survey(at, None, farthest=NEAR if explain else 0)
    play = plane_play(logic, instance, ByTurn())
    placement = play.table.placement
    logic.clause(placement.gone[0] if draw.tile is None else placement.laid[0])
    for (_, mover, _), literal in play.custody.late.items():
        if position.players[mover].score >= PRICE_OF_A_FOLLOWER:
            # Who can pay before the action pays then: it leads to the same position.
            logic.clause(~literal)
    pieces = [
        *roads_and_cities(logic, instance, play.features),
        *cloisters(logic, instance, placement, play.features),
    ]
    solvent(play.table, play.custody, pieces)
    totals = tuple(weighted(terms) for terms in play.income(pieces, 0))
    return PlaneTurn(play=play, discards=draw.discards, totals=totals)
