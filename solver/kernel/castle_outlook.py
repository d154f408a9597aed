"""The policy's evaluation of a castle position: the points that each player may expect.

It is a guess: the points already scored plus the points that features may still bring. A row of
weights belongs to each number of tiles left. ``solver.simulation.policy`` makes the rows.
"""

from __future__ import annotations

from typing import Any

from model.rules.castle.keeps import A_MARKET
from solver.kernel.bits import bit_count
from solver.kernel.castle_board import find
from solver.kernel.castle_plans import falconry, royal, worth
from solver.kernel.castle_scoring import FIRST_TILE, keep_of, totals
from solver.kernel.castle_state import AT_HAND, FALCONER, KING, NUMBERS
from solver.kernel.castle_tables import CHAPEL, COURT, MEN
from solver.kernel.compiling import compiled, inner

CASTLE_SUPPLY = 0
"""Offset in a row of weights: points of 0 to 8 followers in the supply."""
OPEN = 8
"""Cap on the number of empty cells beyond a feature's edges."""
CASTLE_DONE = CASTLE_SUPPLY + MEN + 1
"""Likewise, by kind the probability that a feature with 0 to 8 such cells is completed."""
CASTLE_HOME = CASTLE_DONE + (CHAPEL + 1) * (OPEN + 1)
"""Offset: the points of a follower who comes home."""
MARKETS = CASTLE_HOME + 1
"""Offset: a court's expected points for each empty cell beyond its edges."""
KEEP = MARKETS + 1
"""Offset: the points of the larger keep."""
HAND = KEEP + 1
"""Offset: the points of a wall tile in hand, by number."""
TOKEN = HAND + NUMBERS
"""Offset: the points of more aerie tokens."""
SPECIAL = TOKEN + 1
"""Offset: the points of a falconer or king at hand."""
CASTLE_MINOR = SPECIAL + 1
"""Offset: a player's share of a feature on which he has one follower too few."""
AS_ENDED = CASTLE_MINOR + 1
"""Offset: 1 if final scoring counts as if the game ended now; 0 if weights stand for it."""
AGAIN = AS_ENDED + 1
"""Offset: the points of a turn before the opponent's next, by a wall tile 1."""


@compiled
def outlook(s: Any, t: Any, w: Any, out: Any) -> None:
    """Write the final points that the policy expects; see ``solver.kernel.game``."""
    now, late = s.now, w[AS_ENDED] > 0
    if late:
        totals(s, t, out)
    for player in range(2):
        if not late:
            out[player] = now.score[player]
        out[player] += w[CASTLE_SUPPLY + min(now.supply[player], MEN)]
        for number in range(FIRST_TILE if late else NUMBERS):
            held = now.hand[player, number] + now.fresh_hand[player, number]
            out[player] += w[HAND + number] * held
        if t.falcon:
            for rank in (FALCONER, KING):
                out[player] += w[SPECIAL] * (now.special[player, rank] == AT_HAND)
    out[now.mover] += w[AGAIN] * (now.extra + now.in_extra)
    if not late:
        _areas(s, t, w, out)
    # Each feature counts once, at the first follower on it.
    for player in range(2):
        for post in range(MEN):
            node = int(now.post[player, post])
            if node >= 0:
                _hope(s, t, node, w, out)
        for rank in (FALCONER, KING):
            node = int(now.special[player, rank]) if t.falcon else -1
            if node >= 0:
                _hope(s, t, node, w, out)


@inner
def _areas(s: Any, t: Any, w: Any, out: Any) -> None:
    """Add what the larger keep and more tokens are worth."""
    keeps = keep_of(s, t, 0) - keep_of(s, t, 1)
    if keeps:
        out[0 if keeps > 0 else 1] += w[KEEP]
    if t.falcon and s.now.tokens[0] != s.now.tokens[1]:
        out[0 if s.now.tokens[0] > s.now.tokens[1] else 1] += w[TOKEN]


@inner
def _hope(s: Any, t: Any, node: int, w: Any, out: Any) -> None:
    """Add each player's expected points of a follower's feature to ``out``."""
    root = find(s, node)
    men = int(s.men[root])
    white, black, kind = men & 255, men >> 8, int(s.kind[root])
    share = 1.0 / (white + black)
    open_cells = bit_count(s.faces[root, 0] & s.empty[0]) + bit_count(s.faces[root, 1] & s.empty[1])
    done = w[CASTLE_DONE + kind * (OPEN + 1) + min(open_cells, OPEN)]
    leader = 0 if white > black else 1
    if kind == COURT:
        ends = (0 if w[AS_ENDED] > 0 else A_MARKET * s.markets[root]) + w[MARKETS] * open_cells
        done = 0.0
    else:
        ends = done * worth(s, root)
        if t.falcon and white != black:
            ends *= royal(s, t, root, leader)
            ends += done * w[TOKEN] * 0.25 * falconry(s, t, root, leader)
    if white != black:
        out[leader] += share * ends
    if abs(white - black) == 1:
        out[1 - leader] += share * w[CASTLE_MINOR] * ends * ((white if leader else black) > 0)
    out[0] += share * done * w[CASTLE_HOME] * white
    out[1] += share * done * w[CASTLE_HOME] * black
