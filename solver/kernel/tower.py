"""The Tower's part of a turn in compiled code: pieces, guards, prisoners, ransoms.

The action on towers is the upper part of a turn's integer. From the lowest bit:

====== ============================================================
bits   part
====== ============================================================
7      one more than the slot of the tower on which it acts, or 0
1      whether a follower completes it; else it is raised
10     one more than the node of the follower taken prisoner, or 0
7      one more than the slot of the tower whose guard is taken, or 0
3      one more than the player from whom a follower is bought back
1      whether that happens after scoring
1      rank of the follower bought back
2      one more than the rank of the follower that comes home by an
       exchange, or 0 if there is no choice
====== ============================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.compiling import inner
from burgrave.solver.kernel.plane_board import (
    LOGGED_GUARD,
    LOGGED_HEIGHT,
    LOGGED_HELD,
    LOGGED_MEN,
    LOGGED_PIECES,
    LOGGED_POST,
    LOGGED_SCORE,
    LOGGED_SHUT,
    LOGGED_SUPPLY,
    MAN,
    OWNERS,
    SIDE,
    note,
    rank_at,
)
from burgrave.solver.kernel.plane_tables import FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import PLAYERS

TOWER_SHIFT = 29
"""Lowest bit of this part of a turn."""
TOWER_BITS, GUARD, TAKEN_BITS, FREED_BITS = 0x7F, 1 << 7, 0x3FF, 0x7F
TAKEN_SHIFT, FREED_SHIFT, CAPTOR = 8, 18, 25
PAID_LATE = 1 << 28
BOUGHT, BACK_SHIFT, BACK_BITS = 29, 30, 3
PREY_SHIFT = 10


@inner
def act_on_towers(s: Any, t: Any, acts: int, rank: int) -> None:
    """Carry out a turn's actions with towers and prisoners before scoring.

    ``rank`` is that of a follower who completes a tower.
    """
    player = s.turn
    if acts >> CAPTOR & 7 and not acts & PAID_LATE:
        ransom(s, t, acts)
    tower = (acts & TOWER_BITS) - 1
    if tower < 0:
        return
    if acts & GUARD:
        note(s, LOGGED_GUARD, tower, 0)
        mine = rank * PLAYERS + player
        s.guard[tower] = mine + 1
        note(s, LOGGED_SUPPLY, mine, s.supply[mine])
        s.supply[mine] -= 1
        return
    note(s, LOGGED_HEIGHT, tower, s.height[tower])
    s.height[tower] += 1
    note(s, LOGGED_PIECES, player, s.pieces[player])
    s.pieces[player] -= 1
    node = (acts >> TAKEN_SHIFT & TAKEN_BITS) - 1
    back = (acts >> BACK_SHIFT & BACK_BITS) - 1
    if node >= 0:
        take_from_board(s, t, node, back)
    freed = (acts >> FREED_SHIFT & FREED_BITS) - 1
    if freed >= 0:
        owner = s.guard[freed] - 1
        note(s, LOGGED_GUARD, freed, owner + 1)
        s.guard[freed] = 0
        if t.reopens == 0:
            note(s, LOGGED_SHUT, freed, s.shut[freed])
            s.shut[freed] = 1
        take(s, t, owner, back)


@inner
def post_of(s: Any, node: int) -> int:
    """Return the index in ``s.posts`` of the follower on a node."""
    post = 0
    while s.posts[post] != node + 1:
        post += 1
    return post


@inner
def take_from_board(s: Any, t: Any, node: int, back: int) -> None:
    """Take the follower on a node prisoner; ``back`` is as for ``take``."""
    post = post_of(s, node)
    player, rank = post // FOLLOWERS, rank_at(post)
    note(s, LOGGED_POST, post, node + 1)
    s.posts[post] = 0
    root = find(s, node)
    note(s, LOGGED_MEN, root, s.feature[root].men)
    s.feature[root].men -= rank + 1 << MAN * player
    take(s, t, rank * PLAYERS + player, back)


@inner
def take(s: Any, t: Any, owner: int, back: int) -> None:
    """Take a follower prisoner, or exchange him; the mover's own follower returns home.

    ``owner`` is his owner number; ``back`` is the rank of the mover's follower that comes home for
    him, or -1 if there is no choice.
    """
    player, other = s.turn, owner % PLAYERS
    exchanged = False
    for rank in range(2 if t.big else 1):
        theirs, mine = other * OWNERS + rank * PLAYERS + player, rank * PLAYERS + player
        if s.held[theirs] == 0 or (t.same_exchanged and mine // PLAYERS != owner // PLAYERS):
            continue
        exchanged = True
        if back >= 0 and rank != back:
            continue
        home = s.held[theirs] if t.all_exchanged else 1
        note(s, LOGGED_HELD, theirs, s.held[theirs])
        s.held[theirs] -= home
        note(s, LOGGED_SUPPLY, mine, s.supply[mine])
        s.supply[mine] += home
    if exchanged or other == player:
        note(s, LOGGED_SUPPLY, owner, s.supply[owner])
        s.supply[owner] += 1
    else:
        held = player * OWNERS + owner
        note(s, LOGGED_HELD, held, s.held[held])
        s.held[held] += 1


@inner
def ransom(s: Any, t: Any, acts: int) -> None:
    """Buy one of the mover's followers back; the caller checks that he has the points."""
    player, captor = s.turn, (acts >> CAPTOR & 7) - 1
    bought = (acts >> BOUGHT & 1) * PLAYERS + player
    held = captor * OWNERS + bought
    note(s, LOGGED_SCORE, player, s.score[player])
    s.score[player] -= t.ransom
    note(s, LOGGED_SCORE, captor, s.score[captor])
    s.score[captor] += t.ransom
    note(s, LOGGED_HELD, held, s.held[held])
    s.held[held] -= 1
    note(s, LOGGED_SUPPLY, bought, s.supply[bought])
    s.supply[bought] += 1


