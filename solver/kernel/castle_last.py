"""The last two turns of a castle game: few of them are played.

Most nodes of a search are last turns. Three facts save most of the work. Only the switch
``enclosed_hole_blocks`` matters to them: with it a tile changes features that it does not touch.

1. A *calm* turn places no follower and completes no occupied feature. It touches no occupied
   feature that wall tiles or markets can make count at the end. A calm turn changes no score,
   hand, keep or held feature. The totals then depend only on the size of the largest empty area.
   All calm turns that leave the same size have the same value.
2. A follower placed in the last turn changes totals in three cases only. The tile completes his
   feature; the feature is a court; or his player may have the wall tile that scores its kind.
3. Of other turns ``castle_glance`` tells what the mover gains at most on a calm turn's totals. The
   Falcon is an exception: tokens may win the empty area.

A turn with the last tile but one may as well follow a known reply if neither changes what the other
does; ``bounds.md`` has the conditions. It then has the bound of a last turn, counted from the
totals after the reply. If the bound is low enough, the reply answers the turn.
"""

from __future__ import annotations

from burgrave.model.castle.final_uses import KEEP_TILE
from burgrave.model.geometry import PORTS
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle import conclude, deploy, leave, play
from burgrave.solver.kernel.castle_board import largest_area, may_lie, save, undo
from burgrave.solver.kernel.castle_glance import (
    ANY_GAIN,
    gain_on,
    glance,
    is_calm,
    may_count,
    most_changed,
    most_gain,
    most_late,
)
from burgrave.solver.kernel.castle_plans import claim, is_allowed, plan, uncovers
from burgrave.solver.kernel.castle_scoring import (
    held_kinds,
    keep_of,
    kinds_to_take,
    most_and_least,
    totals,
)
from burgrave.solver.kernel.castle_state import IMAGINED, NUMBERS
from burgrave.solver.kernel.castle_tables import COURT
from burgrave.solver.kernel.castle_turns import (
    CELL_MASK,
    EXTRA,
    KIND,
    KIND_MASK,
    PLACE,
    PLAN_NUMBER,
    RANK,
    ROTATION,
    SEGMENT,
    is_done,
    is_first,
    list_places,
    put,
    ranks,
    turns_at,
    write,
)
from burgrave.solver.kernel.compiling import inner
from burgrave.solver.kernel.job import (
    AGAINST,
    HOPELESS,
    NONE,
    among,
    improves,
    pick,
    refuted,
    worth,
)
from burgrave.solver.kernel.records import Job, State, Tables

UNKNOWN = -(1 << 60)
"""Marks a size of the empty area whose value is unknown."""


@inner
def is_idle(s: State, t: Tables, root: int, counted: int) -> bool:
    """Tell whether a follower on an incomplete feature changes no total.

    ``counted`` has the kinds that the mover's wall tiles may score at the end, as bits.
    """
    bare = s.kind[root] == COURT and s.feature[root].markets == 0 and t.falcon == 0
    return bool(bare or not may_count(s, root, counted))


@inner
def evaluate(s: State, t: Tables, q: Job) -> int:
    """Return the value of the end of the game to the asker."""
    totals(s, t, q.worths)
    return worth(q, q.asker)


