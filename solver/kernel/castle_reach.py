"""Upper bound of a player's final points in The Castle, without a search.

The upper bound is a sum of three parts: his points that need no tile, the points that features
bring a tile on each empty cell, and the points of the coming tiles by themselves. Each tile counts
on the best cell where it fits now: later, cells ask for more. ``bounds.md`` gives the proof.

Common arguments: ``s`` the state, ``t`` the tables, ``me`` the player, ``turns`` the most turns
that he has, ``left`` the tiles that can be laid. Loans are points times ``SHARES``.
"""

from __future__ import annotations

from model.castle.final_uses import COURT_TILE, KEEP_TILE, POINTS_TILE
from model.geometry import PORTS
from model.rules.castle.keeps import A_MARKET, KEEP_BONUS
from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.kernel.bits import SPAN, bit_count, lowest
from solver.kernel.castle_board import find, fits, largest_area, size
from solver.kernel.castle_plans import DOUBLES_HOUSE, DOUBLES_TOWER
from solver.kernel.castle_scoring import (
    FIRST_TILE,
    POINTS_OF_A_NINE,
    keep_of,
)
from solver.kernel.castle_state import NUMBERS
from solver.kernel.castle_tables import COURT, HOUSE, MEN, PATH, TOWER
from solver.kernel.compiling import compiled, inner
from solver.kernel.job import MOST_TILES, SHARES, SOLITAIRE
from solver.kernel.records import Job, State, Tables


@compiled
def reach(s: State, t: Tables, q: Job, left: int) -> bool:
    """Write the asker's upper and the opponent's lower bound; see ``solver.kernel.game``."""
    now, me = s.now, q.asker
    if left > MOST_TILES or t.falcon or t.holes_block or now.covered:
        return False
    free = q.play == SOLITAIRE or now.extra != 0 or now.in_extra != 0
    for tower in range(t.towers):
        if now.tower[tower] == 0:
            return False
        free = free or now.tower[tower] == EXTRA_TURN
    for player in range(2):
        free = free or now.hand[player, EXTRA_TURN] + now.fresh_hand[player, EXTRA_TURN] != 0
        q.worths[player] = now.score[player]
    turns = left if free else (left + (now.mover == me)) // 2
    for kind in range(q.kinds):
        s.coming[kind] = q.bag[kind]
    for at in range(q.at, q.ordered):
        s.coming[q.order[at]] += 1
    for number in range(NUMBERS):
        s.holds[number] = now.hand[me, number] + now.fresh_hand[me, number]
    for kind in range(COURT + 1):
        s.men_on[kind] = 0
    for post in range(MEN):
        if now.post[me, post] >= 0:
            s.men_on[s.kind[now.post[me, post]]] += 1
    look_round(s, t, q.kinds)
    q.worths[me] += most(s, t, q.kinds, me, turns, left)
    return True


@inner
def look_round(s: State, t: Tables, kinds: int) -> None:
    """Note the empty cells on which a coming tile fits, and whether one may bring a fountain."""
    s.fitting[0] = s.fitting[1] = 0
    s.fountain_near = 0
    for kind in range(kinds):
        for segment in range(t.segments[kind] if s.coming[kind] else 0):
            s.fountain_near |= t.fountains[kind, segment]
    for word in range(2):
        cells = s.held[word] & s.empty[word] & t.usable[word]
        while cells:
            cell = word * SPAN + lowest(cells)
            cells &= cells - 1
            fit = False
            for kind in range(kinds):
                for index in range(t.rotations[kind] if s.coming[kind] and not fit else 0):
                    fit = fit or fits(s, t, cell, kind * 4 + int(t.rotation[kind, index]))
            if not fit:
                continue
            s.fitting[word] |= t.bit[cell, word]
            for side in range(4):
                beyond = int(t.neighbour[cell, side])
                other = int(s.lie[beyond]) if beyond >= 0 else -1
                for port in range(3 * side, 3 * side + 3 if other >= 0 else 3 * side):
                    node = int(t.owner[other, t.facing[port]])
                    if node >= 0 and s.kind[beyond * PORTS + node] == PATH:
                        s.fountain_near |= s.fountains[find(s, beyond * PORTS + node)]


