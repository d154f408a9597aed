"""Which parts are one feature at the end, in two encodings, ``time`` and ``rank``; completion.

Parts are the nodes of a graph, and contacts are its edges: literals. A feature at the end is a
component. Its *leader* is its part of the highest number. Completion, size, majority and the
return of followers all follow from the components.

``time`` keeps the classes of connected parts after every turn. near[v,w]: once the tile of v
lies, v and w are one feature. A class that changes in a turn holds a segment of the turn's
tile. So before a turn its part z of the highest number names the class, and near[z,·] lists it.

``rank`` labels the final graph with leaders. Parts that touch carry the same label. A part that
does not lead points along a contact to a part of lower rank. The pointers end at a part that
leads, which carries its own number. So each label is the number of a part of the same feature.
No part carries a label below its own number, so the label is the highest number there. For each
turn, a set without contact to its complement separates claimed features from free ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from model.geometry import Cell
from model.switches import ENCLOSED_HOLE_BLOCKS
from model.tiles import Kind
from solver.cpsat.base.cp import Lit, Logic, no
from solver.cpsat.base.instance import BUILDINGS, LASTING, Instance
from solver.cpsat.base.placement import PlacementVars, Shut, Touch

Freed: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: all followers of the part were captured before the tile's turn, while its
feature was incomplete. Impossible cases are left out."""
Within: TypeAlias = Mapping[tuple[int, int], Lit]
"""Which parts are one feature at the end, as literals fixed by the contacts. within[r,v] for parts
v ≤ r of one kind: r leads a feature at the end and v belongs to it. within[r,r]: r leads.
Impossible pairs are left out. For each part v exactly one r holds. A part of a tile that is not
laid touches nothing and leads itself."""


def by_leader(within: Within) -> Iterator[tuple[int, dict[int, Lit]]]:
    """Return each possible leader, with the parts that may belong to its feature."""
    found: dict[int, dict[int, Lit]] = defaultdict(dict)
    for (r, v), literal in within.items():
        if literal is not False:
            found[r][v] = literal
    return ((r, found[r]) for r in sorted(found) if r in found[r])


Join: TypeAlias = Callable[[PlacementVars, Touch, Mapping[int, Lit], Freed], Within]
"""Makes the literals of features, and forbids followers on claimed features.

A follower is placed on part v of tile t only if the feature of v holds no follower. That feature is
the component of v among the parts of tiles up to t. A follower placed there earlier still stands
there unless he was captured. For he goes home only from a complete feature, and tile t joins no
complete feature. So no part connected to v may be an old part with followers or a claimed part of
an earlier tile, unless all were captured.

The claims say for each new part that can be claimed whether some player places a follower on it in
its tile's turn; at most one part of a tile is claimed. Every literal of the features is equivalent
to its meaning. An implication would be too weak: a player may not want to score.
"""


class Encoding(NamedTuple):
    """An encoding of connectivity in formulas."""

    name: str
    """Its name and that of the engine that uses it."""
    join: Join


Near = dict[int, dict[int, Lit]]
"""near[v,w] by v and w < v; impossible pairs are left out."""


def _by_turn(
    placement: PlacementVars, touch: Touch, claims: Mapping[int, Lit], freed: Freed
) -> Within:
    """Join by classes of parts after every turn, each made from those before it."""
    logic, instance = placement.logic, placement.instance
    near: Near = {}
    for tile, kind in product(range(len(instance.kinds)), Kind):
        members = [part.number for part in instance.new_of(tile) if part.kind is kind]
        near.update(_with_tile(logic, touch, members, near))
    _free(placement, near, claims, freed)
    within: dict[tuple[int, int], Lit] = {}
    for part in instance.parts:
        # within[r,v] ↔ near[r,v] and no near[z,r] for any z > r
        r = part.number
        leads = no(logic.any_of(others[r] for others in near.values() if r in others))
        within[r, r] = leads
        for v, literal in near.get(r, {}).items():
            within[r, v] = logic.all_of((leads, literal))
    return within


def _with_tile(logic: Logic, touch: Touch, members: list[int], near: Near) -> Near:
    """Return near[v,·] for the parts v of one kind on a tile.

    met[v,w]: v joins w without another part of its tile.

    same[v,u] for parts of the tile: the transitive closure (Warshall) of "both meet a part w".

    near[v,w] ↔ OR_u same[v,u] and met[u,w]
    """
    met = {v: _met(logic, touch, v, members, near) for v in members}
    same: dict[tuple[int, int], Lit] = {(v, v): True for v in members}
    for v, u in combinations(members, 2):
        common = met[v].keys() & met[u].keys()
        ways = [logic.all_of((met[v][w], met[u][w])) for w in sorted(common)]
        ways.append(touch.get((v, u), False))
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


