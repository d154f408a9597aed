"""Legal places of tiles in a castle."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.boards import StartSpace
from burgrave.model.book import Border
from burgrave.model.deployment import Fault
from burgrave.model.games import Game
from burgrave.model.geometry import FACING, middle
from burgrave.model.places import hasty_discards, neighbours
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.castle.setup import RULEBOOK
from burgrave.model.switches import START_SPACE_PATHS_BIND, START_SPACE_UNKNOWN
from burgrave.model.tiles import Kind, PlacedTile, TileKind

_SECTION = f"{RULEBOOK}, 'Draw and place a castle tile'"
UNKNOWN_PICTURE = "unknown"
"""Id of the picture of a start space that nobody has described."""


def _picture(position: Position, start: StartSpace) -> PlacedTile:
    """Return the picture of a start space."""
    return position.game.pictures[position.game.board.starts.index(start)]


@rule("castle.place.inside", _SECTION)
def INSIDE(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A tile lies on an empty cell inside the wall.

    Passes: (3,4), while it is empty.
    Fails: (7,5), outside the wall; or a cell with a tile on it.
    """
    if not position.game.board.holds(tile.cell):
        yield INSIDE.finding(f"cell {tile.cell} is not inside the castle wall", (tile.cell,))
    elif (there := position.tile_at(tile.cell)) is not None:
        yield INSIDE.finding(f"cell {tile.cell} already holds tile {there.kind.id}", (tile.cell,))


