"""The Castle, with The Falcon or without: play a turn, take it back, and what the policy expects.

The policy's outlook is a guess: the points already scored plus the points that features may still
bring. A row of weights belongs to each number of tiles left; ``solver.simulation.policy`` makes
the rows.
"""

from __future__ import annotations

from typing import Any

from burgrave.model.rules.castle.keeps import A_MARKET
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN
from burgrave.solver.kernel.bits import bit_count, lowest
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_board import open_cells, save
from burgrave.solver.kernel.castle_plans import claim, falconry, plan, royal, stands_on, worth
from burgrave.solver.kernel.castle_scoring import FIRST_TILE, collect, keep_of, totals
from burgrave.solver.kernel.castle_state import ABSENT, AT_HAND, FALCONER, KING, NUMBERS, RESTING
from burgrave.solver.kernel.castle_tables import CHAPEL, COURT, HOUSE, MEN
from burgrave.solver.kernel.castle_turns import (
    EVERY,
    EXTRA,
    PLAN_NUMBER,
    PLAN_NUMBERS,
    RANK,
    UNCOVERS,
    node_of,
    put,
)
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import tell

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
def mover(s: Any) -> int:
    """Return the player to move."""
    return int(s.now.mover)


@compiled
def standing(s: Any, t: Any, out: Any) -> None:
    """Write each player's score as it stands on the track."""
    for player in range(2):
        out[player] = s.now.score[player]


@compiled
def hand_over(s: Any, player: int) -> None:
    """Make a player the next to move, unless his extra turn has begun."""
    if s.now.mover != player:
        s.now.mover = player
        s.now.extra = 0
        s.now.in_extra = 0


@inner
def reach(s: Any, t: Any, q: Any, left: int) -> bool:
    """Tell that no bounds exist: in a castle, finding them took longer than they saved."""
    return False


@compiled
def play(s: Any, t: Any, turn: int, last: bool) -> None:
    """Play a turn, up to the first wall tile that it turns over; see ``solver.kernel.game``."""
    if not save(s):
        return
    if turn < 0:
        leave(s)
        return
    now, tower = s.now, (turn >> UNCOVERS & 31) - 1
    if now.pending >= 0:
        now.unseen[now.tower[now.pending]] -= 1
        now.pending = -1
    if tower >= 0:
        now.pending, now.begun = tower, turn
        return
    put(s, t, turn)
    node = node_of(turn)
    if node >= 0:
        deploy(s, t, node, turn >> RANK & 3)
    if s.dones:
        claim(s, t, -1)
        plan(s, t, turn >> EVERY & 1 != 0)
    conclude(s, t, turn >> EXTRA & 31, turn >> PLAN_NUMBER & PLAN_NUMBERS, last)


@inner
def leave(s: Any) -> None:
    """End the game with a turn without a tile: no tile left has a place."""
    for player in range(2):
        _use_fresh(s, player)
    s.now.mover = 1 - s.now.mover
    s.now.extra = 0
    s.now.in_extra = 0


@inner
def _change(s: Any, root: int, men: int) -> None:
    """Replace the followers on a feature, and log the old ones."""
    s.changed[s.changes] = root
    s.men_before[s.changes] = s.feature[root].men
    s.changes += 1
    s.feature[root].men = men


@inner
def deploy(s: Any, t: Any, node: int, rank: int) -> None:
    """Place a follower from the mover's supply on a node."""
    now, player = s.now, int(s.now.mover)
    root = find(s, node)
    strength = 2 if rank and t.count_twice else 1
    _change(s, root, s.feature[root].men + (strength << 8 * player))
    if rank:
        now.special[player, rank] = node
        return
    now.supply[player] -= 1
    post = 0
    while now.post[player, post] >= 0:
        post += 1
    now.post[player, post] = node


@inner
def conclude(s: Any, t: Any, extra: int, number: int, last: bool) -> None:
    """Finish a turn after its tile and follower: score and take wall tiles by a computed plan.

    ``extra`` is the number of wall tiles 1 played, ``number`` the index of the plan in ``s.plan``.
    """
    now, mover = s.now, int(s.now.mover)
    if s.dones:
        _gain(s, t, s.plan[number])
        _go_home(s, t)
    now.hand[mover, EXTRA_TURN] -= extra
    extra += now.extra
    goes_on = extra > 0 and not last
    for player in range(2):
        rests = goes_on and player == mover and not t.extra_is_next
        if not rests:
            _use_fresh(s, player)
        takes = int(s.plan[number].takes[player]) if s.dones else 0
        while takes:
            tower = lowest(takes)
            takes &= takes - 1
            if rests or (last and not t.last_turn_tiles):
                now.fresh_hand[player, now.tower[tower]] += 1
            else:
                now.hand[player, now.tower[tower]] += 1
            now.tower[tower] = -1
    now.mover = mover if goes_on else 1 - mover
    now.extra = extra - 1 if goes_on else 0
    now.in_extra = 1 if goes_on else 0


