"""The constants of a model: the position, the tiles to come, and their parts.

A *part* never splits. An old part is an open feature of the board; a new part is a segment of
a tile to come. Numbers go to the old parts first, then to those of each tile in turn. The
*leader* of a feature is its part of the highest number. Tiles to come are numbered from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from model.components import Node
from model.draws import Draw
from model.features import Feature
from model.geometry import FACING, PORT_SIDES, PORTS, Cell, Side
from model.position import Position
from model.rules.castle.placement import START_PATH
from model.tiles import Kind, TileKind
from solver.cpsat.base.cp import Law

Spot = tuple[Cell, int]
"""A cell and a rotation."""
Shown = Callable[[TileKind, int, Side], object]
"""From a kind of tile, a rotation and a side: the picture at that side."""
SPOILED = 5
"""Cells that one tile can spoil for another: its own and the four beside it."""
EITHER = frozenset({False, True})
"""Whether a path may lie on a side that no start space binds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPart:
    """A feature of the position that may still change or be scored."""

    number: int
    feature: Feature
    needs: frozenset[Cell]
    """The empty cells that must be filled to complete it, if no feature joins it."""

    @property
    def kind(self) -> Kind:
        """The kind of the feature."""
        return self.feature.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    """A segment of a tile to come."""

    number: int
    tile: int
    """The tile's number."""
    segment: int
    """Its index on the tile."""
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """A rule on two sides that meet."""

    law: Law
    shows: Shown
    values: tuple[object, ...]
    """For each of these, both sides show it or neither does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """The rules that both families of games have, each in its own form."""

    empty: Law
    """A tile lies where none lies yet."""
    adjacent: Law
    """A tile lies against another one."""
    first: Law
    """The first tile of the game lies at its start."""
    none: Law
    """Only a tile without a place leaves the game."""
    free: Law
    """A follower is placed on a feature that holds none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The constants of the models of placement, contact and scoring."""

    position: Position
    kinds: tuple[TileKind, ...]
    """The tiles that may be drawn, by number."""
    empty: frozenset[Cell]
    """The cells without a tile, in a castle those inside the wall."""
    cells: frozenset[Cell]
    """The cells that an explanation tries for a tile, filled ones too."""
    held: frozenset[Cell]
    """The empty cells beside a tile or start space of the position; if the game begins, the
    cells of the first tile."""
    paths: Mapping[Cell, tuple[Side, frozenset[bool]]]
    """For a cell that a start space binds: its side there, and whether a path may meet it."""
    contact: Mapping[tuple[Cell, int], int]
    """The old part at a port of an empty cell."""
    bag: int
    """The number of tiles, the last ones, that come in any order."""
    spots: tuple[tuple[Spot, ...], ...]
    """By tile: its possible places, judged by the position alone."""
    old: tuple[OldPart, ...]
    new: tuple[NewPart, ...]
    borders: tuple[Border, ...]
    laws: Laws

    @property
    def parts(self) -> tuple[OldPart | NewPart, ...]:
        """All parts, by number."""
        return (*self.old, *self.new)

    def of_kind(self, kind: Kind) -> Instance:
        """Return the instance with the parts of one kind alone; no other part joins them."""
        old = [part for part in self.old if part.kind is kind]
        new = [part for part in self.new if part.kind is kind]
        numbers = [*(part.number for part in old), *(part.number for part in new)]
        number_of = {number: again for again, number in enumerate(numbers)}
        return replace(
            self,
            old=tuple(replace(part, number=number_of[part.number]) for part in old),
            new=tuple(replace(part, number=number_of[part.number]) for part in new),
            contact={
                at: number_of[number] for at, number in self.contact.items() if number in number_of
            },
        )

    def tile_of(self, number: int) -> int:
        """Return the tile of a new part."""
        return self.new[number - len(self.old)].tile

    def new_of(self, tile: int) -> tuple[NewPart, ...]:
        """Return the segments of a tile as parts, by index."""
        return tuple(part for part in self.new if part.tile == tile)

    @property
    def known(self) -> int:
        """The number of tiles in known order."""
        return len(self.kinds) - self.bag

    def may_go(self, tile: int) -> bool:
        """Tell whether a tile may have no place; each tile before it spoils a few cells."""
        safe = {cell for cell, _ in self.spots[tile] if cell in self.held}
        return len(safe) <= SPOILED * tile

    def faults(self, tile: int, spot: Spot) -> Iterator[Law]:
        """Yield the rules by which the tiles and start spaces of the position forbid a place."""
        cell, rotation = spot
        if cell not in self.empty:
            yield self.laws.empty
            return
        kind = self.kinds[tile]
        for border in self.borders:
            if not meets(self.position, border, kind, spot):
                yield border.law
        side, allowed = self.paths.get(cell, (Side.N, EITHER))
        if kind.has_path(side, rotation) not in allowed:
            yield START_PATH


def meets(position: Position, border: Border, kind: TileKind, spot: Spot) -> bool:
    """Tell whether a tile on an empty cell agrees with the tiles on all sides."""
    cell, rotation = spot
    for side, beyond in cell.neighbours():
        there = position.tile_at(beyond)
        if there is not None:
            theirs = border.shows(there.kind, there.rotation, side.opposite)
            if border.shows(kind, rotation, side) != theirs:
                return False
    return True


def parts_of(kinds: Sequence[TileKind], old: Sequence[OldPart]) -> tuple[NewPart, ...]:
    """Return the segments of the tiles to come as parts, numbered after the old ones."""
    segments = (
        (tile, at, s.kind) for tile, one in enumerate(kinds) for at, s in enumerate(one.segments)
    )
    return tuple(
        NewPart(number=number, tile=tile, segment=at, kind=kind)
        for number, (tile, at, kind) in enumerate(segments, len(old))
    )


def contact_of(
    position: Position, empty: Iterable[Cell], old: Sequence[OldPart]
) -> dict[tuple[Cell, int], int]:
    """Return the old part at each port of the empty cells at which one lies."""
    laid = position.laid()
    number_of = {node: part.number for part in old for node in part.feature.nodes}
    contact = {}
    for cell in empty:
        for port in range(PORTS):
            beyond = cell.step(PORT_SIDES[port])
            segment = laid[beyond].at(FACING[port]) if beyond in laid else -1
            if segment >= 0:
                contact[cell, port] = number_of[Node(beyond, segment)]
    return contact


def before_turn(position: Position, draw: Draw) -> Position:
    """Return a position with one tile to come in known order: that of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid; if none has a place, its last tile.

    """
    left = Counter(position.order + position.bag)
    left.subtract(draw.discards)
    tile = draw.discards[-1] if draw.tile is None else draw.tile
    left.subtract(() if draw.tile is None else (tile,))
    return replace(position, order=(tile, *sorted((+left).elements())), bag=())