@inner
def chooses(s: Any, way: int, bought: int) -> bool:
    """Tell whether the mover has a choice who comes home by a capture.

    ``way`` is one of ``s.ways``; ``bought`` is the index in ``s.held`` of the follower bought back
    before, or -1. ``s.torn`` holds the captors of whom he may have the choice.
    """
    node, freed = (way >> TAKEN_SHIFT & TAKEN_BITS) - 1, (way >> FREED_SHIFT & FREED_BITS) - 1
    if node >= 0:
        other = post_of(s, node) // FOLLOWERS
    elif freed >= 0:
        other = (s.guard[freed] - 1) % PLAYERS
    else:
        return False
    if not s.torn >> other & 1:
        return False
    left = True
    for rank in range(2):
        held = other * OWNERS + rank * PLAYERS + s.turn
        left = left and s.held[held] > (held == bought)
    return left


@inner
def insert(values: Any, begin: int, end: int, value: int) -> None:
    """Insert a value into the ascending ``values[begin:end]``, which grows by one."""
    while end > begin and values[end - 1] > value:
        values[end] = values[end - 1]
        end -= 1
    values[end] = value


@inner
def find_prey(s: Any, t: Any) -> None:
    """Write the followers and guards that the player to move may capture, by cell."""
    s.followers = s.guards = 0
    for post in range(s.players * FOLLOWERS):
        node = s.posts[post] - 1
        if node >= 0 and (t.own_taken or post // FOLLOWERS != s.turn):
            cell = s.cell[node // WIDTH]
            insert(s.prey, 0, s.followers, cell << PREY_SHIFT | node)
            s.followers += 1
    if t.guards_taken == 0:
        return
    for slot in range(s.tiles):
        guard = s.guard[slot] - 1
        if guard >= 0 and (t.own_taken or guard % PLAYERS != s.turn):
            end = s.followers + s.guards
            insert(s.prey, s.followers, end, s.cell[slot] << PREY_SHIFT | slot)
            s.guards += 1


@inner
def is_open(s: Any, t: Any, slot: int) -> bool:
    """Tell whether a tile has a tower place and its tower is not complete."""
    kind = (int(s.tile[s.cell[slot]]) & 255) >> 2
    return bool(t.place[kind] != 0 and s.guard[slot] == 0 and s.shut[slot] == 0)


@inner
def reaches(tower: int, height: int, cell: int) -> bool:
    """Tell whether a cell is in a row or column with a tower and no farther than its height."""
    # The square is wide: a difference of numbers below half its side lies within a column.
    way = abs(tower - cell)
    return way <= height or (way <= height * SIDE and way % SIDE == 0)


@inner
def raisings(s: Any, t: Any, slot: int, cell: int, few: bool, at: int) -> int:
    """List the ways to raise a tower, alone, then with each prisoner, after ``find_prey``.

    With ``few`` the game ends then, so that one way to take each follower is enough. The ways go to
    ``s.ways`` from the index ``at`` on; return the index after the last.
    """
    height = 1 if slot == s.tiles else s.height[slot] + 1
    begin = at
    if t.optional and not few:
        s.ways[at] = slot + 1
        at += 1
    for i in range(s.followers + s.guards):
        is_guard = i >= s.followers
        if few and (is_guard or s.reached >> i & 1):
            continue
        prey = s.prey[i]
        if not reaches(cell, height, prey >> PREY_SHIFT):
            continue
        low = (prey & TAKEN_BITS) + 1
        s.ways[at] = slot + 1 | low << (FREED_SHIFT if is_guard else TAKEN_SHIFT)
        at += 1
        if slot < s.tiles:
            s.reached |= 1 << i
    if at == begin and not few:
        s.ways[at] = slot + 1
        at += 1
    return at


@inner
def ways_on_towers(s: Any, t: Any, few: bool, alike: bool) -> int:
    """Write the ways to act on towers and tower places on the board, by cell; return their number.

    ``few`` is as for ``raisings``; no way then completes a tower. ``alike`` is whether to list all
    ways that lead to the same position.
    """
    able = s.pieces[s.turn] > 0
    pieces = 0
    for player in range(s.players):
        pieces += s.pieces[player]
    s.reached = s.followers = s.guards = 0
    if able:
        find_prey(s, t)
    towers = 0
    for slot in range(s.tiles):
        if is_open(s, t, slot):
            insert(s.open_towers, 0, towers, s.cell[slot] << PREY_SHIFT | slot)
            towers += 1
    count, guarded = 0, False
    for i in range(towers):
        cell, slot = s.open_towers[i] >> PREY_SHIFT, s.open_towers[i] & TAKEN_BITS
        if able:
            count = raisings(s, t, slot, int(np.int64(cell)), few, count)
        # If no player has a piece left, all towers are equal for a guard.
        if s.height[slot] > 0 and not few and (alike or pieces > 0 or not guarded):
            s.ways[count] = slot + 1 | GUARD
            count += 1
            guarded = True
    return count


@inner
def own_ways(s: Any, t: Any, cell: int, few: bool, ways: int) -> int:
    """Write the ways to act on the tower place of an imagined tile on a cell; return their number.

    They come after the ``ways`` of ``ways_on_towers``.
    """
    if s.pieces[s.turn] == 0:
        return 0
    return raisings(s, t, s.tiles, int(np.int64(cell)), few, ways) - ways
