"""The tree search: best play of one or two sides, tiles in known, best, worst or random order.

Alpha-beta with fail-soft bounds, and Star2 at draws (B. W. Ballard, "The *-minimax search procedure
for trees containing chance nodes", Artificial Intelligence 21, 1983). Values are whole numbers,
large for the asker, times a *scale*. Every denominator of the chance nodes below divides it, so
that values are exact. A value inside the window ``low, high`` is exact. A result at or below
``low`` is an upper bound; one at or above ``high`` is a lower bound.

Common arguments: ``s`` the state, ``t`` the tables of its game, ``q`` the job; ``at`` the first
free row of the job's stack of turns, ``ply`` the number of turns played. A function restores state
and job, except counters, killer moves and the best turns from its ply.

Only ``value`` calls itself; its helper functions are inlined into it, since numba cannot cache
machine code of mutual recursion. ``int(np.int64(...))`` gives a constant the type of a plain
number; otherwise numba compiles ``value`` again for it.
"""

from __future__ import annotations

import numpy as np

from burgrave.solver.kernel.chance import (
    draw_case,
    list_cases,
    note_limits,
    put_back,
    row_of,
    set_key,
)
from burgrave.solver.kernel.compiling import compiled, inlined, inner
from burgrave.solver.kernel.game import (
    best_last,
    choices,
    hand_over,
    mover,
    pending,
    placeable,
    play,
    reach,
    shape,
    standing,
    totals,
    turns,
    turns_at,
    undo,
    without_answered,
)
from burgrave.solver.kernel.job import (
    ANSWERED,
    BOUND,
    CHANCE,
    CHOOSE,
    DRAW,
    HELPED,
    KEPT,
    KILLERS,
    LAST,
    MERGED,
    NONE,
    PLIES,
    PROBED,
    ROOM,
    RUNNING,
    SHOWN,
    SOLITAIRE,
    STACK,
    STAR,
    STOPPED,
    SUCCESSES,
    TOO_LARGE,
    TRANSPOSITIONS,
    WINDOWS,
    among,
    keep,
    killer,
    note_success,
    only_kind,
    pick,
    successes,
    tiles_left,
    worth,
)
from burgrave.solver.kernel.records import Job, State, Tables


@compiled
def serves(q: Job, player: int) -> bool:
    """Tell whether a player maximises the asker's value."""
    return bool(q.play == HELPED or q.play == SOLITAIRE or player == q.asker)


@inner
def count_end(s: State, t: Tables, q: Job, left: int) -> None:
    """Write each player's points to ``q.worths``: his total, or his score at the horizon."""
    if left == 0:
        totals(s, t, q.worths)
    else:
        standing(s, t, q.worths)


@inner
def step(s: State, t: Tables, q: Job, turn: int, last: bool) -> None:
    """Play a turn and count it; in a solitaire the asker moves next."""
    play(s, t, turn, last)
    if q.play == SOLITAIRE and not last:
        # Not after the last turn: final scoring needs its player.
        hand_over(s, q.asker)
    q.nodes += 1
    if q.nodes >= q.node_limit and q.state == RUNNING:
        q.state = STOPPED


@inner
def bounding(q: Job) -> bool:
    """Tell whether the search prunes positions whose upper bound is too low."""
    alone = q.play == HELPED or q.play == SOLITAIRE
    return bool(alone and q.prunings & BOUND != 0 and q.prunings & WINDOWS != 0)


@compiled
def promise(s: State, t: Tables, q: Job, at: int, end: int) -> bool:
    """Make the upper bound after each listed turn its ordering score; tell whether bounds exist."""
    left = tiles_left(q)
    if left == 0 or left <= q.until or not bounding(q) or not reach(s, t, q, left):
        return False
    for i in range(at, end):
        step(s, t, q, q.out[i], False)
        known = reach(s, t, q, left)
        undo(s, t)
        if not known:
            return False
        q.hints[i] = worth(q, q.asker)
    return True


