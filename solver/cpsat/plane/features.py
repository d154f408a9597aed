"""What becomes of each feature of Carcassonne."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from model.geometry import Cell, ring
from model.switches import TIE
from model.tiles import Kind
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.connectivity.protocol import Joined
from solver.cpsat.plane.towers import Towers
from solver.cpsat.shared.claims import Claims
from solver.cpsat.shared.contacts import Contacts
from solver.cpsat.shared.features import FeatureVars, completion, leaders
from solver.cpsat.shared.placement import PlacementVars


def feature_vars(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    touching: Contacts,
    joined: Joined,
    claims: Claims,
    towers: Towers,
) -> tuple[FeatureVars, ...]:
    """Return for every part what becomes of the feature that it leads."""
    found = []
    shared = instance.position.game.value(TIE) != "none"
    for leader, members in joined.features(logic):
        on = tuple(
            _standing(logic, instance, claims, towers, members, player)
            for player in range(len(instance.position.players))
        )
        counts = [[(1, literal) for literal in mine.values()] for mine in on]
        found.append(
            FeatureVars(
                leader=leader,
                kind=instance.parts[leader].kind,
                members=members,
                done=_done(logic, instance, placement, touching, members, leader),
                on=on,
                wins=tuple(
                    logic.all_of((members[leader], won))
                    for won in leaders(logic, counts, shared=shared)
                ),
            )
        )
    return tuple(found)


def _standing(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    claims: Claims,
    towers: Towers,
    members: Mapping[int, Lit],
    player: int,
) -> dict[int, Lit]:
    """Return whether each follower of a player stands on the feature with these members.

    Who is taken from it, stood there before it was complete, or it never is.
    """
    ways: dict[int, list[Lit]] = defaultdict(list)
    for v, literal in members.items():
        part = instance.parts[v]
        if isinstance(part, OldPart):
            for follower in part.feature.followers:
                if follower.player == player:
                    ways[towers.units.followers[follower.node]].append(literal)
        else:
            mine = claims.by[player].get(v, False)
            ways[towers.units.placed(part.tile)].append(logic.all_of((literal, mine)))
    found = {
        unit: logic.all_of((logic.any_of(literals), no(towers.taken(logic, unit))))
        for unit, literals in ways.items()
    }
    return {unit: literal for unit, literal in found.items() if literal is not False}


def _done(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    touching: Contacts,
    members: Mapping[int, Lit],
    leader: int,
) -> dict[int, Lit]:
    """Return when a feature is complete; a cloister to come once its ring is full."""
    part = instance.parts[leader]
    if part.kind is Kind.FIELD:
        return {}
    if part.kind is Kind.CLOISTER and not isinstance(part, OldPart):
        return {
            t: logic.any_of(
                logic.all_of((literal, *surrounded(instance, placement, cell, t)))
                for cell, literal in placement.at[part.tile].items()
            )
            for t in range(part.tile, len(instance.kinds))
        }
    return completion(logic, instance, placement, touching, leader, members)


def surrounded(instance: Instance, placement: PlacementVars, cell: Cell, tile: int) -> list[Lit]:
    """Return for each cell round a cell whether a tile lies there once a turn is over."""
    return [placement.full(c, tile) if c in instance.empty else True for c in sorted(ring(cell))]
