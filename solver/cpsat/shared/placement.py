"""Where each tile to come may lie, and which have no place: the rules of placement over turns.

x[t,c,o]: tile t lies on cell c at rotation o. gone[t]: it had no place and left the game.
idle[t]: it is never drawn, because the horizon of the question comes before its turn.

Of tiles that come in any order nothing is asked but whether a feature can be completed with some
of them. The others can come later. Those that complete it hang together, and lie against the
feature or the tiles before them, so that they can come in an order in which each lies against
another: that needs not be demanded of them.
Built alone it is a model of all ways to lay the tiles; with ``Logic(explain=True)`` every
rule stands under its literal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from model.geometry import Cell, Side
from solver.cpsat.base.cp import Literal
from solver.cpsat.base.instance import Instance, Spot
from solver.cpsat.base.logic import Lit, Logic, no


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementVars:
    """Where the tiles lie, as literals; what is impossible from the start is left out."""

    x: tuple[Mapping[Spot, Literal], ...]
    """By tile: it lies on this cell at this rotation."""
    at: tuple[Mapping[Cell, Lit], ...]
    """By tile: it lies on this cell."""
    turned: tuple[Mapping[int, Lit], ...]
    """By tile: it lies somewhere at this rotation."""
    gone: tuple[Lit, ...]
    """By tile: it had no place and left the game; or it comes in any order and is not needed."""
    idle: tuple[Lit, ...]
    """By tile: it is not drawn before the horizon."""
    laid: tuple[Lit, ...]
    """By tile: it lies somewhere."""
    filled: tuple[Mapping[Cell, Lit], ...]
    """By tile: once its turn is over a tile to come lies on this empty cell; a cell that
    is left out is still empty."""
    beside: Mapping[tuple[int, int, Side], Lit]
    """For tiles t < u and a side: tile u comes to lie on that side of tile t; left out where
    that is impossible."""

    def full(self, cell: Cell, tile: int) -> Lit:
        """Return whether a tile lies on a cell that is empty now, once a turn is over."""
        return self.filled[tile].get(cell, False) if tile >= 0 else False

    def on_side(self, tile: int, other: int, side: Side) -> Lit:
        """Return whether tile ``other`` comes to lie on a side of tile ``tile``."""
        if tile < other:
            return self.beside.get((tile, other, side), False)
        return self.beside.get((other, tile, side.opposite), False)


def place_tiles(logic: Logic, instance: Instance, horizon: int | None = None) -> PlacementVars:
    """Make the variables of the tiles' places, with the rules of placement.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        horizon: no turn begins after so many tiles; None for no limit.

    """
    count = len(instance.kinds)
    x = tuple(_places(logic, instance, tile) for tile in range(count))
    idle: list[Lit] = []
    gone: list[Lit] = []
    for tile in range(count):
        # A turn goes on over tiles without a place: t is drawn after the horizon only then.
        late = horizon is not None and tile >= horizon
        idle.append(logic.any_of((idle[-1], no(gone[-1]))) if late else False)
        may_go = tile >= instance.known or instance.may_go(tile)
        gone.append(logic.decision(f"gone{tile}") if may_go else False)
        logic.model.add_exactly_one([*x[tile].values(), gone[tile], idle[tile]])
    at = tuple(
        {
            cell: logic.any_of(x[t][spot] for spot in x[t] if spot[0] == cell)
            for cell in sorted({cell for cell, _ in x[t]})
        }
        for t in range(count)
    )
    placement = PlacementVars(
        x=x,
        at=at,
        turned=tuple(
            {
                rotation: logic.any_of(x[t][spot] for spot in x[t] if spot[1] == rotation)
                for rotation in instance.kinds[t].rotations()
            }
            for t in range(count)
        ),
        gone=tuple(gone),
        idle=tuple(idle),
        laid=tuple(no(logic.any_of((gone[t], idle[t]))) for t in range(count)),
        filled=_filled(logic, at),
        beside=_beside(logic, at),
    )
    _cells_once(logic, instance, placement)
    _held(logic, instance, placement)
    _edges_meet(logic, instance, placement)
    for tile in range(instance.known):
        _nowhere(logic, instance, placement, tile)
    return placement


def _places(logic: Logic, instance: Instance, tile: int) -> dict[Spot, Literal]:
    """Return x[t,c,o]; to explain, with the places that a rule forbids from the start."""
    if not logic.explain:
        return {spot: logic.decision(f"x{tile},{spot}") for spot in instance.spots[tile]}
    x: dict[Spot, Literal] = {}
    for spot in product(sorted(instance.cells), instance.kinds[tile].rotations()):
        x[spot] = literal = logic.decision(f"x{tile},{spot}")
        for law in instance.faults(tile, spot):
            logic.clause(no(logic.law(law)), ~literal)
    return x


def _filled(logic: Logic, at: tuple[Mapping[Cell, Lit], ...]) -> tuple[dict[Cell, Lit], ...]:
    """Return filled[t,c] ↔ filled[t-1,c] or at[t,c]."""
    filled: list[dict[Cell, Lit]] = []
    before: dict[Cell, Lit] = {}
    for here in at:
        before = {
            cell: logic.any_of((before.get(cell, False), here.get(cell, False)))
            for cell in sorted(before.keys() | here.keys())
        }
        filled.append(before)
    return tuple(filled)


def _beside(logic: Logic, at: tuple[Mapping[Cell, Lit], ...]) -> dict[tuple[int, int, Side], Lit]:
    """Return D[t,u,s] ↔ OR_c at[t,c] and at[u,c+s], without a variable for each cell.

    at[t,c] and at[u,c+s] → D; D and at[t,c] → at[u,c+s]; D → some at[t,c].
    """
    found: dict[tuple[int, int, Side], Lit] = {}
    for u in range(len(at)):
        for t in range(u):
            for side in Side:
                if not any(cell.step(side) in at[u] for cell in at[t]):
                    continue
                one = found[t, u, side] = logic.decision(f"beside{t},{u},{side.name}")
                logic.clause(~one, *at[t].values())
                for cell, here in at[t].items():
                    there = at[u].get(cell.step(side), False)
                    logic.clause(no(here), no(there), one)
                    logic.clause(~one, no(here), there)
    return found


def _cells_once(logic: Logic, instance: Instance, placement: PlacementVars) -> None:
    """Demand that no cell holds two tiles: empty → ¬at[t,c] or ¬at[u,c]."""
    for cell in sorted({cell for here in placement.at for cell in here}):
        tiles = [here[cell] for here in placement.at if cell in here]
        if logic.explain:
            law = no(logic.law(instance.laws.empty))
            for index, later in enumerate(tiles):
                for earlier in tiles[:index]:
                    logic.clause(law, no(earlier), no(later))
        elif len(tiles) > 1:
            logic.model.add_at_most_one(tiles)


def _held(logic: Logic, instance: Instance, placement: PlacementVars) -> None:
    """Demand that a tile lies against another or a start space.

    adjacent → (at[t,c] and a tile before → filled[t-1,c'] for some c' beside c);
    first → (at[t,c] and no tile before → a start space faces c)
    """
    for tile, here in enumerate(placement.at[: instance.known]):
        any_before = _any_before(logic, instance, placement, tile)
        for cell, literal in here.items():
            if cell not in instance.empty or cell in instance.held:
                continue
            held = _neighbours_filled(placement, cell, tile)
            logic.clause(no(logic.law(instance.laws.adjacent)), no(literal), no(any_before), *held)
            logic.clause(no(logic.law(instance.laws.first)), no(literal), any_before)


def _any_before(logic: Logic, instance: Instance, placement: PlacementVars, tile: int) -> Lit:
    """Return whether a tile lies on the board before a turn."""
    return True if instance.position.tiles else logic.any_of(placement.laid[:tile])


def _neighbours_filled(placement: PlacementVars, cell: Cell, tile: int) -> list[Lit]:
    """Return for each cell beside ``cell`` whether a tile to come lies there before a turn."""
    return [placement.full(beyond, tile - 1) for _, beyond in cell.neighbours()]


def _edges_meet(logic: Logic, instance: Instance, placement: PlacementVars) -> None:
    """Demand law → (D[t,u,s] → (t shows e at s ↔ u shows e at s+2)) for each e to be shared."""
    for (t, u, side), one in placement.beside.items():
        for border in instance.borders:
            law = no(logic.law(border.law))
            for value in border.values:
                mine, theirs = (
                    logic.any_of(
                        literal
                        for rotation, literal in placement.turned[tile].items()
                        if border.shows(instance.kinds[tile], rotation, at) == value
                    )
                    for tile, at in ((t, side), (u, side.opposite))
                )
                logic.clause(law, no(one), no(mine), theirs)
                logic.clause(law, no(one), mine, no(theirs))


def _nowhere(logic: Logic, instance: Instance, placement: PlacementVars, tile: int) -> None:
    """Demand that only a tile without any legal place leaves the game.

    none → (gone[t] → for every place: filled before, or an earlier tile with the wrong edge
    beside it, or nothing to lie against)
    """
    gone = placement.gone[tile]
    if gone is False:
        return
    law = no(logic.law(instance.laws.none))
    for cell, rotation in instance.spots[tile]:
        wrong = [
            placement.x[earlier][cell.step(side), turned]
            for earlier in range(tile)
            for side in Side
            for turned in instance.kinds[earlier].rotations()
            if (cell.step(side), turned) in placement.x[earlier]
            and any(
                border.shows(instance.kinds[earlier], turned, side.opposite)
                != border.shows(instance.kinds[tile], rotation, side)
                for border in instance.borders
            )
        ]
        held: Lit = cell in instance.held
        if not held:
            held = logic.any_of(_neighbours_filled(placement, cell, tile))
        logic.clause(law, no(gone), placement.full(cell, tile - 1), *wrong, no(held))