@inner
def next_known(s: State, t: Tables, q: Job) -> int:
    """Draw tiles of known order up to the first that has a place; return its kind, or -1."""
    while q.at < q.ordered:
        kind = q.order[q.at]
        q.at += 1
        if placeable(s, t, kind):
            return int(kind)
    return NONE


@compiled
def first_value(
    s: State, t: Tables, q: Job, turn: int, last: bool, scale: int, low: int, high: int
) -> int:
    """Return the value of a position after a first turn, times ``scale``."""
    q.path[1] = shape(s, turn)
    step(s, t, q, turn, last)
    found = value(s, t, q, 0, 1, int(np.int64(DRAW)), scale, low, high)
    undo(s, t)
    return found


@inner
def value(
    s: State, t: Tables, q: Job, at: int, ply: int, kind: int, scale: int, low: int, high: int
) -> int:
    """Return the value of a position, times ``scale``.

    ``kind`` is the kind of the mover's tile, which has a place; -1 if no tile left has a place; or
    ``DRAW`` before a draw, or at the end of the game or horizon. Within a turn, ``DRAW`` means that
    a wall tile is pending, and ``SHOWN - number`` that it was turned over.
    """
    if q.state != RUNNING:
        return 0
    if kind != DRAW:
        return best(s, t, q, at, ply, kind, scale, low, high)
    q.best_kind[ply] = DRAW
    left = tiles_left(q)
    within = pending(s)
    if not within and (left == 0 or left <= q.until):
        count_end(s, t, q, left)
        return worth(q, q.asker) * scale
    if ply + 2 > PLIES:
        q.state = TOO_LARGE
        return 0
    if not within and bounding(q) and low > -q.limit * scale and reach(s, t, q, left):
        most = worth(q, q.asker) * scale
        if most <= low:
            return most
    drawn_before = q.at
    if not within:
        kind = next_known(s, t, q)
    if within or (kind < 0 and q.bag_size):
        found = unknown(s, t, q, at, ply, scale, low, high)
    else:
        found = value(s, t, q, at, ply, kind, scale, low, high)
    q.at = drawn_before
    return found


