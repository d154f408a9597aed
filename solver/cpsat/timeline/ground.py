"""A position and the tiles to come, surveyed for a model of several turns.

Nothing here is a variable. A *part* is something that never falls apart: an open feature
of the board (an old part) or a segment of a tile to come (a new part). Parts are numbered,
old ones first, then those of the first tile to come, and so on; a feature is led by its
part of the highest number. Tiles to come are numbered from 0 by their place in the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from model.book import book_of
from model.components import Node
from model.features import Feature, position_features
from model.games import Game
from model.geometry import FACING, PORT_SIDES, PORTS, Cell, Side, middle
from model.position import Position
from model.rules.castle.completion import holes
from model.rules.castle.followers import UNCLAIMED
from model.rules.castle.placement import (
    ADJACENT,
    FIRST,
    INSIDE,
    NONE,
    PATH,
    START_PATH,
    UNKNOWN_PICTURE,
)
from model.rules.falcon.chapels import CHAPEL_PLACE
from model.switches import (
    CHAPEL_IS_BUILDING,
    ENCLOSED_HOLE_BLOCKS,
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
)
from model.tiles import Kind, TileKind
from solver.cpsat.logic import Law
from solver.repertoire import refuse_unknown

Spot = tuple[Cell, int]
"""A cell and a rotation."""
BUILDINGS = frozenset({Kind.TOWER, Kind.HOUSE, Kind.CHAPEL})
"""The kinds that a walled-in empty cell can keep open."""
Shown = Callable[[TileKind, int, Side], object]
"""Of a kind of tile at a rotation: what a side of it shows."""
SPOILED = 5
"""Cells that one tile can take away from another: its own and the four beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPart:
    """A feature of the position that may still change or be scored."""

    number: int
    feature: Feature
    needs: frozenset[Cell]
    """The empty cells that must be filled for it to be complete if nothing joins it."""

    @property
    def kind(self) -> Kind:
        """Path, tower, house, court or chapel."""
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
    """What two sides that meet must both show."""

    law: Law
    """The rule that says so."""
    shows: Shown
    values: tuple[object, ...]
    """Two sides are alike if either both show one of these or neither does, for each."""


def path_shown(kind: TileKind, rotation: int, side: Side) -> bool:
    """Tell whether a path crosses a side."""
    return kind.has_path(side, rotation)


def chapel_shown(kind: TileKind, rotation: int, side: Side) -> tuple[bool, ...]:
    """Return at which of the three places of a side a chapel lies, from west or south on."""
    if side in {Side.N, Side.W}:
        ports = range(3 * side, 3 * side + 3)
    else:
        ports = range(3 * side + 2, 3 * side - 1, -1)
    return tuple(_is_chapel(kind, port, rotation) for port in ports)


def _is_chapel(kind: TileKind, port: int, rotation: int) -> bool:
    """Tell whether a tile shows a chapel at a port of the board."""
    index = kind.at(port, rotation)
    return index >= 0 and kind.segments[index].kind is Kind.CHAPEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """The rules of a family of games that the models of several turns share with others."""

    empty: Law
    """A tile lies where none lies yet."""
    adjacent: Law
    """It lies against another tile."""
    first: Law
    """The first tile of all lies where the game begins."""
    none: Law
    """Only a tile without a place leaves the game."""
    free: Law
    """A follower is placed on a feature that holds none."""


IN_CASTLES = Laws(empty=INSIDE, adjacent=ADJACENT, first=FIRST, none=NONE, free=UNCLAIMED)


