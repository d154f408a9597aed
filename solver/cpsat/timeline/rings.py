"""Tiles round an empty cell: by a switch such a hole keeps a tower or a house open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.geometry import Cell
from model.switches import ENCLOSED_HOLE_BLOCKS
from model.tiles import Kind
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.timeline.ground import BUILDINGS, Ground, OldPart
from solver.cpsat.timeline.laying import Laying

Wall = frozenset[Cell]
"""Cells that cut an empty cell off from the wall of the castle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rings:
    """The smallest walls that features to come can build round a cell that is empty now."""

    ground: Ground
    round: Mapping[Kind, Mapping[Cell, tuple[Wall, ...]]]

    def hole(
        self, logic: Logic, lie: Laying, kind: Kind, members: Mapping[int, Lit], tile: int
    ) -> Lit:
        """Return whether a feature has an empty cell in it when a turn is over.

        OR_e not filled[t,e] and OR_B AND_b∈B (b is a cell of the feature)
        """
        return logic.any_of(
            logic.all_of(
                (
                    no(lie.full(cell, tile)),
                    *(self._covers(logic, lie, members, b, tile) for b in sorted(wall)),
                )
            )
            for cell, walls in self.round.get(kind, {}).items()
            for wall in walls
        )

    def _covers(
        self, logic: Logic, lie: Laying, members: Mapping[int, Lit], cell: Cell, tile: int
    ) -> Lit:
        """Return whether a feature has a tile on a cell when a turn is over."""
        ways = []
        for v, literal in members.items():
            part = self.ground.parts[v]
            if isinstance(part, OldPart):
                if cell in part.feature.cells:
                    ways.append(literal)
            elif part.tile <= tile:
                ways.append(logic.all_of((literal, lie.at[part.tile].get(cell, False))))
        return logic.any_of(ways)


def rings(ground: Ground) -> Rings:
    """Find the walls that matter; none unless the switch asks for them."""
    found: dict[Kind, dict[Cell, tuple[Wall, ...]]] = {}
    if ground.position.game.value(ENCLOSED_HOLE_BLOCKS) == "on":
        for kind in sorted(BUILDINGS):
            bricks = _bricks(ground, kind)
            walls = {cell: _smallest(_walls(ground, cell, bricks)) for cell in ground.empty}
            found[kind] = {cell: some for cell, some in sorted(walls.items()) if some}
    return Rings(ground=ground, round=found)


def _bricks(ground: Ground, kind: Kind) -> frozenset[Cell]:
    """Return the cells that a feature of a kind may have in the end."""
    old = {cell for part in ground.old if part.kind is kind for cell in part.feature.cells}
    new = {
        cell
        for tile, spots in enumerate(ground.spots)
        if any(part.kind is kind for part in ground.new_of(tile))
        for cell, _ in spots
    }
    return frozenset(old | new)


def _walls(ground: Ground, cell: Cell, bricks: frozenset[Cell]) -> Iterator[Wall]:
    """Yield walls round a cell: each cell beside the area is walled off or belongs to it."""
    inside = frozenset(ground.position.game.board.cells)
    most = len(ground.kinds)
    stack: list[tuple[frozenset[Cell], Wall]] = [(frozenset({cell}), frozenset())]
    while stack:
        area, wall = stack.pop()
        beyond = {near for at in area for _, near in at.neighbours()} - area - wall
        if not beyond <= inside:
            continue
        if not beyond:
            yield wall
            continue
        near = min(beyond)
        stack.append((area | {near}, wall))
        if near in bricks and len((wall | {near}) & ground.empty) <= most:
            stack.append((area, wall | {near}))


def _smallest(walls: Iterator[Wall]) -> tuple[Wall, ...]:
    """Return the walls that contain no other."""
    kept: list[Wall] = []
    for wall in sorted(walls, key=lambda one: (len(one), sorted(one))):
        if not any(smaller <= wall for smaller in kept):
            kept.append(wall)
    return tuple(kept)
