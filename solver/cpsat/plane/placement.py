"""One turn of Carcassonne as a CP-SAT model, built without the reference's move generator.

Every solution is a whole turn: place, rotation, ransom and one action, a follower or with The
Tower a piece, a prisoner or a guard. Its value is the points of the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from model.book import book_of
from model.draws import Draw
from model.geometry import Cell
from model.position import Capture, Deployment, Move, Position, Ransom
from model.rules.carcassonne.followers import UNCLAIMED
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from model.tiles import TileKind
from solver.answers import Objective
from solver.cpsat.board import Spot
from solver.cpsat.connectivity import free_features, joining
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Logic, weighted
from solver.cpsat.plane.actions import Actions, Ransoms, acting, late_payment, ransoming
from solver.cpsat.plane.board import Plane, survey
from solver.cpsat.plane.legality import lying, standing
from solver.cpsat.plane.scoring import Turn, scoring
from solver.cpsat.run import Expression, Literal, Reading
from solver.engines import Found

K = TypeVar("K")
NO_TILE = TileKind(id="", segments=())
"""What is laid in a turn for which no tile is left that has a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A turn as the model has it."""

    spot: Spot | None
    segment: int
    """The segment with the new follower; -1 for none."""
    piece: Cell | None
    taken: Capture | None
    guard: Cell | None
    early: int | None
    late: int | None
    gains: tuple[int, ...]
    """Points by player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneTurn:
    """A turn as variables, with what they stand for."""

    logic: Logic
    plane: Plane
    discards: tuple[str, ...]
    lie: Lie
    y: tuple[Literal, ...]
    ransoms: Ransoms
    actions: Actions
    totals: tuple[Expression, ...]
    """Points by player."""
    entangled: bool = False
    """Whether how a move is named depends on all others."""

    def value(self, objective: Objective) -> Expression:
        """Return what the turn is worth to the mover."""
        mine = self.totals[self.plane.position.to_move]
        return mine if objective is Objective.POINTS else 2 * mine - sum(self.totals)

    def read(self, reading: Reading) -> Solution:
        """Read a solution off the variables."""
        spot = _chosen(self.lie.x, reading)
        piece: Cell | None = None
        for place, literal in self.actions.pieces.items():
            if reading(literal):
                piece = place if place is not None or spot is None else spot[0]
        segment = _chosen(dict(enumerate(self.y)), reading)
        return Solution(
            spot=spot,
            segment=-1 if segment is None else segment,
            piece=piece,
            taken=_chosen(self.actions.takes, reading),
            guard=_chosen(self.actions.guards, reading),
            early=_chosen(self.ransoms.early, reading),
            late=_chosen(self.ransoms.late, reading),
            gains=tuple(map(reading, self.totals)),
        )

    def found(self, solutions: Iterable[Solution]) -> list[Found]:
        """Return the moves that solutions stand for, in the order of the reference engine."""
        return [self.shown(solution) for solution in sorted(solutions, key=self._rank)]

    def shown(self, solution: Solution) -> Found:
        """Return a solution as a move."""
        plane = self.plane
        followers: tuple[Deployment, ...] = ()
        cell, rotation = solution.spot or (None, 0)
        if cell is not None and solution.segment >= 0:
            role = book_of(plane.position.game).roles[plane.kind.segments[solution.segment].kind]
            followers = (Deployment(cell, solution.segment, role),)
        ransoms = [] if solution.early is None else [Ransom(solution.early)]
        ransoms += [] if solution.late is None else [Ransom(solution.late, late=True)]
        move = Move(
            discards=self.discards,
            tile=None if cell is None else plane.kind.id,
            cell=cell,
            rotation=rotation,
            followers=followers,
            ransoms=tuple(ransoms),
            pieces=() if solution.piece is None else (solution.piece,),
            captures=() if solution.taken is None else (solution.taken,),
            guards=() if solution.guard is None else (solution.guard,),
        )
        return Found(move=move, gains=solution.gains)

    def _rank(self, solution: Solution) -> tuple[object, ...]:
        """Return the place of a move in the reference engine's list."""
        targets = list(self.actions.owners)
        action: tuple[object, ...] = (0,)
        if solution.segment >= 0:
            action = (1, solution.segment)
        elif solution.guard is not None:
            action = (2, solution.guard, 1, 0)
        elif solution.piece is not None:
            taken = -1 if solution.taken is None else targets.index(solution.taken)
            action = (2, solution.piece, 0, taken)
        early = -1 if solution.early is None else solution.early
        late = -1 if solution.late is None else solution.late
        return solution.spot or (), early, action, late


def _chosen(literals: Mapping[K, Literal], reading: Reading) -> K | None:
    """Return the key of the literal that is true, if one is."""
    return next((key for key, literal in literals.items() if reading(literal)), None)


def plane_turn(position: Position, draw: Draw, *, explain: bool = False) -> PlaneTurn:
    """Build the model of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid, if any, and those that had no place before it.
        explain: whether rules become literals that can be assumed.

    """
    kind = NO_TILE if draw.tile is None else position.game.tile_set.kind(draw.tile)
    plane = survey(position, kind)
    logic = Logic(explain=explain)
    lie = Lie(x={}, at={}) if draw.tile is None else lying(logic, plane)
    ransoms = ransoming(logic, position)
    y = standing(logic, plane, ransoms.early)
    joins = joining(logic, plane, lie)
    free_features(logic, plane, joins, y, UNCLAIMED)
    actions = acting(logic, plane, lie, y, ransoms)
    won = scoring(Turn(logic=logic, plane=plane, lie=lie, joins=joins, y=y, actions=actions))
    late_payment(logic, position, ransoms, actions, won[position.to_move])
    paid = dict.fromkeys(range(len(won)), PRICE_OF_A_FOLLOWER)
    totals = [
        points + weighted((paid[player], literal) for literal in ransoms.paid_to(player))
        for player, points in enumerate(won)
    ]
    totals[position.to_move] -= weighted((PRICE_OF_A_FOLLOWER, due) for due in ransoms.all())
    return PlaneTurn(
        logic=logic,
        plane=plane,
        discards=draw.discards,
        lie=lie,
        y=y,
        ransoms=ransoms,
        actions=actions,
        totals=tuple(totals),
    )