def borders(game: Game) -> tuple[Border, ...]:
    """Return what sides that meet in a castle must both show: paths, by a switch chapels too."""
    found = [Border(law=PATH, shows=path_shown, values=(True,))]
    if Kind.CHAPEL in book_of(game).roles and game.value(CHAPEL_IS_BUILDING) == "off":
        somewhere = tuple(places for places in product((False, True), repeat=3) if any(places))
        found.append(Border(law=CHAPEL_PLACE, shows=chapel_shown, values=somewhere))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What the models of placement, contact and scoring are built from."""

    position: Position
    kinds: tuple[TileKind, ...]
    """The tiles to come that can be reached, by number."""
    empty: frozenset[Cell]
    """The cells inside without a tile."""
    cells: frozenset[Cell]
    """The cells, filled ones too, on which to explain something a tile is tried."""
    starts: Mapping[Cell, tuple[Side, str]]
    """For a cell that a start space faces: on which side, and what it shows."""
    facing: Mapping[tuple[Cell, int], Kind]
    """What a tile or start space of the position shows at a port of an empty cell."""
    beside: Mapping[Cell, frozenset[Side]]
    """For an empty cell, the sides on which a tile of the position lies."""
    contact: Mapping[tuple[Cell, int], int]
    """The old part at a port of an empty cell."""
    bag: int
    """So many of the tiles, the last ones, come in any order."""
    spots: tuple[tuple[Spot, ...], ...]
    """By tile: where it can lie at all, as far as one can see now."""
    old: tuple[OldPart, ...]
    new: tuple[NewPart, ...]
    borders: tuple[Border, ...]
    """What two sides that meet must both show."""
    laws: Laws

    @property
    def parts(self) -> tuple[OldPart | NewPart, ...]:
        """All parts, by number."""
        return (*self.old, *self.new)

    def of_kind(self, kind: Kind) -> Ground:
        """Return the same with the parts of a kind alone, which no other part joins."""
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

    def new_of(self, tile: int) -> tuple[NewPart, ...]:
        """Return the segments of a tile as parts, by index."""
        return tuple(part for part in self.new if part.tile == tile)

    def cells_of(self, tile: int) -> tuple[Cell, ...]:
        """Return the cells on which a tile can lie, ascending."""
        return tuple(sorted({cell for cell, _ in self.spots[tile]}))

    @property
    def known(self) -> int:
        """How many of the tiles come in known order."""
        return len(self.kinds) - self.bag

    def may_go(self, tile: int) -> bool:
        """Tell whether a tile may have no place: those before it spoil a few cells each."""
        safe = {cell for cell, _ in self.spots[tile] if self.always_held(cell)}
        return len(safe) <= SPOILED * tile

    def always_held(self, cell: Cell) -> bool:
        """Tell whether a tile or start space of the position makes a cell a place for a tile."""
        return bool(self.beside[cell]) or cell in self.starts

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
        if not self._start_allows(cell, kind, rotation):
            yield START_PATH

    def _start_allows(self, cell: Cell, kind: TileKind, rotation: int) -> bool:
        """Tell whether the start space at a cell allows a path, or the lack of one, there."""
        if cell not in self.starts:
            return True
        game = self.position.game
        side, shown = self.starts[cell]
        if shown == UNKNOWN_PICTURE:
            return game.value(START_SPACE_UNKNOWN) != "forbid"
        there = self.facing.get((cell, middle(side))) is Kind.PATH
        binding = game.value(START_SPACE_PATHS_BIND)
        bound = {"off": False, "from_start": there, "both": True}[binding]
        return not bound or kind.has_path(side, rotation) == there


def meets(position: Position, border: Border, kind: TileKind, spot: Spot) -> bool:
    """Tell whether a tile on an empty cell shows on every side what the tile beyond it shows."""
    cell, rotation = spot
    for side, beyond in cell.neighbours():
        there = position.tile_at(beyond)
        if there is not None:
            theirs = border.shows(there.kind, there.rotation, side.opposite)
            if border.shows(kind, rotation, side) != theirs:
                return False
    return True


def survey(position: Position, tiles: int) -> Ground:
    """Gather what a model of several turns needs to know of a position.

    Args:
        position: the position before the first turn. Tiles of its bag come after the others.
        tiles: how many of the tiles in known order are looked at.

    Raises:
        QuestionError: a switch has a value that the model does not know.

    """
    game = position.game
    refuse_unknown("time", game)
    empty = frozenset(game.board.cells) - position.by_cell().keys()
    starts = {
        start.cell: (start.side, shown)
        for start, shown in zip(game.board.starts, game.shows, strict=True)
    }
    old = _old_parts(position)
    facing, contact = _around(position, empty, old)
    bare = Ground(
        position=position,
        kinds=tuple(map(game.tile_set.kind, (*position.order[:tiles], *position.bag))),
        bag=len(position.bag),
        empty=empty,
        cells=frozenset(game.board.cells),
        starts=starts,
        facing=facing,
        beside={
            cell: frozenset(side for side in Side if position.tile_at(cell.step(side)))
            for cell in empty
        },
        contact=contact,
        spots=(),
        old=old,
        new=(),
        borders=borders(game),
        laws=IN_CASTLES,
    )
    return _with_tiles(bare)


def _with_tiles(bare: Ground) -> Ground:
    """Add where each tile can lie, and its segments as parts."""
    reach = {cell for cell in bare.empty if bare.always_held(cell)}
    spots: list[tuple[Spot, ...]] = []
    new: list[NewPart] = []
    for tile, kind in enumerate(bare.kinds):
        if tile == bare.known:
            reach = set(bare.empty)
        here = tuple(
            (cell, rotation)
            for cell in sorted(reach)
            for rotation in kind.rotations()
            if not any(True for _ in bare.faults(tile, (cell, rotation)))
        )
        spots.append(here)
        reach |= {cell.step(side) for cell, _ in here for side in Side} & bare.empty
        for index, segment in enumerate(kind.segments):
            number = len(bare.old) + len(new)
            new.append(NewPart(number=number, tile=tile, segment=index, kind=segment.kind))
    return replace(bare, spots=tuple(spots), new=tuple(new))


def _old_parts(position: Position) -> tuple[OldPart, ...]:
    """Return the features that may change or be scored: open ones, and courts with followers."""
    old: list[OldPart] = []
    for feature in position_features(position):
        needs = needed(position, feature)
        if needs or (feature.kind is Kind.COURT and feature.followers):
            old.append(OldPart(number=len(old), feature=feature, needs=needs))
    return tuple(old)


def needed(position: Position, feature: Feature) -> frozenset[Cell]:
    """Return the empty cells that must be filled for a feature to be complete as it is.

    Those are what it faces, and what a building walls in where that keeps it open.
    """
    faced = feature.empty_cells()
    if feature.kind not in BUILDINGS or position.game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return faced
    return faced | holes(position.game, feature, position.laid())


def _around(
    position: Position, empty: frozenset[Cell], old: tuple[OldPart, ...]
) -> tuple[dict[tuple[Cell, int], Kind], dict[tuple[Cell, int], int]]:
    """Return what the position shows at each port of its empty cells, and the part there."""
    laid = position.laid()
    number_of = {node: part.number for part in old for node in part.feature.nodes}
    facing, contact = {}, {}
    for cell in empty:
        for port in range(PORTS):
            beyond = cell.step(PORT_SIDES[port])
            segment = laid[beyond].at(FACING[port]) if beyond in laid else -1
            if segment >= 0:
                facing[cell, port] = laid[beyond].kind.segments[segment].kind
                contact[cell, port] = number_of[Node(beyond, segment)]
    return facing, contact


def looked_at(position: Position, horizon: int | None) -> int:
    """Return how many of the tiles to come may be drawn.

    A turn that begins before the horizon goes on over tiles that have no place.
    """
    most = len(position.order)
    if horizon is None or horizon >= most:
        return most
    ground = survey(position, most)
    count = horizon
    while count < most and ground.may_go(count - 1):
        count += 1
    return count
