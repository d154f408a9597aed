"""Aerie tokens: who takes how many, and what is given back."""

from __future__ import annotations

from collections.abc import Sequence

from solver.falcon.flags import FalconFlags

TOKENS = 12
"""Aerie tokens in the game."""


def collected(  # noqa: PLR0913, PLR0917 -- the parts of one step
    flags: FalconFlags, held: Sequence[int], gone: int, winner: int, aeries: int, more: int
) -> tuple[tuple[int, int], int]:
    """Return the tokens of both players and the aeries that bring no more, after a scoring.

    Args:
        flags: the switches.
        held: tokens by player before it.
        gone: the aeries that bring no more, as bits.
        winner: who scores.
        aeries: the aeries that adjoin what he scores, as bits.
        more: tokens that he takes besides.

    """
    if flags.first_only:
        aeries, gone = aeries & ~gone, gone | aeries
    if not aeries and not more:
        return (held[0], held[1]), gone
    now = [held[0], held[1]]
    now[winner] += aeries.bit_count() + more
    over = now[0] + now[1] - TOKENS
    if over > 0:
        # Both give back as few as bring the supply in order; a lead that is left is kept.
        back = min(now[0], now[1], (over + 1) // 2)
        now = [now[0] - back, now[1] - back]
    if flags.capped:
        now = [min(number, TOKENS) for number in now]
    return (now[0], now[1]), gone
