"""From a solution of the model of Carcassonne to whole turns as moves, and their replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from model.engine import canonical
from model.geometry import Cell
from model.position import Capture, Move, Position, Ransom
from solver.certificates import CertificateError
from solver.cpsat.base.cp import Literal, Reading
from solver.cpsat.base.instance import Spot
from solver.cpsat.base.logic import chosen
from solver.cpsat.plane.model import PlanePlay
from solver.cpsat.plane.prisoners import Deals
from solver.cpsat.plane.towers import Place
from solver.cpsat.shared.reading import deployed, replayed, segment_of
from solver.problem import Problem

K = TypeVar("K")


class PlaneStep(NamedTuple):
    """What happens with a tile and in its turn."""

    spot: Spot | None
    """Where it is laid; None if it is not."""
    segment: int
    """The segment with its follower, or -1."""
    piece: Place | None
    guard: Place | None
    taken: int | None
    """The number of the follower who is taken."""
    early: int | None
    """The captor who is paid before the action."""
    late: int | None


PlanePlan = tuple[PlaneStep, ...]
"""By tile."""


def read_plan(play: PlanePlay, reading: Reading) -> PlanePlan:
    """Read what happens with every tile off a solution."""
    table, custody = play.table, play.custody
    towers = table.towers
    return tuple(
        PlaneStep(
            spot=chosen(x, reading),
            segment=segment_of(table.instance, table.claims.on, reading, tile),
            piece=chosen(_of_turn(towers.pieces, tile), reading),
            guard=chosen(_of_turn(towers.guards, tile), reading),
            taken=chosen(_of_turn(towers.takes, tile), reading),
            early=_captor(custody.early, tile, reading),
            late=_captor(custody.late, tile, reading),
        )
        for tile, x in enumerate(table.placement.x)
    )


def _of_turn(literals: Mapping[tuple[int, K], Literal], tile: int) -> dict[K, Literal]:
    """Return the variables of a turn."""
    return {key: literal for (turn, key), literal in literals.items() if turn == tile}


def _captor(deals: Deals, tile: int, reading: Reading) -> int | None:
    """Return who is paid in a turn, if somebody is."""
    here = {captor: literal for (turn, _, captor), literal in deals.items() if turn == tile}
    return chosen(here, reading)


def replay(problem: Problem, play: PlanePlay, plan: PlanePlan) -> tuple[tuple[Move, ...], int]:
    """Return a plan as moves such as the rules engine lists, and what their end is worth.

    Raises:
        CertificateError: the rules engine knows no such turn.

    """

    def turn(at: Position, tile: int, discards: tuple[str, ...]) -> Move:
        """Return the move of a turn as the rules engine lists it."""
        return canonical(at, move_of(play, plan, tile, discards))

    return replayed(problem, play.table.instance.kinds, plan, turn)


def move_of(play: PlanePlay, plan: PlanePlan, tile: int, discards: tuple[str, ...]) -> Move:
    """Return what happens with a tile and in its turn as a move."""
    step, instance = plan[tile], play.table.instance
    ransoms = [] if step.early is None else [Ransom(step.early)]
    ransoms += [] if step.late is None else [Ransom(step.late, late=True)]
    move = Move(
        discards=discards,
        ransoms=tuple(ransoms),
        pieces=() if step.piece is None else (cell_of(plan, step.piece),),
        guards=() if step.guard is None else (cell_of(plan, step.guard),),
        captures=() if step.taken is None else (_capture(play, plan, step.taken),),
    )
    if step.spot is None:
        return move
    kind = instance.kinds[tile]
    followers = deployed(instance.position, kind, step.spot, step.segment)
    cell, rotation = step.spot
    return replace(move, tile=kind.id, cell=cell, rotation=rotation, followers=followers)


def cell_of(plan: PlanePlan, place: Place) -> Cell:
    """Return the cell of a place; a tile to come on which something stands is laid."""
    if isinstance(place, Cell):
        return place
    spot = plan[place].spot
    if spot is None:
        raise CertificateError(f"tile {place} is said to be used, but is not laid")
    return spot[0]


def _capture(play: PlanePlay, plan: PlanePlan, unit: int) -> Capture:
    """Return where a follower or guard stands."""
    units = play.table.towers.units
    for node, number in units.followers.items():
        if number == unit:
            return Capture(*node)
    for cell, number in units.guards.items():
        if number == unit:
            return Capture(cell, None)
    tile = unit - units.placed(0)
    guard = plan[tile].guard
    if guard is not None:
        return Capture(cell_of(plan, guard), None)
    return Capture(cell_of(plan, tile), plan[tile].segment)
