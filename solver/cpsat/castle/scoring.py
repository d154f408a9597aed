"""What a feature of a castle is worth, as sums of literals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.tiles import Kind, Mark
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Term, weighted
from solver.cpsat.shared.features import FeatureVars
from solver.cpsat.shared.points import Bunch, Piece, marks, tiles_of

PER_TILE = {Kind.PATH: 1, Kind.TOWER: 2, Kind.HOUSE: 1}
"""Points a tile of a completed feature; a path with a fountain counts double."""
LARGEST = 8
"""Tiles of a chapel after which it grows no dearer: the n-th of them brings n points."""


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


def worth(logic: Logic, instance: Instance, feature: FeatureVars) -> Worth:
    """Return the tiles of the feature that a part leads."""
    return Worth(
        tiles=tiles_of(logic, instance, feature), fountain=has_fountain(logic, instance, feature)
    )


def has_fountain(logic: Logic, instance: Instance, feature: FeatureVars) -> Lit:
    """Return whether a fountain lies on a feature."""
    return logic.any_of(
        literal for v, literal in feature.members.items() if Mark.FOUNTAIN in marks(instance, v)
    )


def points(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    feature: FeatureVars,
    value: Worth,
    player: int,
    scored: Lit,
    doubled: Sequence[Lit] = (),
) -> list[Piece]:
    """Return what a feature brings a player if it is scored.

    Σ weight · (scored and tile), the same again where a fountain lies on a path, and the sum
    doubled once more by each of ``doubled``, each of which holds only if those before do. Layer 0
    is the tiles as such, 1 the fountain, 2 and more each time that both are doubled.
    """
    if feature.kind is Kind.CHAPEL:
        return _chapel_points(logic, feature, value, player, scored, doubled)
    found = []
    for bunch, here in value.tiles:
        weight = PER_TILE[feature.kind] * bunch.tiles
        counted = logic.all_of((scored, here))
        rated = logic.all_of((counted, value.fountain)) if feature.kind is Kind.PATH else False
        found += [
            Piece(player, weight, counted, bunch.parts),
            Piece(player, weight, rated, bunch.parts, 1),
        ]
        for times, twice in enumerate(doubled):
            for layer, literal in enumerate((counted, rated), 2 * times + 2):
                more = logic.all_of((literal, twice))
                found.append(Piece(player, weight << times, more, bunch.parts, layer))
    return [piece for piece in found if piece.literal is not False]


def _chapel_points(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    feature: FeatureVars,
    value: Worth,
    player: int,
    scored: Lit,
    doubled: Sequence[Lit],
) -> list[Piece]:
    """Return what a chapel brings if it is scored: Σ_n n · (scored and size ≥ n)."""
    size = weighted(value.size())
    most = sum(tiles for tiles, _ in value.size())
    whole = frozenset({feature.leader})
    found = []
    for n in range(1, min(most, LARGEST) + 1):
        reached = size >= n if isinstance(size, int) else logic.within(size, n, most)
        counted = logic.all_of((scored, reached))
        found.append(Piece(player, n, counted, whole, n))
        found += [
            Piece(player, n, logic.all_of((counted, twice)), whole, LARGEST + n)
            for twice in doubled
        ]
    return [piece for piece in found if piece.literal is not False]
