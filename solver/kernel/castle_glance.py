"""Find what a tile would join, and what it would bring at most, without laying it.

In most places a tile completes no feature with a follower. To lay and lift the tile would take
twice as long. What the mover gains at most by a last turn is a limit on the totals of a calm turn.
It is in points, or ``ANY_GAIN`` where none is known: a wall tile may double points, a marker may
reach a wall tile, a keep may grow, or tokens may count. ``bounds.md`` gives the proof.
"""

from __future__ import annotations

from model.geometry import PORTS
from model.rules.castle.keeps import A_MARKET
from solver.kernel.castle_board import find, size
from solver.kernel.castle_plans import doubler_of, points_of, worth
from solver.kernel.castle_scoring import FIRST_TILE
from solver.kernel.castle_tables import COURT, HOUSE
from solver.kernel.compiling import inner
from solver.kernel.job import POINTS
from solver.kernel.records import Job, State, Tables

ANY_GAIN = 1 << 30
"""A gain without a known upper bound."""


@inner
def glance(s: State, t: Tables, cell: int, lie: int) -> bool:
    """Find the features that a tile would join.

    ``s.group`` then holds the feature of each segment; the ``group_`` arrays hold its facts.

    Args:
        s: the state.
        t: the tables.
        cell: where the tile fits.
        lie: kind and rotation.

    ``s.shut`` then lists the features with followers that it completes and does not join.

    Returns:
        Whether these facts are enough to list the turns. They are if the tile completes no
        feature with followers, and each feature that it completes can be scored in only one way.
        Otherwise the caller must lay the tile.

    """
    kind = lie >> 2
    low, high = s.empty[0] & ~t.bit[cell, 0], s.empty[1] & ~t.bit[cell, 1]
    count = int(t.segments[kind])
    for segment in range(count):
        s.group[segment] = segment
        s.group_men[segment] = 0
        s.group_fountains[segment] = t.fountains[kind, segment]
        s.group_markets[segment] = t.markets[kind, segment]
        s.group_points[segment] = 0
        for word in range(2):
            s.group_open[segment, word] = 0
            s.group_mask[segment, word] = t.bit[cell, word]
    met = 0
    s.shuts, s.wins = 0, 0
    for side in range(4):
        beyond = int(t.neighbour[cell, side])
        if beyond < 0:
            continue
        other = int(s.lie[beyond])
        if other < 0:
            _open(s, t, lie, side, beyond)
            continue
        whole, facing = int(t.whole[lie, side]), int(t.whole[other, side + 2 & 3])
        if whole >= 0 and facing >= 0:
            met = _touch(s, t, kind, whole, find(s, beyond * PORTS + facing), low, high, met)
            continue
        for port in range(3 * side, 3 * side + 3):
            theirs = int(t.owner[other, t.facing[port]])
            if theirs >= 0:
                mine, root = int(t.owner[lie, port]), find(s, beyond * PORTS + theirs)
                met = _touch(s, t, kind, mine, root, low, high, met)
    s.meets = met
    for pair in range(t.joins[kind]):
        _merge(s, count, int(t.joined[kind, pair, 0]), int(t.joined[kind, pair, 1]))
    for index in range(1, met):
        for earlier in range(index):
            if s.met[earlier] == s.met[index]:
                _merge(s, count, s.met_by[earlier], s.met_by[index])
    enough = s.shuts == 0
    for segment in range(count):
        closed = s.group_open[segment, 0] | s.group_open[segment, 1] == 0
        shows = int(t.shows[kind, segment])
        if not closed or s.group[segment] != segment or shows == COURT:
            continue
        if s.group_men[segment] or t.gates or s.now.hand[s.now.mover, doubler_of(shows)]:
            enough = False
        tiles = size(s.group_mask[segment])
        s.group_points[segment] = points_of(shows, tiles, s.group_fountains[segment])
        if s.now.covered:
            enough = False
    return bool(enough)


