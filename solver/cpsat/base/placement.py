"""The places of the tiles to come, tiles without a place, and the contacts of parts.

x[t,c,o]: tile t lies on cell c at rotation o.

gone[t]: tile t had no place and left the game, so it is not laid.

Tiles in any order serve one question: can some of them complete a feature? The others can come
later. The tiles that complete it are connected to the feature or to tiles before them. So some
order lays each against another, and the model needs no clause for that.

The picture at a side depends on the rotation alone. So the number of contact formulas grows with
pairs of tiles, not with pairs of cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations, product
from typing import TypeAlias

from burgrave.model.book import Border
from burgrave.model.geometry import FACING, PORT_SIDES, Cell, Side, ring
from burgrave.solver.cpsat.base.cp import Lit, Literal, Logic, no
from burgrave.solver.cpsat.base.instance import Instance, Part, Spot

At = tuple[Mapping[Cell, Lit], ...]
"""By tile and cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementVars:
    """The places of the tiles, as literals; impossible ones are left out."""

    logic: Logic
    instance: Instance
    x: tuple[Mapping[Spot, Literal], ...]
    """By tile: it lies on this cell at this rotation."""
    at: At
    """By tile: it lies on this cell."""
    turned: tuple[Mapping[int, Lit], ...]
    """By tile: it lies somewhere at this rotation."""
    laid: tuple[Lit, ...]
    """By tile: it lies somewhere. Else it had no place and left the game, or comes in any order
    and is not needed."""
    filled: At
    """By tile: after its turn a tile to come lies on this empty cell. A cell that is left out
    is still empty."""
    beside: Mapping[tuple[int, int, Side], Lit]
    """For tiles t < u and a side: tile u lies on that side of tile t; impossible cases are left
    out."""

    def full(self, cell: Cell, tile: int) -> Lit:
        """Return whether a tile lies on a cell after a turn; the cell is empty now."""
        return self.filled[tile].get(cell, False) if tile >= 0 else False

    def neighbours_full(self, cell: Cell, tile: int) -> list[Lit]:
        """Return for each cell beside one whether a tile to come lies there after a turn."""
        return [self.full(beyond, tile) for _, beyond in cell.neighbours()]

    def surrounded(self, cell: Cell, tile: int) -> list[Lit]:
        """Return for each cell round one whether a tile lies there after a turn."""
        empty = self.instance.empty
        return [self.full(c, tile) if c in empty else True for c in sorted(ring(cell))]

    def rotated(self, tile: int, rotations: Iterable[int]) -> Lit:
        """Return whether a tile lies somewhere at one of some rotations."""
        return self.logic.any_of(self.turned[tile][rotation] for rotation in rotations)

    def on_side(self, tile: int, other: int, side: Side) -> Lit:
        """Return whether tile ``other`` lies on a side of tile ``tile``."""
        if tile < other:
            return self.beside.get((tile, other, side), False)
        return self.beside.get((other, tile, side.opposite), False)


def place_tiles(logic: Logic, instance: Instance) -> PlacementVars:
    """Make the variables of the tiles' places, with the rules of placement."""
    tiles = range(len(instance.kinds))
    x = tuple(_places(logic, instance, tile) for tile in tiles)
    gone: list[Lit] = []
    for tile in tiles:
        may_go = tile >= instance.known or instance.may_go(tile)
        gone.append(logic.decision(f"gone{tile}") if may_go else False)
        logic.model.add_exactly_one([*x[tile].values(), gone[tile]])

    def some(tile: int, index: int, value: object) -> Lit:
        """Return whether a tile lies at a place with this cell (index 0) or rotation (1)."""
        return logic.any_of(x[tile][spot] for spot in x[tile] if spot[index] == value)

    at = tuple({cell: some(t, 0, cell) for cell in sorted({c for c, _ in x[t]})} for t in tiles)
    turned = tuple({r: some(t, 1, r) for r in instance.kinds[t].rotations()} for t in tiles)
    placement = PlacementVars(
        logic=logic,
        instance=instance,
        x=x,
        at=at,
        turned=turned,
        laid=tuple(map(no, gone)),
        filled=_filled(logic, at),
        beside=_beside(logic, at),
    )
    _cells_once(placement)
    _held(placement)
    _edges_meet(placement)
    for tile in range(instance.known):
        _nowhere(placement, tile)
    return placement


