"""The instance of a position: parts, possible places of the tiles to come, rules of placement.

A *part* never splits. An old part is an open feature of the board; a new part is a segment of
a tile to come. Numbers go to the old parts first, then to those of each tile in turn. The
*leader* of a feature is its part of the highest number. Tiles to come are numbered from 0.

Old parts are features that may change or score: open ones, cloisters with a monk, and courts and
fields with followers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from burgrave.model.book import Border, book_of
from burgrave.model.components import Node
from burgrave.model.draws import Draw
from burgrave.model.features import Feature, position_features
from burgrave.model.geometry import FACING, PORT_SIDES, PORTS, Cell, Side, ring
from burgrave.model.position import Position
from burgrave.model.registry import CARCASSONNE, CASTLE
from burgrave.model.rules.carcassonne import followers as plane_followers
from burgrave.model.rules.carcassonne import placement as plane
from burgrave.model.rules.carcassonne.completion import missing
from burgrave.model.rules.castle import followers as castle_followers
from burgrave.model.rules.castle import placement as castle
from burgrave.model.rules.castle.completion import holes
from burgrave.model.switches import (
    ENCLOSED_HOLE_BLOCKS,
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
)
from burgrave.model.tiles import Kind, TileKind
from burgrave.solver.cpsat.base.cp import Law
from burgrave.solver.engines import refuse_unknown
from burgrave.solver.limits import Clock

Spot = tuple[Cell, int]
"""A cell and a rotation."""
SPOILED = 5
"""Cells that one tile can spoil for another: its own and the four beside it."""
EITHER = frozenset({False, True})
"""Whether a path may lie on a side that no start space binds."""
BUILDINGS = frozenset({Kind.TOWER, Kind.HOUSE, Kind.CHAPEL})
"""The kinds that an enclosed empty cell can keep open."""
LASTING = frozenset({Kind.COURT, Kind.FIELD})
"""The kinds that are never complete; their followers stay to the end."""
NOTHING_YET = Feature(
    kind=Kind.FIELD,
    nodes=(),
    cells=frozenset(),
    start_cells=frozenset(),
    open_sides=(),
    marks=(),
    followers=(),
)
"""A feature without tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A feature of the position that may still change or be scored, or a segment to come."""

    number: int
    feature: Feature
    """What lies on the board now: of a new part, its kind and its marks alone."""
    needs: frozenset[Cell] = frozenset()
    """The empty cells that must be filled to complete an old part, if no feature joins it."""
    tile: int = -1
    """The tile's number; -1 for an old part."""
    segment: int = -1
    """The index on the tile; -1 for an old part."""

    @property
    def kind(self) -> Kind:
        """The kind of the feature."""
        return self.feature.kind

    @property
    def old(self) -> bool:
        """Whether it is a feature of the position."""
        return self.tile < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """The rules that both families of games have, each in its own form."""

    empty: Law
    """A tile lies where none lies yet."""
    adjacent: Law
    """A tile lies against another one."""
    elsewhere: Law
    """Why no tile lies on a cell of which the model does not know."""
    first: Law
    """The first tile of the game lies at its start."""
    none: Law
    """Only a tile without a place leaves the game."""
    free: Law
    """A follower is placed on a feature that holds none."""


