"""Upper bound of a player's final points in Carcassonne and its expansions, without a search.

The upper bound is a sum of three parts: his points that need no tile, the points that features
bring a tile on each empty cell, and the points of the coming tiles by themselves. Each tile counts
on the best cell where it fits now: later, cells ask for more. ``bounds.md`` gives the proof.

Common arguments: ``s`` the state, ``t`` the tables, ``me`` the player, ``turns`` the most turns
that he has, ``left`` the tiles that can be laid. Loans are points times ``SHARES``.
"""

from __future__ import annotations

from burgrave.solver.kernel.bits import bit_count
from burgrave.solver.kernel.boards import find, fits
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import SOLITAIRE
from burgrave.solver.kernel.plane_board import (
    FACING_MIDDLE,
    MAN,
    MAN_BITS,
    OWNERS,
    RING_FULL,
    STEPS,
    around,
    meets,
    rank_at,
)
from burgrave.solver.kernel.plane_last import each_city, find_occupied, walls_near
from burgrave.solver.kernel.plane_places import imagine
from burgrave.solver.kernel.plane_points import marked, product, size, unfinished
from burgrave.solver.kernel.plane_tables import (
    CITY,
    CLOISTER,
    FIELD,
    FIELD3,
    FOLLOWERS,
    ROAD,
    WIDTH,
)
from burgrave.solver.kernel.records import PLAYERS, Job, State, Tables
from burgrave.solver.kernel.tower import reaches

MOST_TILES = 8
"""Most tiles to come for which an upper bound is computed."""
SHARES = 840
"""A common multiple of 1 to ``MOST_TILES``, so that shares of points stay whole."""


@compiled
def reach(s: State, t: Tables, q: Job, left: int) -> bool:
    """Write the asker's upper and the others' lower bounds; see ``solver.kernel.game``."""
    if left > MOST_TILES:
        return False
    me, paid = q.asker, 0
    claims = turns_of(s, q, me, left)
    taken = min(claims, int(s.pieces[me]))
    held = s.captures = taken
    for player in range(s.players):
        prisoners = s.held[me * OWNERS + player] + s.held[me * OWNERS + PLAYERS + player]
        held += prisoners
        if player != me:
            turns = turns_of(s, q, player, left)
            q.worths[player] = s.score[player] - t.ransom * turns
            s.captures += min(turns, s.pieces[player])
            paid += min(turns, prisoners + taken)
    q.worths[me] = s.score[me] + t.ransom * min(paid, held)
    for kind in range(q.kinds):
        s.coming[kind] = q.bag[kind]
    for at in range(q.at, q.ordered):
        s.coming[q.order[at]] += 1
    if s.captures:
        expose(s, t, me, q.kinds)
    q.worths[me] += most(s, t, q.kinds, me, claims, left)
    return True


