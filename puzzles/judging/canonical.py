"""Canonical forms: positions that are the same but for colours and the way the board is turned."""

from __future__ import annotations

from typing import Any

from burgrave.model.geometry import Cell
from burgrave.model.position import Position
from burgrave.model.tiles import TileKind

Form = tuple[object, ...]
"""A value that equal positions share."""
PORTS = 12
"""Ports of a tile, three on each side, clockwise from the left end of the north side."""


def form(position: Position) -> Form:
    """Return the look of a position: tiles, followers and the next tile.

    Scores, supplies and the tiles that come later are left out, so that near-duplicates have
    one form. The player to move is player 0; a plane is moved to its corner, turned and mirrored
    the way that sorts first, while a wall has no symmetry. Tiles that look alike count as one.
    """
    return min(
        _turned(position, quarters, mirrored=mirrored)
        for quarters, mirrored in position.game.board.symmetries
    )


def _turned(position: Position, quarters: int, *, mirrored: bool) -> Form:
    """Return the form of a position mirrored east to west, if wanted, then turned clockwise."""
    cells = {tile.cell: _moved(tile.cell, quarters, mirrored) for tile in position.tiles}
    corner = position.game.board.corner(cells.values())
    places = {old: (new.x - corner.x, new.y - corner.y) for old, new in cells.items()}
    tiles = sorted(
        (places[t.cell], _look(t.kind, t.rotation, quarters, mirrored)) for t in position.tiles
    )
    followers = sorted(
        (places[f.node.cell], f.title, _relative(f.player, position)) for f in position.followers
    )
    built = sorted(
        (
            places[t.cell],
            t.height,
            _relative(t.guard, position),
        )
        for t in position.built
    )
    kinds = [position.game.tile_set.kind(tile) for tile in position.order[:1]]
    following = tuple(min(_look(kind, 0, turn, mirrored) for turn in range(4)) for kind in kinds)
    return (tuple(tiles), tuple(followers), tuple(built), following)


def _moved(cell: Cell, quarters: int, mirrored: bool) -> Cell:  # noqa: FBT001 -- with its number
    """Return a cell mirrored, if wanted, then turned clockwise round 0,0."""
    cell = Cell(-cell.x, cell.y) if mirrored else cell
    for _ in range(quarters):
        cell = Cell(cell.y, -cell.x)
    return cell


def _look(kind: TileKind, rotation: int, quarters: int, mirrored: bool) -> str:  # noqa: FBT001 -- likewise
    """Return the shape of a tile as text after an optional reflection and a rotation."""
    looks, squares, aeries = kind.shape(rotation)
    turned = [(_seen(look, quarters, mirrored), count) for look, count in looks.items()]
    parts = [sorted(map(repr, turned))]
    for groups in (squares, aeries):
        seen = [sorted(repr(_seen(look, quarters, mirrored)) for look in one) for one in groups]
        parts.append(sorted(map(repr, seen)))
    return repr(parts)


def _seen(look: Any, quarters: int, mirrored: bool) -> tuple[object, ...]:  # noqa: FBT001 -- likewise
    """Return a segment's look with its ports mirrored, if wanted, then turned."""

    def port(number: int) -> int:
        return ((2 - number if mirrored else number) + 3 * quarters) % PORTS

    segment, ports, marks, beside = look
    # Of a city that a field borders any port is stored, so their number alone is compared.
    return (str(segment), sorted(map(port, ports)), tuple(map(str, marks)), len(beside))


def _relative(player: int | None, position: Position) -> int:
    """Return a player counted from the one to move; -1 for nobody."""
    return -1 if player is None else (player - position.to_move) % len(position.players)
