"""What is one feature in the end: a protocol with two encodings, ``time`` and ``rank``.

Parts are nodes, contacts are edges that are true or false in the end; a feature in the end
is a component, and its *leader* is its part of the highest number. Everything else about
features (completion, size, majority, return of followers) is made from this alone.

``time`` keeps the classes of connected parts after every turn. near[v,w]: when the tile of v has
been laid, v and w are one feature. A class that changes in a turn holds a segment of the turn's
tile; so a class as it stands before a turn is known by its part of the highest number, z, and
near[z,·] says what belongs to it.

``rank`` labels the final graph. Each part carries the number of its leader as a label, the same
along every contact, and each part that does not lead points along a contact to another of lower
rank. Following the pointers ends at a part that leads, and carries its own number: so every label
is the number of a part of the same feature, and being the highest that any of them may carry, the
right one. Which features were free when a follower was placed is said by sets that contacts do
not leave, one for each turn, without any ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from types import MappingProxyType
from typing import Protocol, TypeAlias

from model.tiles import Kind
from solver.cpsat.base.cp import IntVar, Literal
from solver.cpsat.base.instance import OldPart
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.base.placement import Contacts, PlacementVars

Freed: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: all who stood on the part have been taken from it before the tile's turn,
its feature being not complete. Left out where that is impossible."""
NOBODY: Freed = MappingProxyType({})
"""Nobody is taken from where he stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Which parts are one feature in the end, as literals fixed by the contacts."""

    within: Mapping[tuple[int, int], Lit]
    """within[r,v] for parts v ≤ r of one kind: r leads a feature in the end and v belongs to
    it. within[r,r]: r leads. What is impossible is left out. For each part v exactly one r
    holds. A part of a tile that lies nowhere touches nothing and leads itself."""

    def features(self, logic: Logic) -> Iterator[tuple[int, dict[int, Lit]]]:
        """Yield each part that may lead a feature, with those that may belong to it."""
        by_leader: dict[int, dict[int, Lit]] = defaultdict(dict)
        for (r, v), literal in self.within.items():
            if logic.value(literal) is not False:
                by_leader[r][v] = literal
        return ((r, by_leader[r]) for r in sorted(by_leader) if r in by_leader[r])


class Encoding(Protocol):
    """A way to say in formulas what is connected."""

    @property
    def name(self) -> str:
        """The name of the encoding and of the engine that uses it."""

    def join(
        self,
        placement: PlacementVars,
        touching: Contacts,
        claims: Mapping[int, Lit],
        freed: Freed = NOBODY,
    ) -> Joined:
        """Make the literals of what is one feature, and forbid followers on claimed features.

        The rule on free features: when tile t has been laid, and before its follower is
        placed, the feature of the segment claimed holds no follower. That feature is the
        component of the segment among the parts of tiles up to t and the old parts, by the
        contacts among these. A follower placed on it in an earlier turn stands there still
        unless he was taken: had he gone home, his feature had been complete and t could not
        have joined it. So for a claim on part v of tile t: no old part with followers and no
        part of an earlier tile with a claim, from which not all were taken before t, is
        connected to v through parts of tiles up to t.

        Args:
            placement: where the tiles lie. Demand ``no(logic.law(laws.free))`` or the rule.
            touching: the contacts, exact; ``touching.touch`` has no edge for impossible ones.
            claims: for each new part that can be claimed: a follower is placed on it in its
                tile's turn, whoever places him. At most one of a tile's parts is claimed;
                the others are left out.
            freed: where followers are taken from the board.

        Returns:
            The features in the end. Every literal must be equivalent to its meaning, not
            only imply it, in every solution: scoring may be unwanted, and then a model that
            could look away would claim too much.

        """


Near = dict[int, dict[int, Lit]]
"""near[v,w] by v and w < v, where it is possible at all."""


