"""The encoding ``time``: the classes of connected parts after every turn.

near[v,w]: when the tile of v has been laid, v and w are one feature. A class that changes in
a turn holds a segment of the turn's tile; so a class as it stands before a turn is known by
its part of the highest number, z, and near[z,·] says what belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

from model.tiles import Kind
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.connectivity.protocol import NOBODY, Freed, Joined
from solver.cpsat.shared.contacts import Contacts

Near = dict[int, dict[int, Lit]]
"""near[v,w] by v and w < v, where it is possible at all."""


class ByTurn:
    """Classes of parts after every turn, each made from those before it."""

    name = "time"

    def join(
        self,
        logic: Logic,
        instance: Instance,
        touching: Contacts,
        claims: Mapping[int, Lit],
        freed: Freed = NOBODY,
    ) -> Joined:
        """Make the literals of what is one feature, and forbid followers on claimed features."""
        near: Near = {}
        for tile in range(len(instance.kinds)):
            for kind in Kind:
                members = [part.number for part in instance.new_of(tile) if part.kind is kind]
                near.update(_with_tile(logic, touching, members, near))
        _free(logic, instance, near, claims, freed)
        return Joined(within=_within(logic, instance, near))


def _with_tile(logic: Logic, touching: Contacts, members: list[int], near: Near) -> Near:
    """Return near[v,·] for the parts v of one kind on a tile.

    met[v,w]: v joins w not by way of another part of the tile.
    same[v,u] for parts of the tile: Warshall's closure of "they meet one part w".
    near[v,w] ↔ OR_u same[v,u] and met[u,w]
    """
    met = {v: _met(logic, touching, v, members, near) for v in members}
    same: dict[tuple[int, int], Lit] = {(v, v): True for v in members}
    for v, u in combinations(members, 2):
        common = met[v].keys() & met[u].keys()
        ways = [logic.all_of((met[v][w], met[u][w])) for w in sorted(common)]
        ways.append(touching.touch.get((v, u), False))
        same[v, u] = same[u, v] = logic.any_of(ways)
    for k in members:
        same = {
            (v, u): logic.any_of((same[v, u], logic.all_of((same[v, k], same[k, u]))))
            for v, u in product(members, repeat=2)
        }
    found: Near = {}
    for v in members:
        ways_to: dict[int, list[Lit]] = {}
        for u in members:
            for w, literal in met[u].items():
                ways_to.setdefault(w, []).append(logic.all_of((same[v, u], literal)))
        found[v] = {w: logic.any_of(ways) for w, ways in sorted(ways_to.items())}
        found[v].update({u: same[v, u] for u in members if u < v})
        found[v] = {w: literal for w, literal in found[v].items() if literal is not False}
    return found


def _met(
    logic: Logic, touching: Contacts, v: int, members: list[int], near: Near
) -> dict[int, Lit]:
    """Return met[v,w] ↔ touch[w,v] or OR_z touched[v,z] and near[z,w] over earlier new parts z.

    touched[v,z] ↔ touch[z,v] or OR_w touch[w,v] and near[z,w]: v touches the class of z.
    """
    touch = {w: lit for w, lit in touching.touching(v).items() if w not in members}
    ways: dict[int, list[Lit]] = {w: [literal] for w, literal in touch.items()}
    for z, others in near.items():
        contacts = [touch.get(z, False)]
        contacts += [logic.all_of((touch[w], lit)) for w, lit in others.items() if w in touch]
        touched = logic.any_of(contacts)
        if touched is False:
            continue
        ways.setdefault(z, []).append(touched)
        for w, literal in others.items():
            ways.setdefault(w, []).append(logic.all_of((touched, literal)))
    return {w: logic.any_of(literals) for w, literals in ways.items()}


def _free(
    logic: Logic, instance: Instance, near: Near, claims: Mapping[int, Lit], freed: Freed
) -> None:
    """Forbid followers on claimed features.

    free → (y[v] and near[v,w] → w is not claimed or was freed before the turn of v)
    """
    law = no(logic.law(instance.laws.free))
    tile_of = {part.number: part.tile for part in instance.new}
    for v, claim in claims.items():
        for w, literal in near[v].items():
            left = freed.get((w, tile_of[v]), False)
            if w < len(instance.old):
                if instance.old[w].feature.followers:
                    logic.clause(law, no(claim), no(literal), left)
            elif tile_of[w] != tile_of[v]:
                logic.clause(law, no(claim), no(literal), no(claims.get(w, False)), left)


def _within(logic: Logic, instance: Instance, near: Near) -> dict[tuple[int, int], Lit]:
    """Return within[r,v] ↔ near[r,v] and no near[z,r] for any z > r."""
    within: dict[tuple[int, int], Lit] = {}
    for part in instance.parts:
        r = part.number
        leads = no(logic.any_of(others[r] for others in near.values() if r in others))
        within[r, r] = leads
        for v, literal in near.get(r, {}).items():
            within[r, v] = logic.all_of((leads, literal))
    return within