def _met(logic: Logic, touch: Touch, v: int, members: list[int], near: Near) -> dict[int, Lit]:
    """Return met[v,w] ↔ touch[w,v] or OR_z touched[v,z] and near[z,w] over earlier new parts z.

    touched[v,z] ↔ touch[z,v] or OR_w touch[w,v] and near[z,w]: v touches the class of z.
    """
    mine = {w: lit for (w, x), lit in touch.items() if x == v and w not in members}
    ways: dict[int, list[Lit]] = {w: [literal] for w, literal in mine.items()}
    for z, others in near.items():
        contacts = [mine.get(z, False)]
        contacts += [logic.all_of((mine[w], lit)) for w, lit in others.items() if w in mine]
        touched = logic.any_of(contacts)
        if touched is not False:
            ways.setdefault(z, []).append(touched)
            for w, literal in others.items():
                ways.setdefault(w, []).append(logic.all_of((touched, literal)))
    return {w: logic.any_of(literals) for w, literals in ways.items()}


def _free(placement: PlacementVars, near: Near, claims: Mapping[int, Lit], freed: Freed) -> None:
    """Forbid followers on claimed features.

    free → (y[v] and near[v,w] → w is unclaimed, or was freed before the turn of v)
    """
    logic, instance = placement.logic, placement.instance
    for v, claim in claims.items():
        tile = instance.parts[v].tile
        for w, literal in near[v].items():
            part = instance.parts[w]
            claimed = bool(part.feature.followers) or (part.tile != tile and claims.get(w, False))
            if claimed is not False:
                left = freed.get((w, tile), False)
                logic.demand(instance.laws.free, no(claim), no(literal), no(claimed), left)


def _by_rank(
    placement: PlacementVars, touch: Touch, claims: Mapping[int, Lit], freed: Freed
) -> Within:
    """Join by ranks and separating sets."""
    for tile in range(len(placement.instance.kinds)):
        _parted(placement, touch, claims, freed, tile)
    within = _labels(placement, touch)
    _rooted(placement, touch, within)
    return within


