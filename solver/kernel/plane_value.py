"""What the learned value sees of Carcassonne and The Tower: numbers of each player, by tile counts.

The value is the policy's outlook plus a sum of these numbers, each times a learned weight.
``solver.simulation.values`` has the weights.
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.bits import bit_count, lowest
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.plane_board import (
    FACING_MIDDLE,
    MAN,
    MAN_BITS,
    RING,
    RING_FULL,
    STEPS,
    leaders,
    meets,
)
from burgrave.solver.kernel.plane_last import find_occupied
from burgrave.solver.kernel.plane_points import unfinished, worth
from burgrave.solver.kernel.plane_tables import CITY, FIELD, FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import PLAYERS

CITY_SIDES, ROAD_SIDES, SCARCE = 4, 2, 3
"""Most open sides of a city and of a road, and most tiles for its scarcest cell, told apart."""
PLANE_SEEN: tuple[tuple[str, int], ...] = (
    ("score", 1),
    ("to_move", 1),
    ("supply", FOLLOWERS + 1),  # 1 at the number of followers in the supply
    ("city_now", CITY_SIDES),  # by open sides: points now of cities that he leads
    ("city_more", CITY_SIDES),  # the points that their completion adds
    ("city_men", CITY_SIDES),  # his followers on cities
    ("city_scarce", SCARCE),  # points of completion, by the tiles left for the scarcest cell
    ("city_dead", 1),  # points now of cities with a cell that no tile left fits
    ("city_trapped", 1),  # his followers on them
    ("city_near", 1),  # points now of cities on which he has one follower too few
    ("road_now", ROAD_SIDES),
    ("road_men", ROAD_SIDES),
    ("road_dead", 1),
    ("road_trapped", 1),
    ("road_near", 1),
    ("cloister", RING_FULL + 1),  # 1 at the number of empty cells round it
    ("cloister_dead", 1),  # cloisters beside a cell that no tile left fits
    ("field_closed", 1),  # complete cities beside fields that he leads
    ("field_open", 1),  # other city segments beside them
    ("field", 1),
    ("field_men", 1),
    ("field_near_closed", 1),  # complete cities beside fields with one follower too few
    ("field_near_open", 1),
    ("pieces", 1),  # his tower pieces
    ("captured", 1),  # followers that he holds captive
    ("lost", 1),  # his followers that others hold captive
)
"""Names of the numbers, with how many there are of each."""
PLANE_SCORE = 0
PLANE_TO_MOVE = PLANE_SCORE + 1
PLANE_MEN_LEFT = PLANE_TO_MOVE + 1
CITY_NOW = PLANE_MEN_LEFT + FOLLOWERS + 1
CITY_MORE = CITY_NOW + CITY_SIDES
CITY_MEN = CITY_MORE + CITY_SIDES
CITY_SCARCE = CITY_MEN + CITY_SIDES
CITY_DEAD = CITY_SCARCE + SCARCE
CITY_NEAR = CITY_DEAD + 2
ROAD_NOW = CITY_NEAR + 1
ROAD_MEN = ROAD_NOW + ROAD_SIDES
ROAD_DEAD = ROAD_MEN + ROAD_SIDES
ROAD_NEAR = ROAD_DEAD + 2
CLOISTERS = ROAD_NEAR + 1
CLOISTER_DEAD = CLOISTERS + RING_FULL + 1
FARMS = CLOISTER_DEAD + 1
IN_TOWERS = FARMS + 6


@compiled
def describe(s: Any, t: Any, coming: Any, out: Any) -> int:
    """Write the numbers of each player; see ``solver.kernel.game``."""
    count = IN_TOWERS + 3
    out[: s.players, :count] = 0.0
    for player in range(s.players):
        out[player, PLANE_SCORE] = s.score[player]
        out[player, PLANE_TO_MOVE] = player == s.turn
        out[player, PLANE_MEN_LEFT + min(s.supply[player], FOLLOWERS)] = 1.0
        if t.towers != 0:
            out[player, IN_TOWERS] = s.pieces[player]
            for other in range(s.players):
                out[player, IN_TOWERS + 1] += s.held[player * PLAYERS + other]
                out[player, IN_TOWERS + 2] += s.held[other * PLAYERS + player]
    _scan(s, t, coming)
    for i in range(find_occupied(s)):
        root = s.occupied[i]
        shows = s.shows[root]
        if shows == FIELD:
            _see_field(s, t, root, out)
        elif shows > FIELD:
            _see_cloister(s, t, root, coming, out)
        elif shows == CITY:
            _see_city(s, t, root, out)
        else:
            _see_road(s, t, root, out)
    return count


@inner
def _fitting(s: Any, t: Any, cell: int, coming: Any) -> int:
    """Return how many tiles to come fit on an empty cell."""
    found, kinds = 0, int(t.fitting[s.wants[cell]])
    while kinds:
        found += coming[lowest(kinds)]
        kinds &= kinds - 1
    return found


@inner
def _scan(s: Any, t: Any, coming: Any) -> None:
    """Note for each occupied road and city how many tiles fit on its scarcest cell."""
    s.looks_taken += 1
    cell = int(s.after[0])
    while cell != 0:
        fits = -1
        for side in range(4):
            tile = int(s.tile[cell + STEPS[side]])
            if tile < 0:
                continue
            node = (tile >> 8) * WIDTH + int(t.owner[tile & 255, FACING_MIDDLE[side]])
            if s.shows[node] > CITY:
                continue
            root = find(s, node)
            if s.feature[root].men == 0:
                continue
            if fits < 0:
                fits = _fitting(s, t, cell, coming)
            if s.looked[root] != s.looks_taken:
                s.looked[root] = s.looks_taken
                s.fewest[root] = fits
            s.fewest[root] = min(s.fewest[root], fits)
        cell = int(s.after[cell])


@inner
def _mine(men: int, player: int) -> int:
    """Return how many followers of a player are among those on a feature."""
    return int(men >> MAN * player & MAN_BITS)


@inner
def _most(s: Any, men: int) -> int:
    """Return the most followers of a player on a feature."""
    most = 0
    for player in range(s.players):
        most = max(most, _mine(men, player))
    return most


@inner
def _see_city(s: Any, t: Any, root: int, out: Any) -> None:
    """Add an incomplete city to the numbers."""
    men, now = s.feature[root].men, float(unfinished(s, t, root))
    who, most, more = leaders(t, men, s.players), _most(s, men), worth(s, t, root) - now
    sides = max(0, min(s.feature[root].open, CITY_SIDES) - 1)
    fits = s.fewest[root] if s.looked[root] == s.looks_taken else SCARCE
    for player in range(s.players):
        mine = _mine(men, player)
        leads = who >> player & 1
        if mine and mine + 1 == most:
            out[player, CITY_NEAR] += now
        if fits == 0:
            out[player, CITY_DEAD] += leads * now
            out[player, CITY_DEAD + 1] += mine
            continue
        out[player, CITY_NOW + sides] += leads * now
        out[player, CITY_MORE + sides] += leads * more
        out[player, CITY_MEN + sides] += mine
        out[player, CITY_SCARCE + min(fits, SCARCE) - 1] += leads * more


@inner
def _see_road(s: Any, t: Any, root: int, out: Any) -> None:
    """Add an incomplete road to the numbers."""
    men, now = s.feature[root].men, float(unfinished(s, t, root))
    who, most = leaders(t, men, s.players), _most(s, men)
    sides = max(0, min(s.feature[root].open, ROAD_SIDES) - 1)
    dead = s.looked[root] == s.looks_taken and s.fewest[root] == 0
    for player in range(s.players):
        mine = _mine(men, player)
        leads = who >> player & 1
        if mine and mine + 1 == most:
            out[player, ROAD_NEAR] += now
        if dead:
            out[player, ROAD_DEAD] += leads * now
            out[player, ROAD_DEAD + 1] += mine
            continue
        out[player, ROAD_NOW + sides] += leads * now
        out[player, ROAD_MEN + sides] += mine


@inner
def _see_cloister(s: Any, t: Any, root: int, coming: Any, out: Any) -> None:
    """Add a cloister to the numbers."""
    cell, missing, dead = s.cell[root // WIDTH], 0, False
    for i in range(RING_FULL):
        beyond = cell + RING[i]
        if s.tile[beyond] < 0:
            missing += 1
            dead = dead or (s.wants[beyond] != 0 and _fitting(s, t, beyond, coming) == 0)
    who = leaders(t, s.feature[root].men, s.players)
    for player in range(s.players):
        out[player, CLOISTERS + missing] += who >> player & 1
        out[player, CLOISTER_DEAD] += dead * (who >> player & 1)


@inner
def _see_field(s: Any, t: Any, root: int, out: Any) -> None:
    """Add a field to the numbers."""
    low, high, closed = s.feature[root].near[0], s.feature[root].near[1], 0
    for wall in range(s.walls):
        if meets(s.feature[root].near, s.walled[wall]):
            closed += 1
            low &= ~s.walled[wall, 0]
            high &= ~s.walled[wall, 1]
    waiting = bit_count(low) + bit_count(high)
    men = s.feature[root].men
    who, most = leaders(t, men, s.players), _most(s, men)
    for player in range(s.players):
        mine = _mine(men, player)
        leads = who >> player & 1
        out[player, FARMS] += leads * closed
        out[player, FARMS + 1] += leads * waiting
        out[player, FARMS + 2] += leads
        out[player, FARMS + 3] += mine
        if mine and mine + 1 == most:
            out[player, FARMS + 4] += closed
            out[player, FARMS + 5] += waiting
