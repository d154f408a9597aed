"""What becomes of each feature of a castle, and what kings do on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from model.components import Rank
from model.switches import FOUNTAIN_IS_DOUBLING, KING_BARS_DOUBLING
from model.tiles import Kind
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.castle.instance import Holes
from solver.cpsat.castle.scoring import has_fountain
from solver.cpsat.connectivity.protocol import Joined
from solver.cpsat.shared.claims import Claims
from solver.cpsat.shared.contacts import Contacts
from solver.cpsat.shared.features import FeatureVars, completion, leaders
from solver.cpsat.shared.placement import PlacementVars


def turn_key(instance: Instance, tile: int) -> int:
    """Return the foothold that is the follower of a turn: after all old parts."""
    return len(instance.old) + tile


def feature_vars(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    touching: Contacts,
    joined: Joined,
    claims: Claims,
    walls: Holes,
) -> tuple[FeatureVars, ...]:
    """Return for every part what becomes of the feature that it leads."""
    found = []
    for leader, members in joined.features(logic):
        on = tuple(_footholds(logic, instance, claims, members, player) for player in (0, 1))
        counts = [
            [(_strength(instance, key, player), literal) for key, literal in mine.items()]
            for player, mine in enumerate(on)
        ]
        part = instance.parts[leader]
        lasting = part.kind is Kind.COURT or (isinstance(part, OldPart) and not part.feature.inside)
        hole = partial(walls.hole, logic, placement, part.kind, members)
        found.append(
            FeatureVars(
                leader=leader,
                kind=part.kind,
                members=members,
                done={}
                if lasting
                else completion(logic, instance, placement, touching, leader, members, hole=hole),
                wins=tuple(leaders(logic, counts, shared=False)),
                on=on,
            )
        )
    return tuple(found)


def _footholds(
    logic: Logic, instance: Instance, claims: Claims, members: Mapping[int, Lit], player: int
) -> dict[int, Lit]:
    """Return whether each foothold of a player is on the feature with these members."""
    found: dict[int, Lit] = {}
    turns: dict[int, list[Lit]] = defaultdict(list)
    for v, literal in members.items():
        part = instance.parts[v]
        if isinstance(part, OldPart):
            if part.feature.strength(player):
                found[v] = literal
        else:
            turns[part.tile].append(logic.all_of((literal, claims.by[player][v])))
    for tile, ways in turns.items():
        found[turn_key(instance, tile)] = logic.any_of(ways)
    return {key: literal for key, literal in found.items() if literal is not False}


def _strength(instance: Instance, key: int, player: int) -> int:
    """Return how many followers of a player a foothold stands for."""
    return instance.old[key].feature.strength(player) if key < len(instance.old) else 1


def stands_on(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic, instance: Instance, claims: Claims, one: FeatureVars, player: int, rank: Rank
) -> Lit:
    """Return whether the king or falconer of a player is on the feature that a part leads."""
    ways: list[Lit] = []
    for key, literal in one.on[player].items():
        if key < len(instance.old):
            followers = instance.old[key].feature.followers
            if any((f.player, f.rank) == (player, rank) for f in followers):
                ways.append(literal)
        else:
            tile = key - turn_key(instance, 0)
            ways.append(logic.all_of((literal, claims.ranks.get((tile, rank), False))))
    return logic.any_of(ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowns:
    """What kings do in play, by leader and player."""

    royal: Mapping[tuple[int, int], Lit]
    """His king doubles what it brings him."""
    barred: Mapping[tuple[int, int], Lit]
    """A king keeps him from doubling it with wall tiles."""


def crowns(
    logic: Logic, instance: Instance, claims: Claims, features: Sequence[FeatureVars]
) -> Crowns:
    """Return what kings do in play."""
    game = instance.position.game
    if not game.specials:
        return Crowns(royal={}, barred={})
    royal: dict[tuple[int, int], Lit] = {}
    barred: dict[tuple[int, int], Lit] = {}
    fountains = game.value(FOUNTAIN_IS_DOUBLING) == "on"
    for one in features:
        kings = [stands_on(logic, instance, claims, one, p, Rank.KING) for p in (0, 1)]
        fountain = fountains and has_fountain(logic, instance, one)
        for player in (0, 1):
            royal[one.leader, player] = logic.all_of((kings[player], no(fountain)))
            any_king = game.value(KING_BARS_DOUBLING) == "any"
            barred[one.leader, player] = logic.any_of(kings) if any_king else kings[player]
    return Crowns(royal=royal, barred=barred)
