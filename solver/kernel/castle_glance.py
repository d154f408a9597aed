"""Find what a tile would join, and what it would bring at most, without laying it.

In most places a tile completes no feature with a follower. To lay and lift the tile would take
twice as long. What the mover gains at most by a last turn is a limit on the totals of a calm turn.
It is in points, or ``ANY_GAIN`` where none is known: a wall tile may double points, a marker may
reach a wall tile, a keep may grow, or tokens may count. ``bounds.md`` gives the proof.
"""

from __future__ import annotations

from burgrave.model.geometry import PORTS
from burgrave.model.rules.castle.keeps import A_MARKET
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_board import absorb, face, is_closed, join, make
from burgrave.solver.kernel.castle_plans import doubler_of, worth
from burgrave.solver.kernel.castle_scoring import FIRST_TILE
from burgrave.solver.kernel.castle_state import IMAGINED
from burgrave.solver.kernel.castle_tables import COURT, HOUSE
from burgrave.solver.kernel.compiling import inner
from burgrave.solver.kernel.job import POINTS
from burgrave.solver.kernel.records import Job, State, Tables

ANY_GAIN = 1 << 30
"""A gain without a known upper bound."""


@inner
def glance(s: State, t: Tables, cell: int, lie: int) -> bool:
    """Find the features that a tile would join, on a cell where it fits.

    The nodes from ``IMAGINED`` on are then its segments, in classes of a union-find as on the
    board; the root of a class is its first segment. ``s.met`` lists the features that the tile
    joins, once for each segment that meets them, and their followers, fountains and markets count
    as often. ``s.shut`` lists those with followers that it completes and does not join.

    Returns:
        Whether these facts are enough to list the turns. They are if the tile completes no
        feature with followers, and each feature that it completes can be scored in only one way.
        Otherwise the caller must lay the tile.

    """
    kind, joins = lie >> 2, s.joins
    low, high = s.empty[0], s.empty[1]
    s.empty[0], s.empty[1] = low & ~t.bit[cell, 0], high & ~t.bit[cell, 1]
    count = int(t.segments[kind])
    for segment in range(count):
        make(s, t, IMAGINED + segment, cell, kind, segment)
        s.pays[segment] = 0
    s.meets, s.shuts, s.wins = 0, 0, 0
    for side in range(4):
        beyond = int(t.neighbour[cell, side])
        if beyond < 0:
            continue
        other = int(s.lie[beyond])
        if other < 0:
            face(s, t, IMAGINED, lie, side, beyond)
            continue
        whole, facing = int(t.whole[lie, side]), int(t.whole[other, side + 2 & 3])
        if whole >= 0 and facing >= 0:
            _touch(s, whole, find(s, beyond * PORTS + facing))
            continue
        for port in range(3 * side, 3 * side + 3):
            theirs = int(t.owner[other, t.facing[port]])
            if theirs >= 0:
                _touch(s, int(t.owner[lie, port]), find(s, beyond * PORTS + theirs))
    for index in range(1, s.meets):
        for earlier in range(index):
            if s.met[earlier] == s.met[index]:
                join(s, s.met_by[earlier], s.met_by[index])
    s.joins = joins
    enough = s.shuts == 0
    for segment in range(count):
        node = IMAGINED + segment
        if s.parent[node] != node or s.kind[node] == COURT or not is_closed(s, node):
            continue
        s.pays[segment] = worth(s, t, node)
        several = t.gates or s.now.covered or s.now.hand[s.now.mover, doubler_of(s.kind[node])]
        if s.feature[node].men or several:
            enough = False
    s.empty[0], s.empty[1] = low, high
    return bool(enough)


@inner
def _touch(s: State, segment: int, root: int) -> None:
    """Let a segment of the imagined tile, or -1 for none, meet a feature across an edge."""
    node = IMAGINED + segment
    if segment < 0 or s.kind[node] != s.kind[root]:
        if s.feature[root].men and s.kind[root] != COURT and is_closed(s, root):
            for index in range(s.shuts):
                if s.shut[index] == root:
                    return
            s.shut[s.shuts] = root
            s.shuts += 1
        return
    for index in range(s.meets):
        if s.met[index] == root and s.met_by[index] == node:
            return
    s.met[s.meets] = root
    s.met_by[s.meets] = node
    s.meets += 1
    absorb(s.feature[node], s.feature[root])


