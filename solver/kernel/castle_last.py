"""The last turn of a castle game: value the best turn and play few of the others.

Most nodes of a search are last turns. Four facts save most of the work. Only the switch
``enclosed_hole_blocks`` matters to them: with it a tile changes features that it does not touch.

1. A *calm* turn places no follower and completes no occupied feature. It touches no occupied
   feature that wall tiles or markets can make count at the end. A calm turn changes no score,
   hand, keep or held feature. The totals then depend only on the size of the largest empty area.
   All calm turns that leave the same size have the same value.
2. A follower placed in the last turn changes totals in three cases only. The tile completes his
   feature; the feature is a court; or his player may have the wall tile that scores its kind.
3. He then brings his player at most the feature's value, and his opponent nothing. The Falcon is
   an exception: his tokens may win the empty area.
4. A turn is also the last one if no coming tile can ever have a place. This holds if none has a
   place now and each empty cell is beside a tile: new tiles only ask for more.
"""

from __future__ import annotations

from model.castle.final_uses import KEEP_TILE
from model.geometry import PORTS
from model.rules.castle.keeps import A_MARKET
from solver.kernel.bits import SPAN, bit_count, lowest
from solver.kernel.castle import conclude, leave, place, restore, save
from solver.kernel.castle_board import find, fits, flood, largest_area, lay, placeable
from solver.kernel.castle_glance import ANY_GAIN, glance, is_calm, most_at_end
from solver.kernel.castle_plans import claim, holds_back, plan, uncovers
from solver.kernel.castle_plans import worth as feature_worth
from solver.kernel.castle_scoring import (
    FIRST_TILE,
    held_kinds,
    keep_of,
    kinds_to_take,
    totals,
)
from solver.kernel.castle_tables import CHAPEL, COURT
from solver.kernel.castle_turns import (
    KIND,
    KIND_MASK,
    PLAN_NUMBER,
    RANK,
    ROTATION,
    SEGMENT,
    is_done,
    is_first,
    ranks,
    write_steps,
)
from solver.kernel.compiling import inner
from solver.kernel.job import HOPELESS, NONE, improves, refuted, tiles_left, worth
from solver.kernel.records import Job, State, Tables

UNKNOWN = -(1 << 60)
"""Marks a size of the empty area whose value is unknown."""


@inner
def is_final(s: State, t: Tables, q: Job) -> bool:
    """Tell whether no coming tile can have a place after any turn with the tile in hand."""
    if tiles_left(q) == 0:
        return True
    if t.falcon or q.until or s.now.covered:
        # In The Falcon the player of the last turn matters, even without a tile. A wall tile that
        # is turned over is drawn within the turn.
        return False
    for word in range(2):
        if s.empty[word] & t.usable[word] & ~s.held[word]:
            return False
    for at in range(q.at, q.ordered):
        if placeable(s, t, q.order[at]):
            return False
    for kind in range(q.kinds if q.bag_size else 0):
        if q.bag[kind] and placeable(s, t, kind):
            return False
    return True


@inner
def idle(s: State, t: Tables, root: int, kind: int, counted: int) -> bool:
    """Tell whether a follower on an incomplete feature changes no total.

    Args:
        s: the state with the last tile laid.
        t: the tables.
        root: the root of the feature.
        kind: the kind of the feature.
        counted: the kinds that the mover's wall tiles may score at the end, as bits.

    """
    if kind == COURT:
        return bool(s.markets[root] == 0 and t.falcon == 0)
    return kind == CHAPEL or counted >> kind & 1 == 0


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
    q.by_area[:] = UNKNOWN
    area_counts = t.falcon != 0 or keep_of(s, t, 0) != keep_of(s, t, 1)
    for player in range(2):
        # Final scoring counts these wall tiles 8; ``keep_of`` may not count them yet.
        area_counts = area_counts or s.now.fresh_hand[player, KEEP_TILE] > 0
    area, most, shore_low, shore_high, next_most = 0, 0, 0, 0, 0
    if area_counts:
        most, shore_low, shore_high, next_most = widest(s, t)
    for word in range(2):
        left = s.held[word] & s.empty[word] & t.usable[word]
        while left:
            cell = word * SPAN + lowest(left)
            left &= left - 1
            calm_done = False
            for index in range(t.rotations[kind]):
                rotation = int(t.rotation[kind, index])
                if not fits(s, t, cell, kind * 4 + rotation):
                    continue
                turn = cell | rotation << ROTATION | kind << KIND
                if t.holes_block or not glance(s, t, cell, kind * 4 + rotation):
                    all_on(s, t, q, turn, counted, False, serving, low, high)
                elif not is_calm(s, t, kind, anybodys):
                    all_on(s, t, q, turn, mine, False, serving, low, high)
                else:
                    if not calm_done:
                        area = 0
                        if area_counts:
                            area = area_without(s, t, cell, most, shore_low, shore_high, next_most)
                        if q.by_area[area] == UNKNOWN:
                            q.by_area[area] = played(s, t, q, turn)
                            q.area_totals[area, 0] = q.worths[0]
                            q.area_totals[area, 1] = q.worths[1]
                        improves(q, q.by_area[area], turn, serving)
                        calm_done = True
                    q.plain_known = 1
                    q.plain[0] = q.area_totals[area, 0]
                    q.plain[1] = q.area_totals[area, 1]
                    gain = most_gain(s, t, kind, mine) if able else 0
                    if gain and not hopeless(s, q, mover, gain, serving):
                        all_on(s, t, q, turn, mine, True, serving, low, high)
                if refuted(q, serving, low, high):
                    return int(q.last_value)
    return int(q.last_value)


