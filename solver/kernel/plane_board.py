"""Tiles, features and followers of Carcassonne in one record: lay and lift a tile.

A *node* is ``slot * WIDTH + segment``; slots number the tiles in the order of laying. A log of
single words holds what a turn changes besides the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burgrave.solver.kernel.boards import find, link, part
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import among
from burgrave.solver.kernel.plane_tables import (
    BIG_POST,
    CITY,
    FOLLOWERS,
    PLANE_FEATURES,
    PLANE_KINDS,
    PLANE_RANKS,
    PLANE_TILES,
    ROAD,
    WIDTH,
)
from burgrave.solver.kernel.records import PLAYERS, record_type

SIDE = 2 * PLANE_TILES + 8
"""Cells along a side of the square on which tiles lie: twice the tiles, and a rim."""
PLANE_CELLS = SIDE * SIDE
PLANE_NODES = PLANE_TILES * WIDTH
BITS_A_WORD = PLANE_TILES // 2
"""Bits in each of the two words of a set of tiles or of city segments."""
LOWER = (1 << BITS_A_WORD) - 1
POSTS = PLAYERS * FOLLOWERS
OWNERS = PLAYERS * len(PLANE_RANKS)
"""Followers of one rank and player have an *owner number*, ``rank * PLAYERS + player``."""
MAN = 4
"""Bits for what the followers of a player on a feature count in its majority."""
MAN_BITS = (1 << MAN) - 1
PLAYS = PLANE_TILES + 2
"""The most turns that can be taken back: all tiles, and one without a tile."""
JOINS = 12 * PLANE_TILES
"""Each port of a tile joins at most once."""
LOG = 4096
"""Length of the log in words. A turn without scoring changes at most 12 values, and a follower's
return at most 9. Each returning follower was placed earlier or stood there at the start."""
MOST_DONE = 16
"""Most features that a tile completes: cloisters on and round its cell, and one for each side."""
PLANE_TOUCHED = 12
"""Most features that a tile touches: one for each port."""
PLACES = 4 * (2 * PLANE_TILES + 2)
"""Most places for a tile: all lies on each cell beside the others, of which a row has most."""
WAYS_ON_A_TOWER = 2 + POSTS
"""Most ways to act on a tower: raise it, complete it, or raise it and take one of the followers."""

PLANE_FEATURE = record_type(
    [
        ("open", np.int64),  # sides of a road or city that face an empty cell
        ("units", np.int64),  # units and marks, see ``UNITS``
        ("nodes", np.int64),  # their number
        ("men", np.int64),  # what the followers count, four bits a player
        ("slots", np.int64, 2),  # slots of a road or city, bits of two words
        ("near", np.int64, 2),  # segments of a city or of those that a field borders; likewise
    ]
)
"""What a feature holds, or a part of it."""

PLANE_STATE = record_type(
    [
        # cell → ``slot << 8 | lie`` of its tile, or -1; cell → mask that its neighbours ask for;
        # list of the cells for a tile: cell → next cell, cell → cell before, 0 at either end
        ("tile", np.int32, PLANE_CELLS),
        ("wants", np.int16, PLANE_CELLS),
        ("after", np.int32, PLANE_CELLS),
        ("before", np.int32, PLANE_CELLS),
        # the coordinates of cell 0
        ("west", np.int64),
        ("south", np.int64),
        # number of tiles on the board; number of their city segments; slot → cell
        ("tiles", np.int64),
        ("cities", np.int64),
        ("cell", np.int64, PLANE_TILES),
        # node → parent in its class (a root → itself); node → its segment's index in
        # ``PLANE_FEATURES``
        ("parent", np.int64, PLANE_NODES),
        ("shows", np.int64, PLANE_NODES),
        # root → its feature
        ("feature", PLANE_FEATURE, PLANE_NODES),
        # index → segments of a completed city, bits of two words; number of completed cities
        ("walled", np.int64, (PLANE_TILES, 2)),
        ("walls", np.int64),
        # number of players; player to move; player → points; owner number → followers in the
        # supply; player → tower pieces
        ("players", np.int64),
        ("turn", np.int64),
        ("score", np.int64, PLAYERS),
        ("supply", np.int64, OWNERS),
        ("pieces", np.int64, PLAYERS),
        # ``captor * OWNERS`` + owner number → prisoners
        ("held", np.int64, PLAYERS * OWNERS),
        # ``player * FOLLOWERS + i`` → 1 + node of a follower on the board, or 0; the big one has
        # ``i = BIG_POST``
        ("posts", np.int64, POSTS),
        # slot → pieces of its tower; slot → 1 + owner number of the guard, or 0; slot → 1 if the
        # tower stays complete without the guard
        ("height", np.int64, PLANE_TILES),
        ("guard", np.int64, PLANE_TILES),
        ("shut", np.int64, PLANE_TILES),
        # turns that can be taken back; turn → cell of its tile or 0, its player, and the numbers
        # of joins, completed cities and log words before it
        ("depth", np.int64),
        ("laid", np.int64, PLAYS),
        ("mover", np.int64, PLAYS),
        ("joins_before", np.int64, PLAYS),
        ("walls_before", np.int64, PLAYS),
        ("logged_before", np.int64, PLAYS),
        # number of joins; index → root that became a child; index → feature of its root before
        ("joins", np.int64),
        ("joined", np.int64, JOINS),
        ("root_before", PLANE_FEATURE, JOINS),
        # length of the log; index → ``what << 56 | index << 32 | old value``
        ("logged", np.int64),
        ("log", np.int64, LOG),
        # Work space. Index → place of a tile, ``cell << 8 | lie``. Index → root of a feature that a
        # tile completes. For an imagined tile:
        # segment → its class; class → followers, open sides, points if complete; index → root
        # of a touched feature, index → the segment that touches it; player → points at once.
        ("places", np.int64, PLACES),
        ("done", np.int64, MOST_DONE),
        ("class_of", np.int64, WIDTH),
        ("class_men", np.int64, WIDTH),
        ("class_open", np.int64, WIDTH),
        ("class_points", np.int64, WIDTH),
        ("touched", np.int64, PLANE_TOUCHED),
        ("touching", np.int64, PLANE_TOUCHED),
        ("gain", np.int64, PLAYERS),
        # number of occupied cloisters that lack one tile; index → node; index → the missing cell
        ("monks", np.int64),
        ("monk", np.int64, POSTS),
        ("missing", np.int64, POSTS),
        # index → root of an occupied feature; player → his most farmers on a field of a city
        ("occupied", np.int64, POSTS),
        ("most", np.int64, PLAYERS),
        # before the last tile: index → leaders of the feature as bits, its points at the end, its
        # nodes; index of a completed city → players who score it for their farmers, as bits
        ("held_by", np.int64, POSTS),
        ("held_for", np.int64, POSTS),
        ("held_nodes", np.int64, POSTS),
        ("farmed_by", np.int64, PLANE_TILES),
        # number of occupied fields; index → root
        ("farms", np.int64),
        ("farm", np.int64, POSTS + WIDTH),
        # The Tower. Numbers of followers and of guards that the mover may take; index → one of
        # them, ``cell << 10`` plus node or slot, followers first, each by cell. Bits by index: a
        # listed way takes him. Index → tower that may be raised, by cell. Index → way to act on
        # towers; ways on the tower place of an imagined tile come last.
        ("followers", np.int64),
        ("guards", np.int64),
        ("prey", np.int64, PLANE_TILES),
        ("reached", np.int64),
        ("open_towers", np.int64, PLANE_TILES),
        ("ways", np.int64, (PLANE_TILES + 1) * WAYS_ON_A_TOWER),
        # Players, as bits, who hold followers of the mover of both ranks, if he has a choice.
        ("torn", np.int64),
        # Upper bounds. Kind → tiles to come; kind → most points of a tile; index in
        # ``PLANE_FEATURES`` → what the followers of the player count, and the largest factor of
        # completed features.
        ("coming", np.int64, PLANE_KINDS),
        ("brings", np.int64, PLANE_KINDS),
        ("standing", np.int64, len(PLANE_FEATURES)),
        ("factors", np.int64, len(PLANE_FEATURES)),
        # Followers that tower pieces may take in the turns to come at most; index in ``posts`` → 1
        # if a tower may reach the follower.
        ("captures", np.int64),
        ("exposed", np.int64, POSTS),
        # Incomplete cities: their number; index → root; number of the current scan. Root → scan
        # that met it last, number of empty cells beyond it, 1 if no tile fits on one of them, cell
        # noted last, number of the player's fields beside it.
        ("growing", np.int64),
        ("grown", np.int64, PLANE_NODES),
        ("looks_taken", np.int64),
        ("looked", np.int64, PLANE_NODES),
        ("needed", np.int64, PLANE_NODES),
        ("barred", np.int64, PLANE_NODES),
        ("fewest", np.int64, PLANE_NODES),
        ("met_at", np.int64, PLANE_NODES),
        ("farms_near", np.int64, PLANE_NODES),
        # Number of cells whose features were summed; root → number of the last such cell.
        ("cells_met", np.int64),
        ("lent_at", np.int64, PLANE_NODES),
        # Root → scan that valued it last, points for a tile on a cell it faces, and the same if
        # the feature becomes the player's.
        ("valued", np.int64, PLANE_NODES),
        ("gives", np.int64, PLANE_NODES),
        ("lends", np.int64, PLANE_NODES),
    ]
)
"""A position of Carcassonne, whatever its expansions, with a log for undo."""

LOGGED_MEN, LOGGED_POST, LOGGED_SCORE, LOGGED_SUPPLY = range(4)
LOGGED_PIECES, LOGGED_HELD, LOGGED_HEIGHT, LOGGED_GUARD, LOGGED_SHUT = range(4, 9)
STEPS = np.array([1, SIDE, -1, -SIDE])
"""Side → offset of the cell beyond it."""
RING = np.array([x * SIDE + y for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
"""Offsets of the eight cells round a cell."""
RING_FULL = 8
"""Number of cells round a cell."""
MIDDLE = np.array([1, 4, 7, 10])
"""Side → its middle port."""
FACING_MIDDLE = np.array([7, 10, 1, 4])
"""Side → middle port of the tile beyond."""
NEXT = np.array([0, -1, 1])
"""Steps from a middle port to the ports of its side: a road has a field on both hands."""


@inner
def note(s: Any, what: int, index: int, old: int) -> None:
    """Log the old value of entry ``index`` of the array ``what``, for ``unwind``."""
    s.log[s.logged] = int(what) << 56 | int(index) << 32 | old
    s.logged += 1


@inner
def unwind(s: Any, logged: int) -> None:
    """Undo the log's changes beyond its first ``logged`` words."""
    while s.logged > logged:
        s.logged -= 1
        word = s.log[s.logged]
        what, index, old = word >> 56, word >> 32 & 0xFFFFFF, word & 0xFFFFFFFF
        if what == LOGGED_MEN:
            s.feature[index].men = old
        elif what == LOGGED_POST:
            s.posts[index] = old
        elif what == LOGGED_SCORE:
            s.score[index] = old
        elif what == LOGGED_SUPPLY:
            s.supply[index] = old
        elif what == LOGGED_PIECES:
            s.pieces[index] = old
        elif what == LOGGED_HELD:
            s.held[index] = old
        elif what == LOGGED_HEIGHT:
            s.height[index] = old
        elif what == LOGGED_GUARD:
            s.guard[index] = old
        else:
            s.shut[index] = old


