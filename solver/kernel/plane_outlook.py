"""The policy's evaluation of Carcassonne, any expansion: the points that each player may expect.

It is a guess: the points already scored plus the points that features may still bring. A row of
weights belongs to each number of tiles left. ``solver.simulation.policy`` makes the rows.
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.bits import bit_count
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.plane_board import (
    MAN,
    MAN_BITS,
    OWNERS,
    RING_FULL,
    around,
    leaders,
    meets,
    rank_at,
)
from burgrave.solver.kernel.plane_last import EACH_CITY, find_occupied
from burgrave.solver.kernel.plane_points import unfinished, worth
from burgrave.solver.kernel.plane_tables import CITY, FIELD, FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import PLAYERS
from burgrave.solver.kernel.tower import is_open, reaches

PLANE_SUPPLY = 0
"""Offset in a row of weights: points of 0 to 8 followers in the supply."""
CITY_DONE = PLANE_SUPPLY + FOLLOWERS + 1
"""Offset: the chance that a city with 0 to 7 open sides is completed."""
ROAD_DONE = CITY_DONE + 8
"""Offset: for a road."""
FILLED = ROAD_DONE + 8
"""Offset: the expected share of a cloister's empty cells filled at the end."""
RING_DONE = FILLED + 1
"""Offset: the chance that a cloister with 0 to 8 empty cells round it is completed."""
PLANE_HOME, NEAR_FIELD, GROWTH, PRISONER, PIECE, PLANE_MINOR, EXPOSED, LATER, AT_RISK = range(
    RING_DONE + RING_FULL + 1, RING_DONE + RING_FULL + 10
)
"""Offsets: the points of a follower who comes home; a field's expected points for a segment of an
incomplete city; a claimed city's or road's expected points for each open side; the points of a
prisoner, and of a tower piece; a player's share of a feature on which he has one follower too few;
the cost in points of a follower that the next player may capture, and of one that any player may
capture later; the share of a feature's points at risk with a follower exposed to the next player.
"""


@compiled
def outlook(s: Any, t: Any, w: Any, out: Any) -> None:
    """Write the final points that the policy expects; see ``solver.kernel.game``."""
    for player in range(s.players):
        supply = s.supply[player] + 2 * s.supply[PLAYERS + player]
        out[player] = s.score[player] + w[PLANE_SUPPLY + min(supply, FOLLOWERS)]
        if t.towers != 0:
            out[player] += w[PIECE] * s.pieces[player]
            for owner in range(s.players):
                held = player * OWNERS + owner
                out[player] += w[PRISONER] * (s.held[held] + 2 * s.held[held + PLAYERS])
    if t.towers != 0:
        _fear(s, t, w, out)
    for i in range(find_occupied(s)):
        _hope(s, t, s.occupied[i], w, out)


@inner
def _fear(s: Any, t: Any, w: Any, out: Any) -> None:
    """Subtract the expected cost of captures from each player's points."""
    rivals = 0
    for player in range(s.players):
        rivals |= (s.pieces[player] > 0) << player
    for player in range(s.players):
        if rivals & ~(1 << player) == 0:
            continue
        soon = s.turn != player and s.pieces[s.turn] > 0
        # The next player captures at most one follower.
        exposed, worst = 0, 0.0
        for post in range(player * FOLLOWERS, (player + 1) * FOLLOWERS):
            if s.posts[post] == 0 or not _is_exposed(s, t, s.cell[(s.posts[post] - 1) // WIDTH]):
                continue
            exposed += 1
            if soon and w[AT_RISK] != 0:
                worst = max(worst, _staked(s, t, post, w))
        if exposed != 0:
            out[player] -= w[EXPOSED] + w[AT_RISK] * worst if soon else w[LATER]
            out[player] -= w[LATER] * (exposed - 1)


@inner
def _staked(s: Any, t: Any, post: int, w: Any) -> float:
    """Return the loss in lead if a player loses his follower with an index in ``s.posts``."""
    root, player = find(s, s.posts[post] - 1), post // FOLLOWERS
    men, lost = s.feature[root].men, rank_at(post) + 1 << MAN * player
    now, then = leaders(t, men, s.players), leaders(t, men - lost, s.players)
    if now >> player & 1 == 0 or now == then:
        return 0.0
    ends, _ = _ends(s, t, root, w)
    return float(ends * ((then >> player & 1 == 0) + (then & ~now != 0)))


@inner
def _is_exposed(s: Any, t: Any, cell: int) -> bool:
    """Tell whether one more tower piece somewhere reaches a cell."""
    for slot in range(s.tiles):
        if is_open(s, t, slot) and reaches(s.cell[slot], s.height[slot] + 1, cell):
            return True
    return False


@inner
def _ends(s: Any, t: Any, root: int, w: Any) -> Any:
    """Return an occupied feature's expected points and the probability of its completion."""
    shows = s.shows[root]
    if shows == FIELD:
        return _farm(s, root, w), 0.0
    if shows > FIELD:
        missing = RING_FULL - around(s, s.cell[root // WIDTH])
        return 1 + RING_FULL - missing * (1.0 - w[FILLED]), w[RING_DONE + missing]
    sides = min(s.feature[root].open, 7)
    done = w[CITY_DONE + sides] if shows == CITY else w[ROAD_DONE + sides]
    now = float(unfinished(s, t, root))
    ends = now + done * (worth(s, t, root) - now)
    return ends + w[GROWTH] * sides, done


@inner
def _hope(s: Any, t: Any, root: int, w: Any, out: Any) -> None:
    """Add an occupied feature's expected points to each player's points."""
    men = s.feature[root].men
    ends, done = _ends(s, t, root, w)
    who, most = leaders(t, men, s.players), 0
    for player in range(s.players):
        most = max(most, men >> MAN * player & MAN_BITS)
    for player in range(s.players):
        mine = men >> MAN * player & MAN_BITS
        if who >> player & 1:
            out[player] += ends
        elif mine + 1 == most and mine != 0:
            out[player] += w[PLANE_MINOR] * ends
        out[player] += done * w[PLANE_HOME] * mine


@inner
def _farm(s: Any, root: int, w: Any) -> float:
    """Return the expected points of a field."""
    low, high = s.feature[root].near[0], s.feature[root].near[1]
    points = 0.0
    for wall in range(s.walls):
        if meets(s.feature[root].near, s.walled[wall]):
            points += EACH_CITY
            low &= ~s.walled[wall, 0]
            high &= ~s.walled[wall, 1]
    return float(points + w[NEAR_FIELD] * (bit_count(low) + bit_count(high)))
