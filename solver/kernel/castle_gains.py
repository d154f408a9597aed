"""What the mover gains at most by a last turn of The Castle, on the totals of a calm turn.

Points are upper bounds, or ``ANY_GAIN`` where none is known: a wall tile may double points, a
marker may reach a wall tile, a keep may grow, or tokens may count. ``bounds.md`` gives the proof.
"""

from __future__ import annotations

from model.rules.castle.keeps import A_MARKET
from solver.kernel.castle_board import size
from solver.kernel.castle_glance import ANY_GAIN, at_end, late_points, most_at_end
from solver.kernel.castle_plans import doubler_of, worth
from solver.kernel.castle_scoring import FIRST_TILE
from solver.kernel.castle_tables import COURT, HOUSE
from solver.kernel.compiling import inner
from solver.kernel.job import POINTS
from solver.kernel.records import Job, State, Tables


@inner
def most_gain(s: State, t: Tables, kind: int, mine: int) -> int:
    """Return the most points that a follower on a tile brings, or ``ANY_GAIN``.

    Args:
        s: the state after ``glance``.
        t: the tables.
        kind: the kind of the tile.
        mine: the kinds that the mover's wall tiles score at the end, as bits.

    """
    most = 0
    for segment in range(t.segments[kind]):
        if s.group[segment] != segment or s.group_men[segment]:
            continue
        gain = int(s.group_points[segment])
        if gain == 0:
            gain = most_at_end(s, t, kind, segment, mine)
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
                before = max(before, at_end(s, t, root, mover))
            elif balance < 0:
                theirs += at_end(s, t, root, 1 - mover)
        balance, points = ahead(men, mover), int(s.group_points[first])
        if points:
            # Its wall tile can score another feature of his instead.
            before = 0
            if balance > 0 and wins_more(s, t, shows, points):
                return ANY_GAIN
        elif balance:
            markets, fountains = int(s.group_markets[first]), int(s.group_fountains[first])
            winner = mover if balance > 0 else 1 - mover
            tiles = size(s.group_mask[first])
            points = late_points(s, shows, tiles, fountains, markets, winner)
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
        if balance > 0 and wins_more(s, t, int(s.kind[root]), points):
            return ANY_GAIN
        theirs = at_end(s, t, root, 1 - mover) if balance < 0 else 0
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
    if kind == COURT:
        return int(s.markets[root]) * (A_MARKET + (A_MARKET + 1) * tiles)
    return worth(s, root) * tiles
