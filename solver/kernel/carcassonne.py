"""Turns of Carcassonne, whatever its expansions, in compiled code: listed, played, taken back.

A turn is one integer, read by these parts from the lowest bit:

====== ============================================================
bits   part
====== ============================================================
4      one more than the segment on which a follower is placed, or 0
8      lie of the tile: its rotation and, from bit 6 on, its kind
16     cell of the tile; 0 if none is laid
1      rank of the follower who is placed
32     action on towers, see ``solver.kernel.tower``
====== ============================================================
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.boards import find, fits
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import tell
from burgrave.solver.kernel.plane_board import (
    LOGGED_MEN,
    LOGGED_POST,
    LOGGED_SCORE,
    LOGGED_SUPPLY,
    MAN,
    OWNERS,
    PLACES,
    RING,
    RING_FULL,
    around,
    cloister,
    lay,
    leaders,
    lift,
    note,
    rank_at,
    unwind,
)
from burgrave.solver.kernel.plane_places import completes, find_monks, imagine, list_places, reckon
from burgrave.solver.kernel.plane_points import worth
from burgrave.solver.kernel.plane_tables import BIG_POST, CITY, FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import PLAYERS
from burgrave.solver.kernel.tower import (
    BACK_SHIFT,
    BOUGHT,
    CAPTOR,
    GUARD,
    PAID_LATE,
    TOWER_BITS,
    TOWER_SHIFT,
    act_on_towers,
    chooses,
    own_ways,
    ransom,
    ways_on_towers,
)

LIE_SHIFT, KIND_SHIFT, CELL_SHIFT, RANK_SHIFT = 4, 6, 12, 28
SEGMENT_BITS, LIE_BITS, KIND_BITS, CELL_BITS = 0xF, 0xFF, 0x3F, 0xFFFF
BIG = 1 << RANK_SHIFT
"""Bit of a turn that places a big follower."""


@compiled
def mover(s: Any) -> int:
    """Return the player to move."""
    return int(s.turn)


@compiled
def placeable(s: Any, t: Any, kind: int) -> bool:
    """Tell whether a kind of tile has a legal place."""
    return bool(list_places(s, t, kind, 1))


@compiled
def play(s: Any, t: Any, turn: int, last: bool) -> None:
    """Play a turn; see ``solver.kernel.game``."""
    player, slot, rank = s.turn, s.tiles, turn >> RANK_SHIFT & 1
    done = begin(s, t, turn)
    acts = turn >> TOWER_SHIFT
    if acts != 0:
        act_on_towers(s, t, acts, rank)
    if turn & SEGMENT_BITS:
        stand(s, player, rank, slot * WIDTH + (turn & SEGMENT_BITS) - 1)
    score(s, t, done)
    if acts & PAID_LATE:
        ransom(s, t, acts)
    s.turn = player + 1 if player + 1 < s.players else 0


@inner
def begin(s: Any, t: Any, turn: int) -> int:
    """Lay the tile of a turn, for ``undo``; return the number of roots in ``s.done``."""
    depth, cell = s.depth, turn >> CELL_SHIFT & CELL_BITS
    s.laid[depth], s.mover[depth] = cell, s.turn
    s.joins_before[depth], s.walls_before[depth] = s.joins, s.walls
    s.logged_before[depth] = s.logged
    s.depth += 1
    if cell == 0:
        return 0
    return secluded(s, t, cell, lay(s, t, cell, turn >> LIE_SHIFT & LIE_BITS))


@compiled
def undo(s: Any, t: Any) -> None:
    """Take back the last turn played."""
    s.depth -= 1
    depth = s.depth
    unwind(s, s.logged_before[depth])
    if s.laid[depth] != 0:
        lift(s, t, s.laid[depth], s.joins_before[depth], s.walls_before[depth])
    s.turn = s.mover[depth]


@compiled
def identify(s: Any, t: Any, q: Any) -> None:
    """Add what tells positions of one search apart to the job's key; see ``solver.kernel.game``."""
    for turn in range(s.depth):
        cell = int(s.laid[turn])
        if cell:
            tell(q, 0, cell << 8 | int(s.tile[cell]) & 255)
    tell(q, 1, int(s.turn))
    for player in range(s.players):
        supply = int(s.supply[PLAYERS + player]) << 4 | int(s.supply[player])
        tell(q, 2 + player, int(s.score[player]) << 8 | supply)
    for post in range(s.players * FOLLOWERS):
        if s.posts[post]:
            node = int(s.posts[post]) - 1
            place = int(s.cell[node // WIDTH]) << 8 | rank_at(post) << 4 | node % WIDTH
            tell(q, 8 + post // FOLLOWERS, place)
    if t.towers == 0:
        return
    for player in range(s.players):
        tell(q, 14 + player, int(s.pieces[player]))
        for owner in range(OWNERS):
            if s.held[player * OWNERS + owner]:
                tell(q, 20 + player, int(s.held[player * OWNERS + owner]) << 4 | owner)
    for slot in range(s.tiles):
        top = int(s.guard[slot]) << 1 | int(s.shut[slot])
        if s.height[slot] or top:
            tell(q, 26, (int(s.cell[slot]) << 8 | int(s.height[slot])) << 5 | top)


@inner
def secluded(s: Any, t: Any, cell: int, done: int) -> int:
    """Add the occupied cloisters that a new tile completes, its own included, to ``s.done``.

    ``done`` features are there already; the result is their number afterwards.
    """
    for i in range(9):
        at = cell if i == RING_FULL else cell + RING[i]
        node = cloister(s, t, at)
        seen = node >= 0 and (s.feature[node].men != 0 or i == RING_FULL)
        if seen and around(s, at) == RING_FULL:
            s.done[done] = node
            done += 1
    return done


@inner
def stand(s: Any, player: int, rank: int, node: int) -> None:
    """Place a follower of a player, of some rank, on a node."""
    root, owner = find(s, node), rank * PLAYERS + player
    note(s, LOGGED_MEN, root, s.feature[root].men)
    s.feature[root].men += rank + 1 << MAN * player
    note(s, LOGGED_SUPPLY, owner, s.supply[owner])
    s.supply[owner] -= 1
    post = player * FOLLOWERS + rank * BIG_POST
    while s.posts[post] != 0:
        post += 1
    note(s, LOGGED_POST, post, 0)
    s.posts[post] = node + 1


@inner
def score(s: Any, t: Any, done: int) -> None:
    """Score the first ``done`` features of ``s.done`` that have followers."""
    for i in range(done):
        if s.feature[s.done[i]].men != 0:
            settle(s, t, s.done[i])


@inner
def settle(s: Any, t: Any, root: int) -> None:
    """Score a completed feature that has followers and send them home."""
    who, points = leaders(t, s.feature[root].men, s.players), worth(s, t, root)
    for player in range(s.players):
        if who >> player & 1:
            note(s, LOGGED_SCORE, player, s.score[player])
            s.score[player] += points
    for post in range(s.players * FOLLOWERS):
        if s.posts[post] != 0 and find(s, s.posts[post] - 1) == root:
            note(s, LOGGED_POST, post, s.posts[post])
            s.posts[post] = 0
            owner = rank_at(post) * PLAYERS + post // FOLLOWERS
            note(s, LOGGED_SUPPLY, owner, s.supply[owner])
            s.supply[owner] += 1
    note(s, LOGGED_MEN, root, s.feature[root].men)
    s.feature[root].men = 0


@compiled
def turns(s: Any, t: Any, kind: int, last: bool, alike: bool, out: Any, hints: Any, at: int) -> int:
    """List the legal turns; see ``solver.kernel.game``."""
    ways = 0
    poor, captors = captors_of(s, t)
    if t.towers != 0 and (kind >= 0 or t.without_tile != 0):
        ways = ways_on_towers(s, t, last and not alike, alike)
    if kind < 0:
        return on_place(s, t, -1, 0, 0, 0, captors, ways, 0, alike, out, hints, at)
    if t.place[kind] == 0 and t.needs_place != 0:
        ways = 0
    looked = able_of(s) | captors | poor != 0 or hints.size != 0
    find_monks(s)
    s.class_points[:] = 0
    for i in range(list_places(s, t, kind, PLACES)):
        cell, hint, own = s.places[i] >> 8, 0, 0
        if looked:
            touched = imagine(s, t, cell, s.places[i] & LIE_BITS)
            if hints.size != 0:
                hint = reckon(s, t, cell, kind, touched)
        if t.place[kind] != 0 and t.towers != 0:
            own = own_ways(s, t, cell, last and not alike, ways)
        laid = s.places[i] << LIE_SHIFT
        late = poor if poor != 0 and completes(s, t, cell, kind) else 0
        at = on_place(s, t, kind, laid, hint, late, captors, ways, own, alike, out, hints, at)
    return at


@inner
def able_of(s: Any) -> int:
    """Return the ranks of which the mover has followers in the supply, as bits."""
    return int(s.supply[s.turn] > 0) | int(s.supply[PLAYERS + s.turn] > 0) << 1


@inner
def captors_of(s: Any, t: Any) -> tuple[int, int]:
    """Return the followers that the mover may buy back: bits by rank and captor.

    First those for whom he can pay only after scoring, then those for whom he can pay before the
    action. The players who hold some of both ranks are written to ``s.torn``.
    """
    captors = s.torn = 0
    for captor in range(s.players if t.towers != 0 else 0):
        plain = s.held[captor * OWNERS + s.turn] != 0
        big = s.held[captor * OWNERS + PLAYERS + s.turn] != 0
        captors |= (int(plain) | int(big) << PLAYERS) << captor
        if plain and big and not t.all_exchanged and not t.same_exchanged:
            s.torn |= 1 << captor
    if s.score[s.turn] >= t.ransom:
        return 0, captors
    return captors if t.late_ransom else 0, 0


@inner
def on_place(
    s: Any,
    t: Any,
    kind: int,
    laid: int,
    hint: int,
    poor: int,
    captors: int,
    ways: int,
    own: int,
    alike: bool,
    out: Any,
    hints: Any,
    at: int,
) -> int:
    """List the turns with a tile on its place: first without a ransom, then with one.

    ``imagine`` was called before. ``kind`` is -1 for a turn without a tile; ``laid`` is the turn
    that does nothing else, and ``hint`` its ordering score. The mover can pay for the followers
    ``poor`` only after scoring, and for ``captors`` before the action, both as bits. ``ways`` and
    ``own`` count the ways to act on towers that stood before and on the tile's own.
    """
    able = able_of(s)
    at = actions(s, t, kind, laid, hint, poor, able, ways, own, alike, out, hints, at)
    for i in range(2 * s.players if captors != 0 else 0):
        captor, rank = i >> 1, 1 - (i & 1)
        if captors >> rank * PLAYERS + captor & 1:
            begun = laid | ransomed(captor, rank)
            less, more = hint - 2 * t.ransom, able | 1 << rank
            at = actions(s, t, kind, begun, less, poor, more, ways, own, alike, out, hints, at)
    return at


@inner
def ransomed(captor: int, rank: int) -> int:
    """Return the part of a turn that buys a follower of a rank back."""
    return captor + 1 << CAPTOR + TOWER_SHIFT | rank << BOUGHT + TOWER_SHIFT


@inner
def actions(
    s: Any,
    t: Any,
    kind: int,
    begun: int,
    hint: int,
    poor: int,
    able: int,
    ways: int,
    own: int,
    alike: bool,
    out: Any,
    hints: Any,
    at: int,
) -> int:
    """List a turn without an action, with a follower, then with each action on a tower.

    ``begun`` is the turn so far; the player to move then has followers of the ranks ``able``, as
    bits.
    """
    at = put_ransomed(s, t, begun, hint, poor, out, hints, at)
    if able and kind >= 0:
        seen = 0
        for i in range(t.segments[kind]):
            which, shows = s.class_of[i], t.shows[kind, i]
            free = s.class_men[which] == 0 and t.claimed[shows] != 0
            if free and (alike or not seen >> which & 1):
                seen |= 1 << which
                turn, more = begun | i + 1, hint + s.class_points[which]
                if able & 1:
                    at = put_ransomed(s, t, turn, more, poor, out, hints, at)
                # On what the tile completes both ranks come home at once.
                home = able & 1 and shows <= CITY and s.class_open[which] == 0
                if able & 2 and (alike or not home):
                    at = put_ransomed(s, t, turn | BIG, more, poor, out, hints, at)
    # Ways are listed by the cell of the tower: those on the tile's own begin at row ``first``.
    cell, first = begun >> CELL_SHIFT & CELL_BITS, ways
    while own != 0 and first > 0 and s.cell[(s.ways[first - 1] & TOWER_BITS) - 1] > cell:
        first -= 1
    for i in range(ways + own):
        row = i
        if i >= first:
            row = ways + i - first if i < first + own else i - own
        way = int(s.ways[row])
        turn = begun | way << TOWER_SHIFT
        if way & GUARD:
            for rank in range(2):
                if able >> rank & 1:
                    guarded = turn | rank << RANK_SHIFT
                    at = put_ransomed(s, t, guarded, hint, poor, out, hints, at)
        elif s.torn != 0 and chooses(s, way, bought_by(s, begun)):
            for back in range(2, 0, -1):
                chosen = turn | back << BACK_SHIFT + TOWER_SHIFT
                at = put_ransomed(s, t, chosen, hint, poor, out, hints, at)
        else:
            at = put_ransomed(s, t, turn, hint, poor, out, hints, at)
    return at


@inner
def bought_by(s: Any, turn: int) -> int:
    """Return the index in ``s.held`` of the follower that a turn buys back, or -1."""
    acts = turn >> TOWER_SHIFT
    captor = (acts >> CAPTOR & 7) - 1
    if captor < 0:
        return -1
    return captor * OWNERS + (acts >> BOUGHT & 1) * PLAYERS + int(s.turn)


@inner
def put_ransomed(
    s: Any, t: Any, turn: int, hint: int, poor: int, out: Any, hints: Any, at: int
) -> int:
    """Add a turn to the list, and with each ransom that its points alone make affordable."""
    at = put(turn, hint, out, hints, at)
    if poor == 0:
        return at
    player, left = s.turn, 0
    play(s, t, turn, False)
    if s.score[player] >= t.ransom:
        for captor in range(s.players):
            plain = s.held[captor * OWNERS + player] != 0
            big = s.held[captor * OWNERS + PLAYERS + player] != 0
            left |= (int(plain) | int(big) << PLAYERS) << captor
    undo(s, t)
    for i in range(2 * s.players if left & poor else 0):
        captor, rank = i >> 1, 1 - (i & 1)
        if (left & poor) >> rank * PLAYERS + captor & 1:
            late = turn | ransomed(captor, rank) | PAID_LATE << TOWER_SHIFT
            at = put(late, hint, out, hints, at)
    return at


@inner
def put(turn: int, hint: int, out: Any, hints: Any, at: int) -> int:
    """Add a turn to the list if there is room; return the next row."""
    if at < out.size:
        out[at] = turn
    if at < hints.size:
        hints[at] = hint
    return at + 1


@compiled
def turns_at(
    s: Any, t: Any, kind: int, like: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """Write a turn of another node if it is legal here and touches no tower and no prisoner."""
    cell = like >> CELL_SHIFT & CELL_BITS
    if like >> TOWER_SHIFT or s.tile[cell] >= 0 or s.wants[cell] == 0:
        return at
    lie = like >> LIE_SHIFT & LIE_BITS
    if lie >> 2 != kind or not fits(s, t, cell, lie):
        return at
    hint = reckon(s, t, cell, kind, imagine(s, t, cell, lie))
    segment = (like & SEGMENT_BITS) - 1
    if segment >= 0:
        which = s.class_of[segment]
        if s.class_men[which] or not t.claimed[t.shows[kind, segment]]:
            return at
        if not able_of(s) >> (like >> RANK_SHIFT & 1) & 1:
            return at
        hint += s.class_points[which]
    return put(like, hint, out, hints, at)


@compiled
def shape(s: Any, turn: int) -> int:
    """Return the whole turn: every turn has a shape of its own."""
    return turn


@compiled
def hand_over(s: Any, player: int) -> None:
    """Make a player the next to move."""
    s.turn = player


@compiled
def standing(s: Any, t: Any, out: Any) -> None:
    """Write each player's score."""
    for player in range(s.players):
        out[player] = s.score[player]
