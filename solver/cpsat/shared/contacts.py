"""Which parts touch, and which of their sides face an empty cell.

Position-independent: what meets at a side depends on rotations alone, so that the number of
formulas grows with pairs of tiles and not with pairs of cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from model.geometry import FACING, PORT_SIDES, Cell, Side
from model.switches import SQUARES_SPLIT_PATHS
from solver.cpsat.base.instance import Instance, NewPart, OldPart
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.shared.placement import PlacementVars


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """What touches what in the end, as literals; impossible contacts are left out."""

    touch: Mapping[tuple[int, int], Lit]
    """For parts v < w of one kind: they are one feature because w's tile was laid against v,
    or because a square does not divide them. Exact: true if and only if they touch."""
    shut: tuple[tuple[Lit, ...], ...]
    """shut[t][v]: once tile t's turn is over, part v faces no empty cell. True for new parts
    of later tiles and of tiles that lie nowhere: they face nothing."""

    def touching(self, part: int) -> dict[int, Lit]:
        """Return the parts of lower number that a part may touch."""
        return {v: literal for (v, w), literal in self.touch.items() if w == part}


def contacts(logic: Logic, instance: Instance, placement: PlacementVars) -> Contacts:
    """Make the literals of contact and of closed sides."""
    touch: dict[tuple[int, int], Lit] = {}
    for part in instance.new:
        touch.update(_with_old(logic, instance, placement, part))
        for other in instance.new[: instance.new.index(part)]:
            literal = _between(logic, instance, placement, other, part)
            if literal is not False:
                touch[other.number, part.number] = literal
    return Contacts(touch=touch, shut=_shut(logic, instance, placement))


def _with_old(
    logic: Logic, instance: Instance, placement: PlacementVars, part: NewPart
) -> dict[tuple[int, int], Lit]:
    """Return touch[n,v] ↔ OR x[t,c,o] over the places at which a port of v touches one of n."""
    kind = instance.kinds[part.tile]
    places: dict[int, set[tuple[Cell, int]]] = defaultdict(set)
    for cell, rotation in placement.x[part.tile]:
        for port in kind.turned(part.segment, rotation):
            number = instance.contact.get((cell, port))
            if number is not None and instance.old[number].kind is part.kind:
                places[number].add((cell, rotation))
    return {
        (number, part.number): logic.any_of(placement.x[part.tile][spot] for spot in sorted(spots))
        for number, spots in places.items()
    }


def _between(
    logic: Logic, instance: Instance, placement: PlacementVars, first: NewPart, second: NewPart
) -> Lit:
    """Return touch[v,w] ↔ OR_s D[t,u,s] and OR_p (v owns port p of s, w the facing one).

    On one tile only a square that does not divide makes two parts one.
    """
    if first.kind is not second.kind:
        return False
    if first.tile == second.tile:
        return _one_square(instance, first, second)
    ways = []
    for side in Side:
        beside = placement.on_side(first.tile, second.tile, side)
        if beside is not False:
            meets = _meet(logic, instance, placement, first, second, side)
            ways.append(logic.all_of((beside, meets)))
    return logic.any_of(ways)


def _one_square(instance: Instance, first: NewPart, second: NewPart) -> bool:
    """Tell whether two arms run into one square that does not divide them."""
    pair = {first.segment, second.segment}
    if not any(pair <= set(square) for square in instance.kinds[first.tile].squares):
        return False
    return instance.position.game.value(SQUARES_SPLIT_PATHS) == "off"


def _meet(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    first: NewPart,
    second: NewPart,
    side: Side,
) -> Lit:
    """Return whether, at an edge between them, the two parts share a port.

    OR_p (OR turned[t,o] where v owns p) and (OR turned[u,o] where w owns the facing port)
    """
    return logic.any_of(
        logic.all_of(
            (
                _owns(logic, instance, placement, first, port),
                _owns(logic, instance, placement, second, FACING[port]),
            )
        )
        for port in range(3 * side, 3 * side + 3)
    )


def _owns(
    logic: Logic, instance: Instance, placement: PlacementVars, part: NewPart, port: int
) -> Lit:
    """Return whether a part lies at a port of its cell."""
    kind = instance.kinds[part.tile]
    return logic.any_of(
        literal
        for rotation, literal in placement.turned[part.tile].items()
        if port in kind.turned(part.segment, rotation)
    )


def _shut(
    logic: Logic, instance: Instance, placement: PlacementVars
) -> tuple[tuple[Lit, ...], ...]:
    """Return for each tile which parts face no empty cell once its turn is over."""
    closed = {
        (tile, side): _solid(logic, instance, placement, tile, side)
        for tile in range(len(instance.kinds))
        for side in Side
    }
    return tuple(
        tuple(
            _old_shut(logic, placement, part, now)
            if isinstance(part, OldPart)
            else _new_shut(logic, instance, placement, part, now, closed)
            for part in instance.parts
        )
        for now in range(len(instance.kinds))
    )


def _solid(
    logic: Logic, instance: Instance, placement: PlacementVars, tile: int, side: Side
) -> Lit:
    """Return whether no empty cell of the position lies on a side of a tile."""
    return logic.any_of(
        literal
        for cell, literal in placement.at[tile].items()
        if cell.step(side) not in instance.empty
    )


def _old_shut(logic: Logic, placement: PlacementVars, part: OldPart, now: int) -> Lit:
    """Return whether all cells that an old part needs are filled."""
    return logic.all_of(placement.full(cell, now) for cell in sorted(part.needs))


def _new_shut(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    part: NewPart,
    now: int,
    closed: Mapping[tuple[int, Side], Lit],
) -> Lit:
    """Return whether each side that a new part reaches has the wall or a tile beyond it.

    AND_s (part does not reach s, or the wall or an old tile is there, or OR_u≤now D[t,u,s])
    """
    if part.tile > now:
        return True
    ways = []
    for side in Side:
        reaches = logic.any_of(
            literal
            for rotation, literal in placement.turned[part.tile].items()
            if any(
                PORT_SIDES[p] is side
                for p in instance.kinds[part.tile].turned(part.segment, rotation)
            )
        )
        beyond = [placement.on_side(part.tile, u, side) for u in range(now + 1) if u != part.tile]
        ways.append(logic.any_of((no(reaches), closed[part.tile, side], *beyond)))
    return logic.all_of(ways)