@inner
def most_gain(s: State, t: Tables, kind: int, mine: int) -> int:
    """Return the most points that a follower on a calm tile brings, or ``ANY_GAIN``.

    Args:
        s: the state after ``glance``.
        t: the tables.
        kind: the kind of the tile.
        mine: the kinds that the mover's wall tiles score at the end, as bits.

    """
    most = 0
    for segment in range(t.segments[kind]):
        if s.group[segment] != segment or s.group_men[segment]:
            continue
        shows = int(t.shows[kind, segment])
        closed = s.group_open[segment, 0] | s.group_open[segment, 1] == 0
        if closed and shows != COURT:
            # He scores at once, and his marker may reach a wall tile.
            return ANY_GAIN
        most = max(most, most_at_end(s, t, kind, segment, mine))
    return most


@inner
def hopeless(s: State, q: Job, mover: int, gain: int, serving: bool) -> bool:
    """Tell whether an extra gain over the turn without a follower cannot improve the best turn.

    Args:
        s: the state.
        q: the job, with the best turn so far, and the totals after the turn without a follower.
        mover: the player to move.
        gain: his extra points.
        serving: whether he maximises the asker's value.

    """
    if gain == ANY_GAIN or q.plain_known == 0 or q.prunings & HOPELESS == 0 or s.now.covered:
        return False
    for player in range(2):
        q.worths[player] = q.plain[player]
    q.worths[mover] += gain
    reach = worth(q, q.asker)
    return bool(reach <= q.last_value if serving else reach >= q.last_value)


@inner
def most_late(s: State, t: Tables, player: int, root: int) -> int:
    """Return the most points that a follower brings on an incomplete feature, or ``ANY_GAIN``.

    Args:
        s: the state with the last tile laid.
        t: the tables.
        player: the owner of the follower, the only one on the feature.
        root: the root of the feature.

    """
    kind = int(s.kind[root])
    if t.falcon or kind > COURT:
        return ANY_GAIN
    number = FIRST_TILE + kind
    tiles = int(s.now.hand[player, number] + s.now.fresh_hand[player, number])
    for tower in range(t.towers):
        if s.now.tower[tower] == number or s.now.tower[tower] == 0:
            tiles += 1
    if kind == COURT:
        return int(s.markets[root]) * (A_MARKET + (A_MARKET + 1) * tiles)
    return feature_worth(s, root) * tiles


@inner
def widest(s: State, t: Tables) -> tuple[int, int, int, int]:
    """Return the largest empty area's size and cells (two words), and the next area's size."""
    most = most_low = most_high = after = 0
    left_low, left_high = s.empty[0], s.empty[1]
    while left_low | left_high:
        first_low = left_low & -left_low
        first_high = 0 if left_low else left_high & -left_high
        low, high = flood(t.linked, first_low, first_high, left_low, left_high)
        cells = bit_count(low) + bit_count(high)
        if cells > most:
            most, most_low, most_high, after = cells, low, high, most
        else:
            after = max(after, cells)
        left_low &= ~low
        left_high &= ~high
    return most, most_low, most_high, after


@inner
def divides(t: Tables, cell: int, low: int, high: int) -> bool:
    """Tell whether a connected area falls apart if one of its cells is filled."""
    low &= ~t.bit[cell, 0]
    high &= ~t.bit[cell, 1]
    near_low, near_high = t.linked[cell, 0] & low, t.linked[cell, 1] & high
    if bit_count(near_low) + bit_count(near_high) < 2:
        return False
    reached_low = near_low & -near_low
    reached_high = 0 if near_low else near_high & -near_high
    ahead_low, ahead_high = reached_low, reached_high
    while (near_low & ~reached_low) | (near_high & ~reached_high):
        if ahead_low | ahead_high == 0:
            return True
        step_low = step_high = 0
        while ahead_low:
            one = lowest(ahead_low)
            ahead_low &= ahead_low - 1
            step_low |= t.linked[one, 0]
            step_high |= t.linked[one, 1]
        while ahead_high:
            one = SPAN + lowest(ahead_high)
            ahead_high &= ahead_high - 1
            step_low |= t.linked[one, 0]
            step_high |= t.linked[one, 1]
        ahead_low = step_low & low & ~reached_low
        ahead_high = step_high & high & ~reached_high
        reached_low |= ahead_low
        reached_high |= ahead_high
    return False


