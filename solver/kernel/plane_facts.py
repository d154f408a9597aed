"""Facts of Carcassonne, any expansion, for simulations: places, and turns with their outcomes.

Python calls these functions. A state and tables come as arrays of one record each, as in
``solver.kernel.castle_facts``.
"""

from __future__ import annotations

import numpy as np

from burgrave.solver.kernel import carcassonne
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.carcassonne import (
    BIG,
    CELL_BITS,
    CELL_SHIFT,
    KIND_BITS,
    KIND_SHIFT,
    LIE_BITS,
    LIE_SHIFT,
    SEGMENT_BITS,
    captors_of,
    on_place,
)
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import among
from burgrave.solver.kernel.plane_board import MAN, PLACES, POSTS, STEPS, leaders, rank_at
from burgrave.solver.kernel.plane_last import totals
from burgrave.solver.kernel.plane_places import imagine, list_places
from burgrave.solver.kernel.plane_tables import FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import (
    FOLLOWER_ON,
    HOMES,
    LEAD_AT_END,
    LEAD_WON,
    PLAYERS,
    POINTS_WON,
    TURN,
    Ints,
    State,
    States,
    Tables,
)
from burgrave.solver.kernel.tower import (
    CAPTOR,
    GUARD,
    TAKEN_BITS,
    TAKEN_SHIFT,
    TOWER_BITS,
    TOWER_SHIFT,
    is_open,
    own_ways,
    reaches,
    ways_on_towers,
)

BUILDS, CAPTURES, GUARDS, RANSOMS, RAISED, HEIGHT = range(6, 12)
PLANE_OUTCOME = 12
"""Numbers of a turn: ``TURN`` to ``HOMES``, then 0 or 1 each for a tower piece built, a follower
captured, a tower completed, a ransom; the tower's cell or -1; its pieces before."""
SCORES_BY = np.int64(SEGMENT_BITS | BIG | (TAKEN_BITS << TAKEN_SHIFT | 7 << CAPTOR) << TOWER_SHIFT)
"""Mask of the parts of a turn that decide its score in a given place."""
SCORED = (2 + 2 * WIDTH + POSTS) * (1 + PLAYERS)
"""Most turns on a place that differ in these parts: no follower, a guard, one of each rank on each
segment, or each prisoner, times no ransom or one from each player."""
THREAT = 4
"""Numbers of a capture: cell of the tower, its pieces before, gain, 1 if it ends a sole lead."""


@compiled
def places(states: States, tables: States, kind: int, out: Ints) -> int:
    """Write the legal places of a kind of tile as ``cell * 4 + rotation``; return how many."""
    s, t = states[0], tables[0]
    count = list_places(s, t, kind, PLACES)
    for i in range(count):
        out[i] = (s.places[i] >> 8) * 4 + (s.places[i] & 3)
    return count


@compiled
def contested(states: States, tables: States, out: Ints) -> int:
    """Write the empty cells that two or more claimed features of one kind face; return how many."""
    s, t = states[0], tables[0]
    count, cell = 0, int(s.after[0])
    while cell != 0:
        if _is_contested(s, t, cell):
            out[count] = cell
            count += 1
        cell = int(s.after[cell])
    return count


@inner
def _is_contested(s: State, t: Tables, cell: int) -> bool:
    """Tell whether two or more claimed features of one kind face an empty cell."""
    met = 0
    for side in range(4):
        tile = int(s.tile[cell + STEPS[side]])
        if tile < 0:
            continue
        for port in range(3 * (side ^ 2), 3 * (side ^ 2) + 3):
            root = find(s, (tile >> 8) * WIDTH + int(t.owner[tile & 255, port]))
            if s.feature[root].men == 0:
                continue
            for i in range(met):
                if s.touched[i] != root and s.shows[s.touched[i]] == s.shows[root]:
                    return True
            s.touched[met] = root
            met += 1
    return False


@compiled
def lay(states: States, tables: States, turn: int) -> int:
    """Lay the tile of a turn alone; return the number of completed features in ``done``."""
    return carcassonne.begin(states[0], tables[0], turn)


@compiled
def play(states: States, tables: States, turn: int) -> None:
    """Play a turn."""
    carcassonne.play(states[0], tables[0], turn, False)


@compiled
def undo(states: States, tables: States, depth: int) -> None:
    """Take back tiles and turns until ``depth`` of them are left."""
    s, t = states[0], tables[0]
    while s.depth > depth:
        carcassonne.undo(s, t)


@inner
def _lead(s: State, t: Tables, player: int, out: Ints) -> int:
    """Return the lead of one of two players if the game ended now; ``out`` is room for totals."""
    totals(s, t, out)
    return int(out[player] - out[1 - player])


