"""The ways to score the features that a tile completes: doubling, order, wall tiles taken.

As in the reference, a way names an order only if another order has another outcome. Of the orders
with one outcome, the first stands for all. If a turn turns a wall tile over, the mover decides
step by step, so that every order is a way.
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_board import size
from burgrave.solver.kernel.castle_state import CLAIMS, FALCONER, KING, PLANS
from burgrave.solver.kernel.castle_tables import HOUSE, PATH, TOWER
from burgrave.solver.kernel.compiling import inner

DOUBLES_TOWER, DOUBLES_HOUSE = 2, 3
"""The numbers of the wall tiles that double."""


@inner
def worth(s: Any, t: Any, root: int) -> int:
    """Return the points of a path, tower, house or chapel without wall tiles and king."""
    one = s.feature[root]
    return int(t.worth[s.kind[root], int(one.fountains > 0), size(one.mask)])


@inner
def doubler_of(kind: int) -> int:
    """Return the wall tile that doubles features of a kind, or 0."""
    return DOUBLES_TOWER if kind == TOWER else DOUBLES_HOUSE if kind == HOUSE else 0


@inner
def stands_on(s: Any, player: int, rank: int, root: int) -> bool:
    """Tell whether the king or falconer of a player stands on a feature."""
    node = int(s.now.special[player, rank])
    return node >= 0 and find(s, node) == root


@inner
def royal(s: Any, t: Any, root: int, winner: int) -> int:
    """Return the king's factor for the scorer of a feature other than a court."""
    if not stands_on(s, winner, KING, root):
        return 1
    fountain = s.kind[root] == PATH and s.feature[root].fountains
    return 1 if fountain and t.fountain_doubles else 2


@inner
def falconry(s: Any, t: Any, root: int, winner: int) -> int:
    """Return the number of tokens that the scorer's falconer on a feature brings."""
    if not stands_on(s, winner, FALCONER, root):
        return 0
    aeries = s.feature[root].aeries
    return 0 if t.falconer_needs_aerie and aeries[0] | aeries[1] == 0 else 1


@inner
def claim(s: Any, t: Any, claimed: int) -> None:
    """Compute the claims: the completed features that a player scores, with their points.

    Args:
        s: the state, the tile laid.
        t: the tables.
        claimed: root of the feature on which the mover is to place a follower, or -1.

    """
    s.claims = 0
    now, mover = s.now, s.now.mover
    for index in range(s.dones):
        root = int(s.done[index])
        men = int(s.feature[root].men)
        balance = (men & 255) - (men >> 8)
        if root == claimed:
            balance += 1 - 2 * mover
        if balance == 0:
            continue
        winner = 1 if balance < 0 else 0
        doubler = doubler_of(int(s.kind[root]))
        points, tokens = worth(s, t, root), 0
        if t.falcon:
            points *= royal(s, t, root, winner)
            tokens = falconry(s, t, root, winner)
            barred = stands_on(s, winner, KING, root)
            if barred or (t.any_king_bars and stands_on(s, 1 - winner, KING, root)):
                doubler = 0
        held = int(now.hand[winner, doubler]) if doubler else 0
        if winner != mover and t.own_turn_only:
            held = 0
        if t.double_once:
            held = min(held, 1)
        if s.claims == CLAIMS:
            s.overflow = 1
            return
        s.claim_root[s.claims] = root
        s.claim_winner[s.claims] = winner
        s.claim_points[s.claims] = points
        s.claim_doubler[s.claims] = doubler
        s.claim_doublings[s.claims] = held
        s.claim_tokens[s.claims] = tokens
        s.claims += 1


@inner
def plan(s: Any, t: Any, every: bool) -> None:
    """List the plans: the ways to score the claims, in the reference's order.

    Args:
        s: the state.
        t: the tables.
        every: whether orders with the same outcome are different plans.

    """
    s.plans = 0
    for index in range(s.claims):
        s.using[index] = 0
    while True:
        if _affordable(s):
            _plan_orders(s, t, every)
        index = s.claims - 1
        while index >= 0 and s.using[index] == s.claim_doublings[index]:
            s.using[index] = 0
            index -= 1
        if index < 0:
            return
        s.using[index] += 1


@inner
def _affordable(s: Any) -> bool:
    """Tell whether the players hold the wall tiles in ``using``."""
    for index in range(s.claims):
        if not s.using[index]:
            continue
        winner, doubler = s.claim_winner[index], s.claim_doubler[index]
        used = 0
        for other in range(s.claims):
            if s.claim_winner[other] == winner and s.claim_doubler[other] == doubler:
                used += s.using[other]
        if used > s.now.hand[winner, doubler]:
            return False
    return True


