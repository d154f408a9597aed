"""Tiles, features and followers of Carcassonne in one record: lay and lift a tile.

Features are classes of an undoable union-find. The smaller class goes under the larger one, and no
path is compressed. A *node* is ``slot * WIDTH + segment``; slots number the tiles in the order of
laying. A log of single words holds a turn's other changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import among
from burgrave.solver.kernel.plane_tables import (
    BIG_POST,
    CITY,
    FIELD,
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
        # root → sides of a road or city that face an empty cell; root → units and marks, see
        # ``UNITS``; root → nodes; root → what the followers count, four bits a player
        ("open", np.int64, PLANE_NODES),
        ("units", np.int64, PLANE_NODES),
        ("nodes", np.int64, PLANE_NODES),
        ("men", np.int64, PLANE_NODES),
        # root → slots of a road or city, bits of two words; root → city segments, bits of two
        # words: a city's own, or those that a field borders
        ("slots", np.int64, (PLANE_NODES, 2)),
        ("near", np.int64, (PLANE_NODES, 2)),
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
        # number of joins; index → ``child << 1 | 1`` if the join closes an open side, else
        # ``child << 1``; index → the root's bits before: slots and city segments, two words each
        ("joins", np.int64),
        ("joined", np.int64, JOINS),
        ("root_bits", np.int64, (JOINS, 4)),
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


@compiled
def find(s: Any, node: int) -> int:
    """Return the root of a node's class."""
    while s.parent[node] != node:
        node = s.parent[node]
    return node


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
            s.men[index] = old
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
        s.open[node] = 0
        s.units[node] = t.units[kind, i]
        s.nodes[node] = 1
        s.men[node] = 0
        s.slots[node, 0] = 1 << slot if slot < BITS_A_WORD else 0
        s.slots[node, 1] = 0 if slot < BITS_A_WORD else 1 << slot - BITS_A_WORD
        near = int(t.bordered[kind, i])
        if s.cities < BITS_A_WORD:
            s.near[node, 0] = near << s.cities & LOWER
            s.near[node, 1] = near >> BITS_A_WORD - s.cities
        else:
            s.near[node, 0] = 0
            s.near[node, 1] = near << s.cities - BITS_A_WORD
    s.cities += t.cities[kind]


@inner
def join(s: Any, one: int, other: int, closes: int) -> None:
    """Join the classes of two nodes that meet across an edge; ``closes`` the open sides there."""
    child, root = find(s, one), find(s, other)
    if child == root and not closes:
        return
    s.joined[s.joins] = child * 2 + closes
    if child != root:
        if s.nodes[child] > s.nodes[root]:
            child, root = root, child
            s.joined[s.joins] = child * 2 + closes
        s.parent[child] = root
        s.open[root] += s.open[child]
        s.units[root] += s.units[child]
        s.nodes[root] += s.nodes[child]
        s.men[root] += s.men[child]
        for word in range(2):
            s.root_bits[s.joins, word] = s.slots[root, word]
            s.root_bits[s.joins, 2 + word] = s.near[root, word]
            s.slots[root, word] |= s.slots[child, word]
            s.near[root, word] |= s.near[child, word]
    s.open[root] -= closes
    s.joins += 1


@inner
def part(s: Any) -> None:
    """Take the last join back."""
    s.joins -= 1
    child, closes = s.joined[s.joins] >> 1, s.joined[s.joins] & 1
    root = s.parent[child]
    s.open[root] += closes
    if child != root:
        s.parent[child] = child
        s.open[root] -= s.open[child]
        s.units[root] -= s.units[child]
        s.nodes[root] -= s.nodes[child]
        s.men[root] -= s.men[child]
        for word in range(2):
            s.slots[root, word] = s.root_bits[s.joins, word]
            s.near[root, word] = s.root_bits[s.joins, 2 + word]


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
        if s.tile[beyond] < 0:
            if s.wants[beyond] == 0:
                vacate(s, beyond, before)
            s.wants[beyond] |= t.asks[lie, side]
            if end >= 0:
                s.open[base + end] += 1
    for side in range(4):
        tile = int(s.tile[cell + STEPS[side]])
        if tile < 0:
            continue
        theirs, other = (tile >> 8) * WIDTH, tile & 255
        port, facing = MIDDLE[side], FACING_MIDDLE[side]
        shows = s.shows[base + at_port(t, lie, port)]
        for i in range(3 if shows == ROAD else 1):
            mine, meeting = at_port(t, lie, port + NEXT[i]), at_port(t, other, facing - NEXT[i])
            join(s, base + mine, theirs + meeting, 1 if i == 0 and shows != FIELD else 0)
    return completed(s, t, kind, base)


@inner
def completed(s: Any, t: Any, kind: int, base: int) -> int:
    """Write the roots of the roads and cities that a new tile completes; return their number."""
    count = 0
    for i in range(t.segments[kind]):
        if s.shows[base + i] > CITY:
            continue
        root = find(s, base + i)
        if s.open[root] == 0 and not among(s.done, count, root):
            s.done[count] = root
            count += 1
            if s.shows[root] == CITY:
                s.walled[s.walls, 0], s.walled[s.walls, 1] = s.near[root, 0], s.near[root, 1]
                s.walls += 1
    return count


@inner
def lift(s: Any, t: Any, cell: int, joins: int, walls: int) -> None:
    """Take the last tile back; the followers must be as they were when it was laid.

    ``joins`` and ``walls`` are the numbers of joins and of completed cities before it.
    """
    while s.joins > joins:
        part(s)
    s.walls = walls
    lie = int(s.tile[cell]) & 255
    s.tile[cell] = -1
    for side in range(3, -1, -1):
        beyond = cell + STEPS[side]
        if s.tile[beyond] < 0:
            s.wants[beyond] ^= t.asks[lie, side]
            if s.wants[beyond] == 0:
                before, after = s.before[beyond], s.after[beyond]
                s.after[before], s.before[after] = after, before
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