@inner
def begin(s: Any, t: Any, slot: int, kind: int) -> None:
    """Make a class of each segment of a new tile."""
    for i in range(t.segments[kind]):
        node = slot * WIDTH + i
        s.parent[node] = node
        s.shows[node] = t.shows[kind, i]
        new, near = s.feature[node], int(t.bordered[kind, i])
        new.open, new.units, new.nodes, new.men = 0, t.units[kind, i], 1, 0
        new.slots[0] = 1 << slot if slot < BITS_A_WORD else 0
        new.slots[1] = 0 if slot < BITS_A_WORD else 1 << slot - BITS_A_WORD
        if s.cities < BITS_A_WORD:
            new.near[0] = near << s.cities & LOWER
            new.near[1] = near >> BITS_A_WORD - s.cities
        else:
            new.near[0] = 0
            new.near[1] = near << s.cities - BITS_A_WORD
    s.cities += t.cities[kind]


@inner
def join(s: Any, mine: int, theirs: int) -> None:
    """Make the features of two nodes one."""
    child = link(s, mine, theirs)
    if child >= 0:
        one, other = s.feature[s.parent[child]], s.feature[child]
        one.open += other.open
        one.units += other.units
        one.nodes += other.nodes
        one.men += other.men
        for word in range(2):
            one.slots[word] |= other.slots[word]
            one.near[word] |= other.near[word]


