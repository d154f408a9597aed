"""The largest connected area of empty cells, which the larger keep scores.

Each side of the estimate can be wrong in one direction only: what the asker scores is an area
that is shown to be connected, what he loses covers every connected area. A solution that is
best is exact, since a better estimate of the same play would be better. Where a choice depends
on the area, both sides meet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations

from model.geometry import Cell, areas
from model.switches import EMPTY_AREA_ADJACENCY
from solver.cpsat.base.cp import IntVar
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Term, no, weighted
from solver.cpsat.shared.placement import PlacementVars


@dataclass(frozen=True, slots=True, kw_only=True)
class Lump:
    """Cells that are empty together: one that may be filled, or an area of others."""

    cells: frozenset[Cell]
    empty: Lit
    """Whether it is empty in the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Empties:
    """The empty cells as a graph of lumps."""

    lumps: tuple[Lump, ...]
    near: tuple[tuple[int, ...], ...]
    """By lump, the lumps that are connected with it."""


def empties(instance: Instance, placement: PlacementVars) -> Empties:
    """Return the cells that may be empty in the end."""
    game = instance.position.game
    diagonal = game.value(EMPTY_AREA_ADJACENCY) == "diagonal"
    last = len(instance.kinds) - 1
    open_cells = {cell for cell in instance.empty if placement.full(cell, last) is not False}
    lumps = [
        Lump(cells=frozenset({cell}), empty=no(placement.full(cell, last)))
        for cell in sorted(open_cells)
    ]
    lumps += [
        Lump(cells=area, empty=True)
        for area in areas(instance.empty - open_cells, diagonal=diagonal)
    ]
    near = tuple(
        tuple(j for j, two in enumerate(lumps) if i != j and _touch(one, two, diagonal=diagonal))
        for i, one in enumerate(lumps)
    )
    return Empties(lumps=tuple(lumps), near=near)


def _touch(one: Lump, two: Lump, *, diagonal: bool) -> bool:
    """Tell whether two lumps are connected when both are empty."""
    both = one.cells | two.cells
    return len(areas(both, diagonal=diagonal)) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Which lumps are connected, by elimination: no ranks and nothing left to choose.

    Lumps are taken away one by one, each joining what is left around it. link[i,j], j left
    when i is taken: i and j are empty, and beside each other or connected through empty lumps
    taken before i. (Rankooh and Rintanen, Propositional Encodings of Acyclicity and
    Reachability by Using Vertex Elimination, AAAI 2022.)
    """

    order: tuple[int, ...]
    """The lumps as they are taken."""
    link: Mapping[tuple[int, int], Lit]
    """By a lump and one that is left when it is taken."""


def links(logic: Logic, board: Empties) -> Links:
    """Make the literals of what is connected; next is taken what then has fewest neighbours."""
    left = {i: set(near) for i, near in enumerate(board.near)}
    joined: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for i, near in left.items():
        for j in near:
            joined[i, j].append(True)
    order: list[int] = []
    link: dict[tuple[int, int], Lit] = {}
    while left:
        i = min(left, key=lambda lump: (len(left[lump]), lump))
        around = sorted(left.pop(i))
        order.append(i)
        for j in around:
            both = (board.lumps[i].empty, board.lumps[j].empty)
            link[i, j] = logic.all_of((*both, logic.any_of(joined[i, j])))
            left[j].discard(i)
        for j, k in permutations(around, 2):
            left[j].add(k)
            joined[j, k].append(logic.all_of((link[i, j], link[i, k])))
    return Links(order=tuple(order), link=link)


def shown_area(logic: Logic, board: Empties, scores: Lit) -> list[Term]:
    """Return the cells of one connected empty area, none unless somebody ``scores`` it.

    in[i] ↔ top[i] or OR_j link[i,j] and in[j]: the area of one top, the last of it to be taken.
    """
    connected = links(logic, board)
    tops = [logic.decision(f"top{i}") for i in range(len(board.lumps))]
    logic.model.add_at_most_one(tops)
    inside: dict[int, Lit] = {}
    for i in reversed(connected.order):
        logic.clause(~tops[i], scores)
        logic.clause(~tops[i], board.lumps[i].empty)
        ways = [
            logic.all_of((literal, inside[j]))
            for (first, j), literal in connected.link.items()
            if first == i
        ]
        inside[i] = logic.any_of((tops[i], *ways))
    return [(len(lump.cells), inside[i]) for i, lump in enumerate(board.lumps)]


def covering_area(logic: Logic, board: Empties, scores: Lit) -> IntVar:
    """Return a number that is no less than any connected empty area if somebody ``scores`` it.

    with[i,t] ↔ i = t is empty, or OR_j link[i,j] and with[j,t]; scores → number ≥ Σ_i with[i,t]
    """
    connected = links(logic, board)
    sizes = [len(lump.cells) for lump in board.lumps]
    area = logic.integer(0, sum(sizes), "area")
    after: dict[int, list[int]] = defaultdict(list)
    for i, j in connected.link:
        after[i].append(j)
    for top, lump in enumerate(board.lumps):
        inside: dict[int, Lit] = {top: lump.empty}
        for i in reversed(connected.order[: connected.order.index(top)]):
            ways = [
                logic.all_of((connected.link[i, j], inside[j])) for j in after[i] if j in inside
            ]
            if ways:
                inside[i] = logic.any_of(ways)
        terms = [(sizes[i], literal) for i, literal in inside.items()]
        logic.within_if(scores, area - weighted(terms), 0, sum(sizes))
    return area


def largest_area(logic: Logic, board: Empties) -> IntVar:
    """Return the size of the largest connected empty area, exact in every solution."""
    area = covering_area(logic, board, scores=True)
    logic.model.add(area <= weighted(shown_area(logic, board, scores=True)))
    return area
