"""The Castle, with The Falcon or without, as the searches play it: turns, play, undo, ends.

A turn is one number. From the lowest bit: cell (7 bits), rotation (2), kind of tile (8), segment
of the follower plus 1, or 0 (4), his rank (2), wall tiles 1 played (5), number of the plan (the
rest). ``PASS`` is the turn for which no tile is left that has a place.
"""

from __future__ import annotations

from typing import Any

from model.geometry import PORTS
from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.kernel.bits import SPAN, bit_count, lowest
from solver.kernel.castle_board import find, fits, lay, lift, placeable
from solver.kernel.castle_glance import glance
from solver.kernel.castle_plans import claim, holds_back, plan
from solver.kernel.castle_scoring import totals
from solver.kernel.castle_state import AT_HAND, DEPTH, FALCONER, KING, NUMBERS, RESTING
from solver.kernel.castle_tables import HOUSE, MEN
from solver.kernel.castle_tokens import collect
from solver.kernel.compiling import compiled, inner

__all__ = ["PASS", "mover", "placeable", "play", "standing", "totals", "turns", "undo"]

PASS = -1
ROTATION, KIND, SEGMENT, RANK, EXTRA, PLAN_NUMBER = 7, 9, 17, 21, 23, 28
"""The lowest bit of each part of a turn."""


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
def turns(s: Any, t: Any, kind: int, last: bool, alike: bool, out: Any, hints: Any, at: int) -> int:
    """Write every legal turn that lays a tile of a kind; return where the list ends.

    An end beyond the length of ``out`` tells that the room does not do; nothing is written there.

    Args:
        s: the state.
        t: the tables.
        kind: of the tile; -1 for none, since none is left that has a place.
        last: whether no tile is left after it.
        alike: whether turns that differ only in the segment of one and the same feature on
            which the follower stands are all listed, or the first of them alone.
        out: gets the turns from ``at`` on.
        hints: gets what each brings the mover at once, less what it brings the opponent; of
            length 0 if nobody asks.
        at: where to begin.

    """
    if kind < 0:
        if at < len(out):
            out[at] = PASS
        if at < len(hints):
            hints[at] = 0
        return at + 1
    for word in range(2):
        left = s.held[word] & s.empty[word] & t.usable[word]
        while left:
            cell = word * SPAN + lowest(left)
            left &= left - 1
            for index in range(t.rotations[kind]):
                rotation = int(t.rotation[kind, index])
                if fits(s, t, cell, kind * 4 + rotation):
                    at = turns_on(s, t, cell, kind, rotation, last, alike, out, hints, at)
    return at


@inner
def turns_on(
    s: Any,
    t: Any,
    cell: int,
    kind: int,
    rotation: int,
    last: bool,
    alike: bool,
    out: Any,
    hints: Any,
    at: int,
) -> int:
    """Write every legal turn that lays a tile in one place, which fits; see ``turns``."""
    turn = cell | rotation << ROTATION | kind << KIND
    able = ranks(s, t, last)
    if not t.holes_block and glance(s, t, cell, kind * 4 + rotation):
        return _quiet_turns(s, t, turn, able, last, alike, out, hints, at)
    joins, low, high = s.joins, s.held[0], s.held[1]
    lay(s, t, cell, kind * 4 + rotation)
    claim(s, t, -1)
    planned = -1
    at = _write(s, t, turn, last, out, hints, at)
    for segment in range(t.segments[kind] if able else 0):
        root = find(s, cell * PORTS + segment)
        if s.men[root] or not (alike or is_first(s, cell * PORTS, segment, root)):
            continue
        done = is_done(s, root)
        claimed = root if done else -1
        if claimed != planned:
            claim(s, t, claimed)
            planned = claimed
        for rank in range(1 if done else 3):
            if able >> rank & 1:
                follower = segment + 1 << SEGMENT | rank << RANK
                at = _write(s, t, turn | follower, last, out, hints, at)
    lift(s, t, cell, joins, low, high)
    return at