@compiled
def vacate(s: Any, cell: int, near: int) -> None:
    """Insert an empty cell into the list of cells for a tile; look for its place from ``near`` on.

    ``near`` is a cell of the list, or 0.
    """
    while near > cell:
        near = s.before[near]
    while s.after[near] != 0 and s.after[near] < cell:
        near = s.after[near]
    beyond = s.after[near]
    s.after[near] = s.before[beyond] = cell
    s.before[cell], s.after[cell] = near, beyond


@inner
def at_port(t: Any, lie: int, port: int) -> int:
    """Return the segment at a port of a tile with a placement code."""
    return int(t.owner[lie, port])


@compiled
def lay(s: Any, t: Any, cell: int, lie: int) -> int:
    """Lay a tile and join its features; return the number of roads and cities that it completes.

    ``s.done`` holds their roots.
    """
    slot = s.tiles
    kind, base = lie >> 2, slot * WIDTH
    s.cell[slot] = cell
    s.tiles += 1
    s.tile[cell] = slot << 8 | lie
    begin(s, t, slot, kind)
    before = int(s.before[cell])
    s.after[before], s.before[s.after[cell]] = s.after[cell], before
    for side in range(4):
        beyond = cell + STEPS[side]
        end = t.ends[lie, side]
        tile = int(s.tile[beyond])
        if tile < 0:
            if s.wants[beyond] == 0:
                vacate(s, beyond, before)
            s.wants[beyond] |= t.asks[lie, side]
            if end >= 0:
                s.feature[base + end].open += 1
        elif end >= 0:
            # Before the joins: they keep the values of roots for ``part``.
            s.feature[facing(s, t, tile, side)].open -= 1
    for side in range(4):
        tile = int(s.tile[cell + STEPS[side]])
        if tile < 0:
            continue
        theirs, other = (tile >> 8) * WIDTH, tile & 255
        port, across = MIDDLE[side], FACING_MIDDLE[side]
        shows = s.shows[base + at_port(t, lie, port)]
        for i in range(3 if shows == ROAD else 1):
            mine, meeting = at_port(t, lie, port + NEXT[i]), at_port(t, other, across - NEXT[i])
            join(s, base + mine, theirs + meeting)
    return completed(s, t, kind, base)


