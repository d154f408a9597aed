"""Completion and majority of features in a castle, kings on them, and their points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from model.components import Rank
from model.rules.falcon.chapels import LARGEST
from model.switches import FOUNTAIN_IS_DOUBLING, KING_BARS_DOUBLING
from model.tiles import Kind, Mark
from solver.cpsat.base.connectivity import Joined
from solver.cpsat.base.features import (
    Bunch,
    FeatureVars,
    Piece,
    completion,
    leaders,
    marks,
    tiles_of,
)
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.logic import Lit, Logic, Term, no, weighted
from solver.cpsat.base.placement import Contacts
from solver.cpsat.castle.instance import Holes
from solver.cpsat.castle.turns import CastleTable

PER_TILE = {Kind.PATH: 1, Kind.TOWER: 2, Kind.HOUSE: 1}
"""Points of each tile of a completed feature; a fountain doubles those of a path."""


def feature_vars(
    table: CastleTable, touching: Contacts, joined: Joined, walls: Holes
) -> tuple[FeatureVars, ...]:
    """Return the variables of the feature that each part may lead."""
    logic, instance, placement = table.logic, table.instance, table.turns.placement
    found = []
    for leader, members in joined.features(logic):
        on = tuple(_footholds(table, members, player) for player in (0, 1))
        counts = [
            [(_strength(instance, key, player), literal) for key, literal in mine.items()]
            for player, mine in enumerate(on)
        ]
        part = instance.parts[leader]
        lasting = part.kind is Kind.COURT or (isinstance(part, OldPart) and not part.feature.inside)
        hole = partial(walls.hole, placement, part.kind, members)
        found.append(
            FeatureVars(
                leader=leader,
                kind=part.kind,
                members=members,
                done={} if lasting else completion(placement, touching, leader, members, hole),
                wins=tuple(leaders(logic, counts, shared=False)),
                on=on,
            )
        )
    return tuple(found)


def _footholds(table: CastleTable, members: Mapping[int, Lit], player: int) -> dict[int, Lit]:
    """Return whether each foothold of a player is on the feature with these members.

    A foothold on an old part has the number of the part; that of tile t has len(old) + t.
    """
    logic, instance = table.logic, table.instance
    found: dict[int, Lit] = {}
    turns: dict[int, list[Lit]] = defaultdict(list)
    for v, literal in members.items():
        part = instance.parts[v]
        if isinstance(part, OldPart):
            if part.feature.strength(player):
                found[v] = literal
        else:
            turns[part.tile].append(logic.all_of((literal, table.claims.by[player][v])))
    for tile, ways in turns.items():
        found[len(instance.old) + tile] = logic.any_of(ways)
    return {key: literal for key, literal in found.items() if literal is not False}


def _strength(instance: Instance, key: int, player: int) -> int:
    """Return the number of a player's followers in a foothold."""
    return instance.old[key].feature.strength(player) if key < len(instance.old) else 1


def stands_on(table: CastleTable, one: FeatureVars, player: int, rank: Rank) -> Lit:
    """Return whether the king or falconer of a player is on the feature that a part leads."""
    old, ways = table.instance.old, list[Lit]()
    for key, literal in one.on[player].items():
        if key >= len(old):
            there = table.claims.ranks.get((key - len(old), rank), False)
            ways.append(table.logic.all_of((literal, there)))
        elif any((f.player, f.rank) == (player, rank) for f in old[key].feature.followers):
            ways.append(literal)
    return table.logic.any_of(ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowns:
    """The effects of kings in play, by leader and player."""

    royal: Mapping[tuple[int, int], Lit]
    """His king doubles its points for him."""
    barred: Mapping[tuple[int, int], Lit]
    """A king forbids him to double it with wall tiles."""


def crowns(table: CastleTable, features: Sequence[FeatureVars]) -> Crowns:
    """Return the effects of kings in play."""
    logic, game = table.logic, table.instance.position.game
    royal: dict[tuple[int, int], Lit] = {}
    barred: dict[tuple[int, int], Lit] = {}
    if not game.specials:
        return Crowns(royal={}, barred={})
    fountains = game.value(FOUNTAIN_IS_DOUBLING) == "on"
    for one in features:
        kings = [stands_on(table, one, player, Rank.KING) for player in (0, 1)]
        fountain = fountains and has_fountain(logic, table.instance, one)
        for player in (0, 1):
            royal[one.leader, player] = logic.all_of((kings[player], no(fountain)))
            any_king = game.value(KING_BARS_DOUBLING) == "any"
            barred[one.leader, player] = logic.any_of(kings) if any_king else kings[player]
    return Crowns(royal=royal, barred=barred)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The tiles of a feature, as terms of a sum."""

    tiles: tuple[tuple[Bunch, Lit], ...]
    """The bunches that may belong to it."""
    fountain: Lit
    """Whether a fountain lies on it."""

    def size(self, *, inside: bool = False) -> list[Term]:
        """Return its number of tiles, with or without start spaces."""
        return [(b.inside if inside else b.tiles, literal) for b, literal in self.tiles]


def worth(logic: Logic, instance: Instance, feature: FeatureVars) -> Worth:
    """Return the tiles of a feature."""
    return Worth(
        tiles=tiles_of(logic, instance, feature), fountain=has_fountain(logic, instance, feature)
    )


def has_fountain(logic: Logic, instance: Instance, feature: FeatureVars) -> Lit:
    """Return whether a fountain lies on a feature."""
    return logic.any_of(
        literal for v, literal in feature.members.items() if Mark.FOUNTAIN in marks(instance, v)
    )


def points(
    logic: Logic,
    feature: FeatureVars,
    value: Worth,
    whose: tuple[int, Lit],
    doubled: Sequence[Lit] = (),
) -> list[Piece]:
    """Return a feature's points for a player.

    Σ weight · (scored and tile), twice for a path with a fountain. A chapel brings
    Σ_n n · (scored and size ≥ n).

    Layer 0 holds the tiles, layer 1 the fountain. Each doubling has two layers more.

    Args:
        logic: the model.
        feature: the feature.
        value: its tiles.
        whose: the player, and whether he scores it.
        doubled: whether the points are doubled once, twice, and so on.

    """
    player, scored = whose
    found = []
    if feature.kind is Kind.CHAPEL:
        size = weighted(value.size())
        most = sum(tiles for tiles, _ in value.size())
        whole = frozenset({feature.leader})
        for n in range(1, min(most, LARGEST) + 1):
            reached = size >= n if isinstance(size, int) else logic.within(size, n, most)
            counted = logic.all_of((scored, reached))
            found.append(Piece(player, n, counted, whole, n))
            found += [
                Piece(player, n, logic.all_of((counted, twice)), whole, LARGEST + n)
                for twice in doubled
            ]
    for bunch, here in value.tiles if feature.kind in PER_TILE else ():
        weight = PER_TILE[feature.kind] * bunch.tiles
        counted = logic.all_of((scored, here))
        rated = logic.all_of((counted, value.fountain)) if feature.kind is Kind.PATH else False
        found.append(Piece(player, weight, counted, bunch.parts))
        found.append(Piece(player, weight, rated, bunch.parts, 1))
        for times, twice in enumerate(doubled):
            for layer, literal in enumerate((counted, rated), 2 * times + 2):
                more = logic.all_of((literal, twice))
                found.append(Piece(player, weight << times, more, bunch.parts, layer))
    return [piece for piece in found if piece.literal is not False]
