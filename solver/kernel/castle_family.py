"""The functions by which generic code plays the games in a castle; see ``solver.kernel.game``."""

from solver.kernel.castle import (
    hand_over,
    mover,
    play,
    shape,
    standing,
    turns,
    turns_at,
    undo,
)
from solver.kernel.castle_board import placeable
from solver.kernel.castle_last import best_last
from solver.kernel.castle_scoring import totals

__all__ = [
    "best_last",
    "hand_over",
    "mover",
    "placeable",
    "play",
    "shape",
    "standing",
    "totals",
    "turns",
    "turns_at",
    "undo",
]
