"""Moves as answers print them."""

from __future__ import annotations

from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.model.quarters import quarters_of


def seen(position: Position, move: Move) -> str:
    """Write a move, with the quarter code of a castle's tile as it lies: ``K02@3,1r3  (thht)``.

    Whoever wrote down a table by codes knows no ids of tiles.
    """
    text = write_move(position, move)
    if move.tile is None:
        return text
    laid = move.laid(position.game.tile_set.kind(move.tile))
    code = quarters_of(laid.kind, laid.rotation)
    return f"{text}  ({code})" if code else text
