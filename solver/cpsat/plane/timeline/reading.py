"""What a solution of the timeline says, as moves, and what the rules engine makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from model.book import book_of
from model.engine import canonical, play
from model.errors import IllegalMoveError
from model.final import final_scoring
from model.geometry import Cell
from model.notation import write_move
from model.position import Capture, Deployment, Move, Position, Ransom
from solver.certify import CertificateError
from solver.cpsat.plane.timeline.model import PlaneTimeline
from solver.cpsat.plane.timeline.prisoners import Deals
from solver.cpsat.plane.timeline.towers import Place
from solver.cpsat.run import Literal, Reading
from solver.cpsat.timeline.ground import Spot
from solver.outlook import Task

K = TypeVar("K")


class Turn(NamedTuple):
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


Plan = tuple[Turn, ...]
"""By tile."""


def read_plan(timeline: PlaneTimeline, reading: Reading) -> Plan:
    """Read what happens with every tile off a solution."""
    table, custody = timeline.table, timeline.custody
    towers = table.towers
    return tuple(
        Turn(
            spot=_chosen(x, reading),
            segment=next(
                (
                    part.segment
                    for part in table.ground.new_of(tile)
                    if part.number in table.claims.on and reading(table.claims.on[part.number])
                ),
                -1,
            ),
            piece=_chosen(_of_turn(towers.pieces, tile), reading),
            guard=_chosen(_of_turn(towers.guards, tile), reading),
            taken=_chosen(_of_turn(towers.takes, tile), reading),
            early=_captor(custody.early, tile, reading),
            late=_captor(custody.late, tile, reading),
        )
        for tile, x in enumerate(table.lie.x)
    )


def _of_turn(literals: Mapping[tuple[int, K], Literal], tile: int) -> dict[K, Literal]:
    """Return the variables of a turn."""
    return {key: literal for (turn, key), literal in literals.items() if turn == tile}


def _chosen(literals: Mapping[K, Literal], reading: Reading) -> K | None:
    """Return the key of the literal that is true, if one is."""
    return next((key for key, literal in literals.items() if reading(literal)), None)


def _captor(deals: Deals, tile: int, reading: Reading) -> int | None:
    """Return who is paid in a turn, if somebody is."""
    return next(
        (
            captor
            for (turn, _, captor), literal in deals.items()
            if turn == tile and reading(literal)
        ),
        None,
    )


def replayed(task: Task, timeline: PlaneTimeline, plan: Plan) -> tuple[tuple[Move, ...], int]:
    """Return a plan as moves such as the rules engine lists, and what their end is worth.

    Raises:
        CertificateError: the rules engine knows no such turn.

    """
    at, line = task.position, []
    gone: list[str] = []
    last = len(plan) - 1
    for tile, turn in enumerate(plan):
        kind = timeline.table.ground.kinds[tile]
        begun: Move | None = None
        if turn.spot is None:
            gone.append(kind.id)
            if tile == last:
                begun = Move(discards=tuple(gone))
        else:
            followers: tuple[Deployment, ...] = ()
            if turn.segment >= 0:
                role = book_of(at.game).roles[kind.segments[turn.segment].kind]
                followers = (Deployment(turn.spot[0], turn.segment, role),)
            begun = Move(
                discards=tuple(gone),
                tile=kind.id,
                cell=turn.spot[0],
                rotation=turn.spot[1],
                followers=followers,
            )
        if begun is not None:
            line.append(canonical(at, _acted(timeline, plan, turn, begun)))
            at, gone = task.begin(_played(at, line[-1])), []
    return tuple(line), task.worth(*final_scoring(at).scores)


def _acted(timeline: PlaneTimeline, plan: Plan, turn: Turn, begun: Move) -> Move:
    """Return a move with what a turn does with towers and prisoners."""
    ransoms = [] if turn.early is None else [Ransom(turn.early)]
    ransoms += [] if turn.late is None else [Ransom(turn.late, late=True)]
    return replace(
        begun,
        ransoms=tuple(ransoms),
        pieces=() if turn.piece is None else (_cell(plan, turn.piece),),
        guards=() if turn.guard is None else (_cell(plan, turn.guard),),
        captures=() if turn.taken is None else (_capture(timeline, plan, turn.taken),),
    )


def _cell(plan: Plan, place: Place) -> Cell:
    """Return the cell of a place; a tile to come on which something stands is laid."""
    if isinstance(place, Cell):
        return place
    spot = plan[place].spot
    if spot is None:
        raise CertificateError(f"tile {place} is said to be used, but is not laid")
    return spot[0]


def _capture(timeline: PlaneTimeline, plan: Plan, unit: int) -> Capture:
    """Return where a follower or guard stands."""
    units = timeline.table.towers.units
    for node, number in units.followers.items():
        if number == unit:
            return Capture(*node)
    for cell, number in units.guards.items():
        if number == unit:
            return Capture(cell, None)
    tile = unit - units.placed(0)
    guard = plan[tile].guard
    if guard is not None:
        return Capture(_cell(plan, guard), None)
    return Capture(_cell(plan, tile), plan[tile].segment)


def _played(at: Position, move: Move) -> Position:
    """Play a move through the rules engine."""
    try:
        return play(at, move).position
    except IllegalMoveError as error:
        text = write_move(at, move)
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error
