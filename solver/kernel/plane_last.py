"""The end of a game of Carcassonne or The Tower: final scoring with farms, the best last turn."""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.bits import lowest
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.carcassonne import BIG, LIE_SHIFT, begin, play, score, turns, undo
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.job import NONE, among, improves, refuted
from burgrave.solver.kernel.job import worth as value
from burgrave.solver.kernel.plane_board import MAN, MAN_BITS, PLACES, leaders, meets, pay
from burgrave.solver.kernel.plane_places import list_places
from burgrave.solver.kernel.plane_points import unfinished, worth
from burgrave.solver.kernel.plane_tables import CITY, CITY4, FIELD, FIELD3, FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import PLAYERS, Ints, Job, State, Tables

EACH_CITY_FIRST = 4
"""Points of a city for a farm, by the first farm rule."""
EACH_CITY = 3
"""Points of a city for a farm, by the later farm rules."""
NO_SCORE = 1 << 40
"""Beyond every ordering score."""


@compiled
def totals(s: Any, t: Any, out: Any) -> None:
    """Write each player's total after final scoring; the state does not change."""
    for player in range(s.players):
        out[player] = s.score[player]
    for i in range(find_occupied(s)):
        root = s.occupied[i]
        pay(s, leaders(t, s.feature[root].men, s.players), at_end(s, t, root), out)
    for wall in range(s.walls if s.farms and t.farms != FIELD3 else 0):
        pay(s, farmers_of(s, t, wall), each_city(t), out)


@inner
def find_occupied(s: Any) -> int:
    """Write the roots of the features with followers to ``s.occupied``; return how many.

    The fields among them are written to ``s.farm`` too.
    """
    count = s.farms = 0
    for post in range(s.players * FOLLOWERS):
        if s.posts[post] == 0:
            continue
        root = find(s, s.posts[post] - 1)
        if not among(s.occupied, count, root):
            s.occupied[count] = root
            count += 1
            if s.shows[root] == FIELD:
                farm(s, root)
    return count


@inner
def farm(s: Any, field: int) -> None:
    """Add a field to ``s.farm``."""
    s.farm[s.farms] = field
    s.farms += 1


@inner
def at_end(s: Any, t: Any, root: int) -> int:
    """Return the points that a feature has for its leaders at the end.

    A field has none if each city scores once; see ``farmers_of``.
    """
    if s.shows[root] == FIELD:
        return EACH_CITY * walls_near(s, root) if t.farms == FIELD3 else 0
    if s.shows[root] <= CITY and s.feature[root].open == 0:
        return worth(s, t, root)
    return unfinished(s, t, root)


@inner
def walls_near(s: State, field: int) -> int:
    """Return the number of completed cities that a field borders."""
    found = 0
    for wall in range(s.walls):
        found += meets(s.feature[field].near, s.walled[wall])
    return found


@inner
def each_city(t: Any) -> int:
    """Return the points of a city for its farmers if each city scores once."""
    return EACH_CITY_FIRST if t.farms == CITY4 else EACH_CITY


@inner
def farmers_of(s: Any, t: Any, wall: int) -> int:
    """Return the players who score a city for their farmers if each city scores once, as bits.

    ``wall`` is the index of the city in ``s.walled``; ``s.farm`` holds the occupied fields.
    """
    men = 0
    if t.farms == CITY4:
        for i in range(s.farms):
            if meets(s.feature[s.farm[i]].near, s.walled[wall]):
                men += s.feature[s.farm[i]].men
        return leaders(t, men, s.players) if men != 0 else 0
    s.most[:] = 0
    for i in range(s.farms):
        field = s.farm[i]
        if meets(s.feature[field].near, s.walled[wall]):
            who = leaders(t, s.feature[field].men, s.players)
            for player in range(s.players):
                if who >> player & 1:
                    count = s.feature[field].men >> MAN * player & MAN_BITS
                    s.most[player] = max(s.most[player], count)
    who = 0
    for player in range(s.players):
        men |= s.most[player] << MAN * player
        who |= (s.most[player] > 0) << player
    return who if t.once_each or men == 0 else leaders(t, men, s.players)


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
    """Keep all turns."""
    q.last_turn = NONE
    return end


@inner
def best_last(
    s: State, t: Tables, q: Job, at: int, kind: int, serving: bool, low: int, high: int
) -> int:
    """Return the value of the best last turn with a tile; see ``solver.kernel.game``.

    The list omits repeated turns without effect on the totals.
    """
    q.last_turn, q.last_value = NONE, 0
    if t.towers == 0:
        best_place(s, t, q, kind, serving, low, high)
        return int(q.last_value)
    end = turns(s, t, kind, True, False, q.out, q.hints, at)
    # Turns of one ordering score after another: sorting thousands would take longer.
    below, score = NO_SCORE, -NO_SCORE
    while True:
        for i in range(at, end):
            if q.hints[i] < below:
                score = max(score, q.hints[i])
        if score == -NO_SCORE:
            break
        for i in range(at, end):
            if q.hints[i] == score:
                try_last(s, t, q, q.out[i], serving)
                if refuted(q, serving, low, high):
                    return int(q.last_value)
        below, score = score, -NO_SCORE
    return int(q.last_value)


