"""Ransom, tower pieces, prisoners and guards as variables.

piece[p]: a tower piece is put on p, a cell or the new tile. take[t]: follower t is taken
prisoner. guard[p]: a follower goes on the tower on p. early[c], late[c]: a follower is bought
back from captor c before the action or after scoring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from model.book import book_of
from model.geometry import Cell
from model.position import Capture, Position
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from model.switches import (
    ACTION_WITHOUT_TILE,
    CAPTURE_OPTIONAL,
    CAPTURE_OWN,
    EXCHANGE_RATIO,
    GUARD_CAPTURABLE,
    RANSOM_WINDOW,
    TOWER_NEEDS_TOWER_TILE,
)
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.plane.board import Plane
from solver.cpsat.run import Expression, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Ransoms:
    """What may be paid, by captor; at most one is true."""

    early: Mapping[int, Literal]
    late: Mapping[int, Literal]

    def paid_to(self, captor: int) -> list[Literal]:
        """Return the ransoms that a captor gets."""
        return [due[captor] for due in (self.early, self.late) if captor in due]

    def all(self) -> list[Literal]:
        """Return all ransoms."""
        return [*self.early.values(), *self.late.values()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """What may be done with towers."""

    pieces: Mapping[Cell | None, Literal] = field(default_factory=dict)
    """By the tower place; None is that of the new tile."""
    guards: Mapping[Cell, Literal] = field(default_factory=dict)
    takes: Mapping[Capture, Literal] = field(default_factory=dict)
    owners: Mapping[Capture, int] = field(default_factory=dict)
    """Whose follower would be taken; in the order in which they are looked for."""


def ransoming(logic: Logic, position: Position) -> Ransoms:
    """Make the variables of ransoms.

    Who can pay before the action pays then: it leads to the same position as paying late.
    """
    mover = position.to_move
    captors = [c for c, state in enumerate(position.players) if mover in state.prisoners]
    early: dict[int, Literal] = {}
    late: dict[int, Literal] = {}
    for captor in captors:
        if position.players[mover].score >= PRICE_OF_A_FOLLOWER:
            early[captor] = logic.decision(f"early{captor}")
        elif position.game.value(RANSOM_WINDOW) == "any":
            late[captor] = logic.decision(f"late{captor}")
    ransoms = Ransoms(early=early, late=late)
    logic.model.add_at_most_one(ransoms.all())
    return ransoms


def acting(logic: Logic, plane: Plane, lie: Lie, y: Sequence[Literal], ransoms: Ransoms) -> Actions:
    """Make the variables of towers, and demand that at most one action is taken."""
    if not _tower_actions(plane, lie):
        logic.model.add_at_most_one(y)
        return Actions()
    position = plane.position
    mover = position.players[position.to_move]
    shut = {t.cell for t in position.built if t.guard is not None or t.closed}
    places: list[Cell | None] = [
        cell
        for cell, tile in sorted(position.by_cell().items())
        if tile.kind.tower_place and cell not in shut
    ]
    if plane.kind.tower_place:
        places.append(None)
    pieces = {place: logic.decision(f"piece{place}") for place in places if mover.pieces}
    guards = {
        t.cell: logic.decision(f"guard{t.cell}") for t in position.built if t.cell not in shut
    }
    if mover.supply < 1:
        for literal in guards.values():
            # guard[p] → OR_c early[c]
            logic.clause(~literal, *ransoms.early.values())
    logic.model.add_at_most_one([*y, *pieces.values(), *guards.values()])
    owners = dict(_followers(position))
    takes = {target: logic.decision(f"take{target}") for target in owners}
    logic.model.add_at_most_one(takes.values())
    optional = position.game.value(CAPTURE_OPTIONAL) == "on"
    for target, literal in takes.items():
        ways = [
            _raised(logic, plane, lie, piece, place, target.cell) for place, piece in pieces.items()
        ]
        # take[t] → OR_p piece[p] and p reaches t
        logic.clause(~literal, *ways)
        if not optional:
            for way in ways:
                # piece[p] and p reaches t → OR_u take[u]
                logic.clause(no(way), *takes.values())
    return Actions(pieces=pieces, guards=guards, takes=takes, owners=owners)


def _tower_actions(plane: Plane, lie: Lie) -> bool:
    """Tell whether towers may be touched in this turn at all."""
    game = plane.position.game
    if not book_of(game).actions:
        return False
    if not lie.x:
        return game.value(ACTION_WITHOUT_TILE) == "on"
    return plane.kind.tower_place or game.value(TOWER_NEEDS_TOWER_TILE) == "off"


def _followers(position: Position) -> Iterator[tuple[Capture, int]]:
    """Yield the followers that the rules allow to be taken from anywhere, with their owners."""
    own = position.game.value(CAPTURE_OWN) == "on"
    for follower in position.followers:
        if own or follower.player != position.to_move:
            yield Capture(*follower.node), follower.player
    if position.game.value(GUARD_CAPTURABLE) == "on":
        for tower in position.built:
            if tower.guard is not None and (own or tower.guard != position.to_move):
                yield Capture(tower.cell, None), tower.guard


def _raised(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic, plane: Plane, lie: Lie, piece: Literal, place: Cell | None, target: Cell
) -> Lit:
    """Return whether a tower is raised that then reaches a cell."""
    if place is not None:
        tower = plane.position.tower_on(place)
        height = 1 + (tower.height if tower is not None else 0)
        return piece if _reaches(place, height, target) else False
    near = (literal for cell, literal in lie.at.items() if _reaches(cell, 1, target))
    return logic.all_of((piece, logic.any_of(near)))


def _reaches(tower: Cell, height: int, cell: Cell) -> bool:
    """Tell whether a cell lies straight on from a tower, no farther than its height."""
    if tower.x == cell.x:
        return abs(tower.y - cell.y) <= height
    return tower.y == cell.y and abs(tower.x - cell.x) <= height


def late_payment(
    logic: Logic, position: Position, ransoms: Ransoms, actions: Actions, won: Expression
) -> None:
    """Demand that who pays after scoring has the points, and the follower is still held.

    Args:
        logic: the model.
        position: the position before the turn.
        ransoms: the variables of ransoms.
        actions: the variables of towers.
        won: what the mover wins by scoring.

    """
    mover = position.to_move
    score = position.players[mover].score
    for captor, literal in ransoms.late.items():
        # late[c] → score + won ≥ 3
        logic.model.add(won >= PRICE_OF_A_FOLLOWER - score).only_enforce_if(literal)
        held = position.players[captor].prisoners.count(mover)
        back = held if position.game.value(EXCHANGE_RATIO) == "all" else 1
        for target, take in actions.takes.items():
            if actions.owners[target] == captor and back == held:
                # The last one comes home by exchange: late[c] → ¬take[t]
                logic.clause(~literal, ~take)
