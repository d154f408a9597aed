"""Which parts are one feature at the end, in two encodings, ``time`` and ``rank``; completion.

Parts are the nodes of a graph, and contacts are its edges: literals. A feature at the end is a
component. Its *leader* is its part of the highest number. Completion, size, majority and the
return of followers all follow from the components.

``time`` keeps the classes of connected parts. near[v,w] for w ≤ v: v and w are connected through
parts up to v. So near[r,·] lists the feature that r leads. A feature that changes in a turn holds a
segment of the turn's tile. Its segment z of the highest number names it, and near[z,·] lists it.

``rank`` labels the final graph with leaders. Parts that touch carry the same label. A part that
does not lead points along a contact to a part of lower rank. The pointers end at a part that
leads, which carries its own number. So each label is the number of a part of the same feature.
No part carries a label below its own number, so the label is the highest number there. For each
turn, a set without contact to its complement separates claimed features from free ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple, TypeAlias, TypeVar

import networkx as nx  # noqa: TID253 -- CP-SAT is loaded with it

from burgrave.model.geometry import Cell
from burgrave.model.registry import CASTLE
from burgrave.model.switches import ENCLOSED_HOLE_BLOCKS
from burgrave.model.tiles import Kind
from burgrave.solver.cpsat.base.cp import Lit, Logic, no
from burgrave.solver.cpsat.base.instance import BUILDINGS, LASTING, Instance
from burgrave.solver.cpsat.base.placement import PlacementVars, Shut, Touch

N = TypeVar("N")
Freed: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: all followers of the part were captured before the tile's turn, while its
feature was incomplete. Impossible cases are left out."""
Within: TypeAlias = Mapping[int, Mapping[int, Lit]]
"""Which parts are one feature at the end, as literals fixed by the contacts. within[r][v] for parts
v ≤ r of one kind: r leads a feature at the end and v belongs to it. within[r][r]: r leads.
Impossible leaders and members are left out. For each part v exactly one r holds. A part of a tile
that is not laid touches nothing and leads itself."""
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


def classes(
    logic: Logic, nodes: Mapping[N, Lit], edges: Mapping[tuple[N, N], Lit]
) -> Iterator[tuple[N, dict[N, Lit]]]:
    """Yield each node with the nodes before it that are connected to it through these alone.

    Nodes are eliminated in their order, and each elimination links the nodes that remain. Let i
    come before j. link[i,j]: i and j are present, and adjacent or connected through nodes before i.

    link[i,j] ↔ i and j are present, and edge[i,j] or OR_h link[h,i] and link[h,j]

    near[t,t] ↔ t is present; near[t,i] ↔ OR_j link[i,j] and near[t,j] over i < j ≤ t

    Rankooh and Rintanen, Propositional Encodings of Acyclicity and Reachability by Using Vertex
    Elimination, AAAI 2022.

    Args:
        logic: the model.
        nodes: for each node whether it is present, in the order of elimination.
        edges: for pairs of nodes in this order whether they are adjacent; others are not.

    """
    ways: dict[N, dict[N, list[Lit]]] = {node: defaultdict(list) for node in nodes}
    for (i, j), literal in edges.items():
        ways[i][j].append(literal)
    link: dict[N, dict[N, Lit]] = {}
    for top in nodes:
        near = {top: nodes[top]}
        for i in reversed(link):
            paths = (logic.all_of((one, near[j])) for j, one in link[i].items() if j in near)
            if (connected := logic.any_of(paths)) is not False:
                near[i] = connected
        yield top, near
        link[top] = {
            j: logic.all_of((nodes[top], nodes[j], logic.any_of(ways[top][j])))
            for j in nodes
            if j in ways[top]
        }
        for (j, one), (k, other) in combinations(link[top].items(), 2):
            ways[j][k].append(logic.all_of((one, other)))


def _by_turn(
    placement: PlacementVars, touch: Touch, claims: Mapping[int, Lit], freed: Freed
) -> Within:
    """Join by the classes of parts up to every part."""
    logic, parts = placement.logic, placement.instance.parts
    near = dict(classes(logic, dict.fromkeys(range(len(parts)), True), touch))
    for part in placement.instance.new:
        _free(placement, part.tile, near[part.number], claims, freed)
    within: dict[int, dict[int, Lit]] = {}
    for r, members in near.items():
        # within[r][v] ↔ near[r,v] and no near[z,r] for any z > r
        leads = no(logic.any_of(near[z][r] for z in range(r + 1, len(parts)) if r in near[z]))
        if leads is not False:
            within[r] = {v: logic.all_of((leads, members[v])) for v in sorted(members)}
    return within