@inner
def _plan_orders(s: Any, t: Any, every: bool) -> None:
    """Add a plan for each outcome of the orders of scoring, with the wall tiles in ``using``.

    The arguments are as for ``plan``.
    """
    first, mine, count = s.plans, 0, s.claims
    for index in range(count):
        if s.claim_winner[index] == s.now.mover:
            s.ordering[mine] = index
            mine += 1
    at = mine
    for index in range(count):
        if s.claim_winner[index] != s.now.mover:
            s.ordering[at] = index
            at += 1
    # The mover's features come first, so that an order matters only among one player's features.
    several = (mine > 1 or count - mine > 1) and (every or t.each_feature or t.gates > 0)
    while True:
        if s.plans == PLANS:
            s.overflow = 1
            return
        _score(s, t, s.plan[s.plans])
        if every or _is_new(s, first):
            s.plans += 1
        if not several:
            break
        if not _next_order(s, mine, count) and not _next_order(s, 0, mine):
            break
    if every or s.plans - first > 1:
        for index in range(first, s.plans):
            s.plan[index].whole_order = 1


@inner
def _next_order(s: Any, begin: int, end: int) -> bool:
    """Permute a part of ``ordering`` to its next order; return False after the last order."""
    at = end - 2
    while at >= begin and s.ordering[at] > s.ordering[at + 1]:
        at -= 1
    if at >= begin:
        other = end - 1
        while s.ordering[other] < s.ordering[at]:
            other -= 1
        first, second = s.ordering[at], s.ordering[other]
        s.ordering[at], s.ordering[other] = second, first
    low, high = at + 1 if at >= begin else begin, end - 1
    while low < high:
        first, second = s.ordering[low], s.ordering[high]
        s.ordering[low], s.ordering[high] = second, first
        low += 1
        high -= 1
    return at >= begin


@inner
def _score(s: Any, t: Any, found: Any) -> None:
    """Move the markers in the order of ``ordering`` and write the outcome into the plan."""
    now = s.now
    for player in range(2):
        found.score[player] = now.score[player]
        found.at_gate[player] = now.at_gate[player]
        found.takes[player] = 0
    found.uncovers = -1
    found.whole_order = 0
    for index in range(s.claims):
        one = int(s.ordering[index])
        found.order[index] = one
        found.used[one] = s.using[one]
        player = int(s.claim_winner[one])
        reach = int(found.score[player]) + (int(s.claim_points[one]) << int(s.using[one]))
        if t.gates:
            _march(t, found, player, reach)
        else:
            found.score[player] = reach
        if t.each_feature:
            _land(s, t, found, player, index + 1)
    if not t.each_feature:
        for turn in range(2):
            player = int(now.mover) if turn == 0 else 1 - int(now.mover)
            if found.score[player] != now.score[player]:
                _land(s, t, found, player, s.claims)


@inner
def _march(t: Any, found: Any, player: int, reach: int) -> None:
    """Move a marker up to a score, or to the first gate that stops it on the way."""
    here = int(found.score[player])
    least = here + int(found.at_gate[player]) if t.stops_on_gate else here + 1
    found.at_gate[player] = 0
    found.score[player] = reach
    for lap in range(here // t.track, reach // t.track + 1):
        for index in range(t.gates):
            after = lap * t.track + t.gate[index]
            if least <= after < reach:
                found.score[player] = after
                found.at_gate[player] = t.stops_on_gate
                return


@inner
def _land(s: Any, t: Any, found: Any, player: int, scored: int) -> None:
    """Take the wall tile of the corner tower under a marker, if one is there.

    Args:
        s: the state.
        t: the tables.
        found: the plan.
        player: the owner of the marker.
        scored: the number of claims scored so far.

    """
    if found.at_gate[player]:
        return
    tower = int(t.landing[found.score[player] % t.track])
    if tower < 0 or s.now.tower[tower] < 0 or (found.takes[0] | found.takes[1]) >> tower & 1:
        return
    found.takes[player] |= 1 << tower
    if s.now.covered >> tower & 1 and found.uncovers < 0:
        found.uncovers, found.until = tower, scored


@inner
def _is_new(s: Any, first: int) -> bool:
    """Tell whether the plan after the last has an outcome that no plan from ``first`` on has."""
    new = s.plan[s.plans]
    for index in range(first, s.plans):
        old = s.plan[index]
        same = new.takes[0] == old.takes[0] and new.takes[1] == old.takes[1]
        same = same and new.score[0] == old.score[0] and new.score[1] == old.score[1]
        if same and new.at_gate[0] == old.at_gate[0] and new.at_gate[1] == old.at_gate[1]:
            return False
    return True


@inner
def uncovers(s: Any, t: Any) -> bool:
    """Tell whether any legal plan turns a wall tile over."""
    for number in range(s.plans):
        if s.plan[number].uncovers >= 0 and is_allowed(s, t, s.plan[number]):
            return True
    return False


@inner
def is_allowed(s: Any, t: Any, chosen: Any) -> bool:
    """Tell whether a plan uses the mover's wall tiles 2 and 3 where he must use them."""
    if t.optional:
        return True
    mover = s.now.mover
    for doubler in (DOUBLES_TOWER, DOUBLES_HOUSE):
        left, could = int(s.now.hand[mover, doubler]), False
        for index in range(s.claims):
            if s.claim_winner[index] == mover and s.claim_doubler[index] == doubler:
                left -= int(chosen.used[index])
                could = could or not chosen.used[index]
        if could and left > 0:
            return False
    return True