@inlined
def best(
    s: State, t: Tables, q: Job, at: int, ply: int, kind: int, scale: int, low: int, high: int
) -> int:
    """Return the value of the best turn with a tile, times ``scale``; kind -1 means no tile."""
    left = tiles_left(q)
    last = left == 0
    serving = serves(q, mover(s))
    windows = q.prunings & WINDOWS != 0
    top, chosen, known = 0, NONE, False
    quick = kind >= 0 and q.prunings & LAST != 0
    answering = left == 1 and kind >= 0 and windows and q.prunings & ANSWERED != 0
    other = only_kind(q) if answering else NONE
    bounded = False
    # The first passes play one killer move each, the last pass all others. In the end one killer
    # move is enough.
    passes, tries, asked = 2 if quick and last else KEPT + 2, 0, 0
    if kind < 0 or not windows or q.prunings & KILLERS == 0:
        passes = 1
    for number in range(passes):
        full = number == passes - 1
        if full and at + ROOM > STACK:
            q.state = TOO_LARGE
            return 0
        if full and quick and last:
            # The loop below plays the turns that turn over a wall tile.
            q.rest = at
            found = scale * best_last(s, t, q, at, kind, serving, low // scale, -(-high // scale))
            end = q.rest
            if q.last_turn != NONE and (not known or (found > top if serving else found < top)):
                top, chosen, known = found, q.last_turn, True
                q.best_turn[ply], q.best_kind[ply] = chosen, kind
                if windows and serving:
                    low = max(low, top)
                elif windows:
                    high = min(high, top)
                if low >= high:
                    break
        elif kind <= SHOWN:
            end = choices(s, t, SHOWN - kind, last, q.out, q.hints, at)
        elif full:
            end = turns(s, t, kind, last, q.prunings & MERGED == 0, q.out, q.hints, at)
            bounded = promise(s, t, q, at, end)
            for i in range(at, end if passes > 1 and not bounded else at):
                q.hints[i] += successes(q, left, shape(s, q.out[i])) << SUCCESSES
        else:
            kept = killer(q, ply, left, kind, number, quick and last)
            if kept < 0 or among(q.tried[ply], tries, shape(s, kept)):
                continue
            end = turns_at(s, t, kind, kept, last, q.out, q.hints, at)
            if end > at:
                q.tried[ply, tries] = shape(s, kept)
                tries += 1
        i = at
        while i < end:
            for rank in range(PROBED if full and answering else 0):
                reply = int(q.kept[0, other, rank])
                if among(q.asked, min(asked, PROBED), reply):
                    continue
                q.asked[asked % PROBED] = reply
                asked += 1
                # A turn with a bound outside the window stands for all that the reply refutes.
                end = without_answered(
                    s, t, q, i, end, reply, serving, low // scale, -(-high // scale)
                )
                found = scale * q.last_value
                if q.last_turn != NONE and (not known or (found > top if serving else found < top)):
                    top, chosen, known = found, q.last_turn, True
                    q.best_turn[ply], q.best_kind[ply] = chosen, kind
            if i == end:
                break
            turn = pick(q, i, end)
            if full and bounded and known and q.hints[i] * scale <= low:
                # So do all others, whose values have this upper bound.
                top = max(top, q.hints[i] * scale)
                break
            i += 1
            if full and among(q.tried[ply], tries, shape(s, turn)):
                continue
            q.path[ply + 1] = shape(s, turn)
            step(s, t, q, turn, last)
            found = value(s, t, q, end, ply + 1, int(np.int64(DRAW)), scale, low, high)
            undo(s, t)
            if q.state != RUNNING:
                return 0
            if not known or (found > top if serving else found < top):
                top, chosen, known = found, turn, True
                q.best_turn[ply], q.best_kind[ply] = chosen, kind
                if windows and serving:
                    low = max(low, top)
                elif windows:
                    high = min(high, top)
                if low >= high:
                    keep(q, left, kind, chosen)
                    note_success(q, ply, left, kind, chosen, shape(s, chosen))
                    return top
    keep(q, left, kind, chosen)
    return top


@inlined
def probe(
    s: State,
    t: Tables,
    q: Job,
    at: int,
    ply: int,
    kind: int,
    rank: int,
    scale: int,
    low: int,
    high: int,
) -> tuple[bool, int]:
    """Return whether the killer move of a rank is legal here, and the value after it."""
    last = tiles_left(q) == 0
    kept = q.kept[min(tiles_left(q), PLIES - 1), kind, rank]
    end = at
    if kept >= 0:
        end = turns_at(s, t, kind, kept, last, q.out, q.hints, at)
    found = 0
    if end > at:
        turn = pick(q, at, end)
        q.path[ply + 1] = shape(s, turn)
        step(s, t, q, turn, last)
        found = value(s, t, q, end, ply + 1, int(np.int64(DRAW)), scale, low, high)
        undo(s, t)
    return end > at, found


@inlined
def unknown(s: State, t: Tables, q: Job, at: int, ply: int, scale: int, low: int, high: int) -> int:
    """Return the value of a draw from the bag, times ``scale``."""
    if q.bag_size == 1 and not pending(s):
        # Most draws are of the last tile: no case is listed for it.
        kind = only_kind(q)
        if placeable(s, t, kind):
            q.bag[kind], q.bag_size = 0, 0
            found = value(s, t, q, at, ply, kind, scale, low, high)
            q.bag[kind], q.bag_size = 1, 1
            return found
    row, first_key, second_key = NONE, 0, 0
    if q.prunings & TRANSPOSITIONS != 0 and not pending(s):
        set_key(s, t, q, scale)
        first_key, second_key = q.key[0], q.key[1]
        row = row_of(q)
        if q.known_low[row] >= high:
            return int(q.known_low[row])
        if q.known_high[row] <= low or q.known_low[row] == q.known_high[row]:
            return int(q.known_high[row])
    start = q.cases
    list_cases(s, t, q, ply)
    found = 0
    if q.state != RUNNING:
        return 0
    if q.tile_order == CHANCE:
        found = expected(s, t, q, at, start, ply, scale, low, high)
    else:
        found = wished(s, t, q, at, start, ply, scale, low, high)
    q.cases = start
    if row != NONE and q.state == RUNNING:
        q.key[0], q.key[1] = first_key, second_key
        note_limits(q, row_of(q), found, low, high)
    return found


@inlined
def wished(
    s: State, t: Tables, q: Job, at: int, start: int, ply: int, scale: int, low: int, high: int
) -> int:
    """Return the value of the best or worst draw for the asker, by the tile order.

    Its cases are the rows from ``start`` on.
    """
    top, end = 0, q.cases
    for row in range(start, end):
        draw_case(q, ply, row)
        found = value(s, t, q, at, ply, q.case_kind[row], scale, low, high)
        put_back(q, ply, row)
        if q.state != RUNNING:
            return 0
        if row == start or (found > top if q.tile_order == CHOOSE else found < top):
            top = found
            if q.prunings & WINDOWS:
                if q.tile_order == CHOOSE:
                    low = max(low, top)
                else:
                    high = min(high, top)
                if low >= high:
                    break
    return top


@inlined
def expected(
    s: State, t: Tables, q: Job, at: int, start: int, ply: int, scale: int, low: int, high: int
) -> int:
    """Return the sum of the cases of a random draw, or a bound outside the window.

    Its cases are the rows from ``start`` on.
    """
    least, most, end = 0, 0, q.cases
    for row in range(start, end):
        if scale % q.case_out_of[row]:
            q.state = TOO_LARGE
            return 0
        share = scale // q.case_out_of[row]
        q.case_low[row] = -q.limit * share
        q.case_high[row] = q.limit * share
        least += q.case_ways[row] * q.case_low[row]
        most += q.case_ways[row] * q.case_high[row]
    serving = serves(q, mover(s))
    star = q.prunings & STAR != 0 and q.prunings & WINDOWS != 0
    probes = star and q.prunings & KILLERS != 0 and end > start + 1 and q.case_kind[start] >= 0
    for probing in range(PROBED if probes else 0, -1, -1):
        for row in range(start, end):
            if star and (least >= high or most <= low):
                break
            if q.case_low[row] == q.case_high[row]:
                continue
            ways, share = q.case_ways[row], scale // q.case_out_of[row]
            others_least = least - ways * q.case_low[row]
            others_most = most - ways * q.case_high[row]
            alpha, beta = q.case_low[row] - 1, q.case_high[row] + 1
            if star:
                # ways * case + others_most <= low: the whole is at most low, whatever comes.
                alpha = max((low - others_most) // ways, alpha)
                # ways * case + others_least >= high: the whole is at least high.
                beta = min(-((others_least - high) // ways), beta)
            kind = q.case_kind[row]
            draw_case(q, ply, row)
            known, found = True, 0
            if probing:
                known, found = probe(s, t, q, at, ply, kind, PROBED - probing, share, alpha, beta)
            else:
                found = value(s, t, q, at, ply, kind, share, alpha, beta)
            put_back(q, ply, row)
            if q.state != RUNNING:
                return 0
            # The value of one turn is a bound for the player who may choose it.
            if known and found > alpha and (serving or not probing):
                q.case_low[row] = max(q.case_low[row], found)
            if known and found < beta and (not serving or not probing):
                q.case_high[row] = min(q.case_high[row], found)
            least = others_least + ways * q.case_low[row]
            most = others_most + ways * q.case_high[row]
    return most if most <= low else least