@inner
def most(s: State, t: Tables, kinds: int, me: int, turns: int, left: int) -> int:
    """Return the most points that a player wins in play and at the end."""
    now = s.now
    taken = 0
    # Wall tiles in his marker's reach bring him points, and so bring more wall tiles into reach.
    while True:
        gain = coming(s, t, kinds, me, turns, left, False)
        before = taken
        for step in range(1, min(gain, t.track) + 1):
            tower = int(t.landing[(now.score[me] + step) % t.track])
            if tower >= 0 and now.tower[tower] > 0 and not taken >> tower & 1:
                taken |= 1 << tower
                s.holds[now.tower[tower]] += 1
        if taken == before:
            break
    found = coming(s, t, kinds, me, turns, left, True) + POINTS_OF_A_NINE * int(
        s.holds[POINTS_TILE]
    )
    for post in range(MEN):
        node = int(now.post[me, post])
        if node < 0:
            continue
        root, new = find(s, node), True
        for earlier in range(post):
            other = int(now.post[me, earlier])
            new = new and (other < 0 or find(s, other) != root)
        if new and leads(s, root, me):
            found += at_end(s, int(s.kind[root])) * amount(s, root)
    keep = max(int(now.keep[me]), s.houses) + KEEP_BONUS * int(s.holds[KEEP_TILE])
    return int(found + (largest_area(s, t) if keep > keep_of(s, t, 1 - me) else 0))


@inner
def in_play(s: State, t: Tables, kind: int) -> int:
    """Return the points of one tile of a completed feature, doubled by all usable wall tiles."""
    if kind == PATH:
        return 2 if s.fountain_near else 1
    if kind == COURT:
        return 0
    times = int(s.holds[DOUBLES_TOWER if kind == TOWER else DOUBLES_HOUSE])
    return (2 if kind == TOWER else 1) << (min(times, 1) if t.double_once else times)


@inner
def at_end(s: State, kind: int) -> int:
    """Return the points of one tile or market of a feature at the end of the game."""
    if kind == COURT:
        return A_MARKET + int(s.holds[COURT_TILE])
    return (1 if kind == HOUSE else 2) * int(s.holds[FIRST_TILE + kind])


@inner
def amount(s: State, root: int) -> int:
    """Return the number of a feature's tiles, or of a court's markets."""
    return int(s.markets[root]) if s.kind[root] == COURT else size(s.mask[root])


@inner
def leads(s: State, root: int, me: int) -> bool:
    """Tell whether the player leads on a feature now."""
    men = int(s.men[root])
    return (men >> 8 * me & 255) > (men >> 8 * (1 - me) & 255)


@inner
def comes_to(s: State, root: int, me: int, turns: int, left: int) -> bool:
    """Tell whether his followers, joined by tiles, can win him a feature."""
    theirs = int(s.men[root]) >> 8 * (1 - me) & 255
    # No later tile joins a follower on the last tile to a feature.
    more = turns if theirs == 0 or left > 1 else 0
    return bool(s.men_on[s.kind[root]] + more > theirs)


