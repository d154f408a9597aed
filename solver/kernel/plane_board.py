"""Tiles, features and followers of Carcassonne in one record, laid and lifted by compiled code.

Features are classes of an undoable union-find: the class of fewer nodes under the other, no path
compression. A *node* is ``slot * WIDTH + segment``, tiles being numbered by slots as they are laid.
What a turn changes besides the tile is kept in a log of single words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.kernel.bits import bit_count
from solver.kernel.compiling import compiled, inner
from solver.kernel.plane_tables import (
    CITY,
    FIELD,
    FOLLOWERS,
    KINDS,
    PLAYERS,
    SHOWN,
    TILES,
    WIDTH,
)

SIDE = 200
"""Cells along a side of the square on which tiles lie: twice the tiles, and a rim."""
CELLS = SIDE * SIDE
NODES = TILES * WIDTH
WORD = TILES // 2
"""Bits in each of the two words of a set of tiles or of city segments."""
LOWER = (1 << WORD) - 1
POSTS = PLAYERS * FOLLOWERS
MAN = 4
"""Bits for the followers of a player on a feature."""
MEN = (1 << MAN) - 1
PLAYS = TILES + 2
"""The most turns that can be taken back: all tiles, and one without a tile."""
JOINS = 12 * TILES
"""Each port of a tile joins at most once."""
LOG = 4096
"""Words of the log. A turn without scoring changes at most 12 values, a follower who goes home at
most 9, and each follower was placed by an earlier turn or stood there at the start."""
DONE = 16
"""Features that a tile completes: a cloister on and round its cell, one at most on each side."""
TOUCHED = 12
"""Features that a tile touches: one a port at most."""
WAYS_ON_A_TOWER = 2 + POSTS
"""Raised alone, completed, raised to take each follower."""

STATE = np.dtype(
    [
        # by cell: slot and lie of its tile (``slot << 8 | lie``), or -1; what its neighbours ask
        # for; the next and the last cell before it that a tile may be laid on, 0 at either end
        ("tile", np.int32, CELLS),
        ("wants", np.int16, CELLS),
        ("after", np.int32, CELLS),
        ("before", np.int32, CELLS),
        # the coordinates of cell 0
        ("west", np.int64),
        ("south", np.int64),
        # how many tiles lie, and how many segments of cities; by slot the cell
        ("tiles", np.int64),
        ("cities", np.int64),
        ("cell", np.int64, TILES),
        # by node: the parent in its class, a root its own; what its segment shows
        ("parent", np.int64, NODES),
        ("shows", np.int64, NODES),
        # by root: of a road or city the sides that face an empty cell, the shields; the nodes;
        # the followers, four bits a player
        ("open", np.int64, NODES),
        ("shields", np.int64, NODES),
        ("nodes", np.int64, NODES),
        ("men", np.int64, NODES),
        # by root: the slots of a road or city as bits, then segments of cities as bits: its own
        # if it is a city, those that it borders if it is a field
        ("slots", np.int64, (NODES, 2)),
        ("near", np.int64, (NODES, 2)),
        # the segments of each completed city, as bits
        ("walled", np.int64, (TILES, 2)),
        ("walls", np.int64),
        # players: how many, who moves, points, followers in the supply, tower pieces left
        ("players", np.int64),
        ("turn", np.int64),
        ("score", np.int64, PLAYERS),
        ("supply", np.int64, PLAYERS),
        ("pieces", np.int64, PLAYERS),
        # by ``captor * PLAYERS + owner``: prisoners
        ("held", np.int64, PLAYERS * PLAYERS),
        # by ``player * FOLLOWERS + i``: one more than the node of a follower on the board, or 0
        ("posts", np.int64, POSTS),
        # by slot: the pieces of the tower on the tile; one more than the player on it, or 0;
        # 1 for a tower that stays complete without him
        ("height", np.int64, TILES),
        ("guard", np.int64, TILES),
        ("shut", np.int64, TILES),
        # plays that can be taken back; by play: cell of its tile or 0, the mover, and how much of
        # the joins, the walls and the log there was before it
        ("depth", np.int64),
        ("laid", np.int64, PLAYS),
        ("mover", np.int64, PLAYS),
        ("joins_before", np.int64, PLAYS),
        ("walls_before", np.int64, PLAYS),
        ("logged_before", np.int64, PLAYS),
        # joins: the class that became a child, doubled, and 1 more if an open side closed; the
        # bits that the root had
        ("joins", np.int64),
        ("joined", np.int64, JOINS),
        ("root_bits", np.int64, (JOINS, 4)),
        # the log: ``what << 56 | index << 32 | old value``
        ("logged", np.int64),
        ("log", np.int64, LOG),
        # room to work in: features that a tile completes; for a tile that is only thought of, by
        # segment its class, and by class followers, open sides and points if it were completed;
        # features that the tile touches, each with a segment of the tile
        ("done", np.int64, DONE),
        ("class_of", np.int64, WIDTH),
        ("class_men", np.int64, WIDTH),
        ("class_open", np.int64, WIDTH),
        ("class_points", np.int64, WIDTH),
        ("touched", np.int64, TOUCHED),
        ("touching", np.int64, TOUCHED),
        ("gain", np.int64, PLAYERS),
        # occupied cloisters that lack one tile: their nodes, and the cells of the tiles
        ("monks", np.int64),
        ("monk", np.int64, POSTS),
        ("missing", np.int64, POSTS),
        # roots of occupied features; by player the most farmers
        ("occupied", np.int64, POSTS),
        ("most", np.int64, PLAYERS),
        # The Tower: followers, then guards, who may be taken, each in the order of cells
        # (``cell << 10``, with the node or the slot below); those who are taken in a listed way,
        # as bits; towers that may be raised, in the order of cells; the ways to act on these,
        # followed by those on the tower place of a tile that is only thought of
        ("followers", np.int64),
        ("guards", np.int64),
        ("prey", np.int64, TILES),
        ("reached", np.int64),
        ("open_towers", np.int64, TILES),
        ("ways", np.int64, (TILES + 1) * WAYS_ON_A_TOWER),
        # Limits of what can be reached. By kind the tiles to come, and what one brings at most;
        # by what a segment shows the followers of a player.
        ("coming", np.int64, KINDS),
        ("brings", np.int64, KINDS),
        ("standing", np.int64, len(SHOWN)),
        # Cities that are not complete: how many, their roots; by root the look in which it was
        # met, the empty cells beyond it, 1 if no tile fits on one of them, the cell noted last,
        # and fields beside it on which the player stands.
        ("growing", np.int64),
        ("grown", np.int64, NODES),
        ("looks_taken", np.int64),
        ("looked", np.int64, NODES),
        ("needed", np.int64, NODES),
        ("barred", np.int64, NODES),
        ("met_at", np.int64, NODES),
        ("farms_near", np.int64, NODES),
        # Cells whose features were added up so far, and by root the number of the last of them.
        ("cells_met", np.int64),
        ("lent_at", np.int64, NODES),
        # By root: the look in which it was valued, what it brings a tile on a cell that it faces,
        # and what it brings there if it becomes the player's.
        ("valued", np.int64, NODES),
        ("gives", np.int64, NODES),
        ("lends", np.int64, NODES),
    ]
)
"""A position that turns can be played on and taken back."""

LOGGED_MEN, LOGGED_POST, LOGGED_SCORE, LOGGED_SUPPLY = range(4)
LOGGED_PIECES, LOGGED_HELD, LOGGED_HEIGHT, LOGGED_GUARD, LOGGED_SHUT = range(4, 9)
STEPS = np.array([1, SIDE, -1, -SIDE])
"""By side what leads to the cell beyond it."""
RING = np.array([x * SIDE + y for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
"""What leads to the eight cells round a cell."""
RING_FULL = 8
"""Cells round a cell."""
MIDDLE = np.array([1, 4, 7, 10])
"""By side its middle port."""
FACING_MIDDLE = np.array([7, 10, 1, 4])
"""By side the middle port of the tile beyond."""


@compiled
def find(s: Any, node: int) -> int:
    """Return the root of a node's class."""
    while s.parent[node] != node:
        node = s.parent[node]
    return node


