"""Connect and complete the features of a castle, start spaces included."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.components import Node
from burgrave.model.features import Feature, Features, Laid, contacts
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, Side, areas
from burgrave.model.naming import times
from burgrave.model.placement import Placement
from burgrave.model.position import Position
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.castle.setup import RULEBOOK
from burgrave.model.switches import ENCLOSED_HOLE_BLOCKS
from burgrave.model.tiles import PlacedTile

SMALLEST_RING = 7
"""Tiles that can wall in a cell: one on each side of it, and three to connect the four."""


@rule("castle.path.complete", f"{RULEBOOK}, 'A completed path'")
def PATH_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """A path is complete when each of its ends is a square, the wall or a building.

    A closed loop is complete too. A path may branch and so have more than two ends.

    Passes: a path from a square to the wall.
    Fails: a path of which one end of four faces an empty cell.
    """
    return not feature.open_sides


def walled(game: Game, feature: Feature, laid: Laid) -> bool:
    """Tell whether a building faces no empty cell and, by the switch, encloses none."""
    if feature.open_sides:
        return False
    if game.value(ENCLOSED_HOLE_BLOCKS) == "off":
        return True
    return not holes(game, feature, laid)


def holes(game: Game, feature: Feature, laid: Laid) -> frozenset[Cell]:
    """Return the empty cells from which every way to the wall crosses a tile of the feature."""
    if feature.size < SMALLEST_RING:
        return frozenset()
    inside = frozenset(game.board.cells)
    found: set[Cell] = set()
    for area in areas(inside - feature.cells):
        beyond = {cell.step(side) for cell in area for side in Side}
        if beyond <= inside:
            found.update(cell for cell in area if cell not in laid)
    return frozenset(found)


@rule("castle.tower.complete", f"{RULEBOOK}, 'A completed tower'", ENCLOSED_HOLE_BLOCKS)
def TOWER_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:
    """A tower is complete when paths, houses, courts and the wall surround it.

    No port of it faces an empty cell. The wall, gates, other kinds and start spaces that
    show another kind close it. With the switch on, a walled-in empty cell keeps it open.

    Passes: a tower between a court and the wall.
    Fails: a tower with one side against an empty cell.
    """
    return walled(game, feature, laid)


@rule(
    "castle.house.complete", f"{RULEBOOK}, 'A completed house and the keep'", ENCLOSED_HOLE_BLOCKS
)
def HOUSE_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:
    """A house is complete when paths, towers, courts and the wall surround it.

    The conditions are those of a tower.

    Passes: a house that touches no side of its tile.
    Fails: a house with one side against an empty cell.
    """
    return walled(game, feature, laid)


@rule("castle.court", f"{RULEBOOK}, 'The court'")
def COURT(game: Game, feature: Feature, laid: Laid) -> bool:  # noqa: ARG001
    """Courts are never scored during the game; merchants stay to the end.

    Paths, towers and houses separate courts from each other.

    Passes: two courts with a merchant each are joined, and both merchants stay.
    Fails: a court enclosed on all sides is scored in play.
    """
    return False


@rule(
    "castle.feature.single",
    f"{RULEBOOK}, 'A completed house and the keep'; inferred from when a house is complete",
)
def SINGLE(placement: Placement) -> Iterator[Finding]:
    """A feature that reaches no side of its tile is complete at once.

    Passes: a house inside one tile, claimed in the turn in which the tile is laid.
    Fails: the same house claimed a turn later.
    """
    tile = placement.tile
    for feature in placement.completed:
        inside = feature.cells == {tile.cell}
        if inside and not any(tile.kind.segments[index].ports for _, index in feature.nodes):
            yield SINGLE.finding(
                f"the {feature.kind} inside the tile on {tile.cell} is complete at once; it can be"
                " claimed in this turn only",
                (tile.cell,),
            )


@rule("castle.feature.start", f"{RULEBOOK}, 'A completed path'")
def START(game: Game, after: Features, tile: PlacedTile) -> Iterator[Finding]:
    """A segment on a start space joins what reaches it and counts as one tile.

    Two start spaces count two. One segment of a start space joins all segments of its
    kind that face it. Nobody can stand on a start space, and a start feature that nothing
    reaches is worth nothing: its market is lost.

    Passes: a path of 3 tiles and a start space counts 4.
    Fails: a court that does not reach the start space counts the market there.
    """
    start = game.board.start_facing(tile.cell)
    for feature in after:
        if start is not None and start.outside in feature.start_cells and feature.inside:
            yield START.finding(
                f"the {feature.kind} on {tile.cell} joins start space {start.name}, which counts"
                " as one tile of it",
                (tile.cell,),
            )


@rule(
    "castle.feature.connect",
    f"{RULEBOOK}, 'Scoring completed paths, towers, and houses'; said of houses, inferred for all",
)
def CONNECT(tile: PlacedTile, laid: Laid) -> Iterator[tuple[Node, Node]]:
    """Segments of the same kind that meet along an edge are one feature.

    Touching at a corner joins nothing; the rulebook says so of houses, and it is read
    for all kinds.

    Passes: a tower side against a tower side is one tower.
    Fails: two towers whose tiles touch at a corner are two towers.
    """
    yield from contacts(tile, laid)


@rule("castle.path.square", f"{RULEBOOK}, pictures of pages 1 and 3")
def SQUARE(position: Position, tile: PlacedTile) -> Iterator[Finding]:  # noqa: ARG001
    """A square ends every arm that runs into it: the arms are separate paths.

    Each arm counts the tile and may hold a herald. A fountain, or a fork without a
    square, does not divide.

    Passes: two heralds on two arms of one square.
    Fails: two heralds on two arms of one fork.
    """
    for square in tile.kind.squares:
        yield SQUARE.finding(
            f"the square on {tile.cell} ends {times(len(square), 'path')}, each a path of its own",
            (tile.cell,),
        )
