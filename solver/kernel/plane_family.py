"""The functions of the plane games for generic code; ``solver.kernel.game`` documents them."""

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
from solver.kernel.plane_last import (
    best_last,
    choices,
    is_final,
    pending,
    unseen,
    without_answered,
)
from solver.kernel.plane_outlook import outlook
from solver.kernel.plane_reach import reach

__all__ = [
    "best_last",
    "choices",
    "hand_over",
    "is_final",
    "mover",
    "outlook",
    "pending",
    "placeable",
    "play",
    "reach",
    "shape",
    "standing",
    "totals",
    "turns",
    "turns_at",
    "undo",
    "unseen",
    "without_answered",
]
