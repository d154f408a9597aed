"""Legal places of tiles in Carcassonne."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.book import Border
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, Side, middle
from burgrave.model.places import hasty_discards, neighbours
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.carcassonne.setup import RULEBOOK
from burgrave.model.tiles import Kind, PlacedTile, TileKind

_SECTION = f"{RULEBOOK}, 'Placing land tiles'"
ORIGIN = Cell(0, 0)


@rule("carcassonne.place.empty", _SECTION)
def EMPTY(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A tile lies on an empty cell; the plane has no end.

    Passes: (3,4), while it is empty.
    Fails: a cell with a tile on it.
    """
    there = position.tile_at(tile.cell)
    if there is not None:
        yield EMPTY.finding(f"cell {tile.cell} already holds tile {there.kind.id}", (tile.cell,))


@rule("carcassonne.place.adjacent", _SECTION)
def ADJACENT(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A tile has one full side against a placed tile; touching at a corner is not enough.

    No tile lies half on one cell and half on another. The first tile of an empty table lies
    on 0,0.

    Passes: a tile east of the start tile.
    Fails: a tile north-east of it, with nothing else there; or half a tile beside it.
    """
    if not position.tiles:
        if tile.cell != ORIGIN:
            yield ADJACENT.finding(f"the first tile lies on {ORIGIN}", (tile.cell,))
    elif not any(True for _ in neighbours(position, tile.cell)):
        yield ADJACENT.finding(f"{tile.cell} has no full side against a placed tile", (tile.cell,))


def _edge(kind: TileKind, side: Side, rotation: int) -> Kind | None:
    """Return the kind of segment in the middle of a side."""
    index = kind.at(middle(side), rotation)
    return None if index < 0 else kind.segments[index].kind


def borders(game: Game) -> tuple[Border, ...]:  # noqa: ARG001
    """Return the rule on sides that meet, as data."""
    return (Border(EDGE, _edge, (Kind.ROAD, Kind.CITY, Kind.FIELD)),)


@rule("carcassonne.place.edge", _SECTION)
def EDGE(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """On every side that a tile shares with another, both show the same: city, road or field.

    Passes: a road side against a road side, a city side against a city side.
    Fails: a tile that fits one of its two neighbours only.
    """
    for side, other in neighbours(position, tile.cell):
        mine, theirs = tile.side_kinds(side), other.side_kinds(side.opposite)
        if mine != theirs:
            yield EDGE.finding(
                f"the {mine} on side {side.name} of {tile.cell} meets the {theirs} of the tile on"
                f" {other.cell}",
                (tile.cell, other.cell),
            )


@rule("carcassonne.place.none", _SECTION)
def NONE(position: Position, move: Move) -> Iterator[Finding]:
    """A tile with no legal place leaves the game, and the same player draws again.

    A tile that has a place must be laid, a harmful one too; a placement may make cells that
    no tile will ever fill. If no tile is left to draw, the turn has no placement.

    Passes: discarding a tile that fits nowhere.
    Fails: discarding a tile that has one legal place.
    """
    for message, cells in hasty_discards(position, move):
        yield NONE.finding(message, cells)


PLACEMENT = (EMPTY, ADJACENT, EDGE)
"""The rules that can forbid a place."""