@inner
def _open(s: State, t: Tables, lie: int, side: int, beyond: int) -> None:
    """Note that the segments on a side of a tile face an empty cell."""
    whole = int(t.whole[lie, side])
    if whole >= 0:
        s.group_open[whole, 0] |= t.bit[beyond, 0]
        s.group_open[whole, 1] |= t.bit[beyond, 1]
        return
    for port in range(3 * side, 3 * side + 3):
        segment = int(t.owner[lie, port])
        if segment >= 0:
            s.group_open[segment, 0] |= t.bit[beyond, 0]
            s.group_open[segment, 1] |= t.bit[beyond, 1]


@inner
def _touch(
    s: State, t: Tables, kind: int, segment: int, root: int, low: int, high: int, met: int
) -> int:
    """Let a segment, or -1 for none, meet a feature across an edge.

    Args:
        s: the state.
        t: the tables.
        kind: the kind of the tile.
        segment: the segment of the tile, or -1.
        root: the root of the feature.
        low: the first word of the cells that would be empty.
        high: the second.
        met: the number of features joined so far.

    Returns:
        The new number of features joined.

    """
    open_low, open_high = s.faces[root, 0] & low, s.faces[root, 1] & high
    if segment < 0 or t.shows[kind, segment] != s.kind[root]:
        closed = open_low | open_high == 0 and s.kind[root] != COURT
        if closed and s.men[root]:
            s.shut[s.shuts] = root
            s.shuts += 1
        return met
    for index in range(met):
        if s.met[index] == root and s.met_by[index] == segment:
            return met
    s.met[met] = root
    s.met_by[met] = segment
    s.group_men[segment] += s.men[root]
    s.group_fountains[segment] += s.fountains[root]
    s.group_markets[segment] += s.markets[root]
    s.group_open[segment, 0] |= open_low
    s.group_open[segment, 1] |= open_high
    for word in range(2):
        s.group_mask[segment, word] |= s.mask[root, word]
    return met + 1


@inner
def _merge(s: State, count: int, one: int, other: int) -> None:
    """Merge the features of two segments of a tile."""
    first, second = s.group[one], s.group[other]
    if first == second:
        return
    if first > second:
        first, second = second, first
    s.group_men[first] += s.group_men[second]
    s.group_fountains[first] += s.group_fountains[second]
    s.group_markets[first] += s.group_markets[second]
    for word in range(2):
        s.group_mask[first, word] |= s.group_mask[second, word]
        s.group_open[first, word] |= s.group_open[second, word]
    for segment in range(count):
        if s.group[segment] == second:
            s.group[segment] = first


@inner
def is_calm(s: State, t: Tables, kind: int, counted: int) -> bool:
    """Tell whether a tile alone changes no total, after ``glance`` returned true for it.

    Args:
        s: the state after ``glance``.
        t: the tables.
        kind: the kind of the tile.
        counted: the kinds of features that anybody's wall tiles score at the end, as bits.

    """
    for segment in range(t.segments[kind]):
        if s.group_men[s.group[segment]] and may_count(t, kind, segment, counted):
            return False
    return True


@inner
def may_count(t: Tables, kind: int, segment: int, counted: int) -> bool:
    """Tell whether a follower on an incomplete feature's segment may change totals."""
    shows = t.shows[kind, segment]
    return bool(shows == COURT or (shows < COURT and counted >> shows & 1 != 0))


@inner
def most_at_end(s: State, t: Tables, kind: int, segment: int, mine: int, least: int) -> int:
    """Return the most points that a follower on a feature brings at the end, or ``ANY_GAIN``.

    Args:
        s: the state after ``glance``.
        t: the tables.
        kind: the kind of the tile.
        segment: the first segment of a feature without followers that stays incomplete.
        mine: the kinds of features that his player's wall tiles score at the end, as bits.
        least: what a wall tile for this kind brings him already; see ``late_points``.

    """
    if not may_count(t, kind, segment, mine):
        return 0
    if t.falcon:
        return ANY_GAIN
    tiles, fountains = size(s.group_mask[segment]), int(s.group_fountains[segment])
    shows, markets = int(t.shows[kind, segment]), int(s.group_markets[segment])
    return late_points(s, t, shows, tiles, fountains, markets, int(s.now.mover), least)


