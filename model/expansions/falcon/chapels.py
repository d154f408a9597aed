"""Chapels of The Falcon."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from burgrave.model.book import Border
from burgrave.model.expansions.falcon.gates import FALCON_RULES_2013, WIKI_2022
from burgrave.model.expansions.falcon.switches import CHAPEL_COMPLETION, CHAPEL_IS_BUILDING
from burgrave.model.features import Feature, Laid
from burgrave.model.games import Game
from burgrave.model.geometry import FACING, Cell, Side
from burgrave.model.places import neighbours
from burgrave.model.position import Position
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.castle.completion import walled
from burgrave.model.rules.castle.placement import met_freely
from burgrave.model.rules.castle.scoring import TILES
from burgrave.model.switches import ENCLOSED_HOLE_BLOCKS
from burgrave.model.tiles import Kind, PlacedTile, TileKind
from burgrave.model.worth import Worth

_SECTION = f"{FALCON_RULES_2013}, 'Chapels'"
POINTS = (0, 1, 3, 6, 10, 15, 21, 28, 36)
"""Points of a chapel by its tiles; more tiles bring no more."""


@rule("falcon.chapel.place", f"{_SECTION}; inferred, as no rule says it", CHAPEL_IS_BUILDING)
def CHAPEL_PLACE(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A chapel is a building: it meets other kinds freely, and paths end at it.

    Its follower is a preacher. A start space that shows a chapel counts as a tile of it.
    With the switch off a chapel must be continued by a chapel, both ways round, and may
    end at the wall.

    Passes: a chapel side against a court side.
    Fails: the same with the switch off.
    """
    if position.game.value(CHAPEL_IS_BUILDING) == "on":
        return
    for side, other in neighbours(position, tile.cell):
        for port in range(3 * side, 3 * side + 3):
            if _chapel(tile, port) is not _chapel(other, FACING[port]):
                yield CHAPEL_PLACE.finding(
                    f"a chapel on one side of the edge between {tile.cell} and {other.cell} is not"
                    " continued on the other",
                    (tile.cell, other.cell),
                )
                break


def chapel_met(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """Yield a finding for every chapel that meets another kind, where it may."""
    if position.game.value(CHAPEL_IS_BUILDING) == "on":
        for kinds, words in met_freely(position, tile):
            if Kind.CHAPEL in kinds:
                yield CHAPEL_PLACE.finding(*words)


def _chapel(tile: PlacedTile, port: int) -> bool:
    """Tell whether a tile shows a chapel at a port of the board."""
    index = tile.at(port)
    return index >= 0 and tile.kind.segments[index].kind is Kind.CHAPEL


def _shown(kind: TileKind, side: Side, rotation: int) -> tuple[bool, ...]:
    """Return for the three places of a side, from west or south, whether a chapel is there."""
    order = (0, 1, 2) if side in {Side.N, Side.W} else (2, 1, 0)
    shown = (kind.at(3 * side + place, rotation) for place in order)
    return tuple(index >= 0 and kind.segments[index].kind is Kind.CHAPEL for index in shown)


def with_chapel_sides(
    borders: Callable[[Game], tuple[Border, ...]],
) -> Callable[[Game], tuple[Border, ...]]:
    """Return the rules on sides that meet, as data, with that on chapels, by its switch."""
    somewhere = tuple(places for places in product((False, True), repeat=3) if any(places))
    chapels = (Border(CHAPEL_PLACE, _shown, somewhere),)
    return lambda game: borders(game) + chapels * (game.value(CHAPEL_IS_BUILDING) == "off")


@rule(
    "falcon.chapel.complete",
    f"{_SECTION}; inferred, as no rule says when it is complete",
    ENCLOSED_HOLE_BLOCKS,
    CHAPEL_COMPLETION,
)
def CHAPEL_COMPLETE(game: Game, feature: Feature, laid: Laid) -> bool:
    """A chapel is complete like a tower: when no port of it faces an empty cell.

    By switch ``chapel_completion`` it is complete like a cloister of Carcassonne. All cells inside
    the wall around its tiles must then be filled too, corners included.

    Passes: a chapel between courts and a gate.
    Fails: a chapel with one side against an empty cell.
    """
    return walled(game, feature, laid) and not empty_around(game, feature, laid)


def empty_around(game: Game, feature: Feature, laid: Laid) -> frozenset[Cell]:
    """Return the empty cells around a chapel that keep it open; none without the switch."""
    if game.value(CHAPEL_COMPLETION) == "like_tower":
        return frozenset()
    around = {
        Cell(cell.x + dx, cell.y + dy)
        for cell in feature.cells - feature.start_cells
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    }
    return frozenset(cell for cell in around if game.board.holds(cell) and cell not in laid)


@rule("falcon.chapel.score", _SECTION)
def CHAPEL_SCORE(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """A chapel of 1 to 8 tiles is worth 1, 3, 6, 10, 15, 21, 28, 36 points, more tiles 36.

    The player with strictly more followers on it takes them.

    Passes: a chapel of 5 tiles is worth 15, one of 9 tiles 36.
    Fails: a chapel of 5 tiles is worth 5.
    """
    return POINTS[min(TILES(feature), len(POINTS) - 1)]


@rule("falcon.chapel.end", f"{WIKI_2022}, ruling of the publisher")
def CHAPEL_END(game: Game, feature: Feature, laid: Laid) -> int:  # noqa: ARG001
    """An incomplete chapel scores 0 at the end; no wall tile is for chapels.

    Passes: an open chapel of 5 tiles scores 0.
    Fails: it scores 15.
    """
    return 0


def with_chapels(
    table: Callable[[Game], Mapping[Kind, Worth]],
) -> Callable[[Game], Mapping[Kind, Worth]]:
    """Return a table of points with a row for chapels."""
    return lambda game: {**table(game), Kind.CHAPEL: Worth(done=0, steps=POINTS)}
