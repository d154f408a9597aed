"""The instance of a position in a castle, and the holes that keep buildings open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from model.book import book_of
from model.features import Feature, position_features
from model.games import Game
from model.geometry import FACING, Cell, Side, middle
from model.position import Position
from model.rules.castle.completion import holes as model_holes
from model.rules.castle.followers import UNCLAIMED
from model.rules.castle.placement import ADJACENT, FIRST, INSIDE, NONE, PATH, UNKNOWN_PICTURE
from model.rules.falcon.chapels import CHAPEL_PLACE
from model.switches import (
    CHAPEL_IS_BUILDING,
    ENCLOSED_HOLE_BLOCKS,
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
)
from model.tiles import Kind, TileKind
from solver.cpsat.base.cp import Lit, no
from solver.cpsat.base.placement import (
    Border,
    Instance,
    Laws,
    OldPart,
    PlacementVars,
    Spot,
    contact_of,
    parts_of,
    reachable,
)
from solver.engines import refuse_unknown

BUILDINGS = frozenset({Kind.TOWER, Kind.HOUSE, Kind.CHAPEL})
"""The kinds that an enclosed empty cell can keep open."""
CASTLE_LAWS = Laws(empty=INSIDE, adjacent=ADJACENT, first=FIRST, none=NONE, free=UNCLAIMED)


def borders(game: Game) -> tuple[Border, ...]:
    """Return the rules on sides that meet: paths, and by a switch chapels."""
    found = [
        Border(
            law=PATH,
            shows=lambda kind, rotation, side: kind.has_path(side, rotation),
            values=(True,),
        )
    ]
    if Kind.CHAPEL in book_of(game).roles and game.value(CHAPEL_IS_BUILDING) == "off":
        somewhere = tuple(places for places in product((False, True), repeat=3) if any(places))
        found.append(Border(law=CHAPEL_PLACE, shows=chapel_shown, values=somewhere))
    return tuple(found)


def chapel_shown(kind: TileKind, rotation: int, side: Side) -> tuple[bool, ...]:
    """Return for the three places of a side, from west or south, whether a chapel is there."""
    order = (0, 1, 2) if side in {Side.N, Side.W} else (2, 1, 0)
    shown = (kind.at(3 * side + place, rotation) for place in order)
    return tuple(index >= 0 and kind.segments[index].kind is Kind.CHAPEL for index in shown)


def survey(position: Position, tiles: int) -> Instance:
    """Return the instance of a position.

    Args:
        position: the position before the first turn. Tiles of its bag come after the others.
        tiles: the number of tiles in known order that may be drawn.

    Raises:
        QuestionError: the model does not support the value of a switch.

    """
    game = position.game
    refuse_unknown("cpsat", game)
    empty = frozenset(game.board.cells).difference(position.by_cell())
    old = _old_parts(position)
    starts = {start.cell for start in game.board.starts}
    bare = Instance(
        position=position,
        kinds=tuple(map(game.tile_set.kind, (*position.order[:tiles], *position.bag))),
        empty=empty,
        cells=frozenset(game.board.cells),
        held=frozenset(
            cell
            for cell in empty
            if cell in starts or any(position.tile_at(near) for _, near in cell.neighbours())
        ),
        paths=dict(_bound(position)),
        contact=contact_of(position, empty, old),
        old=old,
        borders=borders(game),
        laws=CASTLE_LAWS,
    )

    def legal(tile: int, spot: Spot) -> bool:
        """Tell whether the position alone allows a place."""
        return not any(True for _ in bare.faults(tile, spot))

    spots = reachable(bare.kinds, empty if position.bag else bare.held, legal)
    return replace(bare, spots=spots, new=parts_of(bare.kinds, old))


def _bound(position: Position) -> Iterator[tuple[Cell, tuple[Side, frozenset[bool]]]]:
    """Yield the cells that start spaces bind, with the side and whether a path may meet it."""
    game, laid = position.game, position.laid()
    binding = game.value(START_SPACE_PATHS_BIND)
    for start, shown in zip(game.board.starts, game.shows, strict=True):
        if shown == UNKNOWN_PICTURE:
            if game.value(START_SPACE_UNKNOWN) == "forbid":
                yield start.cell, (start.side, frozenset())
            continue
        picture = laid.get(start.cell.step(start.side))
        index = -1 if picture is None else picture.at(FACING[middle(start.side)])
        path = picture is not None and index >= 0 and picture.kind.segments[index].kind is Kind.PATH
        if binding == "both" or (binding == "from_start" and path):
            yield start.cell, (start.side, frozenset({path}))


def _old_parts(position: Position) -> tuple[OldPart, ...]:
    """Return the features that may change or score: open ones, and courts with followers."""
    old: list[OldPart] = []
    for feature in position_features(position):
        needs = needed(position, feature)
        if needs or (feature.kind is Kind.COURT and feature.followers):
            old.append(OldPart(number=len(old), feature=feature, needs=needs))
    return tuple(old)


def needed(position: Position, feature: Feature) -> frozenset[Cell]:
    """Return the empty cells that must be filled to complete a feature as it is.

    These are the cells that it faces. A building adds the cells that it encloses, by a switch.
    """
    faced = feature.empty_cells()
    if feature.kind not in BUILDINGS or position.game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return faced
    return faced | model_holes(position.game, feature, position.laid())


Wall = frozenset[Cell]
"""Cells that enclose an empty cell."""


Walls = Mapping[Kind, Mapping[Cell, tuple[Wall, ...]]]
"""The smallest walls that features to come can build round an empty cell."""


def hole(
    placement: PlacementVars, walls: Walls, kind: Kind, members: Mapping[int, Lit], tile: int
) -> Lit:
    """Return whether a feature encloses an empty cell after a turn.

    OR_e not filled[t,e] and OR_B AND_b∈B (b is a cell of the feature)
    """
    logic = placement.logic
    return logic.any_of(
        logic.all_of(
            (
                no(placement.full(cell, tile)),
                *(_covers(placement, members, b, tile) for b in sorted(wall)),
            )
        )
        for cell, some in walls.get(kind, {}).items()
        for wall in some
    )


def _covers(placement: PlacementVars, members: Mapping[int, Lit], cell: Cell, tile: int) -> Lit:
    """Return whether a feature has a tile on a cell after a turn."""
    ways = []
    for v, literal in members.items():
        part = placement.instance.parts[v]
        if isinstance(part, OldPart):
            if cell in part.feature.cells:
                ways.append(literal)
        elif part.tile <= tile:
            here = placement.at[part.tile].get(cell, False)
            ways.append(placement.logic.all_of((literal, here)))
    return placement.logic.any_of(ways)


def holes(instance: Instance) -> Walls:
    """Return the walls that may matter; none if a switch ignores holes."""
    found: dict[Kind, dict[Cell, tuple[Wall, ...]]] = {}
    if instance.position.game.value(ENCLOSED_HOLE_BLOCKS) == "on":
        for kind in sorted(BUILDINGS):
            bricks = _bricks(instance, kind)
            walls = {cell: _smallest(_walls(instance, cell, bricks)) for cell in instance.empty}
            found[kind] = {cell: some for cell, some in sorted(walls.items()) if some}
    return found


def _bricks(instance: Instance, kind: Kind) -> frozenset[Cell]:
    """Return the cells that a feature of a kind may have at the end."""
    old = {cell for part in instance.old if part.kind is kind for cell in part.feature.cells}
    tiles = {part.tile for part in instance.new if part.kind is kind}
    new = {cell for tile in tiles for cell, _ in instance.spots[tile]}
    return frozenset(old | new)


def _walls(instance: Instance, cell: Cell, bricks: frozenset[Cell]) -> Iterator[Wall]:
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


def _smallest(walls: Iterator[Wall]) -> tuple[Wall, ...]:
    """Return the walls that contain no other."""
    kept: list[Wall] = []
    for wall in sorted(walls, key=lambda one: (len(one), sorted(one))):
        if not any(smaller <= wall for smaller in kept):
            kept.append(wall)
    return tuple(kept)