@inner
def note(s: Any, what: int, index: int, old: int) -> None:
    """Write the old value of something into the log, for ``unwind``."""
    s.log[s.logged] = int(what) << 56 | int(index) << 32 | old
    s.logged += 1


@inner
def unwind(s: Any, logged: int) -> None:
    """Take back what the log holds beyond its first words."""
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
        s.shields[node] = t.shields[kind, i]
        s.nodes[node] = 1
        s.men[node] = 0
        s.slots[node, 0] = 1 << slot if slot < WORD else 0
        s.slots[node, 1] = 0 if slot < WORD else 1 << slot - WORD
        near = int(t.bordered[kind, i])
        if s.cities < WORD:
            s.near[node, 0] = near << s.cities & LOWER
            s.near[node, 1] = near >> WORD - s.cities
        else:
            s.near[node, 0] = 0
            s.near[node, 1] = near << s.cities - WORD
    s.cities += t.cities[kind]


@inner
def join(s: Any, one: int, other: int, closes: int) -> None:
    """Join the classes of two nodes that meet across an edge.

    Args:
        s: the state.
        one: a node.
        other: the node that it meets.
        closes: 1 if one of them had an open side at that edge, else 0.

    """
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
        s.shields[root] += s.shields[child]
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
        s.shields[root] -= s.shields[child]
        s.nodes[root] -= s.nodes[child]
        s.men[root] -= s.men[child]
        for word in range(2):
            s.slots[root, word] = s.root_bits[s.joins, word]
            s.near[root, word] = s.root_bits[s.joins, 2 + word]


