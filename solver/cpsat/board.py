"""What the board offers to one tile: the ports around each cell, the features they lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from model.components import Node
from model.features import Feature, position_features
from model.geometry import FACING, PORT_SIDES, PORTS, Cell, Side, areas, middle
from model.position import Position
from model.switches import ENCLOSED_HOLE_BLOCKS
from model.tiles import Kind, TileKind
from solver.repertoire import refuse_unknown

Spot = tuple[Cell, int]
"""A cell and a rotation."""
BUILDINGS = frozenset({Kind.TOWER, Kind.HOUSE, Kind.CHAPEL})
"""The kinds that a walled-in empty cell can keep open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A feature of the position that the turn may still change."""

    feature: Feature
    needs: frozenset[Cell]
    """The cells that must be filled for it to be complete, as far as one can see now."""

    @property
    def only(self) -> Cell | None:
        """The one cell it needs, if it is one: a tile there joins or closes it."""
        return next(iter(self.needs)) if len(self.needs) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A position and a kind of tile, ready for the model."""

    position: Position
    kind: TileKind
    drawn: int
    """Tiles that leave the stack in the turn: this one, and those that had no place."""
    rotations: tuple[int, ...]
    """Those that look different."""
    empty: frozenset[Cell]
    facing: Mapping[Cell, Mapping[int, Kind]]
    """For every cell and port of it, what the neighbour shows there, if one lies there."""
    beside: Mapping[Cell, frozenset[Side]]
    """For every cell, the sides on which a tile lies inside the wall."""
    components: tuple[Component, ...]
    contact: Mapping[tuple[Cell, int], int]
    """Index of the component at a port of an empty cell."""
    walled: Mapping[Cell, tuple[frozenset[int], ...]]
    """For a cell, the smallest sets of components that with a tile there wall in an empty
    cell; only if that keeps a building open."""

    def ports(self, segment: int, rotation: int) -> tuple[int, ...]:
        """Return the ports of a segment of the tile."""
        return self.kind.turned(segment, rotation)

    def path_sides(self, rotation: int) -> frozenset[Side]:
        """Return the sides of the tile that a path crosses."""
        return frozenset(
            PORT_SIDES[port]
            for index, segment in enumerate(self.kind.segments)
            for port in self.ports(index, rotation)
            if segment.kind is Kind.PATH and port == middle(PORT_SIDES[port])
        )

    def meets(self, segment: int, spot: Spot) -> frozenset[int]:
        """Return the components that a segment joins when the tile lies on ``spot``."""
        cell, rotation = spot
        kind = self.kind.segments[segment].kind
        found = set()
        for port in self.ports(segment, rotation):
            index = self.contact.get((cell, port))
            if index is not None and self.components[index].feature.kind is kind:
                found.add(index)
        return frozenset(found)

    def faces_empty(self, segment: int, spot: Spot) -> bool:
        """Tell whether a segment looks at an empty cell inside the wall."""
        cell, rotation = spot
        sides = {PORT_SIDES[port] for port in self.ports(segment, rotation)}
        return any(cell.step(side) in self.empty for side in sides)

    def spots(self) -> tuple[Spot, ...]:
        """Return every cell inside the wall with every rotation that looks different."""
        return tuple((cell, r) for cell in self.position.game.board.cells for r in self.rotations)


def survey(position: Position, kind: TileKind, drawn: int = 1) -> Ground:
    """Gather what the model needs to know of a position.

    Args:
        position: the position before the turn.
        kind: the tile to be laid.
        drawn: tiles that leave the stack in the turn, this one included.

    Raises:
        QuestionError: a switch has a value that the model does not know.

    """
    refuse_unknown("cpsat", position.game)
    laid = position.laid()
    inside = position.game.board.cells
    empty = frozenset(inside) - position.by_cell().keys()
    before = position_features(position)
    components: list[Component] = []
    index_of: dict[Node, int] = {}
    for feature in before:
        needs = feature.empty_cells() | _holes(position, feature.kind, feature.cells, empty)
        if needs:
            index_of.update((node, len(components)) for node in feature.nodes)
            components.append(Component(feature=feature, needs=needs))
    facing: dict[Cell, dict[int, Kind]] = {cell: {} for cell in inside}
    contact: dict[tuple[Cell, int], int] = {}
    for cell in inside:
        for port in range(PORTS):
            beyond = cell.step(PORT_SIDES[port])
            segment = laid[beyond].at(FACING[port]) if beyond in laid else -1
            if segment < 0:
                continue
            facing[cell][port] = laid[beyond].kind.segments[segment].kind
            if cell in empty:
                contact[cell, port] = index_of[Node(beyond, segment)]
    return Ground(
        position=position,
        kind=kind,
        drawn=drawn,
        rotations=kind.rotations(),
        empty=empty,
        facing=facing,
        beside={
            cell: frozenset(side for side in Side if position.tile_at(cell.step(side)))
            for cell in inside
        },
        components=tuple(components),
        contact=contact,
        walled={cell: tuple(_walled(position, cell, components, empty)) for cell in empty},
    )


def _holes(
    position: Position, kind: Kind, cells: frozenset[Cell], empty: frozenset[Cell]
) -> frozenset[Cell]:
    """Return the empty cells that ``cells`` cut off from the wall, if that matters."""
    if kind not in BUILDINGS or position.game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return frozenset()
    inside = frozenset(position.game.board.cells)
    cut_off: set[Cell] = set()
    for area in areas(inside - cells):
        if all(cell.step(side) in inside for cell in area for side in Side):
            cut_off |= area
    return frozenset(cut_off) & empty


def _walled(
    position: Position, cell: Cell, components: list[Component], empty: frozenset[Cell]
) -> list[frozenset[int]]:
    """Return the smallest sets of components that a tile on ``cell`` joins round a hole.

    A hole of some components is one of more of them too: only smallest sets are needed.
    """
    found: list[frozenset[int]] = []
    if position.game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return found
    for kind in sorted(BUILDINGS):
        near = [i for i, c in enumerate(components) if c.only == cell and c.feature.kind is kind]
        for size in range(1, len(near) + 1):
            for chosen in map(frozenset, combinations(near, size)):
                if any(smaller <= chosen for smaller in found):
                    continue
                cells = frozenset({cell}).union(*(components[i].feature.cells for i in chosen))
                if _holes(position, kind, cells, empty - {cell}):
                    found.append(chosen)
    return found