@inner
def turns_of(s: State, q: Job, player: int, left: int) -> int:
    """Return the most turns that a player has while ``left`` tiles are laid."""
    if q.play == SOLITAIRE:
        return left if player == q.asker else 0
    return int((left + s.players - 1 - (player - s.turn) % s.players) // s.players)


@inner
def expose(s: State, t: Tables, me: int, kinds: int) -> None:
    """Note the followers of the others whom a tower may reach in the turns to come.

    ``s.captures`` pieces are put on towers at most.
    """
    fresh, towers = False, 0
    for kind in range(kinds):
        fresh = fresh or (s.coming[kind] != 0 and t.place[kind] != 0)
    for slot in range(s.tiles):
        if t.place[(int(s.tile[s.cell[slot]]) & 255) >> 2] != 0:
            s.open_towers[towers] = slot
            towers += 1
    for post in range(s.players * FOLLOWERS):
        s.exposed[post] = 0
        if s.posts[post] == 0 or post // FOLLOWERS == me:
            continue
        cell = s.cell[(s.posts[post] - 1) // WIDTH]
        for i in range(towers):
            slot = s.open_towers[i]
            if reaches(s.cell[slot], s.height[slot] + s.captures, cell):
                s.exposed[post] = 1
                break
        # A tower on a new tile stands on a cell that is empty now.
        for side in range(4 if fresh and not s.exposed[post] else 0):
            beyond = cell
            for _ in range(s.captures):
                beyond += STEPS[side]
                if s.tile[beyond] < 0:
                    s.exposed[post] = 1
                    break


@inner
def most(s: State, t: Tables, kinds: int, me: int, turns: int, left: int) -> int:
    """Return the most points that a player wins in play and at the end, without ransoms."""
    s.looks_taken += 1
    for shown in range(CLOISTER + 1):
        s.standing[shown] = 0
    for post in range(me * FOLLOWERS, (me + 1) * FOLLOWERS):
        if s.posts[post]:
            s.standing[s.shows[s.posts[post] - 1]] += 1 + rank_at(post)
    rate(s, t, kinds)
    look_round(s, t, kinds)
    live = 0
    for index in range(s.growing):
        root = s.grown[index]
        if s.barred[root] == 0 and s.needed[root] <= left:
            s.grown[live] = root
            live += 1
    s.growing = live
    found = standing_for(s, t, me, left)
    for kind in range(kinds):
        s.brings[kind] = 0
        if s.coming[kind] and left > 1:
            s.brings[kind] = SHARES * alone(s, t, kind, turns)
    cell = int(s.after[0])
    while cell != 0:
        known, free, lent = False, 0, 0
        for kind in range(kinds):
            if s.coming[kind] == 0:
                continue
            for i in range(t.turned[kind]):
                lie = int(t.lies[kind, i])
                if not fits(s, t, cell, lie):
                    continue
                if not known:
                    free, lent = loans(s, t, cell, me, turns, left)
                    known = True
                if left == 1:
                    more = on_cell(s, t, cell, lie, me, turns)
                else:
                    more = lent + SHARES * alone(s, t, kind, turns)
                s.brings[kind] = max(s.brings[kind], free + more)
        cell = int(s.after[cell])
    shares = 0
    for kind in range(kinds):
        shares += s.coming[kind] * s.brings[kind]
    return int(found + shares // SHARES)


@inner
def rate(s: State, t: Tables, kinds: int) -> None:
    """Note the largest factors of completed features, as far as tiles to come tell."""
    for shows in range(CITY + 1):
        s.factors[shows] = max(t.done[shows], t.pair[shows])
    for kind in range(kinds):
        for segment in range(t.segments[kind] if s.coming[kind] else 0):
            if marked(int(t.units[kind, segment])):
                mark(s, t, t.shows[kind, segment])


@inner
def mark(s: State, t: Tables, shows: int) -> None:
    """Note that features of a kind may have the mark that changes their factor."""
    s.factors[shows] = max(s.factors[shows], t.marked_done[shows])


@inner
def look_round(s: State, t: Tables, kinds: int) -> None:
    """Note what is worth more once it is complete: how many empty cells it faces, and if tiles fit.

    These are cities, and roads too where marks can make a complete one worth more.
    """
    s.growing = 0
    cell = int(s.after[0])
    while cell != 0:
        fit = False
        for kind in range(kinds):
            if s.coming[kind]:
                for i in range(t.turned[kind]):
                    lie = int(t.lies[kind, i])
                    fit = fit or fits(s, t, cell, lie)
        for side in range(4):
            tile = int(s.tile[cell + STEPS[side]])
            if tile < 0:
                continue
            node = (tile >> 8) * WIDTH + int(t.owner[tile & 255, FACING_MIDDLE[side]])
            shows = s.shows[node]
            if shows > CITY or (shows == ROAD and t.rises[ROAD] == 0):
                continue
            root = find(s, node)
            if s.looked[root] != s.looks_taken:
                if marked(int(s.feature[root].units)):
                    mark(s, t, shows)
                s.looked[root] = s.looks_taken
                s.needed[root] = s.barred[root] = s.met_at[root] = s.farms_near[root] = 0
                s.grown[s.growing] = root
                s.growing += 1
            if s.met_at[root] != cell:
                s.met_at[root] = cell
                s.needed[root] += 1
                if not fit:
                    s.barred[root] = 1
        cell = int(s.after[cell])


@inner
def standing_for(s: State, t: Tables, me: int, left: int) -> int:
    """Return the points that need no further tile, and note the cities that his farms border."""
    found = 0
    for i in range(find_occupied(s)):
        root = s.occupied[i]
        if s.feature[root].men >> MAN * me & MAN_BITS == 0:
            continue
        shows = s.shows[root]
        if shows == CLOISTER:
            found += min(unfinished(s, t, root) + left, RING_FULL + 1)
        elif shows != FIELD:
            if leads(s, root, me):
                found += unfinished(s, t, root)
        else:
            if t.farms != FIELD3 or leads(s, root, me):
                found += each_city(t) * walls_near(s, root)
            for index in range(s.growing):
                city = s.grown[index]
                s.farms_near[city] += meets(s.feature[root].near, s.feature[city].near)
    return int(found)


@inner
def rivals(s: State, root: int, me: int) -> int:
    """Return the most that followers on a feature count whom any other player cannot lose."""
    found = 0
    for player in range(s.players):
        if player == me:
            continue
        theirs, lost, more = s.feature[root].men >> MAN * player & MAN_BITS, 0, 0
        if theirs and s.captures:
            for post in range(player * FOLLOWERS, (player + 1) * FOLLOWERS):
                if s.posts[post] and s.exposed[post] and find(s, s.posts[post] - 1) == root:
                    lost += 1
                    more += rank_at(post)
        # A piece takes one follower prisoner at most.
        found = max(found, theirs - min(lost, s.captures) - more)
    return int(found)


@inner
def leads(s: State, root: int, me: int) -> bool:
    """Tell whether the player may lead on a feature before a tile joins it to another."""
    mine = s.feature[root].men >> MAN * me & MAN_BITS
    return bool(mine >= max(rivals(s, root, me), 1))


@inner
def comes_to(s: State, t: Tables, root: int, me: int, turns: int, left: int) -> bool:
    """Tell whether his followers, joined by tiles, can win him a feature."""
    theirs, shows = rivals(s, root, me), s.shows[root]
    # No later tile joins a follower on the last tile to a feature.
    more = turns + t.big if turns and (theirs == 0 or left > 1) else 0
    return bool(s.standing[shows] + more >= max(theirs, 1) and t.claimed[shows] != 0)


@inner
def loans(s: State, t: Tables, cell: int, me: int, turns: int, left: int) -> tuple[int, int]:
    """Return the points that the features round an empty cell bring a tile there, times ``SHARES``.

    First those of his own features and of cities completed for his farms, then those of others if
    they become his. ``s.lends`` holds the latter by root.
    """
    free, lent = 0, 0
    s.cells_met += 1
    for side in range(4):
        tile = int(s.tile[cell + STEPS[side]])
        if tile < 0:
            continue
        base, lie, middle = (tile >> 8) * WIDTH, tile & 255, int(FACING_MIDDLE[side])
        shows = s.shows[base + int(t.owner[lie, middle])]
        for port in range(middle - (shows == ROAD), middle + 1 + (shows == ROAD)):
            root = find(s, base + int(t.owner[lie, port]))
            if s.lent_at[root] == s.cells_met:
                continue
            s.lent_at[root] = s.cells_met
            if s.valued[root] != s.looks_taken:
                s.valued[root] = s.looks_taken
                value(s, t, root, me, turns, left)
            free += s.gives[root]
            lent += s.lends[root]
    return int(free), int(lent)


@inner
def value(s: State, t: Tables, root: int, me: int, turns: int, left: int) -> None:
    """Write the points that a feature brings a tile on a cell it faces, times ``SHARES``."""
    s.gives[root] = 0
    if s.shows[root] == FIELD:
        s.lends[root] = SHARES * field_loan(s, t, root, me, turns, left)
        return
    held, shows, units = leads(s, root, me), s.shows[root], int(s.feature[root].units)
    ends, lent = unfinished(s, t, root), 0
    best = t.marked_done[shows] if marked(units) else s.factors[shows]
    more = product(size(s, t, root), units, best) - ends
    whole = s.looked[root] == s.looks_taken and s.barred[root] == 0 and s.needed[root] <= left
    if whole:
        share = SHARES // s.needed[root]
        s.gives[root] = share * (each_city(t) * s.farms_near[root] + (more if held else 0))
    if not held and comes_to(s, t, root, me, turns, left):
        lent = SHARES * ends
        if whole:
            lent += share * more
    s.lends[root] = lent


@inner
def field_loan(s: State, t: Tables, root: int, me: int, turns: int, left: int) -> int:
    """Return the points of a field that becomes his once a tile joins it."""
    stands = s.feature[root].men >> MAN * me & MAN_BITS
    if stands and (t.farms != FIELD3 or leads(s, root, me)):
        return 0
    if not comes_to(s, t, root, me, turns, left):
        return 0
    cities = walls_near(s, root)
    for index in range(0 if stands else s.growing):
        cities += meets(s.feature[root].near, s.feature[s.grown[index]].near)
    return each_city(t) * cities


@inner
def alone(s: State, t: Tables, kind: int, turns: int) -> int:
    """Return the most points of a tile by its own segments, before the last tile."""
    found = 0
    for segment in range(t.segments[kind]):
        shows = t.shows[kind, segment]
        if shows == CLOISTER:
            found += RING_FULL + 1 if turns else 0
        elif t.claimed[shows] and (turns or s.standing[shows]):
            times = s.factors[shows] if shows <= CITY else 0
            found += own_points(t, kind, segment, times, t.bordered[kind, segment])
    return int(found)


@inner
def own_points(t: Tables, kind: int, segment: int, times: int, closed: int) -> int:
    """Return the points of a road, city or field segment as a part of a feature.

    A unit of a road or city brings ``times`` points; the tile's cities ``closed``, as bits, count
    for farms.
    """
    if t.shows[kind, segment] <= CITY:
        return product(1, int(t.units[kind, segment]), times)
    return each_city(t) * bit_count(int(t.bordered[kind, segment]) & closed)


@inner
def on_cell(s: State, t: Tables, cell: int, lie: int, me: int, turns: int) -> int:
    """Return the most points that the last tile on a cell brings, times ``SHARES``.

    Segments that meet round the board are one feature. He can claim one feature; the others count
    if he stands on a part of them. ``loans`` was called for the cell before.
    """
    kind = lie >> 2
    touched = imagine(s, t, cell, lie)
    joined, claimed, closed = 0, 0, 0
    for segment in range(t.segments[kind]):
        if t.shows[kind, segment] == CITY and s.class_open[s.class_of[segment]] == 0:
            closed |= int(t.bordered[kind, segment])
    for which in range(t.segments[kind]):
        shows, points = t.shows[kind, which], 0
        if s.class_of[which] != which or not t.claimed[shows]:
            continue
        if shows == CLOISTER:
            points = SHARES * (1 + around(s, cell))
        for segment in range(t.segments[kind] if shows != CLOISTER else 0):
            if s.class_of[segment] == which:
                times = t.end[shows] if s.class_open[which] else s.factors[shows]
                points += SHARES * own_points(t, kind, segment, times, closed)
        for i in range(touched):
            if s.class_of[s.touching[i]] == which:
                points += s.lends[s.touched[i]]
        if s.class_men[which] >> MAN * me & MAN_BITS:
            joined += points
        else:
            claimed = max(claimed, points)
    return int(joined + (claimed if turns else 0))
