"""What an open plane offers to one tile: the cells beside the tiles, the features they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from model.components import Node
from model.features import position_features
from model.geometry import FACING, PORT_SIDES, PORTS, Cell, Side, middle
from model.position import Position
from model.rules.carcassonne.completion import missing
from model.rules.carcassonne.placement import ADJACENT, EMPTY
from model.tiles import Kind, TileKind
from solver.cpsat.board import Component, Spot
from solver.cpsat.logic import Law

SURROUNDED = 8
"""Cells round a cloister."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """A position of Carcassonne and a kind of tile, ready for the model."""

    position: Position
    kind: TileKind
    rotations: tuple[int, ...]
    """Those that look different."""
    empty: frozenset[Cell]
    """The empty cells beside a tile; the middle of the table while there is none."""
    filled: frozenset[Cell]
    shown: Mapping[tuple[Cell, Side], Kind | None]
    """For a cell and a side of it on which a tile lies: what the middle of its edge shows."""
    components: tuple[Component, ...]
    """Features that the tile may join or complete."""
    contact: Mapping[tuple[Cell, int], int]
    """Index of the component at a port of an empty cell."""

    def spots(self) -> tuple[Spot, ...]:
        """Return every cell beside the tiles with every rotation that looks different."""
        return tuple((cell, r) for cell in sorted(self.empty) for r in self.rotations)

    def forbidden_spots(self) -> Iterator[tuple[Spot, Law]]:
        """Yield places that no tile may have, one far from all tiles for all such, and why."""
        for cell in sorted(self.filled):
            yield from (((cell, rotation), EMPTY) for rotation in self.rotations)
        far = Cell(max(cell.x for cell in self.empty) + 2, 0)
        yield from (((far, rotation), ADJACENT) for rotation in self.rotations)

    def fits(self, spot: Spot) -> bool:
        """Tell whether the tile shows on every side what the tile beyond it shows."""
        cell, rotation = spot
        return all(
            self._middle(side, rotation) is kind
            for (beside, side), kind in self.shown.items()
            if beside == cell
        )

    def _middle(self, side: Side, rotation: int) -> Kind | None:
        """Return what the middle of a side of the tile shows."""
        index = self.kind.at(middle(side), rotation)
        return None if index < 0 else self.kind.segments[index].kind

    def meets(self, segment: int, spot: Spot) -> frozenset[int]:
        """Return the components that a segment joins when the tile lies on ``spot``."""
        cell, rotation = spot
        kind = self.kind.segments[segment].kind
        found = {self.contact.get((cell, port)) for port in self.kind.turned(segment, rotation)}
        return frozenset(
            n for n in found if n is not None and self.components[n].feature.kind is kind
        )

    def faces_empty(self, segment: int, spot: Spot) -> bool:
        """Tell whether a segment looks at an empty cell."""
        cell, rotation = spot
        sides = {PORT_SIDES[port] for port in self.kind.turned(segment, rotation)}
        return any(cell.step(side) not in self.filled for side in sides)


def survey(position: Position, kind: TileKind) -> Plane:
    """Gather what the model needs to know of a position.

    Args:
        position: the position before the turn.
        kind: the tile to be laid.

    """
    laid = position.by_cell()
    beside = {cell.step(side) for cell in laid for side in Side} - laid.keys()
    empty = frozenset(beside or {Cell(0, 0)})
    components: list[Component] = []
    index_of: dict[Node, int] = {}
    for feature in position_features(position):
        needs = missing(feature, laid)
        if needs:
            index_of.update((node, len(components)) for node in feature.nodes)
            components.append(Component(feature=feature, needs=needs))
    shown: dict[tuple[Cell, Side], Kind | None] = {}
    contact: dict[tuple[Cell, int], int] = {}
    for cell in empty | laid.keys():
        for side in Side:
            beyond = laid.get(cell.step(side))
            if beyond is not None:
                index = beyond.at(FACING[middle(side)])
                shown[cell, side] = None if index < 0 else beyond.kind.segments[index].kind
    for cell in empty:
        for port in range(PORTS):
            beyond = laid.get(cell.step(PORT_SIDES[port]))
            segment = -1 if beyond is None else beyond.at(FACING[port])
            if beyond is not None and segment >= 0:
                contact[cell, port] = index_of[Node(beyond.cell, segment)]
    return Plane(
        position=position,
        # Nothing in this game joins segments within a tile.
        kind=replace(kind, squares=()),
        rotations=kind.rotations(),
        empty=empty,
        filled=frozenset(laid),
        shown=shown,
        components=tuple(components),
        contact=contact,
    )