@inner
def best_last(
    s: State,
    t: Tables,
    q: Job,
    at: int,
    kind: int,
    serving: bool,
    low: int,
    high: int,
) -> int:
    """Return the value of the best last turn with a tile; see ``solver.kernel.game``."""
    q.last_turn, q.last_value = NONE, 0
    mover = int(s.now.mover)
    able = ranks(s, t, True)
    mine = held_kinds(s, mover)
    anybodys = mine | held_kinds(s, 1 - mover)
    counted = mine | kinds_to_take(s, t)
    opposed = serving == (mover == q.asker)
    q.by_area[:] = UNKNOWN
    q.least[:] = 0
    q.filled = NONE
    area_counts = t.falcon != 0 or keep_of(s, t, 0) != keep_of(s, t, 1)
    for player in range(2):
        # Final scoring counts these wall tiles 8; ``keep_of`` may not count them yet.
        area_counts = area_counts or s.now.fresh_hand[player, KEEP_TILE] > 0
    for index in range(list_places(s, t, kind, len(s.places))):
        turn = int(s.places[index])
        cell = turn & CELL_MASK
        if t.holes_block:
            all_on(s, t, q, turn, counted, False, serving, low, high)
            if refuted(q, serving, low, high):
                break
            continue
        clear = glance(s, t, cell, turn >> ROTATION)
        calm = clear and is_calm(s, t, kind, anybodys)
        area = area_without(s, t, cell) if area_counts else 0
        if q.by_area[area] == UNKNOWN and (calm or not t.falcon):
            only_fill(s, t, q, cell, area)
        q.plain_known = int(q.by_area[area] != UNKNOWN)
        q.plain[0], q.plain[1] = q.area_totals[area, 0], q.area_totals[area, 1]
        gain = 0
        if calm:
            improves(q, q.by_area[area], turn, serving)
        else:
            gain = most_changed(s, t, q, kind) if opposed else ANY_GAIN
        if able and gain != ANY_GAIN:
            more = most_gain(s, t, q, kind, mine)
            gain = gain + more if more != ANY_GAIN else ANY_GAIN
        quiet = calm and gain == 0
        if not quiet and not hopeless(s, q, mover, gain, turn, serving, low, high):
            all_on(s, t, q, turn, mine if clear else counted, calm, serving, low, high)
        if refuted(q, serving, low, high):
            break
    return int(q.last_value)


@inner
def hopeless(
    s: State, q: Job, mover: int, gain: int, turn: int, serving: bool, low: int, high: int
) -> bool:
    """Tell whether a gain cannot improve the best turn, or not beyond the mover's bad side.

    Args:
        s: the state.
        q: the job, with the best turn so far, and the totals of a turn without this gain.
        mover: the player to move.
        gain: the most points that he gains on these totals.
        turn: the turn that ``q`` notes with its bound outside the window.
        serving: whether he maximises the asker's value.
        low: the lower end of the window.
        high: the upper end of the window.

    """
    if gain == ANY_GAIN or q.plain_known == 0 or q.prunings & HOPELESS == 0 or s.now.covered:
        return False
    for player in range(2):
        q.worths[player] = q.plain[player]
    q.worths[mover] += gain
    reach = worth(q, q.asker)
    if reach <= low if serving else reach >= high:
        improves(q, reach, turn, serving)
    return bool(
        q.last_turn != NONE and (reach <= q.last_value if serving else reach >= q.last_value)
    )


@inner
def area_without(s: State, t: Tables, cell: int) -> int:
    """Return the size of the largest empty area once a cell is filled."""
    low, high = s.empty[0], s.empty[1]
    s.empty[0] = low & ~t.bit[cell, 0]
    s.empty[1] = high & ~t.bit[cell, 1]
    found = largest_area(s, t)
    s.empty[0], s.empty[1] = low, high
    return found


@inner
def only_fill(s: State, t: Tables, q: Job, cell: int, area: int) -> None:
    """Note the totals and the value after a calm turn on a cell.

    In The Castle all sizes of the empty area follow from the totals without a tile. An occupied
    feature may face the cell, so that it must be empty there.

    Args:
        s: the state.
        t: the tables.
        q: the job; the totals are written to ``area_totals`` and the value to ``by_area``.
        cell: the cell.
        area: the size of the largest empty area once the cell is filled; 0 if it does not count.

    """
    if q.filled == NONE:
        low, high = s.empty[0], s.empty[1]
        save(s)
        leave(s)
        if t.falcon:
            s.empty[0] = low & ~t.bit[cell, 0]
            s.empty[1] = high & ~t.bit[cell, 1]
        q.nodes += 1
        totals(s, t, q.worths)
        keeps = keep_of(s, t, 0) - keep_of(s, t, 1)
        for kind in range(COURT + 1):
            q.least[kind] = most_and_least(s, t, 1 - int(s.now.mover), kind)[1]
        s.empty[0], s.empty[1] = low, high
        undo(s, t)
        known = area
        if not t.falcon:
            q.keeper = NONE if keeps == 0 else int(keeps < 0)
            known = largest_area(s, t) if keeps else 0
            q.filled = known
        q.area_totals[known, 0], q.area_totals[known, 1] = q.worths[0], q.worths[1]
    if not t.falcon:
        for player in range(2):
            q.worths[player] = q.area_totals[q.filled, player]
        if q.keeper != NONE:
            q.worths[q.keeper] += area - q.filled
        q.area_totals[area, 0], q.area_totals[area, 1] = q.worths[0], q.worths[1]
    q.by_area[area] = worth(q, q.asker)