@inner
def _gain(s: Any, t: Any, chosen: Any) -> None:
    """Carry out a plan: move markers, enlarge keeps, spend wall tiles and take tokens."""
    now = s.now
    for player in range(2):
        now.score[player] = chosen.score[player]
        now.at_gate[player] = chosen.at_gate[player]
    for index in range(s.claims):
        one = int(chosen.order[index])
        root, winner = int(s.claim_root[one]), int(s.claim_winner[one])
        if s.kind[root] == HOUSE:
            royal = t.king_on_keep and stands_on(s, winner, KING, root)
            now.keep[winner] = max(now.keep[winner], _house(s, t, root) * (2 if royal else 1))
        if chosen.used[one]:
            now.hand[winner, s.claim_doubler[one]] -= chosen.used[one]
        if t.falcon:
            more = int(s.claim_tokens[one])
            held = int(now.tokens[0]), int(now.tokens[1]), now.gone[0], now.gone[1]
            aeries = s.feature[root].aeries
            held = collect(t, held, winner, aeries[0], aeries[1], more)
            now.tokens[0], now.tokens[1], now.gone[0], now.gone[1] = held


@inner
def _house(s: Any, t: Any, root: int) -> int:
    """Return the number of a house's tiles that count for the keep."""
    low, high = s.feature[root].mask[0], s.feature[root].mask[1]
    if not t.start_in_keep:
        low &= t.all_inside[0]
        high &= t.all_inside[1]
    return bit_count(low) + bit_count(high)


@inner
def _go_home(s: Any, t: Any) -> None:
    """Take the followers off completed features; their players may use them next turn."""
    now = s.now
    for index in range(s.dones):
        root = int(s.done[index])
        men = int(s.feature[root].men)
        if men == 0 or (men & 255 == men >> 8 and not t.return_on_tie):
            continue
        _change(s, root, 0)
        for player in range(2):
            for post in range(MEN if men >> 8 * player & 255 else 0):
                node = int(now.post[player, post])
                if node >= 0 and find(s, node) == root:
                    now.post[player, post] = -1
                    now.fresh_men[player] += 1
            for rank in (FALCONER, KING):
                if stands_on(s, player, rank, root):
                    now.special[player, rank] = RESTING


@inner
def _use_fresh(s: Any, player: int) -> None:
    """Make a player's followers and wall tiles usable that he gained for his next turn."""
    now = s.now
    now.supply[player] += now.fresh_men[player]
    now.fresh_men[player] = 0
    for number in range(NUMBERS):
        if now.fresh_hand[player, number]:
            now.hand[player, number] += now.fresh_hand[player, number]
            now.fresh_hand[player, number] = 0
    for rank in (FALCONER, KING):
        if now.special[player, rank] == RESTING:
            now.special[player, rank] = AT_HAND


@compiled
def identify(s: Any, t: Any, q: Any) -> None:
    """Add what tells positions of one search apart to the job's key; see ``solver.kernel.game``."""
    now = s.now
    for turn in range(s.depth):
        cell = int(s.frame[turn].cell)
        if cell >= 0:
            tell(q, 0, int(s.lie[cell]) << 8 | cell)
    pace = int(now.extra) << 2 | int(now.in_extra) << 1 | int(now.mover)
    tell(q, 1, int(now.covered) << 16 | pace)
    hidden = towers = 0
    for number in range(NUMBERS):
        hidden = hidden << 5 | int(now.unseen[number])
    for tower in range(t.towers):
        towers = towers * (NUMBERS + 1) + int(now.tower[tower]) + 1
    tell(q, 2, hidden)
    tell(q, 3, towers)
    for player in range(2):
        what = 4 + 9 * player
        tell(q, what, int(now.keep[player]) << 32 | int(now.score[player]))
        men = int(now.supply[player]) << 8 | int(now.fresh_men[player])
        tell(q, what + 1, men << 1 | int(now.at_gate[player]))
        held = fresh = 0
        for number in range(NUMBERS):
            held = held << 5 | int(now.hand[player, number])
            fresh = fresh << 5 | int(now.fresh_hand[player, number])
        tell(q, what + 2, held)
        tell(q, what + 3, fresh)
        for post in range(MEN):
            if now.post[player, post] >= 0:
                tell(q, what + 4, int(now.post[player, post]))
        if t.falcon:
            tell(q, what + 5, int(now.tokens[player]))
            for rank in (FALCONER, KING):
                place = int(now.special[player, rank]) - ABSENT
                tell(q, what + 6, place << 2 | rank)
            # A set of 63 bits, of which both players have one word.
            tell(q, what + 7, int(now.gone[player]) & (1 << 32) - 1)
            tell(q, what + 8, int(now.gone[player]) >> 32)


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
    men = int(s.feature[root].men)
    white, black, kind = men & 255, men >> 8, int(s.kind[root])
    share = 1.0 / (white + black)
    faced = open_cells(s, root)
    done = w[CASTLE_DONE + kind * (OPEN + 1) + min(faced, OPEN)]
    leader = 0 if white > black else 1
    if kind == COURT:
        ends = 0 if w[AS_ENDED] > 0 else A_MARKET * s.feature[root].markets
        ends += w[MARKETS] * faced
        done = 0.0
    else:
        ends = done * worth(s, t, root)
        if t.falcon and white != black:
            ends *= royal(s, t, root, leader)
            ends += done * w[TOKEN] * 0.25 * falconry(s, t, root, leader)
    if white != black:
        out[leader] += share * ends
    if abs(white - black) == 1:
        out[1 - leader] += share * w[CASTLE_MINOR] * ends * ((white if leader else black) > 0)
    out[0] += share * done * w[CASTLE_HOME] * white
    out[1] += share * done * w[CASTLE_HOME] * black