def _around(edges: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """Return the neighbours of every part that has any, ascending."""
    around: dict[int, list[int]] = {}
    for v, w in sorted(edges):
        around.setdefault(v, []).append(w)
        around.setdefault(w, []).append(v)
    return around


def _reached(around: Mapping[int, list[int]], start: Iterable[int], most: int) -> set[int]:
    """Return the parts connected to some parts through numbers up to ``most``."""
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


def _labels(placement: PlacementVars, edges: Touch) -> dict[tuple[int, int], Lit]:
    """Return within[r,v]: part v carries label r; parts that touch carry the same label.

    Exactly one r for each v; touch[v,w] → (within[r,v] ↔ within[r,w])
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


def _rooted(placement: PlacementVars, edges: Touch, within: Within) -> None:
    """Demand that each part leads or touches a part of lower rank.

    down[v,w] → touch[v,w] and rank[v] > rank[w]; within[v,v] or some down[v,w]

    The number of steps to a leader will do for a rank. No two old parts follow each other on
    the way, so twice the number of new parts bounds it. Ranks are not unique: nobody lists the
    solutions of this encoding.
    """
    logic, around = placement.logic, _around(edges)
    old, parts = len(placement.instance.old), len(placement.instance.parts)
    rank = {}
    for v in around:
        group = _reached(around, [v], parts)
        new = sum(part >= old for part in group)
        rank[v] = logic.integer(0, min(len(group), 2 * new) - 1, f"rank{v}")
    for v, others in around.items():
        downs = []
        for w in others:
            down = logic.decision(f"down{v},{w}")
            logic.clause(~down, edges[min(v, w), max(v, w)])
            logic.model.add(rank[v] > rank[w]).only_enforce_if(down)
            downs.append(down)
        logic.clause(within[v, v], *downs)


def _parted(
    placement: PlacementVars, edges: Touch, claims: Mapping[int, Lit], freed: Freed, tile: int
) -> None:
    """Demand that the feature claimed in a turn was free: no contact leaves the set apart[·].

    touch[p,q] → (apart[p] ↔ apart[q]) for parts p, q of tiles up to t

    free → (y[v] → apart[v]) for v of t

    ¬apart[n] for an old part n with followers, unless they were freed

    y[u] → ¬apart[u] for u of an earlier tile, unless he was freed
    """
    logic, instance = placement.logic, placement.instance
    mine = [part.number for part in instance.new_of(tile) if part.number in claims]
    last = max((part.number for part in instance.new_of(tile)), default=0)
    near = _reached(_around(edges), mine, last)
    apart: dict[int, Lit] = {}
    for v in sorted(near):
        able = not instance.parts[v].feature.followers or freed.get((v, tile), False)
        if able is not False:
            apart[v] = logic.decision(f"apart{tile},{v}")
            logic.clause(no(apart[v]), able)
    for (v, w), touch in edges.items():
        if v in near and w in near:
            _alike(logic, touch, apart.get(v, False), apart.get(w, False))
    for v in mine:
        logic.demand(instance.laws.free, no(claims[v]), apart[v])
    for new in instance.new:
        if new.tile < tile and new.number in apart and new.number in claims:
            left = freed.get((new.number, tile), False)
            logic.clause(no(claims[new.number]), no(apart[new.number]), left)


BY_TURN = Encoding("time", _by_turn)
BY_RANK = Encoding("rank", _by_rank)


Wall: TypeAlias = frozenset[Cell]
"""Cells that enclose an empty cell."""
Walls: TypeAlias = Mapping[Kind, Sequence[tuple[Cell, Wall]]]
"""By kind of feature: empty cells, each with a smallest wall that can be built round it."""


def finished(
    placement: PlacementVars, shut: Shut, walls: Walls, leader: int, members: Mapping[int, Lit]
) -> dict[int, Lit]:
    """Return by tile whether the feature that a part leads is complete after its turn.

    done[t] ↔ leads and AND_v (v within → v is shut by t) and no hole in it by t

    A cloister needs a full ring. Empty for features that never are complete: courts, fields, and
    start spaces that no tile joins.
    """
    logic, part = placement.logic, placement.instance.parts[leader]
    if part.kind in LASTING or (part.old and not part.feature.inside):
        return {}
    first, laid = (0, True) if part.old else (part.tile, placement.laid[part.tile])
    found = {}
    for t in range(first, len(placement.instance.kinds)):
        if part.kind is Kind.CLOISTER and not part.old:
            found[t] = logic.any_of(
                logic.all_of((literal, *placement.surrounded(cell, t)))
                for cell, literal in placement.at[part.tile].items()
            )
            continue
        faced = [logic.any_of((no(lit), shut[t][v])) for v, lit in members.items()]
        hole = _hole(placement, walls.get(part.kind, ()), members, t)
        found[t] = logic.all_of((members[leader], laid, *faced, no(hole)))
    return found


def _hole(
    placement: PlacementVars,
    walls: Sequence[tuple[Cell, Wall]],
    members: Mapping[int, Lit],
    tile: int,
) -> Lit:
    """Return whether a feature encloses an empty cell after a turn.

    OR_e not filled[t,e] and OR_B AND_b∈B (b is a cell of the feature)
    """
    logic = placement.logic

    def covers(cell: Cell) -> Lit:
        """Return whether the feature has a tile on a cell."""
        ways = []
        for v, literal in members.items():
            part = placement.instance.parts[v]
            here: Lit = cell in part.feature.cells
            if not part.old and part.tile <= tile:
                here = placement.at[part.tile].get(cell, False)
            ways.append(logic.all_of((literal, here)))
        return logic.any_of(ways)

    return logic.any_of(
        logic.all_of((no(placement.full(cell, tile)), *map(covers, sorted(wall))))
        for cell, wall in walls
    )


def holes(instance: Instance) -> Walls:
    """Return the walls that may matter; none on a plane, or if a switch ignores holes."""
    game = instance.position.game
    if game.board.endless or game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return {}
    found: dict[Kind, list[tuple[Cell, Wall]]] = {}
    for kind in sorted(BUILDINGS):
        # The cells that a feature of this kind may have at the end.
        bricks = {cell for part in instance.old if part.kind is kind for cell in part.feature.cells}
        for part in instance.new:
            if part.kind is kind:
                bricks.update(cell for cell, _ in instance.spots[part.tile])
        for cell in sorted(instance.empty):
            smallest: list[Wall] = []
            walls = _walls(instance, cell, bricks)
            for wall in sorted(walls, key=lambda one: (len(one), sorted(one))):
                if not any(smaller <= wall for smaller in smallest):
                    smallest.append(wall)
            found.setdefault(kind, []).extend((cell, wall) for wall in smallest)
    return found


def _walls(instance: Instance, cell: Cell, bricks: Collection[Cell]) -> Iterator[Wall]:
    """Yield walls round a cell: each cell beside the area is a wall or joins the area."""
    inside = frozenset(instance.position.game.board.cells)
    most = len(instance.kinds)
    stack: list[tuple[frozenset[Cell], Wall]] = [(frozenset({cell}), frozenset())]
    while stack:
        area, wall = stack.pop()
        beyond = {near for at in area for _, near in at.neighbours()} - area - wall
        if not beyond <= inside:
            continue
        if not beyond:
            yield wall
            continue
        near = min(beyond)
        stack.append((area | {near}, wall))
        if near in bricks and len((wall | {near}) & instance.empty) <= most:
            stack.append((area, wall | {near}))