@inner
def area_without(
    s: State, t: Tables, cell: int, most: int, shore_low: int, shore_high: int, after: int
) -> int:
    """Return the size of the largest empty area once a cell is filled.

    Args:
        s: the state.
        t: the tables.
        cell: the cell.
        most: the size of the largest area, as ``widest`` returns it.
        shore_low: the first word of its cells.
        shore_high: the second.
        after: the size of the next area.

    """
    if (shore_low & t.bit[cell, 0]) | (shore_high & t.bit[cell, 1]) == 0:
        return most
    if after >= most - 1:
        return after
    if not divides(t, cell, shore_low, shore_high):
        return most - 1
    low, high = s.empty[0], s.empty[1]
    s.empty[0] = low & ~t.bit[cell, 0]
    s.empty[1] = high & ~t.bit[cell, 1]
    found = largest_area(s, t)
    s.empty[0], s.empty[1] = low, high
    return found


@inner
def finish(s: State, t: Tables, q: Job, number: int) -> None:
    """Finish a last turn after tile and follower; play the turn without a tile if it follows."""
    last = tiles_left(q) == 0
    conclude(s, t, 0, number, last)
    if not last:
        leave(s)


@inner
def played(s: State, t: Tables, q: Job, turn: int) -> int:
    """Return the value after a last turn without a follower that completes no occupied feature."""
    save(s)
    lay(s, t, turn & 127, (turn >> KIND & KIND_MASK) * 4 + (turn >> ROTATION & 3))
    s.frame[s.depth - 1].cell = turn & 127
    # It completes no occupied feature: there is no new plan, and an old plan must not be used.
    s.dones = 0
    finish(s, t, q, 0)
    q.nodes += 1
    found = evaluate(s, t, q)
    restore(s, t)
    return found


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
    cell, kind = turn & 127, turn >> KIND & KIND_MASK
    able = ranks(s, t, True)
    save(s)
    lay(s, t, cell, kind * 4 + (turn >> ROTATION & 3))
    frame = s.frame[s.depth - 1]
    frame.cell = cell
    joins_changes = s.changes
    mover = int(s.now.mover)
    if not calm:
        q.plain_known = 0
    for segment in range(NONE, t.segments[kind] if able else 0):
        claimed, root, done = NONE, NONE, False
        if segment < 0 and calm:
            continue
        if segment >= 0:
            root = find(s, cell * PORTS + segment)
            if s.men[root] != 0 or not is_first(s, cell * PORTS, segment, root):
                continue
            done = is_done(s, root)
            if done:
                claimed = root
            elif idle(s, t, root, int(s.kind[root]), counted) or hopeless(
                s, q, mover, most_late(s, t, mover, root), serving
            ):
                continue
        for rank in range(3 if segment >= 0 and not done else 1):
            if segment >= 0 and able >> rank & 1 == 0:
                continue
            claim(s, t, claimed)
            plan(s, t, False)
            if s.now.covered and uncovers(s, t):
                follower = segment + 1 << SEGMENT | rank << RANK
                final, rest = tiles_left(q) == 0, int(q.rest)
                q.rest = write_steps(s, t, turn | follower, final, q.out, q.hints, rest)
                continue
            plans = s.plans
            for number in range(plans):
                if number:
                    # The plan before changed the state from which the plans were computed.
                    claim(s, t, claimed)
                    plan(s, t, False)
                if t.optional == 0 and holds_back(s, s.plan[number]):
                    continue
                if segment >= 0:
                    place(s, t, cell * PORTS + segment, rank)
                finish(s, t, q, number)
                q.nodes += 1
                found = evaluate(s, t, q)
                if segment < 0 and plans == 1:
                    q.plain_known = 1
                    q.plain[0], q.plain[1] = q.worths[0], q.worths[1]
                s.now = frame.now
                while s.changes > joins_changes:
                    s.changes -= 1
                    s.men[s.changed[s.changes]] = s.men_before[s.changes]
                follower = segment + 1 << SEGMENT | rank << RANK
                improves(q, found, turn | follower | number << PLAN_NUMBER, serving)
                if refuted(q, serving, low, high):
                    restore(s, t)
                    return
    restore(s, t)