@compiled
def outcomes(
    states: States, tables: States, laid: int, turns: Ints, out: Ints, firsts: Ints
) -> int:
    """Write every turn that lays a tile on a place, with its outcome.

    Args:
        states: the state; the tile is the last one laid, and stays laid.
        tables: the tables.
        laid: the turn that lays the tile and does nothing else.
        turns: room for turns.
        out: number and turn → the ``PLANE_OUTCOME`` number, written here.
        firsts: work space for ``SCORED`` numbers.

    Returns:
        The number of turns; if ``turns`` is shorter, the outputs are unspecified.

    """
    s, t = states[0], tables[0]
    me, base = s.turn, (s.tiles - 1) * WIDTH
    carcassonne.undo(s, t)
    count = _on_place(s, t, laid, turns)
    done = carcassonne.begin(s, t, laid)
    if count > turns.size:
        return count
    freed = closes = 0
    for i in range(done):
        for segment in range(t.segments[laid >> KIND_SHIFT & KIND_BITS]):
            if find(s, base + segment) == s.done[i]:
                closes |= 1 << segment
    for post in range(me * FOLLOWERS, (me + 1) * FOLLOWERS):
        freed += s.posts[post] != 0 and among(s.done, done, find(s, s.posts[post] - 1))
    carcassonne.undo(s, t)
    before, points = s.score[me] - s.score[1 - me], s.score[me]
    known = 0
    for index in range(count):
        turn = turns[index]
        first = 0
        while first < known and (turns[firsts[first]] ^ turn) & SCORES_BY != 0:
            first += 1
        if first == known:
            firsts[known] = index
            known += 1
            carcassonne.play(s, t, turn, False)
            out[POINTS_WON, index] = s.score[me] - points
            out[LEAD_WON, index] = s.score[me] - s.score[1 - me] - before
            out[LEAD_AT_END, index] = _lead(s, t, me, s.gain)
            carcassonne.undo(s, t)
        else:
            like = firsts[first]
            for number in range(POINTS_WON, LEAD_AT_END + 1):
                out[number, index] = out[number, like]
        segment, acts = (turn & SEGMENT_BITS) - 1, turn >> TOWER_SHIFT
        tower, guards = (acts & TOWER_BITS) - 1, acts & GUARD != 0
        ransoms = acts >> CAPTOR & 7 != 0
        out[TURN, index] = turn
        out[FOLLOWER_ON, index] = segment
        out[HOMES, index] = freed + (1 if segment >= 0 and closes >> segment & 1 else 0) + ransoms
        out[BUILDS, index] = tower >= 0 and not guards
        out[CAPTURES, index] = acts >> TAKEN_SHIFT & TAKEN_BITS != 0
        out[GUARDS, index] = guards
        out[RANSOMS, index] = ransoms
        own = tower == s.tiles
        out[RAISED, index] = (
            -1 if tower < 0 else laid >> CELL_SHIFT & CELL_BITS if own else s.cell[tower]
        )
        out[HEIGHT, index] = 0 if tower < 0 or own else s.height[tower]
    carcassonne.begin(s, t, laid)
    return count


@inner
def _on_place(s: State, t: Tables, laid: int, turns: Ints) -> int:
    """List the turns that lay a tile on a place; return how many, even if there is no room."""
    cell, kind = laid >> CELL_SHIFT & CELL_BITS, laid >> KIND_SHIFT & KIND_BITS
    poor, captors = captors_of(s, t)
    ways = own = 0
    if t.towers != 0:
        ways = ways_on_towers(s, t, False, True)
        if t.place[kind] != 0:
            own = own_ways(s, t, cell, False, ways)
        elif t.needs_place != 0:
            ways = 0
    imagine(s, t, cell, laid >> LIE_SHIFT & LIE_BITS)
    return on_place(s, t, kind, laid, 0, poor, captors, ways, own, True, turns, turns[:0], 0)


@compiled
def threats(states: States, tables: States, captor: int, out: Ints) -> int:
    """Write the captures that one of two players threatens with a tower piece; return how many.

    The ``THREAT`` numbers go to ``out``, one capture after another.
    """
    s, t = states[0], tables[0]
    count, owner = 0, 1 - captor
    lead = _lead(s, t, captor, s.gain)
    for post in range(owner * FOLLOWERS, (owner + 1) * FOLLOWERS):
        node = s.posts[post] - 1
        if node < 0:
            continue
        root, gain, ousts = -1, 0, False
        for slot in range(s.tiles):
            cell = s.cell[slot]
            reached = reaches(cell, s.height[slot] + 1, s.cell[node // WIDTH])
            if not reached or not is_open(s, t, slot):
                continue
            if root < 0:
                root = find(s, node)
                men, alone = s.feature[root].men, 1 << owner
                s.feature[root].men -= np.int64(1 + rank_at(post)) << MAN * owner
                gain = _lead(s, t, captor, s.gain) - lead
                after = leaders(t, s.feature[root].men, s.players)
                s.feature[root].men = men
                ousts = leaders(t, men, s.players) == alone and after != alone
            out[count] = cell
            out[count + 1] = s.height[slot]
            out[count + 2] = gain
            out[count + 3] = ousts
            count += THREAT
    return count // THREAT


def begun(cell: int, kind: int, rotation: int) -> int:
    """Return the turn that lays a tile and does nothing else, by numbers and quarter turns."""
    return cell << CELL_SHIFT | (kind * 4 + rotation) << LIE_SHIFT