@compiled
def vacate(s: Any, cell: int, near: int) -> None:
    """Put an empty cell among those on which a tile may be laid.

    Args:
        s: the state.
        cell: the cell.
        near: one of them, from which the place in their order is sought; 0 for none.

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
    """Return the segment at a port of a tile that lies so."""
    return int(t.owner[lie, port])


@compiled
def lay(s: Any, t: Any, cell: int, lie: int) -> int:
    """Lay a tile, join what it touches; return how many roads and cities it completes.

    Their roots stand in ``s.done``.
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
        mine, meets = base + at_port(t, lie, port), theirs + at_port(t, other, facing)
        if s.shows[mine] == FIELD:
            join(s, mine, meets, 0)
            continue
        join(s, mine, meets, 1)
        if s.shows[mine] != CITY:
            join(s, base + at_port(t, lie, port - 1), theirs + at_port(t, other, facing + 1), 0)
            join(s, base + at_port(t, lie, port + 1), theirs + at_port(t, other, facing - 1), 0)
    return completed(s, t, kind, base)


@inner
def completed(s: Any, t: Any, kind: int, base: int) -> int:
    """Write the roots of the roads and cities that a new tile completes; return how many."""
    count = 0
    for i in range(t.segments[kind]):
        if s.shows[base + i] > CITY:
            continue
        root = find(s, base + i)
        new = s.open[root] == 0
        for j in range(count):
            new = new and s.done[j] != root
        if new:
            s.done[count] = root
            count += 1
            if s.shows[root] == CITY:
                s.walled[s.walls, 0], s.walled[s.walls, 1] = s.near[root, 0], s.near[root, 1]
                s.walls += 1
    return count


@inner
def lift(s: Any, t: Any, cell: int, joins: int, walls: int) -> None:
    """Take the last tile back; the followers must be as they were when it was laid.

    Args:
        s: the state.
        t: the tables.
        cell: where the tile lies.
        joins: the joins before it.
        walls: the completed cities before it.

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
        count = men >> MAN * player & MEN
        if count > best:
            best, found = count, 1 << player
        elif count == best:
            found |= 1 << player
    return 0 if t.shared == 0 and found & (found - 1) else found


@inner
def size(s: Any, t: Any, root: int) -> int:
    """Return the tiles of a road or city as they are counted."""
    if t.by_segment:
        return int(s.nodes[root])
    return bit_count(s.slots[root, 0]) + bit_count(s.slots[root, 1])


@inner
def worth(s: Any, t: Any, root: int) -> int:
    """Return the points of a completed road, city or cloister."""
    shows = s.shows[root]
    if shows > FIELD:
        return RING_FULL + 1
    if shows != CITY:
        return size(s, t, root)
    tiles = bit_count(s.slots[root, 0]) + bit_count(s.slots[root, 1])
    points = size(s, t, root) + int(s.shields[root])
    return points if t.small_city and tiles == 2 else 2 * points


@inner
def unfinished(s: Any, t: Any, root: int) -> int:
    """Return the points at the end of a road, city or cloister that is not complete."""
    if s.shows[root] > FIELD:
        return 1 + around(s, s.cell[root // WIDTH])
    return size(s, t, root) + int(s.shields[root])
