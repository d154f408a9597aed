"""Turns played and taken back in compiled code, to be timed."""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.compiling import compiled
from burgrave.solver.kernel.game import play, undo


@compiled
def play_and_undo(s: Any, t: Any, turns: Any, times: int) -> None:
    """Play each turn and undo it, repeatedly; the state is unchanged afterwards.

    Args:
        s: the state.
        t: the tables.
        turns: legal turns in the state, of tiles after which others are left.
        times: how often.

    """
    for _ in range(times):
        for i in range(turns.size):
            play(s, t, turns[i], False)
            undo(s, t)
