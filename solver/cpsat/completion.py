"""Which features the turn completes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.tiles import Kind
from solver.cpsat.board import BUILDINGS, Ground
from solver.cpsat.connectivity import Joins
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Lit, Logic, no


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """What is complete after the turn, as literals."""

    grown: Mapping[int, Lit]
    """For a segment of the tile: its feature is complete and this is its first segment, so
    that no feature is counted twice."""
    closed: Mapping[int, Lit]
    """For a component: the tile closes it without joining it."""


def completing(logic: Logic, ground: Ground, lie: Lie, joins: Joins) -> Completed:
    """Make the literals of completion; courts are never completed."""
    grown = {}
    for i, segment in enumerate(ground.kind.segments):
        if segment.kind is Kind.COURT:
            continue
        first = no(logic.any_of(joins.same[i, j] for j in joins.with_segments(i) if j < i))
        obstacles = (_faces_empty(logic, ground, lie, joins, i), _lacks(logic, ground, joins, i))
        walled = _walled(logic, ground, lie, joins, i)
        grown[i] = logic.all_of((first, *map(no, obstacles), no(walled)))
    closed = {
        n: logic.all_of((lie.at[component.only], no(joins.touched(logic, n))))
        for n, component in enumerate(ground.components)
        if component.only is not None
        and component.feature.inside
        and component.feature.kind is not Kind.COURT
    }
    return Completed(grown=grown, closed=closed)


def _faces_empty(logic: Logic, ground: Ground, lie: Lie, joins: Joins, i: int) -> Lit:
    """Return whether a segment of i's feature on the new tile faces an empty cell.

    OR_j same[i,j] and (OR x[c,o] where j faces an empty cell)
    """
    ways = []
    for j, one in joins.with_segments(i).items():
        looking = (
            literal
            for spot, literal in lie.x.items()
            if logic.value(literal) is not False and ground.faces_empty(j, spot)
        )
        ways.append(logic.all_of((one, logic.any_of(looking))))
    return logic.any_of(ways)


def _lacks(logic: Logic, ground: Ground, joins: Joins, i: int) -> Lit:
    """Return whether a component in i's feature needs more cells than the tile's.

    OR has[i,n] over n with |needs(n)| > 1; a component with one need that is joined has
    its need fulfilled by being joined.
    """
    return logic.any_of(
        literal for n, literal in joins.swallowed(i).items() if ground.components[n].only is None
    )


def _walled(logic: Logic, ground: Ground, lie: Lie, joins: Joins, i: int) -> Lit:
    """Return whether i's feature walls in an empty cell that keeps it open.

    OR at[c] and (AND has[i,n] over n in T) over the smallest sets T that do so at c
    """
    if ground.kind.segments[i].kind not in BUILDINGS:
        return False
    swallowed = joins.swallowed(i)
    return logic.any_of(
        logic.all_of((lie.at[cell], *(swallowed[n] for n in chosen)))
        for cell, sets in ground.walled.items()
        for chosen in sets
        if chosen <= swallowed.keys()
    )