def _places(logic: Logic, instance: Instance, tile: int) -> dict[Spot, Literal]:
    """Return x[t,c,o]; an explanation has the places that rules forbid too."""
    if not logic.explain:
        return {spot: logic.decision(f"x{tile},{spot}") for spot in instance.spots[tile]}
    x: dict[Spot, Literal] = {}
    for spot in product(sorted(instance.cells), instance.kinds[tile].rotations()):
        x[spot] = literal = logic.decision(f"x{tile},{spot}")
        for law in instance.faults(tile, spot):
            logic.demand(law, ~literal)
    return x


def _filled(logic: Logic, at: At) -> At:
    """Return filled[t,c] ↔ filled[t-1,c] or at[t,c]."""

    def joined(before: Mapping[Cell, Lit], here: Mapping[Cell, Lit]) -> Mapping[Cell, Lit]:
        """Return by cell whether one or the other holds."""
        cells = sorted(before.keys() | here.keys())
        return {c: logic.any_of((before.get(c, False), here.get(c, False))) for c in cells}

    return tuple(accumulate(at, joined))


def _beside(logic: Logic, at: At) -> dict[tuple[int, int, Side], Lit]:
    """Return D[t,u,s] ↔ OR_c at[t,c] and at[u,c+s], without a variable for each cell.

    at[t,c] and at[u,c+s] → D; D and at[t,c] → at[u,c+s]; D → some at[t,c].
    """
    found: dict[tuple[int, int, Side], Lit] = {}
    for u in range(len(at)):
        for t, side in product(range(u), Side):
            if not any(cell.step(side) in at[u] for cell in at[t]):
                continue
            one = found[t, u, side] = logic.decision(f"beside{t},{u},{side.name}")
            logic.clause(~one, *at[t].values())
            for cell, here in at[t].items():
                there = at[u].get(cell.step(side), False)
                logic.clause(no(here), no(there), one)
                logic.clause(~one, no(here), there)
    return found


def _cells_once(placement: PlacementVars) -> None:
    """Demand that no cell holds two tiles: empty → ¬at[t,c] or ¬at[u,c]."""
    logic = placement.logic
    for cell in sorted({cell for here in placement.at for cell in here}):
        tiles = [here[cell] for here in placement.at if cell in here]
        if logic.explain:
            for earlier, later in combinations(tiles, 2):
                logic.demand(placement.instance.laws.empty, no(earlier), no(later))
        elif len(tiles) > 1:
            logic.model.add_at_most_one(tiles)


def _held(placement: PlacementVars) -> None:
    """Demand that a tile lies against another or a start space.

    adjacent → (at[t,c] and a tile before → filled[t-1,c'] for some c' beside c)

    first → (at[t,c] and no tile before → a start space faces c)
    """
    logic, instance = placement.logic, placement.instance
    for tile, here in enumerate(placement.at[: instance.known]):
        any_before = bool(instance.position.tiles) or logic.any_of(placement.laid[:tile])
        for cell, literal in here.items():
            if cell not in instance.empty or cell in instance.held:
                continue
            held = placement.neighbours_full(cell, tile - 1)
            logic.demand(instance.laws.adjacent, no(literal), no(any_before), *held)
            logic.demand(instance.laws.first, no(literal), any_before)


def _edges_meet(placement: PlacementVars) -> None:
    """Demand law → (D[t,u,s] → (t shows e at s ↔ u shows e at s+2)) for each value e."""
    logic, instance = placement.logic, placement.instance

    def shown(border: Border, value: object, tile: int, side: Side) -> Lit:
        """Return whether a tile shows a value at a side."""
        kind = instance.kinds[tile]
        rotations = (r for r in kind.rotations() if border.shows(kind, side, r) == value)
        return placement.rotated(tile, rotations)

    for (t, u, side), one in placement.beside.items():
        for border in instance.borders:
            for value in border.values:
                mine = shown(border, value, t, side)
                theirs = shown(border, value, u, side.opposite)
                logic.demand(border.law, no(one), no(mine), theirs)
                logic.demand(border.law, no(one), mine, no(theirs))


def _nowhere(placement: PlacementVars, tile: int) -> None:
    """Demand that only a tile without any legal place leaves the game.

    none → (gone[t] → every place is filled, beside an earlier tile with a wrong edge, or
    beside no tile)
    """
    logic, instance, gone = placement.logic, placement.instance, no(placement.laid[tile])
    if gone is False:
        return
    for cell, rotation in instance.spots[tile]:
        wrong = [
            placement.x[earlier][cell.step(side), turned]
            for earlier, side in product(range(tile), Side)
            for turned in instance.kinds[earlier].rotations()
            if (cell.step(side), turned) in placement.x[earlier]
            and any(
                border.shows(instance.kinds[earlier], side.opposite, turned)
                != border.shows(instance.kinds[tile], side, rotation)
                for border in instance.borders
            )
        ]
        held: Lit = cell in instance.held
        if not held:
            held = logic.any_of(placement.neighbours_full(cell, tile - 1))
        full = placement.full(cell, tile - 1)
        logic.demand(instance.laws.none, no(gone), full, *wrong, no(held))