@inner
def at_end(s: State, t: Tables, root: int, player: int, least: int) -> int:
    """Return the most points of an incomplete feature at the end; see ``late_points``."""
    kind, fountains = int(s.kind[root]), int(s.fountains[root])
    markets = int(s.markets[root])
    tiles = size(s.mask[root])
    return late_points(s, t, kind, tiles, fountains, markets, player, least)


@inner
def late_points(
    s: State,
    t: Tables,
    kind: int,
    tiles: int,
    fountains: int,
    markets: int,
    player: int,
    least: int,
) -> int:
    """Return the most points that an incomplete feature adds at the end.

    By a switch each wall tile for its kind scores it, otherwise only one of them. A wall tile that
    scores it may score nothing else, so that ``least`` is lost.

    Args:
        s: the state.
        t: the tables.
        kind: an index of ``CASTLE_FEATURES``, a court at most.
        tiles: the number of its tiles.
        fountains: the number of fountains on it.
        markets: the number of markets on it.
        player: its owner.
        least: what each of his wall tiles for this kind brings at least without the feature.

    """
    number = FIRST_TILE + kind
    used = int(s.now.hand[player, number] + s.now.fresh_hand[player, number])
    return _late(t, kind, points_of(kind, tiles, fountains), markets, used, least)


@inner
def _late(t: Tables, kind: int, points: int, markets: int, used: int, least: int) -> int:
    """Return what ``late_points`` does, of a feature's points and a number of wall tiles."""
    if t.once_per_feature:
        used = min(used, 1)
    if kind == COURT:
        return markets * A_MARKET + used * max(0, markets - least)
    return used * max(0, points - least)


@inner
def most_gain(s: State, t: Tables, q: Job, kind: int, mine: int) -> int:
    """Return the most points that a follower on a tile brings, or ``ANY_GAIN``.

    Args:
        s: the state after ``glance``.
        t: the tables.
        q: the job.
        kind: the kind of the tile.
        mine: the kinds that the mover's wall tiles score at the end, as bits.

    """
    most = 0
    for segment in range(t.segments[kind]):
        if s.group[segment] != segment or s.group_men[segment]:
            continue
        gain = int(s.group_points[segment])
        if gain == 0:
            shows = int(t.shows[kind, segment])
            least = int(q.least[min(shows, COURT)])
            gain = most_at_end(s, t, kind, segment, mine, least)
        elif scores_more(s, t, int(t.shows[kind, segment]), gain):
            return ANY_GAIN
        most = max(most, gain)
    return most


@inner
def scores_more(s: State, t: Tables, kind: int, points: int) -> bool:
    """Tell whether the mover may gain more than the points of a feature that he completes.

    Wall tiles may double it, his marker may reach a wall tile, and his keep may grow.
    """
    now = s.now
    if t.falcon or t.gates or now.hand[now.mover, doubler_of(kind)]:
        return True
    if kind == HOUSE and points > now.keep[now.mover]:
        return True
    for before in range(0, s.wins + 1, max(1, s.wins)):
        tower = t.landing[(now.score[now.mover] + points + before) % t.track]
        if tower >= 0 and now.tower[tower] >= 0:
            return True
    return False


