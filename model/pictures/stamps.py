"""A board as a list of stamps: pictures of tiles and pieces, each with its place and its turn.

Who has the pictures draws a position by such a list alone and needs no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from burgrave.model.boards import Board
from burgrave.model.book import book_of
from burgrave.model.components import Rank, Role, titled
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.games import Game
from burgrave.model.pictures.castle import walled
from burgrave.model.pictures.ground import Ground, centre
from burgrave.model.pictures.outlines import CELL
from burgrave.model.pictures.pawns import (
    SCALE,
    colour,
    figure,
    guard_height,
    marker,
    tower,
    wall_tile,
)
from burgrave.model.pictures.sheet import Extent
from burgrave.model.pictures.style import PLAYER_COLOURS
from burgrave.model.pictures.tiles import unframed
from burgrave.model.pictures.view import View
from burgrave.model.pictures.wall import Wall, unknown
from burgrave.model.pictures.xml import Point, group
from burgrave.model.position import Position
from burgrave.model.registry import BASES
from burgrave.model.tiles import TileKind

TILES = 3
"""The layer of tiles."""
_WALL, _STARTS, _NUMBERS, _PLATES, _TOWERS, _FOLLOWERS = 0, 1, 2, 4, 5, 6
_INSIDE = 15
"""How far from the castle the sign of an unknown picture stands."""
_MOST_WALL_TILE = 9
"""The highest number of a wall tile."""
_MOST_PIECES = 30
"""The highest tower of which there is a picture."""


class Stamp(NamedTuple):
    """A picture on a board."""

    name: str
    """Of a tile its id; else the name of the picture in ``stamp_pictures``."""
    x: int
    """Of a tile the column of its cell; else units on the sheet, of which a cell has 100."""
    y: int
    """Of a tile the row of its cell; else units downwards."""
    turns: int = 0
    """Clockwise quarter turns."""


class StampPicture(NamedTuple):
    """A picture that is no tile, drawn round the point 0, 0."""

    svg: str
    layer: int
    """Pictures of a higher layer lie on top; ``TILES`` is that of tiles."""
    says: str = ""
    """What it is, in words: ``White's knight``."""
    extent: Extent | None = None
    """Of a wall the part of the sheet that it takes."""


def stamps(position: Position) -> tuple[Stamp, ...]:
    """Return what lies and stands on the board of a position, the lowest layer first."""
    game, towers = position.game, position.part(Towers).built
    cells = {*game.board.cells, *position.by_cell(), *(tower.cell for tower in towers)}
    ground = Ground(position, View(), cells, position.laid())
    found: list[Stamp] = []
    if game.board.cells:
        number = [one.cells for one in _walls(game)].index(game.board.cells)
        found.append(Stamp(f"wall {number}", 0, 0))
        found += [_at(f"start {p.kind.id}", centre(p.cell), p.rotation) for p in game.pictures]
        found.append(Stamp(f"numbers {number}", 0, 0))
    found += [Stamp(t.kind.id, t.cell.x, t.cell.y, t.rotation) for t in position.tiles]
    if game.board.cells:
        wall = Wall(ground)
        found += [_at(f"wall tile {number}", at) for number, at in wall.wall_tiles()]
        found += [_at(f"{colour(game, player)} marker", at) for player, at in wall.marked()]
    for begun, (x, y) in ground.built():
        found.append(_at(f"tower {begun.height}", (x, y)))
        if begun.guard is not None:
            name = _figure(colour(game, begun.guard), None, Rank.FOLLOWER)
            found.append(_at(name, (x, y + SCALE * guard_height(begun.height))))
    for who, at in ground.standing():
        found.append(_at(_figure(colour(game, who.player), who.role, who.rank), at))
    return tuple(found)


def _at(name: str, at: Point, turns: int = 0) -> Stamp:
    """Return a stamp at a place of the sheet."""
    return Stamp(name, round(at[0]), round(at[1]), turns)


def _figure(colour_of: str, role: Role | None, rank: Rank) -> str:
    """Return the name of the picture of a follower."""
    worn = "" if rank is Rank.FOLLOWER else f" {rank}"
    return f"{colour_of} {role or 'guard'}{worn}"


def _walls(game: Game) -> tuple[Board, ...]:
    """Return the boards on which a game may be played."""
    return game.walls or (game.board,)


def stamp_pictures(game: Game) -> Mapping[str, StampPicture]:
    """Return the pictures of a game that are no tiles, by the names that stamps give them.

    Players are there by their colours: all of them in a game for more than two.
    """
    more = () if game.board.cells else PLAYER_COLOURS
    game = replace(game, players=(*dict.fromkeys((*BASES[game.base].players, *more)),))
    found = dict(_pieces(game))
    if not game.board.cells:
        return found
    for number, board in enumerate(_walls(game)):
        below, above, extent = walled(game, board)
        found[f"wall {number}"] = StampPicture(below, _WALL, extent=extent)
        found[f"numbers {number}"] = StampPicture(above, _NUMBERS)
    for kind in game.picture_kinds:
        found[f"start {kind.id}"] = StampPicture(_start(kind), _STARTS)
    for number in range(_MOST_WALL_TILE + 1):
        said = f"wall tile {number or 'face down'}"
        found[f"wall tile {number}"] = StampPicture(wall_tile(number, (0, 0)), _PLATES, said)
    for player, name in enumerate(game.players):
        drawn = marker(game, player, (0, 0))
        found[f"{name} marker"] = StampPicture(drawn, _PLATES)
    return found


def _pieces(game: Game) -> Iterator[tuple[str, StampPicture]]:
    """Yield the followers and towers of a game."""
    roles = sorted({*book_of(game).roles.values()})
    ranks = (Rank.FOLLOWER, *game.specials)
    for (player, name), rank in product(enumerate(game.players), ranks):
        for role in roles:
            drawn = group(figure(game, player, role, rank), at=(0, 0), scale=SCALE)
            said = f"{game.name(player)}'s {titled(role, rank)}"
            yield _figure(name, role, rank), StampPicture(drawn, _FOLLOWERS, said)
    if not book_of(game).actions:
        return
    for height in range(1, _MOST_PIECES + 1):
        drawn = group(tower(height), at=(0, 0), scale=SCALE)
        yield f"tower {height}", StampPicture(drawn, _TOWERS, f"tower of {height}")
    for player, name in enumerate(game.players):
        drawn = group(figure(game, player), at=(0, 0), scale=SCALE)
        said = f"{game.name(player)}'s follower on a tower"
        yield _figure(name, None, Rank.FOLLOWER), StampPicture(drawn, _FOLLOWERS, said)


def _start(kind: TileKind) -> str:
    """Return the picture of a start space; a question mark for an unknown one."""
    if kind.segments:
        return group(unframed(kind), at=(-CELL / 2, -CELL / 2))
    # Pictures have the castle in the north; the page turns upright what stands in such a group.
    return group(group(unknown((0, 0)), class_="upright"), at=(0, _INSIDE - CELL / 2))