Touch: TypeAlias = Mapping[tuple[int, int], Lit]
"""For parts v < w of one kind: whether w's tile lies against v at the end, or a square that does
not divide joins them. Impossible contacts are left out."""
Shut: TypeAlias = tuple[tuple[Lit, ...], ...]
"""shut[t][v]: after tile t's turn, part v faces no empty cell. True for new parts of later tiles
and of tiles that are not laid."""


def contacts(placement: PlacementVars) -> Touch:
    """Make the literals of contact."""
    new = placement.instance.new
    touch: dict[tuple[int, int], Lit] = {}
    for index, part in enumerate(new):
        touch.update(_with_old(placement, part))
        for other in new[:index]:
            literal = _between(placement, other, part)
            if literal is not False:
                touch[other.number, part.number] = literal
    return touch


def _with_old(placement: PlacementVars, part: Part) -> dict[tuple[int, int], Lit]:
    """Return touch[n,v] ↔ OR x[t,c,o] over the places where a port of v meets one of n."""
    instance = placement.instance
    kind, x = instance.kinds[part.tile], placement.x[part.tile]
    places: dict[int, set[Spot]] = defaultdict(set)
    for cell, rotation in x:
        for port in kind.turned(part.segment, rotation):
            number = instance.contact.get((cell, port))
            if number is not None and instance.parts[number].kind is part.kind:
                places[number].add((cell, rotation))
    return {
        (number, part.number): placement.logic.any_of(x[spot] for spot in sorted(spots))
        for number, spots in places.items()
    }


def _between(placement: PlacementVars, first: Part, second: Part) -> Lit:
    """Return touch[v,w] ↔ OR_s D[t,u,s] and OR_p (v owns port p of s, w the facing one)."""
    logic = placement.logic
    if first.kind is not second.kind or first.tile == second.tile:
        return False
    ways = []
    for side in Side:
        beside = placement.on_side(first.tile, second.tile, side)
        if beside is not False:
            both = (
                (_owns(placement, first, port), _owns(placement, second, FACING[port]))
                for port in range(3 * side, 3 * side + 3)
            )
            ways.append(logic.all_of((beside, logic.any_of(map(logic.all_of, both)))))
    return logic.any_of(ways)


def _owns(placement: PlacementVars, part: Part, port: int) -> Lit:
    """Return whether a part has a port of its cell."""
    kind = placement.instance.kinds[part.tile]
    rotations = (r for r in kind.rotations() if port in kind.turned(part.segment, r))
    return placement.rotated(part.tile, rotations)


def closed_sides(placement: PlacementVars) -> Shut:
    """Make the literals of parts that face no empty cell."""
    logic, instance = placement.logic, placement.instance
    tiles = range(len(instance.kinds))
    closed = {
        (tile, side): logic.any_of(
            literal
            for cell, literal in placement.at[tile].items()
            if cell.step(side) not in instance.empty
        )
        for tile in tiles
        for side in Side
    }
    return tuple(
        tuple(
            logic.all_of(placement.full(cell, now) for cell in sorted(part.needs))
            if part.old
            else _new_shut(placement, part, now, closed)
            for part in instance.parts
        )
        for now in tiles
    )


def _new_shut(
    placement: PlacementVars, part: Part, now: int, closed: Mapping[tuple[int, Side], Lit]
) -> Lit:
    """Return whether a new part faces no empty cell.

    AND_s (the part does not reach s, or s faces the wall or an old tile, or OR_u≤now D[t,u,s])
    """
    logic, tile = placement.logic, part.tile
    if tile > now:
        return True
    kind = placement.instance.kinds[tile]
    sides = {r: {PORT_SIDES[p] for p in kind.turned(part.segment, r)} for r in kind.rotations()}
    ways = []
    for side in Side:
        away = no(placement.rotated(tile, [r for r in sides if side in sides[r]]))
        beyond = [placement.on_side(tile, u, side) for u in range(now + 1) if u != tile]
        ways.append(logic.any_of((away, closed[tile, side], *beyond)))
    return logic.all_of(ways)
