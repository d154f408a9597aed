"""Draw on top of a board: cells, places, a move, the arrows of a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import dist

from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.geometry import Cell
from burgrave.model.pictures.ground import centre, place
from burgrave.model.pictures.outlines import CELL, between
from burgrave.model.pictures.pawns import SCALE, figure, follower, tower, tower_top
from burgrave.model.pictures.shapes import corner
from burgrave.model.pictures.tiles import framed
from burgrave.model.pictures.view import View
from burgrave.model.pictures.xml import Point, box, circle, group, path, polygon, title, words
from burgrave.model.position import Move, Position


def overlays(position: Position, view: View) -> Iterator[str]:
    """Yield the overlays of a view."""
    for cell in view.legal:
        hook = str(cell)
        place = box((6, 6), CELL - 12, CELL - 12, "legal", rx=8)
        yield group(title(f"{cell}, a legal place"), place, at=corner(cell), data_legal=hook)
    for cell in view.cells:
        yield group(box((3, 3), CELL - 6, CELL - 6, "marked", rx=6), at=corner(cell))
    if view.move is not None:
        yield ghost(position, view.move, position.to_move)
    for step in view.line:
        yield ghost(position, step.move, step.player)
    yield from _arrows([step.move for step in view.line])


def ghost(position: Position, move: Move, player: int) -> str:
    """Return a move, half transparent, with captured followers crossed out.

    Args:
        position: the position before the move, or before the line that it belongs to.
        move: any move, also an illegal one.
        player: who makes it.

    """
    below, above = "", ""
    drawn: list[str] = []
    tiles = position.laid()
    if move.tile is not None and move.cell is not None:
        laid = move.laid(position.game.tile_set.kind(move.tile))
        tiles[move.cell] = laid
        at = corner(move.cell)
        below = group(box((0, 0), CELL, CELL, "empty"), at=at)
        drawn.append(group(framed(laid.kind, laid.rotation), at=at))
        above = group(box((2, 2), CELL - 4, CELL - 4, "ghost-edge"), at=at)
    for cell in move.pieces:
        begun = position.part(Towers).on(cell)
        pieces = tower(1 if begun is None else begun.height + 1)
        drawn.append(group(pieces, at=place(tiles.get(cell), cell), scale=SCALE))
    for placed in move.followers:
        at = place(tiles.get(placed.cell), placed.cell, placed.segment)
        drawn.append(follower(position.game, placed.by(player), at))
    for cell, rank in move.guards:
        begun = position.part(Towers).on(cell)
        x, y = place(tiles.get(cell), cell)
        y += SCALE * (tower_top(begun.height) - 14 if begun else 0)
        drawn.append(group(figure(position.game, player, None, rank), at=(x, y), scale=SCALE))
    for taken in move.captures:
        at = place(tiles.get(taken.cell), taken.cell, taken.segment)
        above += group(path("M-20 -20L20 20M20 -20L-20 20", "arrow"), at=at)
    said = f"{position.game.name(player)}: {move.tile or 'a turn without a tile'}"
    return group(title(said), below, group(*drawn, class_="ghost"), above, class_="move")


def _arrows(moves: list[Move]) -> Iterator[str]:
    """Yield arrows from each place of a line to the next, and the numbers of its moves."""
    places = [(number, move.cell) for number, move in enumerate(moves, 1) if move.cell]
    for (_, start), (_, end) in pairwise(places):
        yield _arrow(start, end)
    for number, cell in places:
        left, top = corner(cell)
        at = (left + 18, top + 18)
        yield circle(at, 16, "badge") + words(str(number), at, 20, "on-badge")


def _arrow(start: Cell, end: Cell) -> str:
    """Return an arrow from one cell to another."""
    a, b = centre(start), centre(end)
    length = dist(a, b)
    if length == 0:
        return ""
    tip, tail, neck = (
        between(a, b, part) for part in (1 - 26 / length, 26 / length, 1 - 50 / length)
    )
    dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    wings: list[Point] = [
        (neck[0] - dy * 14, neck[1] + dx * 14),
        (neck[0] + dy * 14, neck[1] - dx * 14),
    ]
    line = path(f"M{tail[0]:.1f} {tail[1]:.1f}L{neck[0]:.1f} {neck[1]:.1f}", "arrow")
    return line + polygon([tip, *wings], "arrow-head")
