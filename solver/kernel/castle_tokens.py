"""Aerie tokens of The Falcon: count those that a player takes and gives back."""

from __future__ import annotations

from typing import Any

from model.rules.falcon.aeries import TOKENS
from solver.kernel.bits import bit_count
from solver.kernel.compiling import inner

TokensHeld = tuple[int, int, int, int]
"""White's tokens, Black's tokens, and the aeries that bring no more, a set of two words."""


@inner
def collect(t: Any, held: TokensHeld, winner: int, low: int, high: int, more: int) -> TokensHeld:
    """Return the tokens after a scoring.

    Args:
        t: the tables.
        held: the tokens before it.
        winner: the player who scores.
        low: the first word of the aeries beside his scored feature.
        high: the second.
        more: his tokens from other sources.

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
            # Both return the fewest tokens that refill the supply; a leader keeps his lead.
            back = min(white, black, (over + 1) // 2)
            white -= back
            black -= back
        if t.capped:
            white = min(white, TOKENS)
            black = min(black, TOKENS)
    return white, black, gone_low, gone_high