CASTLE_LAWS = Laws(
    empty=castle.INSIDE,
    adjacent=castle.ADJACENT,
    elsewhere=castle.INSIDE,
    first=castle.FIRST,
    none=castle.NONE,
    free=castle_followers.UNCLAIMED,
)
PLANE_LAWS = Laws(
    empty=plane.EMPTY,
    adjacent=plane.ADJACENT,
    elsewhere=plane.ADJACENT,
    first=plane.ADJACENT,
    none=plane.NONE,
    free=plane_followers.UNCLAIMED,
)
LAWS = {CASTLE: CASTLE_LAWS, CARCASSONNE: PLANE_LAWS}
"""The laws of each base."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The constants of the models of placement, contact and scoring."""

    position: Position
    kinds: tuple[TileKind, ...]
    """The tiles that may be drawn, by number."""
    empty: frozenset[Cell] = frozenset()
    """The cells without a tile, in a castle those inside the wall."""
    cells: frozenset[Cell] = frozenset()
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
    parts: tuple[Part, ...]
    """All parts, by number."""
    borders: tuple[Border, ...]
    laws: Laws

    def of_kind(self, kind: Kind) -> Instance:
        """Return the instance with the parts of one kind alone; no other part joins them."""
        kept = [part for part in self.parts if part.kind is kind]
        number_of = {part.number: number for number, part in enumerate(kept)}
        parts = tuple(replace(part, number=number) for number, part in enumerate(kept))
        contact = {at: number_of[n] for at, n in self.contact.items() if n in number_of}
        return replace(self, parts=parts, contact=contact)

    @property
    def old(self) -> tuple[Part, ...]:
        """The features of the position, by number."""
        return self.new_of(-1)

    @property
    def new(self) -> tuple[Part, ...]:
        """The segments of all tiles to come, by number."""
        return tuple(part for part in self.parts if not part.old)

    def new_of(self, tile: int) -> tuple[Part, ...]:
        """Return the segments of a tile as parts, by index."""
        return tuple(part for part in self.parts if part.tile == tile)

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
        position, kind = self.position, self.kinds[tile]
        if position.tile_at(cell) is not None or not position.game.board.holds(cell):
            yield self.laws.empty
            return
        beside = [(side, position.tile_at(beyond)) for side, beyond in cell.neighbours()]
        for border in self.borders:
            if any(
                border.shows(kind, side, rotation)
                != border.shows(there.kind, side.opposite, there.rotation)
                for side, there in beside
                if there is not None
            ):
                yield border.law
        side, allowed = self.paths.get(cell, (Side.N, EITHER))
        if kind.has_path(side, rotation) not in allowed:
            yield castle.START_PATH


def survey(
    position: Position, tiles: int | None = None, watch: Clock | None = None, *, farthest: int = 0
) -> Instance:
    """Return the instance of a position.

    Args:
        position: the position before the first turn. Tiles of its bag come after the others.
        tiles: the number of tiles in known order that may be drawn; None for all.
        watch: the time; None for no limit.
        farthest: on a plane an explanation tries tiles on all cells up to this distance from a
            tile. In a castle it tries all cells.

    Raises:
        QuestionError: the model does not support the value of a switch.
        OutOfTimeError: the time is used up.

    """
    game, filled = position.game, frozenset(position.by_cell())
    refuse_unknown("cpsat", game)
    kinds = tuple(map(game.tile_set.kind, (*position.order[:tiles], *position.bag)))
    if not game.board.cells:
        held = _near(filled, 1) or frozenset({Cell(0, 0)})
        cells = _near(filled, farthest)
        reach = held | cells
    else:
        cells = frozenset(game.board.cells)
        starts = {start.cell for start in game.board.starts}
        beside = {near for cell in filled for _, near in cell.neighbours()}
        held = (cells & (starts | beside)) - filled
        reach = cells - filled if position.bag else held
    bare = Instance(
        position=position,
        kinds=kinds,
        held=held,
        paths=dict(_bound(position)),
        contact={},
        parts=_old_parts(position),
        borders=book_of(game).borders(game),
        laws=LAWS[game.base],
    )
    spots = _spots(bare, reach, watch)
    empty = cells - filled
    if not game.board.cells:
        cells = cells.union(filled, (cell for here in spots for cell, _ in here))
        needs = (part.needs for part in bare.parts)
        empty = cells.union(*map(ring, cells - filled), *needs) - filled
    parts = [*bare.parts]
    for tile, kind in enumerate(kinds):
        for segment, one in enumerate(kind.segments):
            feature = replace(NOTHING_YET, kind=one.kind, marks=one.marks)
            parts.append(Part(number=len(parts), feature=feature, tile=tile, segment=segment))
    return replace(
        bare,
        empty=empty,
        cells=cells,
        spots=spots,
        contact=dict(_contact(bare, empty)),
        parts=tuple(parts),
    )