class ByTurn:
    """Classes of parts after every turn, each made from those before it."""

    name = "time"

    def join(
        self,
        placement: PlacementVars,
        touching: Contacts,
        claims: Mapping[int, Lit],
        freed: Freed = NOBODY,
    ) -> Joined:
        """Make the literals of what is one feature, and forbid followers on claimed features."""
        logic, instance = placement.logic, placement.instance
        near: Near = {}
        for tile, kind in product(range(len(instance.kinds)), Kind):
            members = [part.number for part in instance.new_of(tile) if part.kind is kind]
            near.update(_with_tile(logic, touching, members, near))
        _free(placement, near, claims, freed)
        within: dict[tuple[int, int], Lit] = {}
        for part in instance.parts:
            # within[r,v] ↔ near[r,v] and no near[z,r] for any z > r
            r = part.number
            leads = no(logic.any_of(others[r] for others in near.values() if r in others))
            within[r, r] = leads
            for v, literal in near.get(r, {}).items():
                within[r, v] = logic.all_of((leads, literal))
        return Joined(within=within)


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
        if touched is not False:
            ways.setdefault(z, []).append(touched)
            for w, literal in others.items():
                ways.setdefault(w, []).append(logic.all_of((touched, literal)))
    return {w: logic.any_of(literals) for w, literals in ways.items()}


def _free(placement: PlacementVars, near: Near, claims: Mapping[int, Lit], freed: Freed) -> None:
    """Forbid followers on claimed features.

    free → (y[v] and near[v,w] → w is not claimed or was freed before the turn of v)
    """
    logic, instance = placement.logic, placement.instance
    law = no(logic.law(instance.laws.free))
    for v, claim in claims.items():
        tile = instance.tile_of(v)
        for w, literal in near[v].items():
            left = freed.get((w, tile), False)
            part = instance.parts[w]
            if isinstance(part, OldPart):
                if part.feature.followers:
                    logic.clause(law, no(claim), no(literal), left)
            elif part.tile != tile:
                logic.clause(law, no(claim), no(literal), no(claims.get(w, False)), left)


Edges = Mapping[tuple[int, int], Lit]
"""Contacts v < w that are possible."""


class ByRank:
    """The encoding by ranks and separating sets."""

    name = "rank"

    def join(
        self,
        placement: PlacementVars,
        touching: Contacts,
        claims: Mapping[int, Lit],
        freed: Freed = NOBODY,
    ) -> Joined:
        """Make the literals of what is one feature, and forbid followers on claimed features."""
        logic = placement.logic
        edges = {
            pair: literal
            for pair, literal in touching.touch.items()
            if logic.value(literal) is not False
        }
        for tile in range(len(placement.instance.kinds)):
            _parted(placement, edges, claims, freed, tile)
        within = _labels(placement, edges)
        _rooted(placement, edges, within)
        return Joined(within=within)


