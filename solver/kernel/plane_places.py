"""Find the features that an imagined tile would join and complete, without laying it.

The segments of the tile form classes; each class includes the features that its segments touch.
``imagine`` comes first. The other functions take its ``count``, the features that the tile touches.
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.bits import bit_count
from burgrave.solver.kernel.boards import find, fits
from burgrave.solver.kernel.compiling import inner
from burgrave.solver.kernel.plane_board import (
    FACING_MIDDLE,
    MIDDLE,
    NEXT,
    RING,
    RING_FULL,
    STEPS,
    around,
    at_port,
    leaders,
    pay,
)
from burgrave.solver.kernel.plane_points import completed
from burgrave.solver.kernel.plane_tables import CITY, CLOISTER, FOLLOWERS, ROAD, WIDTH


@inner
def list_places(s: Any, t: Any, kind: int, most: int) -> int:
    """Write the legal places of a kind of tile to ``s.places``, by cell; return their number.

    With ``most`` of them it stops.
    """
    count, cell = 0, int(s.after[0])
    while cell != 0:
        for i in range(t.turned[kind]):
            lie = int(t.lies[kind, i])
            if fits(s, t, cell, lie):
                s.places[count] = cell << 8 | lie
                count += 1
                if count == most:
                    return count
        cell = int(s.after[cell])
    return count


@inner
def meet(s: Any, mine: int, theirs: int, count: int) -> int:
    """Join a segment of an imagined tile to a node.

    ``count`` features were touched before; return how many are now.
    """
    root, one = find(s, theirs), s.class_of[mine]
    for i in range(count):
        if s.touched[i] == root:
            other = s.class_of[s.touching[i]]
            if other != one:
                s.class_men[one] += s.class_men[other]
                s.class_open[one] += s.class_open[other]
                for segment in range(WIDTH):
                    if s.class_of[segment] == other:
                        s.class_of[segment] = one
            return count
    s.touched[count], s.touching[count] = root, mine
    s.class_men[one] += s.feature[root].men
    s.class_open[one] += s.feature[root].open
    return count + 1


@inner
def imagine(s: Any, t: Any, cell: int, lie: int) -> int:
    """Write the features of an imagined tile on a cell into the state; count those it touches."""
    for i in range(WIDTH):
        s.class_of[i], s.class_men[i], s.class_open[i] = i, 0, 0
    count = 0
    for side in range(4):
        tile, end = int(s.tile[cell + STEPS[side]]), int(t.ends[lie, side])
        if tile < 0:
            if end >= 0:
                s.class_open[s.class_of[end]] += 1
            continue
        theirs, other = (tile >> 8) * WIDTH, tile & 255
        port, facing = MIDDLE[side], FACING_MIDDLE[side]
        for i in range(3 if end >= 0 and t.shows[lie >> 2, end] == ROAD else 1):
            mine, meeting = at_port(t, lie, port + NEXT[i]), at_port(t, other, facing - NEXT[i])
            count = meet(s, mine, theirs + meeting, count)
            if end >= 0 and i == 0:
                s.class_open[s.class_of[end]] -= 1
    return count


@inner
def points_of(s: Any, t: Any, kind: int, which: int, count: int) -> int:
    """Return the points of a road or city, a class, that an imagined tile completes."""
    one = other = nodes = units = shows = 0
    for i in range(t.segments[kind]):
        if s.class_of[i] == which:
            nodes += 1
            units += int(t.units[kind, i])
            shows = int(t.shows[kind, i])
    for i in range(count):
        if s.class_of[s.touching[i]] == which:
            root = s.touched[i]
            one |= s.feature[root].slots[0]
            other |= s.feature[root].slots[1]
            nodes += s.feature[root].nodes
            units += s.feature[root].units
    tiles = bit_count(one) + bit_count(other) + 1
    return completed(t, shows, tiles, nodes if t.by_segment else tiles, units)


@inner
def reckon(s: Any, t: Any, cell: int, kind: int, count: int) -> int:
    """Return the mover's points less those of the best other by an imagined tile alone.

    ``s.class_points`` gets the points of a follower placed on each feature without followers.
    """
    scored = False
    s.gain[:] = 0
    for i in range(t.segments[kind]):
        s.class_points[i] = 0
        if s.class_of[i] != i or s.class_open[i] != 0:
            continue
        shows = t.shows[kind, i]
        if shows <= CITY:
            s.class_points[i] = points_of(s, t, kind, i, count)
            if s.class_men[i] != 0:
                pay(s, leaders(t, s.class_men[i], s.players), s.class_points[i], s.gain)
                scored = True
        elif shows == CLOISTER and around(s, cell) == RING_FULL:
            s.class_points[i] = RING_FULL + 1
    for i in range(s.monks):
        if s.missing[i] == cell:
            pay(s, leaders(t, s.feature[s.monk[i]].men, s.players), RING_FULL + 1, s.gain)
            scored = True
    if not scored:
        return 0
    best = 0
    for player in range(s.players):
        if player != s.turn:
            best = max(best, s.gain[player])
    return int(s.gain[s.turn] - best)


@inner
def completes(s: Any, t: Any, cell: int, kind: int) -> bool:
    """Tell whether an imagined tile completes a feature that a player may score."""
    for i in range(t.segments[kind]):
        shows = t.shows[kind, i]
        if shows <= CITY and s.class_open[s.class_of[i]] == 0:
            return True
        if shows == CLOISTER and around(s, cell) == RING_FULL:
            return True
    found = False
    for i in range(s.monks):
        found = found or s.missing[i] == cell
    return found


@inner
def find_monks(s: Any) -> None:
    """Write the occupied cloisters that lack one tile, and their missing cells, into the state."""
    s.monks = 0
    for post in range(s.players * FOLLOWERS):
        node = s.posts[post] - 1
        if node < 0 or s.shows[node] != CLOISTER:
            continue
        cell = s.cell[node // WIDTH]
        if around(s, cell) == RING_FULL - 1:
            s.monk[s.monks] = node
            for i in range(RING_FULL):
                if s.tile[cell + RING[i]] < 0:
                    s.missing[s.monks] = cell + RING[i]
            s.monks += 1