def _free(
    placement: PlacementVars,
    tile: int,
    near: Mapping[int, Lit],
    claims: Mapping[int, Lit],
    freed: Freed,
) -> None:
    """Forbid a follower on a set of connected parts, up to those of a tile, if it is claimed.

    free → (y[v] and near[v] and near[w] → w is unclaimed, or was freed before the turn)
    """
    logic, instance = placement.logic, placement.instance
    for v, w in product(near, repeat=2):
        one, other = instance.parts[v], instance.parts[w]
        if v in claims and one.tile == tile > other.tile:
            claimed = bool(other.feature.followers) or claims.get(w, False)
            forced = map(no, (claims[v], near[v], near[w], claimed))
            logic.demand(instance.laws.free, *forced, freed.get((w, tile), False))


def _by_rank(
    placement: PlacementVars, touch: Touch, claims: Mapping[int, Lit], freed: Freed
) -> Within:
    """Join by ranks and separating sets."""
    graph: nx.Graph[int] = nx.Graph([*touch])
    graph.add_nodes_from(part.number for part in placement.instance.parts)
    for tile in range(len(placement.instance.kinds)):
        _free(placement, tile, _apart(placement, touch, graph, claims, tile), claims, freed)
    within = _labels(placement, touch, graph)
    _rooted(placement, touch, graph, within)
    return within


def _reached(graph: nx.Graph[int], part: int, most: int) -> set[int]:
    """Return the parts that may be connected to a part through numbers up to ``most``."""
    return nx.node_connected_component(graph.subgraph(range(most + 1)), part)


def _alike(logic: Logic, touch: Lit, one: Lit, other: Lit) -> None:
    """Demand touch → (one ↔ other)."""
    logic.clause(no(touch), no(one), other)
    logic.clause(no(touch), one, no(other))


def _apart(
    placement: PlacementVars,
    edges: Touch,
    graph: nx.Graph[int],
    claims: Mapping[int, Lit],
    tile: int,
) -> dict[int, Lit]:
    """Return a set of parts that no contact leaves and that holds the part claimed in a turn.

    touch[p,q] → (apart[p] ↔ apart[q]) for parts p, q of tiles up to t; y[v] → apart[v] for v of t
    """
    logic, new = placement.logic, [part.number for part in placement.instance.new_of(tile)]
    mine = [v for v in new if v in claims]
    near = sorted({w for v in mine for w in _reached(graph, v, new[-1])})
    apart: dict[int, Lit] = {v: logic.decision(f"apart{tile},{v}") for v in near}
    for (v, w), touch in edges.items():
        if v in apart and w in apart:
            _alike(logic, touch, apart[v], apart[w])
    for v in mine:
        logic.clause(no(claims[v]), apart[v])
    return apart


def _labels(placement: PlacementVars, edges: Touch, graph: nx.Graph[int]) -> Within:
    """Return within[r][v]: part v carries label r; parts that touch carry the same label.

    Exactly one r for each v; touch[v,w] → (within[r][v] ↔ within[r][w])
    """
    logic, within = placement.logic, {r: dict[int, Lit]() for r in sorted(graph)}
    able = {r: _reached(graph, r, r) for r in within}
    for v in within:
        labels = [r for r, members in able.items() if v in members]
        for r in labels:
            within[r][v] = len(labels) == 1 or logic.decision(f"within{r},{v}")
        logic.model.add_exactly_one(within[r][v] for r in labels)
    for (v, w), touch in edges.items():
        for members in within.values():
            _alike(logic, touch, members.get(v, False), members.get(w, False))
    return within


def _rooted(placement: PlacementVars, edges: Touch, graph: nx.Graph[int], within: Within) -> None:
    """Demand that each part leads or touches a part of lower rank.

    down[v,w] → touch[v,w] and rank[v] > rank[w]; within[v][v] or some down[v,w]

    The number of steps to a leader will do for a rank. Ranks are not unique: nobody lists the
    solutions of this encoding.
    """
    logic = placement.logic
    rank = {v: logic.integer(0, len(graph) - 1, f"rank{v}") for v in sorted(graph)}
    for v, mine in rank.items():
        downs = []
        for w in sorted(graph[v]):
            down = logic.decision(f"down{v},{w}")
            logic.clause(~down, edges[min(v, w), max(v, w)])
            logic.model.add(mine > rank[w]).only_enforce_if(down)
            downs.append(down)
        logic.clause(within[v][v], *downs)


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
    if game.base != CASTLE or game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return {}
    found: dict[Kind, list[tuple[Cell, Wall]]] = {}
    for kind in sorted(BUILDINGS):
        # The cells that a feature of this kind may have at the end.
        bricks = {cell for part in instance.old if part.kind is kind for cell in part.feature.cells}
        for part in instance.new:
            if part.kind is kind:
                bricks.update(cell for cell, _ in instance.spots[part.tile])
        for cell in sorted(instance.empty):
            walls = sorted({*_walls(instance, cell, bricks)}, key=lambda w: (len(w), sorted(w)))
            smallest = (wall for wall in walls if not any(other < wall for other in walls))
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