def _near(filled: frozenset[Cell], steps: int) -> frozenset[Cell]:
    """Return the empty cells at a distance of ``steps`` or less from a tile."""
    found = filled
    for _ in range(steps):
        found = found.union(cell.step(side) for cell in found for side in Side)
    return found - filled


def _bound(position: Position) -> Iterator[tuple[Cell, tuple[Side, frozenset[bool]]]]:
    """Yield the cells that start spaces bind, with the side and whether a path may meet it."""
    game = position.game
    for start, picture in zip(game.board.starts, game.pictures, strict=True):
        if picture.kind.id == castle.UNKNOWN_PICTURE:
            if game.value(START_SPACE_UNKNOWN) == "forbid":
                yield start.cell, (start.side, frozenset())
            continue
        binding, path = game.value(START_SPACE_PATHS_BIND), picture.has_path(start.side.opposite)
        if binding == "both" or (binding == "from_start" and path):
            yield start.cell, (start.side, frozenset({path}))


def _old_parts(position: Position) -> tuple[Part, ...]:
    """Return the features that may change or score."""
    old: list[Part] = []
    for feature in position_features(position):
        needs = needed(position, feature)
        scores = bool(needs) or (feature.kind in LASTING and feature.followers)
        if scores and (feature.kind is not Kind.CLOISTER or feature.followers):
            old.append(Part(number=len(old), feature=feature, needs=needs))
    return tuple(old)


def needed(position: Position, feature: Feature) -> frozenset[Cell]:
    """Return the empty cells that must be filled to complete a feature as it is.

    These are the cells that it faces, or those round a cloister. A building adds the cells that
    it encloses, by a switch.
    """
    laid = position.laid()
    if feature.kind in BUILDINGS and position.game.value(ENCLOSED_HOLE_BLOCKS) == "on":
        return feature.empty_cells() | holes(position.game, feature, laid)
    return missing(feature, laid)


def _spots(
    bare: Instance, reach: frozenset[Cell], watch: Clock | None
) -> tuple[tuple[Spot, ...], ...]:
    """Return the possible places of each tile; ``reach`` are the cells of the first tile.

    A later tile may lie beside earlier ones too.
    """
    found: list[tuple[Spot, ...]] = []
    for tile, kind in enumerate(bare.kinds):
        spots: list[Spot] = []
        for spot in product(sorted(reach), kind.rotations()):
            if watch is not None:
                watch.look()
            if not any(True for _ in bare.faults(tile, spot)):
                spots.append(spot)
        found.append(tuple(spots))
        reach = reach.union(cell.step(side) for cell, _ in spots for side in Side)
    return tuple(found)


def _contact(bare: Instance, empty: frozenset[Cell]) -> Iterator[tuple[tuple[Cell, int], int]]:
    """Yield the old part at each port of the empty cells at which one lies."""
    laid = bare.position.laid()
    number_of = {node: part.number for part in bare.parts for node in part.feature.nodes}
    for cell, port in product(empty, range(PORTS)):
        beyond = cell.step(PORT_SIDES[port])
        segment = laid[beyond].at(FACING[port]) if beyond in laid else -1
        if segment >= 0:
            yield (cell, port), number_of[Node(beyond, segment)]


def before_turn(position: Position, draw: Draw) -> Position:
    """Return the position before a turn with its tile alone in known order.

    That is the tile to be laid; if none has a place, the last that was drawn.
    """
    left = Counter(position.order + position.bag)
    left.subtract(draw.discards)
    tile = draw.discards[-1] if draw.tile is None else draw.tile
    left.subtract(() if draw.tile is None else (tile,))
    return replace(position, order=(tile, *sorted((+left).elements())), bag=())
