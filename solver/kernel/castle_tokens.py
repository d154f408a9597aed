"""Aerie tokens of The Falcon: who takes how many, and what is given back."""

from __future__ import annotations

from typing import Any

from model.rules.falcon.aeries import TOKENS
from solver.kernel.bits import bit_count
from solver.kernel.compiling import inner

Held = tuple[int, int, int, int]
"""Tokens of White and of Black; the aeries that bring no more, as two words."""


@inner
def collect(t: Any, held: Held, winner: int, low: int, high: int, more: int) -> Held:
    """Return the tokens after a scoring.

    Args:
        t: the tables.
        held: before it.
        winner: who scores.
        low: the aeries that adjoin what he scores, first word.
        high: the second.
        more: tokens that he takes besides.

    """
    white, black, gone_low, gone_high = held
    if t.first_only:
        low &= ~gone_low
        high &= ~gone_high
        gone_low |= low
        gone_high |= high
    taken = bit_count(low) + bit_count(high) + more
    if taken:
        if winner == 0:
            white += taken
        else:
            black += taken
        over = white + black - TOKENS
        if over > 0:
            # Both give back as few as bring the supply in order; a lead that is left is kept.
            back = min(white, black, (over + 1) // 2)
            white -= back
            black -= back
        if t.capped:
            white = min(white, TOKENS)
            black = min(black, TOKENS)
    return white, black, gone_low, gone_high
