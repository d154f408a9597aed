"""The turns of The Castle, with The Falcon or without: list them, and find them in other states.

A turn is one number. From the lowest bit: cell (7 bits), rotation (2), kind of tile (8), segment
of the follower plus 1, or 0 (4), his rank (2), wall tiles 1 played (5), number of the plan (12).
Its first two parts after the cell are the lie of its tile. A *place* is a turn that lays a tile and
does nothing else. ``PASS`` is the turn without a tile: no tile left has a place.

A turn that turns over a face-down wall tile ends there. It stands for all turns that begin with its
decisions. Its upper bits hold the corner tower plus 1 (5 bits), the claims scored before (5), and
a bit set if every order is a plan of its own. ``choices`` lists its continuations.
"""

from __future__ import annotations

from typing import Any

from burgrave.model.geometry import PORTS
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN
from burgrave.solver.kernel.bits import SPAN, lowest
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_board import lay, may_lie, save, undo
from burgrave.solver.kernel.castle_glance import glance, is_calm, most_at_end
from burgrave.solver.kernel.castle_plans import DOUBLES_TOWER, claim, is_allowed, plan, uncovers
from burgrave.solver.kernel.castle_scoring import held_kinds
from burgrave.solver.kernel.castle_state import AT_HAND, FALCONER, IMAGINED, KING
from burgrave.solver.kernel.compiling import compiled, inner

PASS = -1
LATE, GAIN = 1, 9
"""Lowest bits of the parts of an ordering score: the follower's most points at the end, and the
turn's gain. The bit below them is set if the turn has other effects."""
MOST_LATE = 255
"""Largest value of the first part; it means unknown."""
ROTATION, KIND, SEGMENT, RANK, EXTRA, PLAN_NUMBER = 7, 9, 17, 21, 23, 28
UNCOVERS, UNTIL, EVERY = 40, 45, 50
"""The lowest bit of each part of a turn."""
CELL_MASK = (1 << ROTATION) - 1
LIE_MASK = (1 << SEGMENT - ROTATION) - 1
"""The bits of the lie, from ``ROTATION`` on."""
PLACE = (1 << SEGMENT) - 1
"""The bits of a place."""
KIND_MASK = 255
"""The bits of the kind of tile, from ``KIND`` on."""
PLAN_NUMBERS = (1 << UNCOVERS - PLAN_NUMBER) - 1
"""The bits of the number of a plan, from ``PLAN_NUMBER`` on."""


@compiled
def turns(s: Any, t: Any, kind: int, last: bool, alike: bool, out: Any, hints: Any, at: int) -> int:
    """Write the legal turns with a tile of a kind; see ``solver.kernel.game``.

    If not ``alike``, a follower is listed on the first segment of each feature alone. Ordering
    scores have more parts than there, see ``GAIN``.
    """
    if kind < 0:
        if at < len(out):
            out[at] = PASS
        if at < len(hints):
            hints[at] = 0
        return at + 1
    if len(hints):
        s.counted = held_kinds(s, 0) | held_kinds(s, 1)
        s.mine = held_kinds(s, s.now.mover)
    for index in range(list_places(s, t, kind, len(s.places))):
        at = turns_on(s, t, int(s.places[index]), last, alike, out, hints, at)
    return at


@inner
def list_places(s: Any, t: Any, kind: int, most: int) -> int:
    """Write the places of a kind of tile to ``s.places``, until there are ``most``; count them."""
    count = 0
    for word in range(2):
        left = s.held[word] & s.empty[word] & t.usable[word]
        while left and count < most:
            cell = word * SPAN + lowest(left)
            left &= left - 1
            for index in range(t.turned[kind]):
                lie = int(t.lies[kind, index])
                if may_lie(s, t, cell, lie):
                    s.places[count] = cell | lie << ROTATION
                    count += 1
    return count


@compiled
def placeable(s: Any, t: Any, kind: int) -> bool:
    """Tell whether a kind of tile has a place."""
    return list_places(s, t, kind, 1) > 0


@inner
def put(s: Any, t: Any, turn: int) -> None:
    """Lay the tile of a turn, which ``undo`` lifts, since the state was saved just before."""
    cell = turn & CELL_MASK
    s.frame[s.depth - 1].cell = cell
    lay(s, t, cell, turn >> ROTATION & LIE_MASK)


@inner
def node_of(turn: int) -> int:
    """Return the node on which a turn places a follower, or -1."""
    segment = (turn >> SEGMENT & 15) - 1
    return (turn & CELL_MASK) * PORTS + segment if segment >= 0 else -1


