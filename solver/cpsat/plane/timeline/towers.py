"""Tower pieces, guards and prisoners taken in the turns to come, as variables.

piece[t,p]: in tile t's turn a tower piece is put on the tower place p. guard[t,p]: a follower
goes on the tower there. take[t,u]: the follower u is taken by the tower raised in that turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from model.book import book_of
from model.components import Node
from model.geometry import Cell
from model.position import Position
from model.rules.tower.actions import PIECE_SUPPLY
from model.switches import (
    ACTION_WITHOUT_TILE,
    GUARD_CAPTURABLE,
    TOWER_NEEDS_TOWER_TILE,
    TOWER_REOPENS,
)
from solver.cpsat.logic import Lit, Logic, weighted
from solver.cpsat.plane.timeline.play import Moves
from solver.cpsat.run import Literal
from solver.cpsat.timeline.ground import Ground, OldPart
from solver.cpsat.timeline.laying import Laying

Place: TypeAlias = Cell | int
"""Where something stands: on a cell that is filled now, or on a tile to come, by its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Followers by number: those of the position, its guards, then whoever a turn places."""

    followers: Mapping[Node, int]
    guards: Mapping[Cell, int]

    def placed(self, tile: int) -> int:
        """Return the number of the follower or guard that is placed in a tile's turn."""
        return len(self.followers) + len(self.guards) + tile

    def owners(self, position: Position, moves: Moves) -> Iterator[tuple[Lit, ...]]:
        """Yield for each unit by player whether it is his."""
        players = range(len(position.players))
        for follower in position.followers:
            yield tuple(player == follower.player for player in players)
        for tower in position.built:
            if tower.guard is not None:
                yield tuple(player == tower.guard for player in players)
        yield from moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Towers:
    """What is done with towers; nothing in Carcassonne alone."""

    units: Units
    pieces: Mapping[tuple[int, Place], Literal] = field(default_factory=dict)
    guards: Mapping[tuple[int, Place], Literal] = field(default_factory=dict)
    takes: Mapping[tuple[int, int], Literal] = field(default_factory=dict)

    def of_turn(self, tile: int) -> tuple[list[Literal], list[Literal]]:
        """Return the pieces and the guards of a turn."""
        pieces = [literal for (turn, _), literal in self.pieces.items() if turn == tile]
        return pieces, [literal for (turn, _), literal in self.guards.items() if turn == tile]

    def taken(self, logic: Logic, unit: int, before: int | None = None) -> Lit:
        """Return whether a unit is taken before a tile's turn, or at all."""
        return logic.any_of(
            literal
            for (turn, number), literal in self.takes.items()
            if number == unit and (before is None or turn < before)
        )

    def freed(self, logic: Logic, ground: Ground) -> dict[tuple[int, int], Lit]:
        """Return for parts and tiles whether all who stood on the part were taken before."""
        found: dict[tuple[int, int], Lit] = {}
        for part in ground.parts:
            if isinstance(part, OldPart):
                first = 1
                here = [self.units.followers[one.node] for one in part.feature.followers]
            else:
                first, here = part.tile + 1, [self.units.placed(part.tile)]
            for tile in range(first, len(ground.kinds)) if here else ():
                gone = [self.taken(logic, unit, tile) for unit in here]
                found[part.number, tile] = logic.all_of(gone)
        return found


def units_of(position: Position) -> Units:
    """Number the followers of a position."""
    followers = {follower.node: number for number, follower in enumerate(position.followers)}
    guarded = [tower.cell for tower in position.built if tower.guard is not None]
    return Units(
        followers=followers,
        guards={cell: len(followers) + number for number, cell in enumerate(guarded)},
    )


def towering(logic: Logic, ground: Ground, lie: Laying, moves: Moves) -> Towers:
    """Make the variables of towers with all rules but those on who is in reach.

    Args:
        logic: the model.
        ground: the position and the tiles to come.
        lie: where the tiles lie.
        moves: whose turns they are.

    """
    position = ground.position
    units = units_of(position)
    if not book_of(position.game).actions:
        return Towers(units=units)
    pieces: dict[tuple[int, Place], Literal] = {}
    guards: dict[tuple[int, Place], Literal] = {}
    takes: dict[tuple[int, int], Literal] = {}
    started = {tower.cell for tower in position.built}
    old = list(units.followers.values())
    if position.game.value(GUARD_CAPTURABLE) == "on":
        old += units.guards.values()
    for tile in range(len(ground.kinds)):
        able = _able(logic, ground, lie, tile)
        if able is False:
            continue
        for place in _places(ground, tile):
            there = True if isinstance(place, Cell) else lie.laid[place]
            piece = pieces[tile, place] = logic.decision(f"piece{tile},{place}")
            logic.clause(~piece, able)
            logic.clause(~piece, there)
            before = [pieces[s, place] for s in range(tile) if (s, place) in pieces]
            if before or place in started:
                guard = guards[tile, place] = logic.decision(f"guard{tile},{place}")
                logic.clause(~guard, able)
                logic.clause(~guard, place in started, *before)
        for unit in (*old, *map(units.placed, range(tile))):
            takes[tile, unit] = logic.decision(f"take{tile},{unit}")
    towers = Towers(units=units, pieces=pieces, guards=guards, takes=takes)
    _open(logic, ground, towers)
    for player, state in enumerate(position.players):
        if state.pieces < len(ground.kinds):
            used = [(1, logic.all_of((one, moves[t][player]))) for (t, _), one in pieces.items()]
            logic.within_if(logic.law(PIECE_SUPPLY), weighted(used), 0, state.pieces)
    return towers


def _able(logic: Logic, ground: Ground, lie: Laying, tile: int) -> Lit:
    """Return whether towers may be touched in a turn: by the tile, or without any at the end."""
    game = ground.position.game
    ways: list[Lit] = []
    if ground.kinds[tile].tower_place or game.value(TOWER_NEEDS_TOWER_TILE) == "off":
        ways.append(lie.laid[tile])
    if tile == len(ground.kinds) - 1 and game.value(ACTION_WITHOUT_TILE) == "on":
        ways.append(lie.gone[tile])
    return logic.any_of(ways)


def _places(ground: Ground, tile: int) -> Iterator[Place]:
    """Yield the tower places at a turn that are not complete for good."""
    position = ground.position
    game = position.game
    lasting = "off" in {game.value(GUARD_CAPTURABLE), game.value(TOWER_REOPENS)}
    shut = {t.cell for t in position.built if t.closed or (lasting and t.guard is not None)}
    for cell, laid in sorted(position.by_cell().items()):
        if laid.kind.tower_place and cell not in shut:
            yield cell
    yield from (t for t in range(tile + 1) if ground.kinds[t].tower_place)


def _open(logic: Logic, ground: Ground, towers: Towers) -> None:
    """Demand that pieces and guards go on open towers.

    guard[s,p] → ¬piece[t,p] and ¬guard[t,p] for t > s, unless that guard was taken in between
    """
    reopens = ground.position.game.value(TOWER_REOPENS) == "on"
    units = towers.units
    for (tile, place), literal in (*towers.pieces.items(), *towers.guards.items()):
        if isinstance(place, Cell) and place in units.guards:
            logic.clause(~literal, towers.taken(logic, units.guards[place], tile))
        for earlier in range(tile):
            if (earlier, place) in towers.guards:
                left = reopens and towers.taken(logic, units.placed(earlier), tile)
                logic.clause(~literal, ~towers.guards[earlier, place], left)