@inner
def all_on(
    s: State,
    t: Tables,
    q: Job,
    turn: int,
    counted: int,
    calm: bool,
    serving: bool,
    low: int,
    high: int,
) -> None:
    """Play every turn on a place that may change totals; defer those that turn a wall tile over.

    Args:
        s: the state.
        t: the tables.
        q: the job, which notes the best turn.
        turn: the turn without a follower.
        counted: the kinds that the mover's wall tiles may score at the end, as bits.
        calm: whether the turn without a follower is known already.
        serving: whether the mover maximises the asker's value.
        low: the lower end of the window.
        high: the upper end; a value beyond the mover's end stops the search.

    """
    base, able, mover = (turn & CELL_MASK) * PORTS, ranks(s, t, True), int(s.now.mover)
    save(s)
    put(s, t, turn)
    if not calm:
        q.plain_known = 0
    for segment in range(0 if calm else NONE, t.segments[turn >> KIND] if able else 0):
        claimed, done = NONE, False
        if segment >= 0:
            claimed = find(s, base + segment)
            if s.feature[claimed].men != 0 or not is_first(s, base, segment, claimed):
                continue
            done = is_done(s, claimed)
            if not done and (
                is_idle(s, t, claimed, counted)
                or hopeless(s, q, mover, most_late(s, t, mover, claimed), turn, serving, low, high)
            ):
                continue
        for rank in range(3 if segment >= 0 and not done else 1):
            if segment >= 0 and able >> rank & 1 == 0:
                continue
            one = turn | segment + 1 << SEGMENT | rank << RANK
            claim(s, t, claimed)
            plan(s, t, False)
            if s.now.covered and uncovers(s, t):
                q.rest = write(s, t, one, True, q.out, q.hints, int(q.rest))
                continue
            for number in range(s.plans):
                if not is_allowed(s, t, s.plan[number]):
                    continue
                save(s)
                if segment >= 0:
                    deploy(s, t, base + segment, rank)
                conclude(s, t, 0, number, True)
                q.nodes += 1
                found = evaluate(s, t, q)
                if segment < 0 and s.plans == 1:
                    q.plain_known = 1
                    q.plain[0], q.plain[1] = q.worths[0], q.worths[1]
                undo(s, t)
                improves(q, found, one | number << PLAN_NUMBER, serving)
                if refuted(q, serving, low, high):
                    undo(s, t)
                    return
    undo(s, t)