@inner
def facing(s: Any, t: Any, tile: int, side: int) -> int:
    """Return the root of the road or city that a tile beyond a side shows there."""
    return find(s, (tile >> 8) * WIDTH + int(t.ends[tile & 255, side ^ 2]))


@inner
def completed(s: Any, t: Any, kind: int, base: int) -> int:
    """Write the roots of the roads and cities that a new tile completes; return their number."""
    count = 0
    for i in range(t.segments[kind]):
        if s.shows[base + i] > CITY:
            continue
        root = find(s, base + i)
        if s.feature[root].open == 0 and not among(s.done, count, root):
            s.done[count] = root
            count += 1
            if s.shows[root] == CITY:
                near = s.feature[root].near
                s.walled[s.walls, 0], s.walled[s.walls, 1] = near[0], near[1]
                s.walls += 1
    return count


@inner
def lift(s: Any, t: Any, cell: int, joins: int, walls: int) -> None:
    """Take the last tile back; the followers must be as they were when it was laid.

    ``joins`` and ``walls`` are the numbers of joins and of completed cities before it.
    """
    part(s, joins)
    s.walls = walls
    lie = int(s.tile[cell]) & 255
    s.tile[cell] = -1
    for side in range(3, -1, -1):
        beyond = cell + STEPS[side]
        tile = int(s.tile[beyond])
        if tile < 0:
            s.wants[beyond] ^= t.asks[lie, side]
            if s.wants[beyond] == 0:
                before, after = s.before[beyond], s.after[beyond]
                s.after[before], s.before[after] = after, before
        elif t.ends[lie, side] >= 0:
            s.feature[facing(s, t, tile, side)].open += 1
    s.after[s.before[cell]] = s.before[s.after[cell]] = cell
    s.cities -= t.cities[lie >> 2]
    s.tiles -= 1


@inner
def around(s: Any, cell: int) -> int:
    """Return the number of filled cells round a cell."""
    count = 0
    for i in range(RING_FULL):
        count += s.tile[cell + RING[i]] >= 0
    return count


@inner
def cloister(s: Any, t: Any, cell: int) -> int:
    """Return the node of the cloister on a cell, or -1."""
    tile = int(s.tile[cell])
    if tile < 0 or t.cloister[(tile & 255) >> 2] < 0:
        return -1
    return (tile >> 8) * WIDTH + int(t.cloister[(tile & 255) >> 2])


@inner
def leaders(t: Any, men: int, players: int) -> int:
    """Return the players who score a feature with these followers on it, as bits."""
    best, found = 1, 0
    for player in range(players):
        count = men >> MAN * player & MAN_BITS
        if count > best:
            best, found = count, 1 << player
        elif count == best:
            found |= 1 << player
    return 0 if t.shared == 0 and found & (found - 1) else found


@inner
def rank_at(post: int) -> int:
    """Return the index of the rank of the follower with an index in ``s.posts``."""
    return int(post % FOLLOWERS == BIG_POST)


@inner
def pay(s: Any, who: int, points: int, out: Any) -> None:
    """Add points to the numbers ``out`` of a set of players, told as bits."""
    for player in range(s.players):
        if who >> player & 1:
            out[player] += points


@inner
def meets(one: Any, other: Any) -> bool:
    """Tell whether two sets of two words have a tile or city segment in common."""
    return bool(one[0] & other[0] | one[1] & other[1])