@inner
def turns_on(
    s: Any, t: Any, place: int, last: bool, alike: bool, out: Any, hints: Any, at: int
) -> int:
    """Write every legal turn that lays a tile in one place, which fits; see ``turns``."""
    able = ranks(s, t, last)
    if not t.holes_block and glance(s, t, place & CELL_MASK, place >> ROTATION):
        return _quiet_turns(s, t, place, able, last, alike, out, hints, at)
    save(s)
    put(s, t, place)
    claim(s, t, -1)
    planned = -1
    at = write(s, t, place, last, out, hints, at)
    base = (place & CELL_MASK) * PORTS
    for segment in range(t.segments[place >> KIND] if able else 0):
        root = find(s, base + segment)
        if s.feature[root].men or not (alike or is_first(s, base, segment, root)):
            continue
        done = is_done(s, root)
        claimed = root if done else -1
        if claimed != planned:
            claim(s, t, claimed)
            planned = claimed
        for rank in range(1 if done else 3):
            if able >> rank & 1:
                follower = segment + 1 << SEGMENT | rank << RANK
                at = write(s, t, place | follower, last, out, hints, at)
    undo(s, t)
    return at


@inner
def _quiet_turns(
    s: Any, t: Any, place: int, able: int, last: bool, alike: bool, out: Any, hints: Any, at: int
) -> int:
    """Write the turns of a place for which ``glance`` returns true; ``able`` is by ``ranks``."""
    kind = place >> KIND
    scored = len(hints) > 0
    s.stirs = 0 if scored and is_calm(s, t, kind, s.counted) else 1
    s.late = 0
    at = _write_extras(s, t, place, 0, last, out, hints, at)
    for segment in range(t.segments[kind] if able else 0):
        root = find(s, IMAGINED + segment)
        if s.feature[root].men or not (alike or root == IMAGINED + segment):
            continue
        points = int(s.pays[root - IMAGINED])
        s.late = 0
        if scored and not points:
            s.late = min(MOST_LATE, most_at_end(s, t, root, s.mine, 0))
        for rank in range(1 if points else 3):
            if able >> rank & 1:
                follower = segment + 1 << SEGMENT | rank << RANK
                at = _write_extras(s, t, place | follower, points, last, out, hints, at)
    return at


