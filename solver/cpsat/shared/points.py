"""Points as sums of literals: a tile is counted once, not its segments.

Points stay sums of Boolean terms, so that a limit on a score reaches the places of tiles
without an integer in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from model.geometry import Cell
from model.tiles import Kind, Mark
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.logic import Lit, Logic, Term
from solver.cpsat.shared.features import FeatureVars


@dataclass(frozen=True, slots=True, kw_only=True)
class Bunch:
    """Tiles that count for a feature if any of some parts belongs to it."""

    parts: frozenset[int]
    tiles: int
    inside: int
    """Those of the tiles that are not start spaces."""


def bunches(instance: Instance, kind: Kind) -> tuple[Bunch, ...]:
    """Return the tiles that features of a kind can have, by the parts that lie on them."""
    parts_on: dict[Cell, set[int]] = defaultdict(set)
    start_cells: set[Cell] = set()
    for part in instance.old:
        if part.kind is kind:
            start_cells |= part.feature.start_cells
            for cell in part.feature.cells:
                parts_on[cell].add(part.number)
    tiles: dict[frozenset[int], int] = defaultdict(int)
    inside: dict[frozenset[int], int] = defaultdict(int)
    for cell, numbers in parts_on.items():
        tiles[frozenset(numbers)] += 1
        inside[frozenset(numbers)] += cell not in start_cells
    for tile in range(len(instance.kinds)):
        new = frozenset(part.number for part in instance.new_of(tile) if part.kind is kind)
        if new:
            tiles[new] = inside[new] = 1
    return tuple(
        Bunch(parts=parts, tiles=tiles[parts], inside=inside[parts])
        for parts in sorted(tiles, key=sorted)
    )


def tiles_of(
    logic: Logic, instance: Instance, feature: FeatureVars
) -> tuple[tuple[Bunch, Lit], ...]:
    """Return the tiles that a feature may have, with whether they belong to it."""
    found = (
        (bunch, logic.any_of(feature.members.get(v, False) for v in sorted(bunch.parts)))
        for bunch in bunches(instance, feature.kind)
    )
    return tuple((bunch, here) for bunch, here in found if here is not False)


def marks(instance: Instance, number: int) -> tuple[Mark, ...]:
    """Return what is printed on a part."""
    part = instance.parts[number]
    if isinstance(part, OldPart):
        return part.feature.marks
    return instance.kinds[part.tile].segments[part.segment].marks


class Piece(NamedTuple):
    """Points for a player."""

    player: int
    weight: int
    literal: Lit
    """Whether they are scored."""
    parts: frozenset[int] = frozenset()
    """The parts of which one must belong to the feature."""
    layer: int = 0
    """What of the parts it is: a number of its own for all that is scored besides."""
    done: Mapping[int, Lit] = MappingProxyType({})
    """By tile: the feature is complete, and so scored, once the tile's turn is over."""

    @property
    def term(self) -> Term:
        """The points and whether they are scored."""
        return self.weight, self.literal


def total(logic: Logic, pieces: Iterable[Piece], by: int | None = None) -> list[Term]:
    """Return the sum of pieces of one player, to the end or by the end of a turn.

    A part belongs to one feature in the end, so what it brings comes once, by whatever
    leader; without this the sum of all that might be scored would be far above what can be.
    """
    terms: list[Term] = []
    once: dict[tuple[frozenset[int], int, int], list[Lit]] = defaultdict(list)
    for piece in pieces:
        literal = piece.literal
        if by is not None:
            literal = logic.all_of((literal, piece.done.get(by, False)))
        if literal is False:
            continue
        if len(piece.parts) == 1:
            once[piece.parts, piece.layer, piece.weight].append(literal)
        else:
            terms.append((piece.weight, literal))
    return [*terms, *((weight, logic.any_of(ways)) for (_, _, weight), ways in once.items())]
