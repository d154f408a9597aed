"""The last turn of a castle game: the best of all that a tile can do, most of it unplayed.

Most of the nodes of a search are last turns. Two facts spare most of the work; neither depends on a
switch but ``enclosed_hole_blocks``, with which a tile changes features that it does not touch.

1. A turn is *calm* if it touches no feature with a follower and places none. It
   changes neither scores, hands, keeps nor held features, so the totals depend on the empty cells
   alone, and on these through the size of the largest empty area alone. All calm turns that leave
   an area of one size are worth the same.
2. A follower placed in the last turn changes totals only if his feature is completed by the tile,
   is a court, or if somebody may have the wall tile that scores its kind at the end.
"""

from __future__ import annotations

from model.geometry import PORTS
from solver.kernel.bits import SPAN, lowest
from solver.kernel.castle import conclude, place, restore, save
from solver.kernel.castle_board import find, fits, largest_area, lay
from solver.kernel.castle_glance import glance
from solver.kernel.castle_plans import claim, holds_back, plan, uncovers
from solver.kernel.castle_scoring import FIRST_TILE, keep_of, totals
from solver.kernel.castle_tables import CHAPEL, COURT
from solver.kernel.castle_turns import (
    KIND,
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
from solver.kernel.job import NONE, improves, refuted, tiles_left, worth
from solver.kernel.records import Job, State, Tables

KINDS = 255
"""Bits for the kind of a tile in a turn."""
UNKNOWN = -(1 << 60)
"""Marks an area whose worth is not known."""


@inner
def counted_at_end(s: State, t: Tables, kind: int) -> bool:
    """Tell whether somebody may have the wall tile that scores features of a kind at the end."""
    number = FIRST_TILE + kind
    for player in range(2):
        if s.now.hand[player, number] + s.now.fresh_hand[player, number] > 0:
            return True
    for tower in range(t.towers):
        # A wall tile nobody has seen (0) may have any number.
        if s.now.tower[tower] == number or s.now.tower[tower] == 0:
            return True
    return False


@inner
def idle(s: State, t: Tables, root: int, kind: int, counted: int) -> bool:
    """Tell whether a follower on an incomplete feature changes no total.

    Args:
        s: the state with the last tile laid.
        t: the tables.
        root: the feature.
        kind: of the feature.
        counted: the kinds that wall tiles may score at the end, as bits.

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
    counted = 0
    for one in range(COURT):
        if counted_at_end(s, t, one):
            counted |= 1 << one
    q.by_area[:] = UNKNOWN
    area_counts = t.falcon != 0 or keep_of(s, t, 0) != keep_of(s, t, 1)
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
                quiet = t.holes_block == 0 and glance(s, t, cell, kind * 4 + rotation)
                calm = quiet
                claims = not quiet
                for segment in range(t.segments[kind] if quiet else 0):
                    first = s.group[segment]
                    if s.group_men[first] != 0:
                        calm = False
                    elif first == segment and (
                        s.group_open[segment, 0] | s.group_open[segment, 1] == 0
                        or may_count(t, kind, segment, counted)
                    ):
                        claims = True
                turn = cell | rotation << ROTATION | kind << KIND
                if calm and not calm_done:
                    area = area_without(s, t, cell) if area_counts else 0
                    if q.by_area[area] == UNKNOWN:
                        q.by_area[area] = played(s, t, q, turn)
                    improves(q, q.by_area[area], turn, serving)
                    calm_done = True
                if not calm or claims:
                    all_on(s, t, q, turn, counted, calm, serving, low, high)
                if refuted(q, serving, low, high):
                    return int(q.last_value)
    return int(q.last_value)


@inner
def may_count(t: Tables, kind: int, segment: int, counted: int) -> bool:
    """Tell whether a follower may change totals on a segment though it is not completed."""
    shows = t.shows[kind, segment]
    return bool(shows == COURT or (shows < COURT and counted >> shows & 1 != 0))


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
def played(s: State, t: Tables, q: Job, turn: int) -> int:
    """Return the value after a last turn without a follower that completes nothing."""
    save(s)
    lay(s, t, turn & 127, (turn >> KIND & KINDS) * 4 + (turn >> ROTATION & 3))
    s.frame[s.depth - 1].cell = turn & 127
    # Nobody stands on what it completes: no plan is worked out, and none of before may be taken.
    s.dones = 0
    conclude(s, t, 0, 0, True)
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
    """Play every turn on a place that may change totals; those that turn a wall tile over wait.

    Args:
        s: the state.
        t: the tables.
        q: the job, which notes the best turn.
        turn: the turn without a follower.
        counted: the kinds that wall tiles may score at the end, as bits.
        calm: whether the turn without a follower is known already.
        serving: whether the mover plays for the asker.
        low: with ``high`` the window; what is beyond it on the mover's side is enough.
        high: see ``low``.

    """
    cell, kind = turn & 127, turn >> KIND & KINDS
    able = ranks(s, t, True)
    save(s)
    lay(s, t, cell, kind * 4 + (turn >> ROTATION & 3))
    frame = s.frame[s.depth - 1]
    frame.cell = cell
    joins_changes = s.changes
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
            elif idle(s, t, root, int(s.kind[root]), counted):
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
                    # Scoring the plan before has changed what the plans were worked out from.
                    claim(s, t, claimed)
                    plan(s, t, False)
                if t.optional == 0 and holds_back(s, s.plan[number]):
                    continue
                if segment >= 0:
                    place(s, cell * PORTS + segment, rank)
                conclude(s, t, 0, number, True)
                q.nodes += 1
                found = evaluate(s, t, q)
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
