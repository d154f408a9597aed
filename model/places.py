"""Find the legal places of a tile, by the rules of its game."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.book import book_of
from burgrave.model.geometry import Cell, Side
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding
from burgrave.model.tiles import PlacedTile


def neighbours(position: Position, cell: Cell) -> Iterator[tuple[Side, PlacedTile]]:
    """Yield the tiles inside the wall that have a full side against ``cell``."""
    by_cell = position.by_cell()
    for side, beyond in cell.neighbours():
        if beyond in by_cell:
            yield side, by_cell[beyond]


def can_lie(position: Position, tile: PlacedTile) -> bool:
    """Tell whether no rule forbids this place and rotation."""
    return not any(True for law in book_of(position.game).placement for _ in law(position, tile))


def place_faults(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """Yield what forbids a place and rotation; of a cell that takes no tile that alone."""
    empty, *others = book_of(position.game).placement
    faults = list(empty(position, tile))
    yield from faults
    if not faults:
        for law in others:
            yield from law(position, tile)


def places(position: Position, tile_id: str) -> Iterator[PlacedTile]:
    """Yield every legal cell with every rotation that looks different.

    Args:
        position: the board.
        tile_id: a kind of the game's tile set.

    """
    kind = position.game.tile_set.kind(tile_id)
    rotations = kind.rotations()
    for cell in vacant(position):
        for rotation in rotations:
            tile = PlacedTile(cell=cell, kind=kind, rotation=rotation)
            if can_lie(position, tile):
                yield tile


def vacant(position: Position) -> Iterator[Cell]:
    """Yield the empty cells on which a tile may lie at all, ascending.

    On a plane they are those beside a tile, or the origin while there is no tile.
    """
    filled = position.by_cell()
    if not position.game.board.endless:
        yield from (cell for cell in position.game.board.cells if cell not in filled)
    elif filled:
        yield from sorted(
            {beyond for cell in filled for _, beyond in cell.neighbours()} - set(filled)
        )
    else:
        yield Cell(0, 0)


def placeable(position: Position, tile_id: str) -> bool:
    """Tell whether a tile has any legal place."""
    return any(True for _ in places(position, tile_id))


def hasty_discards(position: Position, move: Move) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """Say in words which tiles of a move leave the game although they have a place."""
    for tile_id in move.discards:
        if tile_id not in position.game.tile_set.ids():
            continue
        where = next(places(position, tile_id), None)
        if where is not None:
            yield (
                (
                    f"tile {tile_id} may not leave the game: it can lie on {where.cell} with"
                    f" rotation {where.rotation}"
                ),
                (where.cell,),
            )
