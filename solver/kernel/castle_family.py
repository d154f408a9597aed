"""The functions of the castle games for generic code; ``solver.kernel.game`` documents them."""

from solver.kernel.castle import hand_over, mover, play, standing, undo
from solver.kernel.castle_board import placeable
from solver.kernel.castle_last import best_last, is_final
from solver.kernel.castle_outlook import outlook
from solver.kernel.castle_reach import reach
from solver.kernel.castle_replies import without_answered
from solver.kernel.castle_scoring import totals
from solver.kernel.castle_turns import choices, pending, shape, turns, turns_at, unseen

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