def _around(edges: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """Return the neighbours of every part that has any, ascending."""
    around: dict[int, list[int]] = {}
    for v, w in sorted(edges):
        around.setdefault(v, []).append(w)
        around.setdefault(w, []).append(v)
    return around


def _reached(around: Mapping[int, list[int]], start: Iterable[int], most: int) -> set[int]:
    """Return what can be reached from some parts through parts of numbers up to ``most``."""
    stack = list(start)
    found = set(stack)
    while stack:
        for part in around.get(stack.pop(), ()):
            if part <= most and part not in found:
                found.add(part)
                stack.append(part)
    return found


def _alike(logic: Logic, touch: Lit, one: Lit, other: Lit) -> None:
    """Demand touch → (one ↔ other)."""
    logic.clause(no(touch), no(one), other)
    logic.clause(no(touch), one, no(other))


def _labels(placement: PlacementVars, edges: Edges) -> dict[tuple[int, int], Lit]:
    """Return within[r,v]: part v carries label r, and parts that touch carry the same.

    Exactly one r for each v; touch[v,w] → (within[r,v] ↔ within[r,w]).
    """
    logic, parts, around = placement.logic, placement.instance.parts, _around(edges)
    within: dict[tuple[int, int], Lit] = {}
    labels: dict[int, list[int]] = {part.number: [] for part in parts}
    for part in parts:
        for v in sorted(_reached(around, [part.number], part.number)):
            labels[v].append(part.number)
    for v, able in labels.items():
        if len(able) == 1:
            within[v, v] = True
            continue
        for r in able:
            within[r, v] = logic.decision(f"within{r},{v}")
        logic.model.add_exactly_one(within[r, v] for r in able)
    for (v, w), touch in edges.items():
        for r in sorted({*labels[v], *labels[w]}):
            _alike(logic, touch, within.get((r, v), False), within.get((r, w), False))
    return within


def _rooted(placement: PlacementVars, edges: Edges, within: Mapping[tuple[int, int], Lit]) -> None:
    """Demand that each part leads, with rank 0, or touches a part of the rank below its own.

    Where v and w touch, exactly one of: down[v,w], and rank[v] = rank[w] + 1; down[w,v], and
    rank[w] = rank[v] + 1; rank[v] = rank[w]. So a rank is a distance, and nothing is free.
    within[v,v] → rank[v] = 0; within[v,v] ↔ no down[v,w] for any w.
    """
    logic = placement.logic
    rank = _ranks(placement, edges)
    downs: dict[int, list[Literal]] = {v: [] for v in rank}
    for (v, w), touch in edges.items():
        steps = []
        for above, below in ((v, w), (w, v)):
            down = logic.decision(f"down{above},{below}")
            logic.clause(~down, touch)
            logic.equal_if([down], rank[above], rank[below] + 1)
            downs[above].append(down)
            steps.append(~down)
        logic.equal_if([touch, *steps], rank[v], rank[w])
    for v, found in downs.items():
        leads = within[v, v]
        logic.equal_if([leads], rank[v], 0)
        logic.clause(leads, *found)
        for down in found:
            logic.clause(no(leads), ~down)


def _ranks(placement: PlacementVars, edges: Edges) -> dict[int, IntVar]:
    """Return the ranks of the parts that may touch others.

    A rank is the number of steps to a leader that is a new part, and on the way two old
    parts never follow on each other.
    """
    instance, around = placement.instance, _around(edges)
    rank = {}
    for v in around:
        group = _reached(around, [v], len(instance.parts))
        new = sum(part >= len(instance.old) for part in group)
        rank[v] = placement.logic.integer(0, min(len(group), 2 * new) - 1, f"rank{v}")
    return rank


def _parted(
    placement: PlacementVars, edges: Edges, claims: Mapping[int, Lit], freed: Freed, tile: int
) -> None:
    """Demand that the feature claimed in a turn was free: a set without contact parts it.

    apart[p] for parts p of tiles up to t, with touch[p,q] → (apart[p] ↔ apart[q]);
    free → (y[v] → apart[v]) for v of t; ¬apart[n] for an old part n with followers and
    y[u] → ¬apart[u] for u of an earlier tile, unless they were freed before.
    """
    logic, instance = placement.logic, placement.instance
    mine = [part.number for part in instance.new_of(tile) if part.number in claims]
    last = max((part.number for part in instance.new_of(tile)), default=0)
    near = _reached(_around(edges), mine, last)
    apart: dict[int, Lit] = {}
    for v in sorted(near):
        part = instance.parts[v]
        claimed = isinstance(part, OldPart) and bool(part.feature.followers)
        able = not claimed or freed.get((v, tile), False)
        if able is not False:
            apart[v] = logic.decision(f"apart{tile},{v}")
            logic.clause(no(apart[v]), able)
    for (v, w), touch in edges.items():
        if v in near and w in near:
            _alike(logic, touch, apart.get(v, False), apart.get(w, False))
    for v in mine:
        logic.clause(no(logic.law(instance.laws.free)), no(claims[v]), apart[v])
    for new in instance.new:
        if new.tile < tile and new.number in apart and new.number in claims:
            left = freed.get((new.number, tile), False)
            logic.clause(no(claims[new.number]), no(apart[new.number]), left)
