"""Whom the towers of the turns to come reach, and who may be taken prisoner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.geometry import Cell, Side
from model.position import Position
from model.rules.tower.capture import ONE_CAPTURE, REACH
from model.switches import CAPTURE_OPTIONAL, CAPTURE_OWN, GUARD_CAPTURABLE
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.plane.majority import at_least
from solver.cpsat.plane.timeline.play import Claims, Home, Moves
from solver.cpsat.plane.timeline.towers import Place, Towers
from solver.cpsat.timeline.ground import Ground, OldPart
from solver.cpsat.timeline.laying import Laying


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The parts of the model from which captures follow."""

    logic: Logic
    ground: Ground
    lie: Laying
    moves: Moves
    claims: Claims
    towers: Towers


Ways = Mapping[tuple[int, int], list[Lit]]
"""By turn and unit: for each tower place whether the tower there is raised and reaches it."""


def reaching(table: Table) -> Ways:
    """Demand that whoever is taken is in reach of the tower raised; return who is reached.

    reach and take[t,u] → OR_p piece[t,p] and p reaches u; one and take[t,u] → OR_p piece[t,p]
    """
    logic, towers = table.logic, table.towers
    spots = dict(_whereabouts(table)) if towers.takes else {}
    found: dict[tuple[int, int], list[Lit]] = {}
    for (tile, unit), take in towers.takes.items():
        found[tile, unit] = [
            logic.all_of(
                (
                    piece,
                    logic.any_of(
                        logic.all_of((here, _reaches(table, tile, place, target)))
                        for target, here in spots[unit].items()
                    ),
                )
            )
            for (turn, place), piece in towers.pieces.items()
            if turn == tile
        ]
        logic.clause(no(logic.law(REACH)), ~take, *found[tile, unit])
        if logic.explain:  # It follows from the rule above, if that holds.
            raised = (piece for (turn, _), piece in towers.pieces.items() if turn == tile)
            logic.clause(no(logic.law(ONE_CAPTURE)), ~take, *raised)
    for tile in range(len(table.ground.kinds)):
        logic.model.add_at_most_one(lit for (t, _), lit in towers.takes.items() if t == tile)
    return found


def _whereabouts(table: Table) -> Iterator[tuple[int, dict[Place, Lit]]]:
    """Yield for each unit where it may stand to be taken."""
    units = table.towers.units
    for node, unit in units.followers.items():
        yield unit, {node.cell: True}
    for cell, unit in units.guards.items():
        yield unit, {cell: True}
    guards = table.ground.position.game.value(GUARD_CAPTURABLE) == "on"
    for tile in range(len(table.ground.kinds)):
        here = (table.claims.on.get(part.number, False) for part in table.ground.new_of(tile))
        ways: dict[Place, list[Lit]] = {tile: list(here)}
        for (turn, place), guard in table.towers.guards.items():
            if guards and turn == tile:
                ways.setdefault(place, []).append(guard)
        yield units.placed(tile), {p: table.logic.any_of(lits) for p, lits in ways.items()}


def _reaches(table: Table, tile: int, tower: Place, target: Place) -> Lit:
    """Return whether the tower raised in a turn then reaches what stands somewhere.

    Of n pieces it reaches n cells, and the pieces put on it in earlier turns add to its height.
    """
    logic, pieces = table.logic, table.towers.pieces
    built = table.ground.position.tower_on(tower) if isinstance(tower, Cell) else None
    sure = 1 if built is None else 1 + built.height
    before = [(1, pieces[s, tower]) for s in range(tile) if (s, tower) in pieces]
    ways = [_straight(table, tower, target, range(sure + 1))]
    for more in range(1, len(before) + 1):
        far = _straight(table, tower, target, range(sure + more, sure + more + 1))
        ways.append(logic.all_of((far, at_least(logic, before, more))))
    return logic.any_of(ways)


def _straight(table: Table, one: Place, other: Place, distances: range) -> Lit:
    """Return whether two places lie straight from each other at one of some distances."""
    if one == other:
        return 0 in distances
    if isinstance(other, Cell):
        one, other = other, one
    here: Mapping[Cell, Lit] = {one: True} if isinstance(one, Cell) else table.lie.at[one]
    there: Mapping[Cell, Lit] = {other: True} if isinstance(other, Cell) else table.lie.at[other]
    return table.logic.any_of(
        table.logic.all_of(
            (literal, table.logic.any_of(there.get(c, False) for c in _line(cell, distances)))
        )
        for cell, literal in here.items()
    )


def _line(cell: Cell, distances: range) -> Iterator[Cell]:
    """Yield the cells straight from a cell at some distances, without itself."""
    for side in Side:
        beyond = cell
        for distance in range(1, distances.stop):
            beyond = beyond.step(side)
            if distance in distances:
                yield beyond


def taking(table: Table, ways: Ways, home: Home) -> None:
    """Demand that whoever is taken may be taken, and that somebody is where the switch wants it.

    take[t,u] → u is on the board and no own one; piece[t,p] and p reaches such a u → OR_u take[t,u]
    """
    logic, towers = table.logic, table.towers
    if not towers.takes:
        return
    optional = table.ground.position.game.value(CAPTURE_OPTIONAL) == "on"
    owners = list(towers.units.owners(table.ground.position, table.moves))
    for (tile, unit), take in towers.takes.items():
        able = logic.all_of(
            (
                no(towers.taken(logic, unit, tile)),
                no(_back(table, home, unit, tile)),
                _foreign(table, owners[unit], tile),
            )
        )
        logic.clause(~take, able)
        if not optional:
            others = [literal for (turn, _), literal in towers.takes.items() if turn == tile]
            for way in ways[tile, unit]:
                logic.clause(no(way), no(able), *others)


def _back(table: Table, home: Home, unit: int, tile: int) -> Lit:
    """Return whether a unit went home with its feature before a turn."""
    ground, units = table.ground, table.towers.units
    ways: list[Lit] = []
    for part in ground.parts:
        gone = home.get((part.number, tile - 1), False)
        if isinstance(part, OldPart):
            if any(units.followers[one.node] == unit for one in part.feature.followers):
                ways.append(gone)
        elif units.placed(part.tile) == unit:
            claim = table.claims.on.get(part.number, False)
            ways.append(table.logic.all_of((claim, gone)))
    return table.logic.any_of(ways)


def _foreign(table: Table, owner: tuple[Lit, ...], tile: int) -> Lit:
    """Return whether a unit's owner lets it be taken by the player whose turn it is."""
    if table.ground.position.game.value(CAPTURE_OWN) == "on":
        return True
    both = zip(table.moves[tile], owner, strict=True)
    return no(table.logic.any_of(table.logic.all_of(pair) for pair in both))


def took(table: Table, tile: int) -> dict[tuple[int, int], Lit]:
    """Return by captor and owner whether he takes one of his followers in a turn."""
    position: Position = table.ground.position
    owners = list(table.towers.units.owners(position, table.moves))
    players = range(len(position.players))
    takes = [(unit, lit) for (turn, unit), lit in table.towers.takes.items() if turn == tile]
    return {
        (captor, owner): table.logic.any_of(
            table.logic.all_of((table.moves[tile][captor], owners[unit][owner], literal))
            for unit, literal in takes
        )
        for captor in players
        for owner in players
        if captor != owner
    }