@inner
def is_calm(s: State, t: Tables, kind: int, counted: int) -> bool:
    """Tell whether a tile alone changes no total, after ``glance`` returned true for it.

    ``counted`` has the kinds of features that anybody's wall tiles score at the end, as bits.
    """
    for node in range(IMAGINED, IMAGINED + int(t.segments[kind])):
        if s.feature[find(s, node)].men and may_count(s, node, counted):
            return False
    return True


@inner
def may_count(s: State, node: int, counted: int) -> bool:
    """Tell whether a follower on an incomplete feature may change totals; see ``is_calm``."""
    return bool((counted | 1 << COURT) >> s.kind[node] & 1 != 0)


@inner
def most_at_end(s: State, t: Tables, root: int, mine: int, least: int) -> int:
    """Return the most points that a follower on a feature brings at the end, or ``ANY_GAIN``.

    Args:
        s: the state after ``glance``.
        t: the tables.
        root: an imagined feature without followers that stays incomplete.
        mine: the kinds of features that his player's wall tiles score at the end, as bits.
        least: as for ``at_end``.

    """
    if not may_count(s, root, mine):
        return 0
    return ANY_GAIN if t.falcon else at_end(s, t, root, int(s.now.mover), least)


@inner
def at_end(s: State, t: Tables, root: int, player: int, least: int) -> int:
    """Return the most points that an incomplete feature adds at the end for its owner.

    ``least`` is what each of his wall tiles for its kind brings at least without the feature.
    """
    number = FIRST_TILE + s.kind[root]
    used = int(s.now.hand[player, number] + s.now.fresh_hand[player, number])
    return _late(s, t, root, used, least)


@inner
def _late(s: State, t: Tables, root: int, used: int, least: int) -> int:
    """Return what ``at_end`` does, of a number of wall tiles.

    By a switch each wall tile for its kind scores it, otherwise only one of them. A wall tile that
    scores it may score nothing else, so that ``least`` is lost.
    """
    if t.once_per_feature:
        used = min(used, 1)
    if s.kind[root] == COURT:
        markets = int(s.feature[root].markets)
        return markets * A_MARKET + used * max(0, markets - least)
    return used * max(0, worth(s, t, root) - least)


@inner
def most_gain(s: State, t: Tables, q: Job, kind: int, mine: int) -> int:
    """Return the most points that a follower on a tile brings, or ``ANY_GAIN``; see ``gain_on``."""
    most = 0
    for node in range(IMAGINED, IMAGINED + int(t.segments[kind])):
        if s.parent[node] == node and not s.feature[node].men:
            most = max(most, gain_on(s, t, q, node, mine))
    return most


@inner
def gain_on(s: State, t: Tables, q: Job, root: int, mine: int) -> int:
    """Return the most points of a follower on an imagined feature, or ``ANY_GAIN``.

    ``mine`` has the kinds that the mover's wall tiles score at the end, as bits.
    """
    points, kind = int(s.pays[root - IMAGINED]), int(s.kind[root])
    if points == 0:
        return most_at_end(s, t, root, mine, int(q.least[kind]))
    return ANY_GAIN if scores_more(s, t, kind, points) else points


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
    for first in range(IMAGINED, IMAGINED + int(t.segments[kind])):
        if s.parent[first] != first or not s.feature[first].men:
            continue
        shows = int(s.kind[first])
        men, before, theirs, least = 0, 0, 0, int(q.least[shows])
        for index in range(s.meets):
            root = int(s.met[index])
            known = find(s, int(s.met_by[index])) != first
            for earlier in range(index):
                known = known or s.met[earlier] == root
            if known:
                continue
            men += int(s.feature[root].men)
            balance = ahead(int(s.feature[root].men), mover)
            if balance > 0:
                before = max(before, at_end(s, t, root, mover, least))
            elif balance < 0:
                theirs += at_end(s, t, root, 1 - mover, 0)
        balance, points = ahead(men, mover), int(s.pays[first - IMAGINED])
        if points:
            s.loses |= int(balance < 0)
            # Its wall tile can score another feature of his instead.
            before = 0
            if balance > 0 and wins_more(s, t, shows, points):
                return ANY_GAIN
        elif balance > 0:
            points = at_end(s, t, first, mover, least)
        elif balance < 0:
            points = at_end(s, t, first, 1 - mover, 0)
        most += gained(balance, points, before, theirs)
    for index in range(s.shuts):
        root = int(s.shut[index])
        for other in range(s.meets):
            if s.met[other] == root:
                return ANY_GAIN
        balance, points = ahead(int(s.feature[root].men), mover), worth(s, t, root)
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
    return _late(s, t, root, tiles, 0)
