"""Canonical forms: positions that are the same but for colours and the way the board is turned."""

from __future__ import annotations

from model.geometry import Cell
from model.position import Position
from model.tiles import PlacedTile

Form = tuple[object, ...]
"""A value that equal positions share."""


def form(position: Position) -> Form:
    """Return the look of a position: tiles, followers and the next tile.

    Scores, supplies and the tiles that come later are left out, so that near-duplicates have
    one form. The player to move is player 0. A plane is moved to its corner, in the rotation that
    sorts first. A wall has no symmetry.
    """
    turns = range(4) if position.game.board.endless else range(1)
    return min(_turned(position, quarters) for quarters in turns)


def _turned(position: Position, quarters: int) -> Form:
    """Return the form of a position turned clockwise by some quarters."""
    cells = {tile.cell: _turn(tile.cell, quarters) for tile in position.tiles}
    dx = min((cell.x for cell in cells.values()), default=0) if position.game.board.endless else 0
    dy = min((cell.y for cell in cells.values()), default=0) if position.game.board.endless else 0
    places = {old: (new.x - dx, new.y - dy) for old, new in cells.items()}
    tiles = sorted((places[t.cell], t.kind.id, _rotation(t, quarters)) for t in position.tiles)
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
    return (tuple(tiles), tuple(followers), tuple(built), position.order[:1])


def _turn(cell: Cell, quarters: int) -> Cell:
    """Return a cell turned clockwise round 0,0."""
    for _ in range(quarters):
        cell = Cell(cell.y, -cell.x)
    return cell


def _rotation(tile: PlacedTile, quarters: int) -> int:
    """Return the lowest rotation that looks as a tile does once it is turned."""
    shape = tile.kind.shape((tile.rotation + quarters) % 4)
    return next(r for r in range(4) if tile.kind.shape(r) == shape)


def _relative(player: int | None, position: Position) -> int:
    """Return a player counted from the one to move; -1 for nobody."""
    return -1 if player is None else (player - position.to_move) % len(position.players)