@compiled
def turns_at(
    s: Any, t: Any, kind: int, like: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """Write the legal turns with the shape of another turn; see ``solver.kernel.game``."""
    cell = like & CELL_MASK
    word = cell // SPAN
    free = s.held[word] & s.empty[word] & t.usable[word] & t.bit[cell, word]
    lie = like >> ROTATION & LIE_MASK
    if not free or lie >> 2 != kind or not may_lie(s, t, cell, lie):
        return at
    lay_again(s, t, like)
    node, rank, legal = node_of(like), like >> RANK & 3, True
    if node >= 0:
        root = find(s, node)
        able = ranks(s, t, last) >> rank & 1 != 0
        legal = s.feature[root].men == 0 and able and not (rank != 0 and is_done(s, root))
    if legal:
        at = write(s, t, shape(s, like), last, out, hints, at)
    undo(s, t)
    return at


@compiled
def shape(s: Any, turn: int) -> int:
    """Return the tile, place and follower of a turn: all but wall tiles and the plan."""
    return turn & (1 << EXTRA) - 1


@inner
def lay_again(s: Any, t: Any, turn: int) -> None:
    """Save the state, lay the tile of a turn, and compute the claims with the turn's follower."""
    save(s)
    put(s, t, turn)
    node = node_of(turn)
    claim(s, t, find(s, node) if node >= 0 else -1)


@compiled
def spell(s: Any, t: Any, turn: int) -> None:
    """Compute the claims and plans of a turn that lays a tile, then lift the tile."""
    lay_again(s, t, turn)
    plan(s, t, turn >> EVERY & 1 != 0)
    undo(s, t)


@compiled
def choices(s: Any, t: Any, number: int, last: bool, out: Any, hints: Any, at: int) -> int:
    """Turn over the pending wall tile and list what follows; see ``solver.kernel.game``."""
    now, tower = s.now, int(s.now.pending)
    now.tower[tower] = number
    now.covered &= ~(1 << tower)
    lay_again(s, t, int(now.begun))
    at = write(s, t, shape(s, int(now.begun)), last, out, hints, at)
    undo(s, t)
    return at


@inner
def pending(s: Any) -> bool:
    """Tell whether a wall tile is being turned over."""
    return bool(s.now.pending >= 0)


@inner
def unseen(s: Any, number: int) -> int:
    """Return the count of face-down wall tiles with a number."""
    return int(s.now.unseen[number])


@inner
def ranks(s: Any, t: Any, last: bool) -> int:
    """Return the ranks of the followers that the mover may place, as bits."""
    player = s.now.mover
    able = 1 if s.now.supply[player] > 0 else 0
    if t.falcon and (t.specials_last or not last):
        for rank in (FALCONER, KING):
            if s.now.special[player, rank] == AT_HAND:
                able |= 1 << rank
    return able


@inner
def is_first(s: Any, base: int, segment: int, root: int) -> bool:
    """Tell whether a segment is the first of its feature on a tile."""
    for earlier in range(segment):
        if find(s, base + earlier) == root:
            return False
    return True


@inner
def is_done(s: Any, root: int) -> bool:
    """Tell whether the tile just laid completes a feature."""
    for index in range(s.dones):
        if s.done[index] == root:
            return True
    return False


@inner
def write(s: Any, t: Any, turn: int, last: bool, out: Any, hints: Any, at: int) -> int:
    """Write a turn with every plan for the claims and every number of wall tiles 1.

    If wall tiles are turned over, it is written once for each series of decisions up to the next of
    them. Decisions before an earlier one in the same turn are fixed.
    """
    now, player, start = s.now, s.now.mover, at
    s.stirs, s.late = 1, 0
    if s.claims == 0:
        return _write_extras(s, t, turn, 0, last, out, hints, at)
    steps = now.pending >= 0
    if not steps:
        if s.claims == 1 and s.claim_doublings[0] == 0 and t.gates == 0 and now.covered == 0:
            points = int(s.claim_points[0])
            gain = points if s.claim_winner[0] == player else -points
            return _write_extras(s, t, turn, gain, last, out, hints, at)
        plan(s, t, False)
        steps = now.covered != 0 and uncovers(s, t)
    if steps:
        plan(s, t, True)
    before = now.score[player] - now.score[1 - player]
    for number in range(s.plans):
        chosen = s.plan[number]
        if not is_allowed(s, t, chosen):
            continue
        gain = chosen.score[player] - chosen.score[1 - player] - before
        one = turn | number << PLAN_NUMBER
        if not steps:
            at = _write_extras(s, t, one, gain, last, out, hints, at)
            continue
        one |= 1 << EVERY
        if chosen.uncovers >= 0:
            one |= int(chosen.uncovers) + 1 << UNCOVERS | int(chosen.until) << UNTIL
        for extra in range(now.hand[player, EXTRA_TURN] + 1):
            same = one | extra << EXTRA
            if _may_extra(s, t, extra, last) and not _is_known(s, t, same, out, start, at):
                at = _write_one(s, same, gain, out, hints, at)
    return at


@inner
def _write_extras(
    s: Any, t: Any, turn: int, gain: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """Write a turn with every number of wall tiles 1 that may be played; see ``turns``."""
    for extra in range(s.now.hand[s.now.mover, EXTRA_TURN] + 1):
        if _may_extra(s, t, extra, last):
            at = _write_one(s, turn | extra << EXTRA, gain, out, hints, at)
    return at


@inner
def _may_extra(s: Any, t: Any, extra: int, last: bool) -> bool:
    """Tell whether the mover may play ``extra`` wall tiles 1."""
    now = s.now
    so_far = extra + now.extra + now.in_extra
    if extra and not t.chain and so_far > 1:
        return False
    more = extra < now.hand[now.mover, EXTRA_TURN]
    return bool(t.optional or not (more and not last and (t.chain or so_far == 0)))


@inner
def _write_one(s: Any, turn: int, gain: int, out: Any, hints: Any, at: int) -> int:
    """Write a turn and its ordering score if there is room; return the next row."""
    if at < len(out):
        out[at] = turn
    if at < len(hints):
        hints[at] = gain << GAIN | s.late << LATE | s.stirs
    return at + 1


@inner
def _is_known(s: Any, t: Any, turn: int, out: Any, start: int, end: int) -> bool:
    """Tell whether a turn is not one of those begun, or some rows hold one with its decisions."""
    if s.now.pending >= 0 and not _begins_like(s, t, turn, int(s.now.begun)):
        return True
    for row in range(start, min(end, len(out)) if turn >> UNCOVERS & 31 else start):
        listed = int(out[row])
        if listed >> UNCOVERS & 31 and _begins_like(s, t, turn, listed):
            return True
    return False


@inner
def _begins_like(s: Any, t: Any, turn: int, like: int) -> bool:
    """Tell whether a turn has the decisions of ``like`` up to the wall tile that it turns over."""
    one = s.plan[turn >> PLAN_NUMBER & PLAN_NUMBERS]
    other = s.plan[like >> PLAN_NUMBER & PLAN_NUMBERS]
    for index in range(like >> UNTIL & 31):
        claimed = one.order[index]
        if other.order[index] != claimed or one.used[claimed] != other.used[claimed]:
            return False
    if t.extra_before_draw and (turn >> EXTRA & 31) != (like >> EXTRA & 31):
        return False
    if t.doubling_before_draw:
        towers = houses = 0
        for index in range(s.claims):
            if s.claim_winner[index] == s.now.mover:
                more = int(one.used[index]) - int(other.used[index])
                if s.claim_doubler[index] == DOUBLES_TOWER:
                    towers += more
                else:
                    houses += more
        return towers == 0 and houses == 0
    return True