@inner
def coming(s: State, t: Tables, kinds: int, me: int, turns: int, left: int, ends: bool) -> int:
    """Return the most points that coming tiles bring, final scoring included if ``ends`` is set.

    ``s.houses`` is then the size of the largest possible house.
    """
    s.looks_taken += 1
    s.houses = 0
    for kind in range(kinds):
        s.brings[kind] = 0
        if s.coming[kind]:
            own, houses = alone(s, t, kind, turns, ends)
            s.houses += s.coming[kind] * houses
            s.brings[kind] = SHARES * own if left > 1 else 0
    for word in range(2):
        cells = s.fitting[word]
        while cells:
            cell = word * SPAN + lowest(cells)
            cells &= cells - 1
            free, lent = loans(s, t, cell, me, turns, left, ends)
            for kind in range(kinds):
                for index in range(t.rotations[kind] if s.coming[kind] else 0):
                    lie = kind * 4 + int(t.rotation[kind, index])
                    if not fits(s, t, cell, lie):
                        continue
                    if left == 1:
                        more = on_cell(s, t, cell, lie, me, turns, ends)
                    else:
                        more = lent + SHARES * alone(s, t, kind, turns, ends)[0]
                    s.brings[kind] = max(s.brings[kind], free + more)
                    if left > 1:
                        break
    shares = 0
    for kind in range(kinds):
        shares += s.coming[kind] * s.brings[kind]
    return int(shares // SHARES)


@inner
def alone(s: State, t: Tables, kind: int, turns: int, ends: bool) -> tuple[int, int]:
    """Return the most points of a tile by its own segments, before the last tile; its houses."""
    found, houses = 0, 0
    for segment in range(t.segments[kind]):
        shows = int(t.shows[kind, segment])
        if turns or s.men_on[shows]:
            found += in_play(s, t, shows) + (own_at_end(s, t, kind, segment) if ends else 0)
            houses += shows == HOUSE
    return found, houses


@inner
def own_at_end(s: State, t: Tables, kind: int, segment: int) -> int:
    """Return the points of a segment of a tile at the end of the game."""
    shows = int(t.shows[kind, segment])
    return at_end(s, shows) * (int(t.markets[kind, segment]) if shows == COURT else 1)


@inner
def loans(
    s: State, t: Tables, cell: int, me: int, turns: int, left: int, ends: bool
) -> tuple[int, int]:
    """Return the points that the features round an empty cell bring a tile there, times ``SHARES``.

    Returns:
        The points of his own features; the points of others if they become his. ``s.lends`` holds
        the latter by root.

    """
    free, lent = 0, 0
    s.cells_met += 1
    for side in range(4):
        beyond = int(t.neighbour[cell, side])
        other = int(s.lie[beyond]) if beyond >= 0 else -1
        for port in range(3 * side, 3 * side + 3 if other >= 0 else 3 * side):
            node = int(t.owner[other, t.facing[port]])
            if node < 0:
                continue
            root = find(s, beyond * PORTS + node)
            if s.lent_at[root] == s.cells_met:
                continue
            s.lent_at[root] = s.cells_met
            if s.valued[root] != s.looks_taken:
                s.valued[root] = s.looks_taken
                value(s, t, root, me, turns, left, ends)
            free += s.gives[root]
            lent += s.lends[root]
    return int(free), int(lent)


@inner
def value(s: State, t: Tables, root: int, me: int, turns: int, left: int, ends: bool) -> None:
    """Write the points that a feature brings a tile on a cell it faces, times ``SHARES``."""
    s.gives[root] = s.lends[root] = 0
    held = leads(s, root, me)
    if not held and not comes_to(s, root, me, turns, left):
        return
    kind, points, cells, barred = int(s.kind[root]), 0, 0, 0
    for word in range(2):
        faced = s.faces[root, word] & s.empty[word]
        cells += bit_count(faced)
        barred |= faced & ~s.fitting[word]
    if cells <= left and not barred:
        points = SHARES // cells * in_play(s, t, kind) * amount(s, root)
        s.houses += size(s.mask[root]) if kind == HOUSE else 0
    if held:
        s.gives[root] = points
    else:
        s.lends[root] = points + (SHARES * at_end(s, kind) * amount(s, root) if ends else 0)


@inner
def on_cell(s: State, t: Tables, cell: int, lie: int, me: int, turns: int, ends: bool) -> int:
    """Return the most points that the last tile on a cell brings, times ``SHARES``.

    He can claim one segment, unless a square joins some; the others count if they join a feature
    on which he stands. ``loans`` was called for the cell before.
    """
    kind = lie >> 2
    joined, claimed = 0, 0
    for segment in range(t.segments[kind]):
        his, lent, closed = joins(s, t, cell, lie, segment, me)
        points = in_play(s, t, int(t.shows[kind, segment])) if closed else 0
        points += own_at_end(s, t, kind, segment) if ends else 0
        if his or t.joins[kind]:
            joined += SHARES * points + lent
        else:
            claimed = max(claimed, SHARES * points + lent)
    return int(joined + (claimed if turns else 0))


@inner
def joins(
    s: State, t: Tables, cell: int, lie: int, segment: int, me: int
) -> tuple[bool, int, bool]:
    """Tell whether a segment of a tile joins his feature; return the points of the others it joins.

    The arguments are as for ``on_cell``. The third result tells whether the segment faces no
    empty cell.
    """
    his, lent, closed = False, 0, True
    s.cells_met += 1
    shows = t.shows[lie >> 2, segment]
    for port in range(PORTS):
        if t.owner[lie, port] != segment:
            continue
        beyond = int(t.neighbour[cell, port // 3])
        other = int(s.lie[beyond]) if beyond >= 0 else -1
        if other < 0:
            closed = closed and not 0 <= beyond < t.inside
            continue
        node = int(t.owner[other, t.facing[port]])
        if node < 0 or s.kind[beyond * PORTS + node] != shows:
            continue
        root = find(s, beyond * PORTS + node)
        his = his or int(s.men[root]) >> 8 * me & 255 != 0
        if s.lent_at[root] != s.cells_met:
            s.lent_at[root] = s.cells_met
            lent += s.lends[root]
    return his, int(lent), closed
