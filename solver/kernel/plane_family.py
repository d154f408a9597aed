"""The functions by which generic code plays the games on a plane; see ``solver.kernel.game``."""

from solver.kernel.carcassonne import (
    hand_over,
    mover,
    placeable,
    play,
    shape,
    standing,
    turns,
    turns_at,
    undo,
)
from solver.kernel.farms import totals
from solver.kernel.plane_last import best_last, is_final, without_answered, without_idle

__all__ = [
    "best_last",
    "hand_over",
    "is_final",
    "mover",
    "placeable",
    "play",
    "shape",
    "standing",
    "totals",
    "turns",
    "turns_at",
    "undo",
    "without_answered",
    "without_idle",
]
