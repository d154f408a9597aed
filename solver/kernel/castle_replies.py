"""Omit turns of a castle game that a known reply answers.

A turn with the last tile but one is *remote* from a reply if it fills no cell of the reply's
support: its cell, the cells beside it, and the cells that face a feature it touches. The turn must
also take no wall tile, enlarge no keep, and touch no held feature that counts at the end. The reply
then has the same effect after the turn as before it. The totals after both differ from those after
the reply alone in three points only: the largest empty area, the turn's own score, and the points
of its follower at the end.
"""

from __future__ import annotations

from model.geometry import PORTS
from solver.kernel.castle import play, restore
from solver.kernel.castle_board import find, largest_area
from solver.kernel.castle_scoring import held_kinds, keep_of, totals
from solver.kernel.castle_state import NUMBERS
from solver.kernel.castle_tables import HOUSE
from solver.kernel.castle_turns import (
    EXTRA,
    GAIN,
    KIND,
    KIND_MASK,
    LATE,
    MOST_LATE,
    SEGMENT,
    turns_at,
)
from solver.kernel.compiling import inner
from solver.kernel.job import AGAINST, NONE, pick, worth
from solver.kernel.records import Job, State, Tables


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
    """Remove the listed turns that a reply refutes.

    ``q.last_turn`` is then the best removed turn, or -1. ``q.last_value`` is the bound of its value
    that the reply proves.

    Args:
        s: the state in which they are listed; one tile is to come.
        t: the tables.
        q: the job.
        first: the row of the first turn.
        end: the row after the last turn.
        reply: a turn of another node with the tile to come.
        serving: whether the mover maximises the asker's value.
        low: the lower end of the window.
        high: the upper end.

    Returns:
        The row after the last turn kept.

    """
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
    counted = held_kinds(s, 0) | held_kinds(s, 1)
    near_low, near_high = support(s, t, answer)
    play(s, t, answer, True)
    q.nodes += 1
    same = counted == held_kinds(s, 0) | held_kinds(s, 1)
    scores = s.now.score[mover] != s.frame[s.depth - 1].now.score[mover]
    totals(s, t, q.worths)
    keeps = keep_of(s, t, 0) - keep_of(s, t, 1)
    empty_low, empty_high = s.empty[0], s.empty[1]
    white, black = q.worths[0], q.worths[1]
    if keeps > 0:
        white -= largest_area(s, t)
    elif keeps < 0:
        black -= largest_area(s, t)
    restore(s, t)
    before_low, before_high = s.empty[0], s.empty[1]
    now.mover = mover
    if not same:
        return end
    kept = first
    for row in range(first, end):
        turn = q.out[row]
        cell = turn & 127
        near = near_low & t.bit[cell, 0] | near_high & t.bit[cell, 1]
        answered = False
        gain = known_gain(s, t, turn, q.hints[row], scores) if near == 0 else NONE
        if gain >= 0:
            q.worths[0], q.worths[1] = white, black
            q.worths[mover] += gain
            if keeps:
                s.empty[0] = empty_low & ~t.bit[cell, 0]
                s.empty[1] = empty_high & ~t.bit[cell, 1]
                q.worths[0 if keeps > 0 else 1] += largest_area(s, t)
            found = worth(q, q.asker)
            answered = found <= low if serving else found >= high
            if answered and (
                q.last_turn == NONE or (found > q.last_value if serving else found < q.last_value)
            ):
                q.last_turn, q.last_value = turn, found
        if not answered:
            q.out[kept], q.hints[kept] = turn, q.hints[row]
            kept += 1
    s.empty[0] = before_low
    s.empty[1] = before_high
    return kept


@inner
def has_fresh(s: State) -> bool:
    """Tell whether any player has wall tiles that become usable at the end of the turn."""
    for player in range(2):
        for number in range(NUMBERS):
            if s.now.fresh_hand[player, number]:
                return True
    return False


@inner
def known_gain(s: State, t: Tables, turn: int, hint: int, scores: bool) -> int:
    """Return the most points that a listed turn brings the mover; -1 if it has other effects.

    Args:
        s: the state.
        t: the tables.
        turn: the turn.
        hint: its ordering score.
        scores: whether the mover scores in the reply.

    """
    late = hint >> LATE & MOST_LATE
    if hint & 1 or turn >> EXTRA or late == MOST_LATE:
        return NONE
    gain = hint >> GAIN
    if gain:
        now = s.now
        segment = (turn >> SEGMENT & 15) - 1
        house = t.shows[turn >> KIND & KIND_MASK, segment] == HOUSE
        tower = t.landing[(now.score[now.mover] + gain) % t.track]
        takes = tower >= 0 and now.tower[tower] >= 0
        if scores or takes or (house and gain > now.keep[now.mover]):
            return NONE
    return int(gain + late)


@inner
def support(s: State, t: Tables, turn: int) -> tuple[int, int]:
    """Return the support of a turn, a set of two words: the cells on which its effect depends.

    They are its cell, its neighbours, and the cells that a feature across its edges faces.
    """
    cell = turn & 127
    low, high = t.bit[cell, 0], t.bit[cell, 1]
    for side in range(4):
        beyond = int(t.neighbour[cell, side])
        if beyond < 0:
            continue
        low |= t.bit[beyond, 0]
        high |= t.bit[beyond, 1]
        other = int(s.lie[beyond])
        for port in range(3 * side, 3 * side + 3 if other >= 0 else 3 * side):
            theirs = int(t.owner[other, t.facing[port]])
            if theirs >= 0:
                root = find(s, beyond * PORTS + theirs)
                low |= s.faces[root, 0]
                high |= s.faces[root, 1]
    return low, high