@inner
def most_changed(s: State, t: Tables, q: Job, kind: int) -> int:
    """Return the most lead that the mover wins as a tile joins or completes occupied features.

    Args:
        s: the state after ``glance``; ``wins`` is written.
        t: the tables.
        q: the job.
        kind: the kind of the tile.

    Returns:
        The lead at the end of the game, or ``ANY_GAIN``.

    """
    mover, most = int(s.now.mover), 0
    s.loses = 0
    if t.falcon or t.gates or (q.goal == POINTS and mover != q.asker):
        return ANY_GAIN
    for first in range(t.segments[kind]):
        if s.group[first] != first or not s.group_men[first]:
            continue
        shows = int(t.shows[kind, first])
        men = before = theirs = 0
        for index in range(s.meets):
            root = int(s.met[index])
            known = s.group[s.met_by[index]] != first
            for earlier in range(index):
                known = known or s.met[earlier] == root
            if known:
                continue
            men += s.men[root]
            balance = ahead(int(s.men[root]), mover)
            if balance > 0:
                before = max(before, at_end(s, t, root, mover, int(q.least[min(shows, COURT)])))
            elif balance < 0:
                theirs += at_end(s, t, root, 1 - mover, 0)
        balance, points = ahead(men, mover), int(s.group_points[first])
        if points:
            s.loses |= int(balance < 0)
            # Its wall tile can score another feature of his instead.
            before = 0
            if balance > 0 and wins_more(s, t, shows, points):
                return ANY_GAIN
        elif balance:
            markets, fountains = int(s.group_markets[first]), int(s.group_fountains[first])
            winner = mover if balance > 0 else 1 - mover
            tiles = size(s.group_mask[first])
            least = int(q.least[min(shows, COURT)]) if winner == mover else 0
            points = late_points(s, t, shows, tiles, fountains, markets, winner, least)
        most += gained(balance, points, before, theirs)
    for index in range(s.shuts):
        root = int(s.shut[index])
        known = False
        for earlier in range(index):
            known = known or s.shut[earlier] == root
        for other in range(s.meets):
            if s.met[other] == root:
                return ANY_GAIN
        if known:
            continue
        balance, points = ahead(int(s.men[root]), mover), worth(s, root)
        s.loses |= int(balance < 0)
        if balance > 0 and wins_more(s, t, int(s.kind[root]), points):
            return ANY_GAIN
        theirs = at_end(s, t, root, 1 - mover, 0) if balance < 0 else 0
        most += gained(balance, points, 0, theirs)
    return most


@inner
def wins_more(s: State, t: Tables, kind: int, points: int) -> bool:
    """Note that the mover scores an occupied feature; tell whether he may gain more than points."""
    if s.wins or scores_more(s, t, kind, points):
        return True
    s.wins = points
    return False


@inner
def gained(balance: int, points: int, before: int, theirs: int) -> int:
    """Return an upper bound of the lead that the mover wins by a feature.

    Args:
        balance: his followers on it less his opponent's.
        points: what it brings the player with more followers.
        before: what its largest part would bring him; 0 if the feature is completed.
        theirs: what its parts would bring his opponent.

    """
    if balance > 0:
        return points - before + theirs
    return max(0, theirs - points) if balance < 0 else theirs


@inner
def ahead(men: int, player: int) -> int:
    """Return how many more followers a player has on a feature than the other player."""
    return (men & 255) - (men >> 8) if player == 0 else (men >> 8) - (men & 255)


@inner
def most_late(s: State, t: Tables, player: int, root: int) -> int:
    """Return the most points that a follower brings on an incomplete feature, or ``ANY_GAIN``.

    Args:
        s: the state with the last tile laid.
        t: the tables.
        player: the owner of the follower, the only one on the feature.
        root: the root of the feature.

    """
    kind = int(s.kind[root])
    if t.falcon or kind > COURT:
        return ANY_GAIN
    number = FIRST_TILE + kind
    tiles = int(s.now.hand[player, number] + s.now.fresh_hand[player, number])
    for tower in range(t.towers):
        if s.now.tower[tower] == number or s.now.tower[tower] == 0:
            tiles += 1
    return _late(t, kind, worth(s, root), int(s.markets[root]), tiles, 0)
