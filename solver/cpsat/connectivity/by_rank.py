"""What is one feature in the end, by labels and ranks on the final graph.

Each part carries the number of its leader as a label, the same along every contact, and
each part that does not lead points along a contact to another of lower rank. Following the
pointers ends at a part that leads, and carries its own number: so every label is the number
of a part of the same feature, and being the highest that any of them may carry, the right
one. Which features were free when a follower was placed is said by sets that contacts do
not leave, one for each turn, without any ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.cpsat.base.cp import IntVar, Literal
from solver.cpsat.base.instance import Instance, NewPart, OldPart
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.connectivity.protocol import NOBODY, Freed, Joined
from solver.cpsat.shared.contacts import Contacts

Edges = Mapping[tuple[int, int], Lit]
"""Contacts v < w that are possible."""


@dataclass(frozen=True, slots=True)
class ByRank:
    """The encoding by ranks and separating sets."""

    name = "rank"

    def join(
        self,
        logic: Logic,
        instance: Instance,
        touching: Contacts,
        claims: Mapping[int, Lit],
        freed: Freed = NOBODY,
    ) -> Joined:
        """Make the literals of what is one feature, and forbid followers on claimed features."""
        edges = {
            pair: literal
            for pair, literal in touching.touch.items()
            if logic.value(literal) is not False
        }
        for tile in range(len(instance.kinds)):
            _free(logic, instance, edges, claims, freed, tile)
        within = _labels(logic, instance, edges)
        _rooted(logic, instance, edges, within)
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


def _labels(logic: Logic, instance: Instance, edges: Edges) -> dict[tuple[int, int], Lit]:
    """Return within[r,v]: part v carries label r, and parts that touch carry the same.

    Exactly one r for each v; touch[v,w] → (within[r,v] ↔ within[r,w]).
    """
    around = _around(edges)
    within: dict[tuple[int, int], Lit] = {}
    labels: dict[int, list[int]] = {part.number: [] for part in instance.parts}
    for part in instance.parts:
        for v in sorted(_reached(around, [part.number], part.number)):
            labels[v].append(part.number)
    for v, possible in labels.items():
        if len(possible) == 1:
            within[v, v] = True
            continue
        for r in possible:
            within[r, v] = logic.decision(f"within{r},{v}")
        logic.model.add_exactly_one(within[r, v] for r in possible)
    for (v, w), touch in edges.items():
        for r in sorted({*labels[v], *labels[w]}):
            one, other = within.get((r, v), False), within.get((r, w), False)
            logic.clause(no(touch), no(one), other)
            logic.clause(no(touch), one, no(other))
    return within


def _rooted(
    logic: Logic, instance: Instance, edges: Edges, within: Mapping[tuple[int, int], Lit]
) -> None:
    """Demand that each part leads, with rank 0, or touches a part of the rank below its own.

    Where v and w touch, exactly one of: down[v,w], and rank[v] = rank[w] + 1; down[w,v], and
    rank[w] = rank[v] + 1; rank[v] = rank[w]. So a rank is a distance, and nothing is free.
    within[v,v] → rank[v] = 0; within[v,v] ↔ no down[v,w] for any w.
    """
    rank = _ranks(logic, instance, edges)
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


def _ranks(logic: Logic, instance: Instance, edges: Edges) -> dict[int, IntVar]:
    """Return the ranks of the parts that may touch others.

    A rank is the number of steps to a leader that is a new part, and on the way two old
    parts never follow on each other.
    """
    around = _around(edges)
    rank = {}
    for v in around:
        group = _reached(around, [v], len(instance.parts))
        new = sum(part >= len(instance.old) for part in group)
        rank[v] = logic.integer(0, min(len(group), 2 * new) - 1, f"rank{v}")
    return rank


def _free(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    edges: Edges,
    claims: Mapping[int, Lit],
    freed: Freed,
    tile: int,
) -> None:
    """Demand that the feature claimed in a turn was free: a set without contact parts it.

    apart[p] for parts p of tiles up to t, with touch[p,q] → (apart[p] ↔ apart[q]);
    free → (y[v] → apart[v]) for v of t; ¬apart[n] for an old part n with followers and
    y[u] → ¬apart[u] for u of an earlier tile, unless they were freed before.
    """
    mine = [part.number for part in instance.new_of(tile) if part.number in claims]
    last = max((part.number for part in instance.new_of(tile)), default=0)
    near = _reached(_around(edges), mine, last)
    apart: dict[int, Lit] = {}
    for v in sorted(near):
        able = not _claimed(instance.parts[v]) or freed.get((v, tile), False)
        if able is not False:
            apart[v] = logic.decision(f"apart{tile},{v}")
            logic.clause(no(apart[v]), able)
    for (v, w), touch in edges.items():
        if v in near and w in near:
            one, other = apart.get(v, False), apart.get(w, False)
            logic.clause(no(touch), no(one), other)
            logic.clause(no(touch), one, no(other))
    for v in mine:
        logic.clause(no(logic.law(instance.laws.free)), no(claims[v]), apart[v])
    for part in instance.new:
        if part.tile < tile and part.number in apart and part.number in claims:
            left = freed.get((part.number, tile), False)
            logic.clause(no(claims[part.number]), no(apart[part.number]), left)


def _claimed(part: OldPart | NewPart) -> bool:
    """Tell whether a follower stands on a part now."""
    return isinstance(part, OldPart) and bool(part.feature.followers)