@inner
def without_answered(
    s: State,
    t: Tables,
    q: Job,
    first: int,
    end: int,
    reply: int,
    serving: bool,
    low: int,
    high: int,
) -> int:
    """Remove the listed turns that a reply refutes; see ``solver.kernel.game``."""
    q.last_turn, q.last_value = NONE, 0
    now = s.now
    if reply < 0 or q.play != AGAINST or q.until or t.falcon or t.holes_block:
        return end
    if now.extra or now.in_extra or now.covered or has_fresh(s):
        return end
    mover = int(now.mover)
    now.mover = 1 - mover
    listed = turns_at(s, t, reply >> KIND & KIND_MASK, reply, True, q.out, q.hints, end)
    if listed == end:
        now.mover = mover
        return end
    answer = pick(q, end, listed)
    scored = int(now.score[mover])
    play(s, t, answer, True)
    q.nodes += 1
    totals(s, t, q.worths)
    white, black = q.worths[0], q.worths[1]
    keeps = keep_of(s, t, 0) - keep_of(s, t, 1)
    if keeps > 0:
        white -= largest_area(s, t)
    elif keeps < 0:
        black -= largest_area(s, t)
    for kind in range(COURT + 1):
        q.least[kind] = most_and_least(s, t, mover, kind)[1]
    for index in range(s.touches):
        s.touched[index] = find(s, int(s.touched[index]))
    there = answer & CELL_MASK
    # Then the mover's marker might reach another space or tower than before the reply.
    moved = now.score[mover] != scored
    for tower in range(t.towers):
        moved = moved or now.tower[tower] != s.frame[s.depth - 1].now.tower[tower]
    kept, place, change = first, NONE, ANY_GAIN
    for row in range(first, end):
        turn = int(q.out[row])
        cell, gain = turn & CELL_MASK, ANY_GAIN
        if turn >> EXTRA == 0 and cell != there:
            if turn & PLACE != place:
                place = turn & PLACE
                change = late_change(s, t, q, place, moved)
            if change != ANY_GAIN:
                more = late_gain(s, t, q, turn, moved)
                gain = change + more if more != ANY_GAIN else ANY_GAIN
        answered = False
        if gain != ANY_GAIN:
            q.worths[0], q.worths[1] = white, black
            q.worths[mover] += gain
            if keeps:
                q.worths[0 if keeps > 0 else 1] += area_without(s, t, cell)
            found = worth(q, q.asker)
            answered = found <= low if serving else found >= high
            if answered:
                improves(q, found, turn, serving)
        if not answered:
            q.out[kept], q.hints[kept] = turn, q.hints[row]
            kept += 1
    undo(s, t)
    now.mover = mover
    return kept


@inner
def late_change(s: State, t: Tables, q: Job, place: int, moved: bool) -> int:
    """Return the most lead that the mover wins by a tile that may as well follow the reply.

    Args:
        s: the state after the reply, the roots of the features that it touches in ``touched``.
        t: the tables.
        q: the job.
        place: the turn that lays the tile, without a follower.
        moved: whether the mover scores in the reply, or anybody takes a wall tile.

    Returns:
        The lead, or ``ANY_GAIN`` if none is known or the order of the two tiles matters.

    """
    cell, lie = place & CELL_MASK, place >> ROTATION
    if not may_lie(s, t, cell, lie):
        return ANY_GAIN
    kind, clear = lie >> 2, glance(s, t, cell, lie)
    for index in range(s.meets):
        root = find(s, int(s.met_by[index]))
        if s.feature[root].men and among(s.touched, int(s.touches), int(s.met[index])):
            return ANY_GAIN
    for index in range(s.shuts):
        if among(s.touched, int(s.touches), int(s.shut[index])):
            return ANY_GAIN
    if clear and is_calm(s, t, kind, held_kinds(s, 0) | held_kinds(s, 1)):
        return 0
    change = most_changed(s, t, q, kind)
    return ANY_GAIN if s.loses or (moved and s.wins) else change


@inner
def late_gain(s: State, t: Tables, q: Job, turn: int, moved: bool) -> int:
    """Return the most points that a turn's follower brings; see ``late_change``, called before."""
    segment = (turn >> SEGMENT & 15) - 1
    if segment < 0:
        return 0
    root = find(s, IMAGINED + segment)
    for index in range(s.meets):
        touched = among(s.touched, int(s.touches), int(s.met[index]))
        if touched and find(s, int(s.met_by[index])) == root:
            return ANY_GAIN
    if moved and s.pays[root - IMAGINED]:
        return ANY_GAIN
    return gain_on(s, t, q, root, held_kinds(s, s.now.mover))


@inner
def has_fresh(s: State) -> bool:
    """Tell whether any player has wall tiles that become usable at the end of the turn."""
    for player in range(2):
        for number in range(NUMBERS):
            if s.now.fresh_hand[player, number]:
                return True
    return False
