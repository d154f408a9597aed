"""The end of a game of Carcassonne or The Tower: final scoring with farms, the best last turn."""

from __future__ import annotations

from typing import Any

from solver.kernel.carcassonne import play, turns, undo
from solver.kernel.compiling import compiled, inner
from solver.kernel.job import NONE, improves, pick, refuted, worth
from solver.kernel.plane_board import MAN, MAN_BITS, find, leaders, unfinished
from solver.kernel.plane_tables import CITY4, FIELD, FIELD3, FOLLOWERS
from solver.kernel.records import Ints, Job, State, Tables

EACH_CITY_FIRST = 4
"""Points of a city for a farm, by the first farm rule."""
EACH_CITY = 3
"""Points of a city for a farm, by the later farm rules."""


@compiled
def totals(s: Any, t: Any, out: Any) -> None:
    """Write each player's total after final scoring; the state does not change."""
    for player in range(s.players):
        out[player] = s.score[player]
    farms = 0
    count = 0
    for post in range(s.players * FOLLOWERS):
        if s.posts[post] == 0:
            continue
        root = find(s, s.posts[post] - 1)
        new = True
        for i in range(count):
            new = new and s.occupied[i] != root
        if not new:
            continue
        s.occupied[count] = root
        count += 1
        if s.shows[root] == FIELD:
            # Fields come first, so that the functions below can read them alone.
            s.occupied[farms], s.occupied[count - 1] = root, s.occupied[farms]
            farms += 1
        else:
            pay(s, leaders(t, s.men[root], s.players), unfinished(s, t, root), out)
    if t.farms == FIELD3:
        score_fields(s, t, farms, out)
    elif farms != 0:
        score_cities(s, t, farms, out)


@inner
def pay(s: Any, who: int, points: int, out: Any) -> None:
    """Add points to the totals of a set of players.

    Args:
        s: the state.
        who: the players, as bits.
        points: the points of each of them.
        out: player → total.

    """
    for player in range(s.players):
        if who >> player & 1:
            out[player] += points


@inner
def touches(s: Any, field: int, wall: int) -> bool:
    """Tell whether a field borders a completed city.

    Args:
        s: the state.
        field: the root of the field.
        wall: the index of the city in ``s.walled``.

    """
    one = s.near[field, 0] & s.walled[wall, 0]
    return bool(one | s.near[field, 1] & s.walled[wall, 1])


@inner
def score_fields(s: Any, t: Any, farms: int, out: Any) -> None:
    """Score farms by the rule that each field scores each of its cities; see ``score_cities``."""
    for i in range(farms):
        field = s.occupied[i]
        cities = 0
        for wall in range(s.walls):
            cities += touches(s, field, wall)
        pay(s, leaders(t, s.men[field], s.players), EACH_CITY * cities, out)


@inner
def score_cities(s: Any, t: Any, farms: int, out: Any) -> None:
    """Score farms by the rule that each city scores once.

    Args:
        s: the state.
        t: the tables.
        farms: the number of occupied fields; their roots are the first in ``s.occupied``.
        out: player → total.

    """
    for wall in range(s.walls):
        men = 0
        if t.farms == CITY4:
            for i in range(farms):
                if touches(s, s.occupied[i], wall):
                    men += s.men[s.occupied[i]]
            if men != 0:
                pay(s, leaders(t, men, s.players), EACH_CITY_FIRST, out)
            continue
        for player in range(s.players):
            s.most[player] = 0
        for i in range(farms):
            field = s.occupied[i]
            if touches(s, field, wall):
                who = leaders(t, s.men[field], s.players)
                for player in range(s.players):
                    if who >> player & 1:
                        count = s.men[field] >> MAN * player & MAN_BITS
                        s.most[player] = max(s.most[player], count)
        who = 0
        for player in range(s.players):
            men |= s.most[player] << MAN * player
            who |= (s.most[player] > 0) << player
        if men != 0:
            pay(s, who if t.once_each else leaders(t, men, s.players), EACH_CITY, out)


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
    end = turns(s, t, kind, True, False, q.out, q.hints, at)
    for i in range(at, end):
        turn = pick(q, i, end)
        play(s, t, turn, True)
        totals(s, t, q.worths)
        undo(s, t)
        q.nodes += 1
        improves(q, worth(q, q.asker), turn, serving)
        if refuted(q, serving, low, high):
            break
    return int(q.last_value)


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
