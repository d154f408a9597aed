"""The instance of a position of Carcassonne.

Its old parts are open features, cloisters with a monk and fields with farmers. Completed cities
are no parts, but they score for farmers at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from model.components import Node
from model.features import Feature, Features, position_features
from model.geometry import Cell, Side, middle, ring
from model.position import Position
from model.rules.carcassonne.completion import missing
from model.rules.carcassonne.followers import UNCLAIMED
from model.rules.carcassonne.placement import ADJACENT, EDGE, EMPTY, NONE
from model.tiles import Kind, TileKind
from solver.cpsat.base.instance import (
    Border,
    Instance,
    Laws,
    OldPart,
    Spot,
    contact_of,
    meets,
    parts_of,
)
from solver.limits import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Cities:
    """The cities that fields border."""

    done: tuple[Feature, ...]
    """Completed cities that some old field borders."""
    at_done: Mapping[int, frozenset[int]]
    """By old field part: indices into ``done`` of the cities that it borders."""
    at_parts: Mapping[int, frozenset[int]]
    """By field part: the city parts that it borders."""


def kind_edge(kind: TileKind, rotation: int, side: Side) -> Kind | None:
    """Return the kind of segment in the middle of a side."""
    index = kind.at(middle(side), rotation)
    return None if index < 0 else kind.segments[index].kind


LAWS = Laws(empty=EMPTY, adjacent=ADJACENT, first=ADJACENT, none=NONE, free=UNCLAIMED)
EDGES = Border(law=EDGE, shows=kind_edge, values=(Kind.ROAD, Kind.CITY, Kind.FIELD))


def survey(
    position: Position, watch: Clock | None, *, farthest: int = 0
) -> tuple[Instance, Cities]:
    """Return the instance of a position, and the cities that its fields border.

    Args:
        position: the position. Tiles of its bag come after the others.
        watch: the time; None for no limit.
        farthest: an explanation tries tiles on all cells up to this distance from a tile.

    Raises:
        OutOfTimeError: the time is used up.

    """
    board = position_features(position)
    filled = frozenset(position.by_cell())
    old = tuple(
        OldPart(number=number, feature=feature, needs=needs)
        for number, (feature, needs) in enumerate(_open(position, board))
    )
    # Nothing in this game joins segments within a tile.
    tiles = position.order + position.bag
    kinds = tuple(replace(position.game.tile_set.kind(t), squares=()) for t in tiles)
    held = _near(filled, 1) or frozenset({Cell(0, 0)})
    tried = _near(filled, farthest)
    spots = _spots(position, kinds, held | tried, watch)
    reach = tried.union(cell for here in spots for cell, _ in here)
    empty = (
        frozenset(cell for c in reach for cell in (c, *ring(c))).union(
            *(part.needs for part in old)
        )
        - filled
    )
    instance = Instance(
        position=position,
        kinds=kinds,
        empty=empty,
        cells=filled | reach,
        held=held & empty,
        paths={},
        contact=contact_of(position, empty, old),
        bag=len(position.bag),
        spots=spots,
        old=old,
        new=parts_of(kinds, old),
        borders=(EDGES,),
        laws=LAWS,
    )
    return instance, _cities(position, board, instance)


def _open(position: Position, board: Features) -> Iterator[tuple[Feature, frozenset[Cell]]]:
    """Yield the features that may change or score, with the cells that they need."""
    for feature in board:
        needs = missing(feature, position.by_cell())
        if feature.kind is Kind.CLOISTER:
            if needs and feature.followers:
                yield feature, needs
        elif needs or (feature.kind is Kind.FIELD and feature.followers):
            yield feature, needs


def _near(filled: frozenset[Cell], steps: int) -> frozenset[Cell]:
    """Return the empty cells at a distance of ``steps`` or less from a tile."""
    found = set(filled)
    for _ in range(steps):
        found |= {cell.step(side) for cell in found for side in Side}
    return frozenset(found - filled)


def _spots(
    position: Position,
    kinds: tuple[TileKind, ...],
    reach: frozenset[Cell],
    watch: Clock | None,
) -> tuple[tuple[Spot, ...], ...]:
    """Return the possible places of each tile, judged by the position alone.

    Args:
        position: the position.
        kinds: the tiles.
        reach: the empty cells on which the first tile may lie.
        watch: the time.

    """
    laid = position.by_cell()
    found: list[tuple[Spot, ...]] = []
    for kind in kinds:
        if watch is not None:
            watch.look()
        here = tuple(
            spot
            for spot in product(sorted(reach), kind.rotations())
            if meets(position, EDGES, kind, spot)
        )
        found.append(here)
        reach |= {cell.step(side) for cell, _ in here for side in Side} - laid.keys()
    return tuple(found)


def _cities(position: Position, board: Features, instance: Instance) -> Cities:
    """Return the cities that field parts border."""
    laid = position.by_cell()
    number_of = {node: part.number for part in instance.old for node in part.feature.nodes}
    done: list[Feature] = []
    at_done: dict[int, frozenset[int]] = {}
    at_parts: dict[int, frozenset[int]] = {}
    for part in instance.old:
        if part.kind is not Kind.FIELD:
            continue
        near = {
            board.at(Node(node.cell, city)).nodes[0]
            for node in part.feature.nodes
            for city in laid[node.cell].kind.bordered(node.segment)
        }
        at_parts[part.number] = frozenset(number_of[node] for node in near if node in number_of)
        for node in sorted(near - number_of.keys()):
            if board.at(node) not in done:
                done.append(board.at(node))
        at_done[part.number] = frozenset(
            done.index(board.at(node)) for node in near - number_of.keys()
        )
    for tile, kind in enumerate(instance.kinds):
        parts = instance.new_of(tile)
        for part_new in parts:
            if part_new.kind is Kind.FIELD:
                at_parts[part_new.number] = frozenset(
                    parts[city].number for city in kind.bordered(part_new.segment)
                )
    return Cities(done=tuple(done), at_done=at_done, at_parts=at_parts)
