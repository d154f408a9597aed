"""Max^n: more than two players, each of whom maximises his own value.

After C. A. Luckhardt and K. B. Irani, "An algorithmic solution of N-person games", AAAI 1986. A
position has a value for each player. With three players one player's value bounds no other's, so
that the search prunes nothing. Among equal turns the mover takes the worst one for the asker, then
for each of the others in turn. The result therefore does not depend on the order of turns. The
arguments are as in ``solver.kernel.search``; as there, only one function calls itself.
"""

from __future__ import annotations

import numpy as np

from burgrave.solver.kernel.chance import draw_case, list_cases, put_back
from burgrave.solver.kernel.compiling import compiled, inlined, inner
from burgrave.solver.kernel.game import mover, turns, undo
from burgrave.solver.kernel.job import (
    CHANCE,
    DRAW,
    MERGED,
    PLIES,
    ROOM,
    RUNNING,
    TOO_LARGE,
    pick,
    tiles_left,
    worth,
)
from burgrave.solver.kernel.records import PLAYERS, Job, State, Tables
from burgrave.solver.kernel.search import count_end, next_known, step


@inner
def prefers(q: Job, player: int, new: int, old: int) -> bool:
    """Tell whether a player prefers row ``new`` of ``q.each`` to row ``old``."""
    if q.each[new, player] != q.each[old, player]:
        return bool(q.each[new, player] > q.each[old, player])
    for i in range(q.players):
        other = (q.asker + i) % q.players
        if other != player and q.each[new, other] != q.each[old, other]:
            return bool(q.each[new, other] < q.each[old, other])
    return False


@compiled
def each_after(
    s: State, t: Tables, q: Job, at: int, ply: int, turn: int, last: bool, scale: int
) -> None:
    """Write the values of a position after a turn to ``q.each[ply + 1]``, times ``scale``."""
    step(s, t, q, turn, last)
    each_value(s, t, q, at, ply + 1, int(np.int64(DRAW)), scale)
    undo(s, t)


@inner
def each_value(s: State, t: Tables, q: Job, at: int, ply: int, kind: int, scale: int) -> None:
    """Write the values of a position to ``q.each[ply]``, times ``scale``; see ``value``."""
    if q.state != RUNNING:
        return
    if kind != DRAW:
        each_best(s, t, q, at, ply, kind, scale)
        return
    q.best_kind[ply] = DRAW
    left = tiles_left(q)
    if left == 0 or left <= q.until:
        count_end(s, t, q, left)
        for player in range(q.players):
            q.each[ply, player] = worth(q, player) * scale
        return
    if ply + 2 > PLIES:
        q.state = TOO_LARGE
        return
    drawn_before = q.at
    kind = next_known(s, t, q)
    if kind < 0 and q.bag_size:
        each_unknown(s, t, q, at, ply, scale)
    else:
        each_value(s, t, q, at, ply, kind, scale)
    q.at = drawn_before


@inlined
def each_best(s: State, t: Tables, q: Job, at: int, ply: int, kind: int, scale: int) -> None:
    """Write the values of the turn that the mover prefers to ``q.each[ply]``."""
    last = tiles_left(q) == 0
    player = mover(s)
    if at + ROOM > q.out.size:
        q.state = TOO_LARGE
        return
    end = turns(s, t, kind, last, q.prunings & MERGED == 0, q.out, q.hints, at)
    for i in range(at, end):
        turn = pick(q, i, end)
        step(s, t, q, turn, last)
        each_value(s, t, q, end, ply + 1, int(np.int64(DRAW)), scale)
        undo(s, t)
        if q.state != RUNNING:
            return
        if i == at or prefers(q, player, ply + 1, ply):
            for one in range(q.players):
                q.each[ply, one] = q.each[ply + 1, one]
            q.best_turn[ply], q.best_kind[ply] = turn, kind


@inlined
def each_unknown(s: State, t: Tables, q: Job, at: int, ply: int, scale: int) -> None:
    """Write the expected values of a random draw to ``q.each[ply]``, times ``scale``."""
    if q.tile_order != CHANCE:
        q.state = TOO_LARGE
        return
    start, spare = q.cases, PLIES + ply
    list_cases(s, t, q, ply)
    end = q.cases
    for player in range(PLAYERS):
        q.each[spare, player] = 0
    for row in range(start, end):
        if scale % q.case_out_of[row]:
            q.state = TOO_LARGE
        if q.state != RUNNING:
            return
        draw_case(q, ply, row)
        each_value(s, t, q, at, ply, q.case_kind[row], scale // q.case_out_of[row])
        put_back(q, ply, row)
        for player in range(q.players):
            q.each[spare, player] += q.case_ways[row] * q.each[ply, player]
    for player in range(q.players):
        q.each[ply, player] = q.each[spare, player]
    q.cases = start
