"""Which segments of the new tile and which features of the board become one.

a[i,n]: segment i of the tile meets component n. same[i,j]: segments i and j are one feature
in the end. has[i,n]: the feature of segment i has swallowed component n.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Protocol

from model.geometry import Cell
from model.position import Position
from model.rules.castle.followers import UNCLAIMED
from model.switches import SQUARES_SPLIT_PATHS
from model.tiles import Kind, TileKind
from solver.cpsat.board import Component, Spot
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Law, Lit, Logic, no
from solver.cpsat.run import Literal


class Terrain(Protocol):
    """What a board offers to one tile, in any family of games."""

    @property
    def position(self) -> Position:
        """The position before the turn."""

    @property
    def kind(self) -> TileKind:
        """The tile to be laid."""

    @property
    def empty(self) -> frozenset[Cell]:
        """Empty cells on which it may lie."""

    @property
    def components(self) -> tuple[Component, ...]:
        """Features that the turn may still change."""

    def meets(self, segment: int, spot: Spot) -> frozenset[int]:
        """Return the components that a segment joins when the tile lies on ``spot``."""


Meetings = dict[tuple[int, int], list[Spot]]
"""The places at which a segment meets a component."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joins:
    """What becomes one, as literals."""

    meets: Mapping[tuple[int, int], Lit]
    """a[i,n], where it is possible at all."""
    same: Mapping[tuple[int, int], Lit]
    """same[i,j] for segments of one kind, both ways round, i = j included."""
    has: Mapping[tuple[int, int], Lit]
    """has[i,n], where it is possible at all."""

    def swallowed(self, segment: int) -> dict[int, Lit]:
        """Return the components that the feature of a segment may swallow."""
        return {n: literal for (i, n), literal in self.has.items() if i == segment}

    def with_segments(self, segment: int) -> dict[int, Lit]:
        """Return the segments that may be one feature with a segment, itself included."""
        return {j: literal for (i, j), literal in self.same.items() if i == segment}

    def touched(self, logic: Logic, component: int) -> Lit:
        """Return whether any segment meets a component."""
        return logic.any_of(lit for (_, n), lit in self.meets.items() if n == component)


def joining(logic: Logic, ground: Terrain, lie: Lie) -> Joins:
    """Make the literals of what joins what."""
    places = _meetings(logic, ground, lie)
    # a[i,n] ↔ OR x[c,o] over the places at which a port of i touches a port of n
    meets = {key: logic.any_of(lie.x[spot] for spot in spots) for key, spots in places.items()}
    same: dict[tuple[int, int], Lit] = {}
    for kind in Kind:
        same.update(_closure(logic, ground, kind, meets, places))
    # has[i,n] ↔ OR_j same[i,j] and a[j,n]
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for (i, j), one in same.items():
        for (k, n), literal in meets.items():
            if k == j and one is not False:
                ways[i, n].append(logic.all_of((one, literal)))
    has = {key: logic.any_of(literals) for key, literals in ways.items()}
    return Joins(meets=meets, same=same, has=has)


def _meetings(logic: Logic, ground: Terrain, lie: Lie) -> Meetings:
    """Return where each segment meets each component, forbidden places left out."""
    places: Meetings = defaultdict(list)
    for spot, literal in lie.x.items():
        if spot[0] in ground.empty and logic.value(literal) is not False:
            for i in range(len(ground.kind.segments)):
                for n in ground.meets(i, spot):
                    places[i, n].append(spot)
    return places


def _closure(
    logic: Logic,
    ground: Terrain,
    kind: Kind,
    meets: Mapping[tuple[int, int], Lit],
    places: Meetings,
) -> dict[tuple[int, int], Lit]:
    """Return same[i,j] for the segments of one kind: the transitive closure of meeting.

    Warshall's algorithm, on literals.
    """
    members = [i for i, segment in enumerate(ground.kind.segments) if segment.kind is kind]
    near: dict[tuple[int, int], Lit] = {(i, i): True for i in members}
    for i, j in combinations(members, 2):
        shared = [
            logic.all_of((meets[i, n], meets[j, n]))
            for n in range(len(ground.components))
            if not set(places.get((i, n), ())).isdisjoint(places.get((j, n), ()))
        ]
        near[i, j] = near[j, i] = logic.any_of([*shared, _one_square(ground, i, j)])
    for k in members:
        near = {
            (i, j): logic.any_of((near[i, j], logic.all_of((near[i, k], near[k, j]))))
            for i, j in product(members, repeat=2)
        }
    return near


def _one_square(ground: Terrain, first: int, second: int) -> bool:
    """Tell whether two arms run into one square that does not divide them."""
    if not any(first in square and second in square for square in ground.kind.squares):
        return False
    return ground.position.game.value(SQUARES_SPLIT_PATHS) == "off"


def free_features(
    logic: Logic, ground: Terrain, joins: Joins, y: Sequence[Literal], law: Law = UNCLAIMED
) -> None:
    """Demand that a follower stands on a feature without a follower, as a rule has it."""
    for (i, n), literal in joins.has.items():
        if ground.components[n].feature.followers:
            # free → ¬y[i] or ¬has[i,n]
            logic.clause(no(logic.law(law)), ~y[i], no(literal))