@inner
def try_last(s: State, t: Tables, q: Job, turn: int, serving: bool) -> None:
    """Play a last turn, note its value if it is the best so far, and take it back."""
    play(s, t, turn, True)
    totals(s, t, q.worths)
    undo(s, t)
    q.nodes += 1
    improves(q, value(q, q.asker), turn, serving)


@inner
def best_place(s: State, t: Tables, q: Job, kind: int, serving: bool, low: int, high: int) -> None:
    """Find the best last turn of a game without towers; see ``best_last``.

    Each place is tried once, with its followers together: a follower of the last turn stands alone.
    On a road, city or cloister he brings only his player points, so that the best one is enough,
    and of whatever rank.
    """
    player, plain, big = s.turn, s.supply[s.turn] > 0, s.supply[PLAYERS + s.turn] > 0
    able, ranked = plain or big, 0 if plain else BIG
    held, walls = note_held(s, t), s.walls
    base = s.tiles * WIDTH
    for place in range(list_places(s, t, kind, PLACES)):
        turn, fields = s.places[place] << LIE_SHIFT, 0
        done = begin(s, t, turn)
        best, most = NONE, 0
        for segment in range(t.segments[kind] if able else 0):
            root = find(s, base + segment)
            if s.feature[root].men != 0 or not t.claimed[s.shows[root]]:
                continue
            points = at_end(s, t, root)
            if points > most:
                best, most = segment, points
            if s.shows[root] == FIELD and t.farms != FIELD3 and s.walls:
                fields |= 1 << segment
        score(s, t, done)
        change_totals(s, t, held, walls, base, t.segments[kind], q.worths)
        improves(q, value(q, q.asker), turn, serving)
        if best != NONE:
            q.worths[player] += most
            improves(q, value(q, q.asker), turn | ranked | best + 1, serving)
        while fields:
            segment = lowest(fields)
            fields &= fields - 1
            root = find(s, base + segment)
            for rank in range(0 if plain else 1, 2 if big else 1):
                s.feature[root].men = rank + 1 << MAN * player
                change_totals(s, t, held, walls, base, t.segments[kind], q.worths)
                s.feature[root].men = 0
                placed = turn | segment + 1 | (BIG if rank else 0)
                improves(q, value(q, q.asker), placed, serving)
        undo(s, t)
        q.nodes += 1
        if refuted(q, serving, low, high):
            return


@inner
def note_held(s: Any, t: Any) -> int:
    """Note what each occupied feature and each city scores; return the number of features."""
    count = find_occupied(s)
    for i in range(count):
        root = s.occupied[i]
        s.held_by[i] = leaders(t, s.feature[root].men, s.players)
        s.held_for[i], s.held_nodes[i] = at_end(s, t, root), s.feature[root].nodes
    for wall in range(s.walls if t.farms != FIELD3 else 0):
        s.farmed_by[wall] = farmers_of(s, t, wall)
    return count


@inner
def change_totals(s: Any, t: Any, held: int, walls: int, base: int, size: int, out: Any) -> None:
    """Write each player's total after the last tile, from what ``note_held`` noted before it.

    The turn is scored. ``held`` features were noted, and ``walls`` cities were complete before it;
    the tile has the nodes from ``base`` on, ``size`` of them.
    """
    for player in range(s.players):
        out[player] = s.score[player]
    s.farms = one = other = 0
    for i in range(held):
        root, points = s.occupied[i], s.held_for[i]
        if s.shows[root] > FIELD:
            # A tile beside a cloister joins nothing.
            points = unfinished(s, t, root) if s.feature[root].men != 0 else 0
        elif s.parent[root] != root or s.feature[root].nodes != s.held_nodes[i]:
            continue
        elif s.shows[root] == FIELD:
            farm(s, root)
            for wall in range(walls, s.walls if t.farms == FIELD3 else walls):
                points += EACH_CITY * meets(s.feature[root].near, s.walled[wall])
        pay(s, s.held_by[i], points, out)
    for segment in range(size):
        root = find(s, base + segment)
        new = s.feature[root].men != 0
        for earlier in range(segment if new else 0):
            new = new and find(s, base + earlier) != root
        if new:
            pay(s, leaders(t, s.feature[root].men, s.players), at_end(s, t, root), out)
            if s.shows[root] == FIELD:
                farm(s, root)
                one, other = one | s.feature[root].near[0], other | s.feature[root].near[1]
    for wall in range(s.walls if s.farms and t.farms != FIELD3 else 0):
        who = s.farmed_by[wall]
        if wall >= walls or one & s.walled[wall, 0] | other & s.walled[wall, 1]:
            who = farmers_of(s, t, wall)
        pay(s, who, each_city(t), out)


@inner
def pending(s: State) -> bool:
    """Tell whether a wall tile is being turned over: there is none."""
    return False


@inner
def unseen(s: State, number: int) -> int:
    """Return the count of face-down wall tiles with a number: always 0."""
    return 0


@inner
def choices(s: State, t: Tables, number: int, last: bool, out: Ints, hints: Ints, at: int) -> int:
    """Write the ways to go on once a wall tile is turned over: there are none."""
    return at
