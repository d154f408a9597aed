"""The tiles to come: their parts, their places, and tiles without a place.

A *part* never splits. An old part is an open feature of the board; a new part is a segment of
a tile to come. Numbers go to the old parts first, then to those of each tile in turn. The
*leader* of a feature is its part of the highest number. Tiles to come are numbered from 0.

x[t,c,o]: tile t lies on cell c at rotation o.

gone[t]: tile t had no place and left the game, so it is not laid.

Tiles in any order serve one question: can some of them complete a feature? The others can come
later. The tiles that complete it are connected to the feature or to tiles before them. So some
order lays each against another, and the model needs no clause for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from model.components import Node
from model.draws import Draw
from model.features import Feature
from model.geometry import FACING, PORT_SIDES, PORTS, Cell, Side
from model.position import Position
from model.rules.castle.placement import START_PATH
from model.tiles import Kind, TileKind
from solver.cpsat.base.cp import Law, Lit, Literal, Logic, no

Spot = tuple[Cell, int]
"""A cell and a rotation."""
Shown = Callable[[TileKind, int, Side], object]
"""From a kind of tile, a rotation and a side: the picture at that side."""
SPOILED = 5
"""Cells that one tile can spoil for another: its own and the four beside it."""
EITHER = frozenset({False, True})
"""Whether a path may lie on a side that no start space binds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPart:
    """A feature of the position that may still change or be scored."""

    number: int
    feature: Feature
    needs: frozenset[Cell]
    """The empty cells that must be filled to complete it, if no feature joins it."""

    @property
    def kind(self) -> Kind:
        """The kind of the feature."""
        return self.feature.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    """A segment of a tile to come."""

    number: int
    tile: int
    """The tile's number."""
    segment: int
    """Its index on the tile."""
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """A rule on two sides that meet."""

    law: Law
    shows: Shown
    values: tuple[object, ...]
    """For each of these, both sides show it or neither does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """The rules that both families of games have, each in its own form."""

    empty: Law
    """A tile lies where none lies yet."""
    adjacent: Law
    """A tile lies against another one."""
    first: Law
    """The first tile of the game lies at its start."""
    none: Law
    """Only a tile without a place leaves the game."""
    free: Law
    """A follower is placed on a feature that holds none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The constants of the models of placement, contact and scoring."""

    position: Position
    kinds: tuple[TileKind, ...]
    """The tiles that may be drawn, by number."""
    empty: frozenset[Cell]
    """The cells without a tile, in a castle those inside the wall."""
    cells: frozenset[Cell]
    """The cells that an explanation tries for a tile, filled ones too."""
    held: frozenset[Cell]
    """The empty cells beside a tile or start space of the position; if the game begins, the
    cells of the first tile."""
    paths: Mapping[Cell, tuple[Side, frozenset[bool]]]
    """For a cell that a start space binds: its side there, and whether a path may meet it."""
    contact: Mapping[tuple[Cell, int], int]
    """The old part at a port of an empty cell."""
    spots: tuple[tuple[Spot, ...], ...] = ()
    """By tile: its possible places, judged by the position alone."""
    old: tuple[OldPart, ...]
    new: tuple[NewPart, ...] = ()
    borders: tuple[Border, ...]
    laws: Laws

    @property
    def parts(self) -> tuple[OldPart | NewPart, ...]:
        """All parts, by number."""
        return (*self.old, *self.new)

    def of_kind(self, kind: Kind) -> Instance:
        """Return the instance with the parts of one kind alone; no other part joins them."""
        old = [part for part in self.old if part.kind is kind]
        new = [part for part in self.new if part.kind is kind]
        numbers = [*(part.number for part in old), *(part.number for part in new)]
        number_of = {number: again for again, number in enumerate(numbers)}
        return replace(
            self,
            old=tuple(replace(part, number=number_of[part.number]) for part in old),
            new=tuple(replace(part, number=number_of[part.number]) for part in new),
            contact={
                at: number_of[number] for at, number in self.contact.items() if number in number_of
            },
        )

    def tile_of(self, number: int) -> int:
        """Return the tile of a new part."""
        return self.new[number - len(self.old)].tile

    def new_of(self, tile: int) -> tuple[NewPart, ...]:
        """Return the segments of a tile as parts, by index."""
        return tuple(part for part in self.new if part.tile == tile)

    @property
    def known(self) -> int:
        """The number of tiles in known order; those of the bag follow them in any order."""
        return len(self.kinds) - len(self.position.bag)

    def may_go(self, tile: int) -> bool:
        """Tell whether a tile may have no place; each tile before it spoils a few cells."""
        safe = {cell for cell, _ in self.spots[tile] if cell in self.held}
        return len(safe) <= SPOILED * tile

    def faults(self, tile: int, spot: Spot) -> Iterator[Law]:
        """Yield the rules by which the tiles and start spaces of the position forbid a place."""
        cell, rotation = spot
        if cell not in self.empty:
            yield self.laws.empty
            return
        kind = self.kinds[tile]
        for border in self.borders:
            if not meets(self.position, border, kind, spot):
                yield border.law
        side, allowed = self.paths.get(cell, (Side.N, EITHER))
        if kind.has_path(side, rotation) not in allowed:
            yield START_PATH


def meets(position: Position, border: Border, kind: TileKind, spot: Spot) -> bool:
    """Tell whether a tile on an empty cell agrees with the tiles on all sides."""
    cell, rotation = spot
    for side, beyond in cell.neighbours():
        there = position.tile_at(beyond)
        if there is not None:
            theirs = border.shows(there.kind, there.rotation, side.opposite)
            if border.shows(kind, rotation, side) != theirs:
                return False
    return True


def reachable(
    kinds: Sequence[TileKind], reach: frozenset[Cell], legal: Callable[[int, Spot], bool]
) -> tuple[tuple[Spot, ...], ...]:
    """Return the possible places of each tile to come.

    Args:
        kinds: the tiles to come.
        reach: the cells of the first tile. A later one may lie beside earlier tiles too.
        legal: whether the position alone allows a tile a place.

    """
    found: list[tuple[Spot, ...]] = []
    for tile, kind in enumerate(kinds):
        spots = product(sorted(reach), kind.rotations())
        found.append(tuple(spot for spot in spots if legal(tile, spot)))
        reach = reach.union(cell.step(side) for cell, _ in found[-1] for side in Side)
    return tuple(found)


def parts_of(kinds: Sequence[TileKind], old: Sequence[OldPart]) -> tuple[NewPart, ...]:
    """Return the segments of the tiles to come as parts, numbered after the old ones."""
    segments = (
        (tile, at, s.kind) for tile, one in enumerate(kinds) for at, s in enumerate(one.segments)
    )
    return tuple(
        NewPart(number=number, tile=tile, segment=at, kind=kind)
        for number, (tile, at, kind) in enumerate(segments, len(old))
    )


def contact_of(
    position: Position, empty: Iterable[Cell], old: Sequence[OldPart]
) -> dict[tuple[Cell, int], int]:
    """Return the old part at each port of the empty cells at which one lies."""
    laid = position.laid()
    number_of = {node: part.number for part in old for node in part.feature.nodes}
    contact = {}
    for cell in empty:
        for port in range(PORTS):
            beyond = cell.step(PORT_SIDES[port])
            segment = laid[beyond].at(FACING[port]) if beyond in laid else -1
            if segment >= 0:
                contact[cell, port] = number_of[Node(beyond, segment)]
    return contact


def before_turn(position: Position, draw: Draw) -> Position:
    """Return a position with one tile to come in known order: that of a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid; if none has a place, its last tile.

    """
    left = Counter(position.order + position.bag)
    left.subtract(draw.discards)
    tile = draw.discards[-1] if draw.tile is None else draw.tile
    left.subtract(() if draw.tile is None else (tile,))
    return replace(position, order=(tile, *sorted((+left).elements())), bag=())


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
    at = tuple(
        {
            cell: logic.any_of(x[t][spot] for spot in x[t] if spot[0] == cell)
            for cell in sorted({cell for cell, _ in x[t]})
        }
        for t in tiles
    )
    turned = tuple(
        {
            rotation: logic.any_of(x[t][spot] for spot in x[t] if spot[1] == rotation)
            for rotation in instance.kinds[t].rotations()
        }
        for t in tiles
    )
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
    filled: list[dict[Cell, Lit]] = []
    before: dict[Cell, Lit] = {}
    for here in at:
        before = {
            cell: logic.any_of((before.get(cell, False), here.get(cell, False)))
            for cell in sorted(before.keys() | here.keys())
        }
        filled.append(before)
    return tuple(filled)


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
    for (t, u, side), one in placement.beside.items():
        for border in instance.borders:
            for value in border.values:
                mine, theirs = (
                    logic.any_of(
                        literal
                        for rotation, literal in placement.turned[tile].items()
                        if border.shows(instance.kinds[tile], rotation, at) == value
                    )
                    for tile, at in ((t, side), (u, side.opposite))
                )
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
                border.shows(instance.kinds[earlier], turned, side.opposite)
                != border.shows(instance.kinds[tile], rotation, side)
                for border in instance.borders
            )
        ]
        held: Lit = cell in instance.held
        if not held:
            held = logic.any_of(placement.neighbours_full(cell, tile - 1))
        full = placement.full(cell, tile - 1)
        logic.demand(instance.laws.none, no(gone), full, *wrong, no(held))
