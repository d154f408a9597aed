"""What a feature is worth, as sums of literals: a tile is counted once, not its segments.

Points stay sums of Boolean terms, so that a limit on a score reaches the places of tiles
without an integer in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.geometry import Cell
from model.tiles import Kind, Mark
from solver.cpsat.logic import Lit, Logic, weighted
from solver.cpsat.timeline.features import Led
from solver.cpsat.timeline.ground import Ground, OldPart

PER_TILE = {Kind.PATH: 1, Kind.TOWER: 2, Kind.HOUSE: 1}
"""Points a tile of a completed feature; a path with a fountain counts double."""
LARGEST = 8
"""Tiles of a chapel after which it grows no dearer: the n-th of them brings n points."""
Term = tuple[int, Lit]
"""A weight and the literal that it counts for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bunch:
    """Tiles that count for a feature if any of some parts belongs to it."""

    parts: frozenset[int]
    tiles: int
    inside: int
    """Those of the tiles that are not start spaces."""


def bunches(ground: Ground, kind: Kind) -> tuple[Bunch, ...]:
    """Return the tiles that features of a kind can have, by the parts that lie on them."""
    parts_on: dict[Cell, set[int]] = defaultdict(set)
    start_cells: set[Cell] = set()
    for part in ground.old:
        if part.kind is kind:
            start_cells |= part.feature.start_cells
            for cell in part.feature.cells:
                parts_on[cell].add(part.number)
    tiles: dict[frozenset[int], int] = defaultdict(int)
    inside: dict[frozenset[int], int] = defaultdict(int)
    for cell, numbers in parts_on.items():
        tiles[frozenset(numbers)] += 1
        inside[frozenset(numbers)] += cell not in start_cells
    for tile in range(len(ground.kinds)):
        new = frozenset(part.number for part in ground.new_of(tile) if part.kind is kind)
        if new:
            tiles[new] = inside[new] = 1
    return tuple(
        Bunch(parts=parts, tiles=tiles[parts], inside=inside[parts])
        for parts in sorted(tiles, key=sorted)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The tiles of a feature, as terms of a sum."""

    tiles: tuple[tuple[Bunch, Lit], ...]
    """Which bunches belong to it."""
    fountain: Lit
    """Whether a fountain lies on it; never for what is no path."""

    def size(self, *, inside: bool = False) -> list[Term]:
        """Return its tiles, start spaces included or not."""
        return [(b.inside if inside else b.tiles, literal) for b, literal in self.tiles]


def worth(logic: Logic, ground: Ground, led: Led) -> Worth:
    """Return the tiles of the feature that a part leads."""
    tiles = []
    for bunch in bunches(ground, led.kind):
        here = logic.any_of(led.members.get(v, False) for v in sorted(bunch.parts))
        if here is not False:
            tiles.append((bunch, here))
    fountain = logic.any_of(
        literal for v, literal in led.members.items() if has_fountain(ground, v)
    )
    return Worth(tiles=tuple(tiles), fountain=fountain)


def has_fountain(ground: Ground, number: int) -> bool:
    """Tell whether a fountain lies on a part."""
    return Mark.FOUNTAIN in _marks(ground, number)


def markets(ground: Ground, number: int) -> int:
    """Return the markets on a part."""
    return _marks(ground, number).count(Mark.MARKET)


def _marks(ground: Ground, number: int) -> tuple[Mark, ...]:
    """Return what is printed on a part."""
    part = ground.parts[number]
    if isinstance(part, OldPart):
        return part.feature.marks
    return ground.kinds[part.tile].segments[part.segment].marks


class Piece(NamedTuple):
    """Points for some tiles of a feature."""

    bunch: Bunch
    layer: int
    """0 for the tiles as such, 1 for a fountain, 2 and more for each time that both are doubled."""
    term: Term


def points(
    logic: Logic, led: Led, value: Worth, scored: Lit, doubled: Sequence[Lit] = ()
) -> list[Piece]:
    """Return what a feature brings if it is scored.

    Σ weight · (scored and tile), the same again where a fountain lies on a path, and the sum
    doubled once more by each of ``doubled``, each of which holds only if those before do.
    """
    if led.kind is Kind.CHAPEL:
        return _chapel_points(logic, led, value, scored, doubled)
    found = []
    for bunch, here in value.tiles:
        weight = PER_TILE[led.kind] * bunch.tiles
        counted = logic.all_of((scored, here))
        found.append(Piece(bunch, 0, (weight, counted)))
        rated = logic.all_of((counted, value.fountain)) if led.kind is Kind.PATH else False
        found.append(Piece(bunch, 1, (weight, rated)))
        for times, twice in enumerate(doubled):
            for layer, literal in enumerate((counted, rated)):
                more = logic.all_of((literal, twice))
                found.append(Piece(bunch, 2 * times + layer + 2, (weight << times, more)))
    return [piece for piece in found if piece.term[1] is not False]


def _chapel_points(
    logic: Logic, led: Led, value: Worth, scored: Lit, doubled: Sequence[Lit]
) -> list[Piece]:
    """Return what a chapel brings if it is scored: Σ_n n · (scored and size ≥ n)."""
    size = weighted(value.size())
    most = sum(tiles for tiles, _ in value.size())
    whole = Bunch(parts=frozenset({led.leader}), tiles=most, inside=most)
    found = []
    for n in range(1, min(most, LARGEST) + 1):
        reached = size >= n if isinstance(size, int) else logic.within(size, n, most)
        counted = logic.all_of((scored, reached))
        found.append(Piece(whole, n, (n, counted)))
        found += [
            Piece(whole, LARGEST + n, (n, logic.all_of((counted, twice)))) for twice in doubled
        ]
    return [piece for piece in found if piece.term[1] is not False]


def total(logic: Logic, pieces: Iterable[Piece]) -> list[Term]:
    """Return the sum of pieces of one player, with few terms.

    A part belongs to one feature in the end: its tiles are scored once, by whatever leader.
    Without this the sum of all that might be scored would be far above what can be.
    """
    terms: list[Term] = []
    once: dict[tuple[frozenset[int], int, int], list[Lit]] = defaultdict(list)
    for bunch, layer, (weight, literal) in pieces:
        if len(bunch.parts) == 1:
            once[bunch.parts, layer, weight].append(literal)
        else:
            terms.append((weight, literal))
    terms += [(weight, logic.any_of(ways)) for (_, _, weight), ways in once.items()]
    return terms