@inner
def _quiet_turns(
    s: Any, t: Any, turn: int, able: int, last: bool, alike: bool, out: Any, hints: Any, at: int
) -> int:
    """Write the turns of a place where a glance at it does.

    Args:
        s: the state.
        t: the tables.
        turn: the turn without a follower.
        able: the ranks of the followers that the mover may place, as bits.
        last: as for ``turns``; likewise the others.
        alike: as there.
        out: as there.
        hints: as there.
        at: as there.

    """
    at = _write_extras(s, t, turn, 0, last, out, hints, at)
    for segment in range(t.segments[turn >> KIND & 255] if able else 0):
        first = s.group[segment]
        if s.group_men[first] or not (alike or first == segment):
            continue
        points = int(s.group_points[first])
        for rank in range(1 if points else 3):
            if able >> rank & 1:
                follower = segment + 1 << SEGMENT | rank << RANK
                at = _write_extras(s, t, turn | follower, points, last, out, hints, at)
    return at


@compiled
def turns_at(
    s: Any, t: Any, kind: int, like: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """Write the legal turns with tile, place and follower of a turn known from elsewhere.

    Args:
        s: the state.
        t: the tables.
        kind: of the tile, that of the turn.
        like: the turn.
        last: whether no tile is left after it.
        out: as for ``turns``.
        hints: as for ``turns``.
        at: where to begin.

    """
    cell, rotation = like & 127, like >> ROTATION & 3
    word, bit = cell // SPAN, cell % SPAN
    if not (s.held[word] & s.empty[word] & t.usable[word]) >> bit & 1:
        return at
    if not fits(s, t, cell, kind * 4 + rotation):
        return at
    joins, low, high = s.joins, s.held[0], s.held[1]
    lay(s, t, cell, kind * 4 + rotation)
    segment, rank = (like >> SEGMENT & 15) - 1, like >> RANK & 3
    claimed, legal = -1, True
    if segment >= 0:
        root = find(s, cell * PORTS + segment)
        done = is_done(s, root)
        claimed = root if done else -1
        able = ranks(s, t, last) >> rank & 1 != 0
        legal = s.men[root] == 0 and able and not (rank != 0 and done)
    if legal:
        claim(s, t, claimed)
        at = _write(s, t, shape(like), last, out, hints, at)
    lift(s, t, cell, joins, low, high)
    return at


@compiled
def shape(turn: int) -> int:
    """Return the tile, place and follower of a turn: all but wall tiles and the plan."""
    return turn & (1 << EXTRA) - 1


@compiled
def hand_over(s: Any, player: int) -> None:
    """Let the next turn be a player's, if it is not his extra turn already."""
    if s.now.mover != player:
        s.now.mover = player
        s.now.extra = 0
        s.now.in_extra = 0


@compiled
def spell(s: Any, t: Any, turn: int) -> None:
    """Work out the claims and plans of a turn that lays a tile, and take the tile off again."""
    cell = turn & 127
    joins, low, high = s.joins, s.held[0], s.held[1]
    lay(s, t, cell, (turn >> KIND & 255) * 4 + (turn >> ROTATION & 3))
    segment = (turn >> SEGMENT & 15) - 1
    claim(s, t, find(s, cell * PORTS + segment) if segment >= 0 else -1)
    plan(s, t)
    lift(s, t, cell, joins, low, high)


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
    """Tell whether no segment of a tile before this one is of the same feature."""
    for earlier in range(segment):
        if find(s, base + earlier) == root:
            return False
    return True


@inner
def is_done(s: Any, root: int) -> bool:
    """Tell whether the tile that was laid completes a feature."""
    for index in range(s.dones):
        if s.done[index] == root:
            return True
    return False


@inner
def _write(s: Any, t: Any, turn: int, last: bool, out: Any, hints: Any, at: int) -> int:
    """Write a turn with every plan for the claims and every number of wall tiles 1."""
    now, player = s.now, s.now.mover
    if s.claims == 0:
        return _write_extras(s, t, turn, 0, last, out, hints, at)
    if s.claims == 1 and s.claim_doublings[0] == 0 and t.gates == 0:
        points = int(s.claim_points[0])
        gain = points if s.claim_winner[0] == player else -points
        return _write_extras(s, t, turn, gain, last, out, hints, at)
    plan(s, t)
    before = now.score[player] - now.score[1 - player]
    for number in range(s.plans):
        chosen = s.plan[number]
        if t.optional or not holds_back(s, chosen):
            gain = chosen.score[player] - chosen.score[1 - player] - before
            one = turn | number << PLAN_NUMBER
            at = _write_extras(s, t, one, gain, last, out, hints, at)
    return at


@inner
def _write_extras(
    s: Any, t: Any, turn: int, gain: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """Write a turn with every number of wall tiles 1 that may be played; see ``turns``."""
    now = s.now
    ones = int(now.hand[now.mover, EXTRA_TURN])
    for extra in range(ones + 1):
        so_far = extra + now.extra + now.in_extra
        if extra and not t.chain and so_far > 1:
            return at
        could = extra < ones and not last and (t.chain or so_far == 0)
        if t.optional or not could:
            if at < len(out):
                out[at] = turn | extra << EXTRA
            if at < len(hints):
                hints[at] = gain
            at += 1
    return at


@compiled
def play(s: Any, t: Any, turn: int, last: bool) -> None:
    """Play a turn.

    Args:
        s: the state.
        t: the tables.
        turn: one of ``turns``.
        last: whether no tile is left after it.

    """
    if not save(s):
        return
    frame = s.frame[s.depth - 1]
    if turn < 0:
        _pass(s)
        return
    cell = turn & 127
    frame.cell = cell
    kind, rotation = turn >> KIND & 255, turn >> ROTATION & 3
    lay(s, t, cell, kind * 4 + rotation)
    segment = (turn >> SEGMENT & 15) - 1
    if segment >= 0:
        place(s, cell * PORTS + segment, turn >> RANK & 3)
    _go_on(s, t, turn >> EXTRA & 31, turn >> PLAN_NUMBER, last)


@compiled
def save(s: Any) -> bool:
    """Begin a turn that can be taken back; return whether there is room for it."""
    if s.depth == DEPTH:
        s.overflow = 1
        return False
    frame = s.frame[s.depth]
    frame.cell = -1
    frame.joins = s.joins
    frame.changes = s.changes
    frame.held[0] = s.held[0]
    frame.held[1] = s.held[1]
    frame.now = s.now
    s.depth += 1
    return True


@compiled
def restore(s: Any, t: Any) -> None:
    """Take back all since ``save``."""
    s.depth -= 1
    frame = s.frame[s.depth]
    s.now = frame.now
    while s.changes > frame.changes:
        s.changes -= 1
        s.men[s.changed[s.changes]] = s.men_before[s.changes]
    if frame.cell >= 0:
        lift(s, t, int(frame.cell), frame.joins, frame.held[0], frame.held[1])


@compiled
def undo(s: Any, t: Any) -> None:
    """Take back the turn that was played last."""
    restore(s, t)


@inner
def _pass(s: Any) -> None:
    """End the game with a turn for which no tile is left that has a place."""
    for player in range(2):
        _use_fresh(s, player, 0)
    s.now.mover = 1 - s.now.mover
    s.now.extra = 0
    s.now.in_extra = 0


@inner
def _change(s: Any, root: int, men: int) -> None:
    """Put other followers on a feature, and log what they were."""
    s.changed[s.changes] = root
    s.men_before[s.changes] = s.men[root]
    s.changes += 1
    s.men[root] = men


@inner
def place(s: Any, node: int, rank: int) -> None:
    """Take a follower of the mover out of the supply and put him on a node."""
    now, player = s.now, int(s.now.mover)
    root = find(s, node)
    _change(s, root, s.men[root] + (1 << 8 * player))
    if rank:
        now.special[player, rank] = node
        return
    now.supply[player] -= 1
    post = 0
    while now.post[player, post] >= 0:
        post += 1
    now.post[player, post] = node


@inner
def _go_on(s: Any, t: Any, extra: int, number: int, last: bool) -> None:
    """Play what follows the tile and the follower of a turn.

    Args:
        s: the state.
        t: the tables.
        extra: wall tiles 1 played.
        number: of the plan.
        last: whether no tile is left after the turn.

    """
    if s.dones:
        claim(s, t, -1)
        plan(s, t)
    conclude(s, t, extra, number, last)


@compiled
def conclude(s: Any, t: Any, extra: int, number: int, last: bool) -> None:
    """Play what follows the tile and the follower of a turn whose plans are worked out.

    The arguments are those of ``_go_on``.
    """
    now, player = s.now, int(s.now.mover)
    white = black = white_takes = black_takes = 0
    if s.dones:
        chosen = s.plan[number]
        white_takes, black_takes = int(chosen.takes[0]), int(chosen.takes[1])
        _gain(s, t, chosen)
        white, black = _go_home(s, t)
    now.hand[player, EXTRA_TURN] -= extra
    extra += now.extra
    goes_on = extra > 0 and not last
    _rest(s, t, 0, white, white_takes, goes_on and player == 0, last)
    _rest(s, t, 1, black, black_takes, goes_on and player == 1, last)
    now.mover = player if goes_on else 1 - player
    now.extra = extra - 1 if goes_on else 0
    now.in_extra = 1 if goes_on else 0


@inner
def _gain(s: Any, t: Any, chosen: Any) -> None:
    """Move markers and keeps, spend wall tiles and take tokens as a plan says."""
    now = s.now
    for player in range(2):
        now.score[player] = chosen.score[player]
        now.at_gate[player] = chosen.at_gate[player]
    for index in range(s.claims):
        one = int(chosen.order[index])
        root, winner = int(s.claim_root[one]), int(s.claim_winner[one])
        if s.kind[root] == HOUSE:
            now.keep[winner] = max(now.keep[winner], _house(s, t, root))
        if chosen.used[one]:
            now.hand[winner, s.claim_doubler[one]] -= chosen.used[one]
        if t.falcon:
            more = int(s.claim_tokens[one])
            held = int(now.tokens[0]), int(now.tokens[1]), now.gone[0], now.gone[1]
            held = collect(t, held, winner, s.aeries[root, 0], s.aeries[root, 1], more)
            now.tokens[0], now.tokens[1], now.gone[0], now.gone[1] = held


@inner
def _house(s: Any, t: Any, root: int) -> int:
    """Return the tiles of a house that count for the keep."""
    low, high = s.mask[root, 0], s.mask[root, 1]
    if not t.start_in_keep:
        low &= t.all_inside[0]
        high &= t.all_inside[1]
    return bit_count(low) + bit_count(high)


@inner
def _go_home(s: Any, t: Any) -> tuple[int, int]:
    """Take the followers off completed features; return how many ordinary ones by player."""
    now, white, black = s.now, 0, 0
    for index in range(s.dones):
        root = int(s.done[index])
        men = int(s.men[root])
        if men == 0 or (men & 255 == men >> 8 and not t.return_on_tie):
            continue
        _change(s, root, 0)
        for player in range(2):
            back = 0
            for post in range(MEN if men >> 8 * player & 255 else 0):
                node = int(now.post[player, post])
                if node >= 0 and find(s, node) == root:
                    now.post[player, post] = -1
                    back += 1
            if player == 0:
                white += back
            else:
                black += back
            for rank in (FALCONER, KING):
                node = int(now.special[player, rank])
                if node >= 0 and find(s, node) == root:
                    now.special[player, rank] = RESTING
    return white, black


@inner
def _rest(s: Any, t: Any, player: int, back: int, takes: int, waits: bool, last: bool) -> None:
    """Give a player the followers and wall tiles of the turn, to be used now or later.

    Args:
        s: the state.
        t: the tables.
        player: the player.
        back: his followers that came home.
        takes: the corner towers whose wall tile he takes, as bits.
        waits: whether he goes on with an extra turn.
        last: whether the game ends with this turn.

    """
    now = s.now
    rests = waits and not t.extra_is_next
    if rests:
        now.fresh_men[player] += back
    else:
        _use_fresh(s, player, back)
    while takes:
        tower = lowest(takes)
        takes &= takes - 1
        number = now.tower[tower]
        now.tower[tower] = -1
        if rests or (last and not t.last_turn_tiles):
            now.fresh_hand[player, number] += 1
        else:
            now.hand[player, number] += 1


@inner
def _use_fresh(s: Any, player: int, back: int) -> None:
    """Make what a player got earlier usable, with the followers that came home now."""
    now = s.now
    now.supply[player] += back + now.fresh_men[player]
    now.fresh_men[player] = 0
    for number in range(NUMBERS):
        now.hand[player, number] += now.fresh_hand[player, number]
        now.fresh_hand[player, number] = 0
    for rank in (FALCONER, KING):
        if now.special[player, rank] == RESTING:
            now.special[player, rank] = AT_HAND