@rule("castle.place.first", _SECTION)
def FIRST(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """The game's first tile has one full side against a start space.

    Passes: (0,2), which start space 6/7 faces.
    Fails: (0,3), which meets start space 6/7 at a corner only.
    """
    if not position.tiles and position.game.board.start_facing(tile.cell) is None:
        yield FIRST.finding(
            f"the first tile must have a full side against a start space; {tile.cell} has none",
            (tile.cell,),
        )


@rule("castle.place.adjacent", _SECTION)
def ADJACENT(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A later tile has one full side against a start space or a placed tile.

    Touching at a corner is not enough, and no tile lies half on one cell and half on another.

    Passes: a tile against an unused start space, far from all tiles.
    Fails: a tile that touches another at a corner only, or lies half a tile beside it.
    """
    if not position.tiles or position.game.board.start_facing(tile.cell) is not None:
        return
    if not any(True for _ in neighbours(position, tile.cell)):
        yield ADJACENT.finding(
            f"{tile.cell} has no full side against a placed tile or a start space", (tile.cell,)
        )


def borders(game: Game) -> tuple[Border, ...]:  # noqa: ARG001
    """Return the rule on sides that meet, as data."""
    return (Border(PATH, TileKind.has_path, (True,)),)


@rule("castle.place.path", _SECTION)
def PATH(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """Where a path meets the edge of a neighbouring tile, the neighbour's edge is a path too.

    It holds both ways round: a side without a path cannot be laid against a path.

    Passes: a path side against a path side.
    Fails: a path side against a court side.
    """
    for side, other in neighbours(position, tile.cell):
        mine, theirs = tile.has_path(side), other.has_path(side.opposite)
        if mine and not theirs:
            yield PATH.finding(
                f"the path on side {side.name} of {tile.cell} meets the"
                f" {other.side_kinds(side.opposite)} side of the tile on {other.cell}",
                (tile.cell, other.cell),
            )
        elif theirs and not mine:
            yield PATH.finding(
                f"the path of the tile on {other.cell} meets the {tile.side_kinds(side)} on side"
                f" {side.name} of {tile.cell}",
                (tile.cell, other.cell),
            )


@rule("castle.place.start-path", _SECTION, START_SPACE_PATHS_BIND, START_SPACE_UNKNOWN)
def START_PATH(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A path shown on a start space must be continued by a tile laid against it.

    With the switch at ``off`` nothing binds; with ``both`` a tile's path against a start
    space must meet a path there as well. An unknown picture binds nothing, or forbids the
    cell by its own switch.

    Passes: a path side against a start space that shows a path.
    Fails: a court side against a start space that shows a path.
    """
    start = position.game.board.start_facing(tile.cell)
    if start is None:
        return
    picture = _picture(position, start)
    cells = (tile.cell,)
    if picture.kind.id == UNKNOWN_PICTURE:
        if position.game.value(START_SPACE_UNKNOWN) == "forbid":
            yield START_PATH.finding(
                f"what start space {start.name} shows is not known, so no tile may be laid"
                f" against it on {tile.cell}",
                cells,
            )
        return
    binds = position.game.value(START_SPACE_PATHS_BIND)
    shows = picture.has_path(start.side.opposite)
    meets = tile.has_path(start.side)
    if shows and not meets and binds != "off":
        yield START_PATH.finding(
            f"start space {start.name} shows a path, which the {tile.side_kinds(start.side)} on"
            f" side {start.side.name} of {tile.cell} does not continue",
            cells,
        )
    elif meets and not shows and binds == "both":
        yield START_PATH.finding(
            f"the path on side {start.side.name} of {tile.cell} meets start space {start.name},"
            " which shows no path",
            cells,
        )


@rule("castle.place.free", _SECTION)
def FREE(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """Towers, houses and courts may meet each other in any combination.

    Passes: a tower side against a house side; they stay two features.
    Fails: nothing; a path is the only kind that must be continued.
    """
    for kinds, fault in met_freely(position, tile):
        if Kind.CHAPEL not in kinds:
            yield FREE.finding(*fault)


def met_freely(position: Position, tile: PlacedTile) -> Iterator[tuple[frozenset[str], Fault]]:
    """Yield the kinds other than paths that differ on two sides of an edge, with words on them."""
    for side, other in neighbours(position, tile.cell):
        if tile.has_path(side) or other.has_path(side.opposite):
            continue
        halves = (middle(side) - 1, middle(side) + 1)
        met = [(tile.kind_at(port), other.kind_at(FACING[port])) for port in halves]
        apart = frozenset(str(kind) for pair in met if pair[0] is not pair[1] for kind in pair)
        if apart:
            mine, theirs = tile.side_kinds(side), other.side_kinds(side.opposite)
            message = (
                f"the {mine} on side {side.name} of {tile.cell} may meet the {theirs} of"
                f" {other.cell}; different kinds stay different features"
            )
            yield apart, (message, (tile.cell, other.cell))


@rule("castle.place.wall", _SECTION)
def WALL(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """Any feature may end at the wall, a path too.

    Passes: a path side against the plain wall, or against a start space without a path.
    Fails: nothing; only a path shown on a start space can bind.
    """
    game = position.game
    for side, beyond in tile.cell.neighbours():
        if beyond in game.board.cells:
            continue
        start = game.board.start_facing(tile.cell)
        at_start = start is not None and start.side is side
        if at_start and start is not None and _picture(position, start).has_path(side.opposite):
            continue
        if tile.has_path(side):
            wall = f"start space {start.name}" if at_start and start is not None else "the wall"
            yield WALL.finding(
                f"the path on side {side.name} of {tile.cell} ends at {wall}", (tile.cell,)
            )
        elif not at_start:
            yield WALL.finding(
                f"the {tile.side_kinds(side)} on side {side.name} of {tile.cell} ends at the wall",
                (tile.cell,),
            )


PLACEMENT = (INSIDE, FIRST, ADJACENT, PATH, START_PATH)
"""The rules that can forbid a place."""


@rule("castle.place.none", _SECTION)
def NONE(position: Position, move: Move) -> Iterator[Finding]:
    """A tile with no legal place leaves the game, and the same player draws again.

    A tile that has a place must be laid, a harmful one too. If no tile is left to draw,
    the turn has no placement, no follower and no scoring.

    Passes: discarding a tile that fits nowhere.
    Fails: discarding a tile that has one legal place.
    """
    for message, cells in hasty_discards(position, move):
        yield NONE.finding(message, cells)
