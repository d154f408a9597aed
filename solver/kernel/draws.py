"""Draws from the bag: list the cases with their probabilities, draw one, and put it back.

A tile without a place leaves the game, and the player draws another. The order of the removed
tiles does not matter. A *case* is a tile with a place, and the multiset of tiles removed before it.
One number encodes the multiset: a digit for each kind without a place, in the mixed base (tiles of
the kind in the bag) + 1. A wall tile turned over is a draw too: its cases are its numbers.
"""

from __future__ import annotations

from solver.kernel.castle_state import NUMBERS
from solver.kernel.compiling import compiled, inner
from solver.kernel.game import pending, placeable, unseen
from solver.kernel.job import CASES, SHOWN, TOO_LARGE
from solver.kernel.records import Job, State, Tables


@inner
def binomial(n: int, k: int) -> int:
    """Return the number of ways to choose ``k`` of ``n``."""
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


@compiled
def list_cases(s: State, t: Tables, q: Job, ply: int) -> None:
    """Push the cases of a draw on the stack, once no tile of the known order has a place.

    The probability of a case is ``ways / out_of``; those of a draw add up to 1. There is no case
    if no tile of the bag has a place. A pending wall tile has its numbers as cases.
    """
    if pending(s):
        list_shown(s, q, ply)
        return
    groups, fitting = 1, 0
    for kind in range(q.kinds):
        q.stuck[ply, kind] = 0
        if q.bag[kind]:
            if placeable(s, t, kind):
                fitting += 1
            else:
                q.stuck[ply, kind] = 1
                groups *= q.bag[kind] + 1
    if q.cases + groups * fitting > CASES:
        q.state = TOO_LARGE
        return
    for gone in range(groups if fitting else 0):
        ways, fallen, rest = 1, 0, gone
        for kind in range(q.kinds):
            if q.stuck[ply, kind]:
                number = rest % (q.bag[kind] + 1)
                rest //= q.bag[kind] + 1
                ways *= binomial(q.bag[kind], number)
                fallen += number
        # The removed tiles come first, in any order: perm(bag, removed + 1) sequences in all.
        out_of = q.bag_size - fallen
        for i in range(fallen):
            ways *= i + 1
            out_of *= q.bag_size - i
        for kind in range(q.kinds):
            if q.bag[kind] and not q.stuck[ply, kind]:
                q.case_kind[q.cases] = kind
                q.case_gone[q.cases] = gone
                q.case_ways[q.cases] = ways * q.bag[kind]
                q.case_out_of[q.cases] = out_of
                q.cases += 1


@inner
def list_shown(s: State, q: Job, ply: int) -> None:
    """Push the numbers of a pending wall tile on the stack of cases."""
    size = 0
    for number in range(NUMBERS):
        size += unseen(s, number)
    if size == 0 or q.cases + NUMBERS > CASES:
        q.state = TOO_LARGE
        return
    for kind in range(q.kinds):
        q.stuck[ply, kind] = 0
    for number in range(NUMBERS):
        ways = unseen(s, number)
        if ways:
            q.case_kind[q.cases] = SHOWN - number
            q.case_gone[q.cases] = 0
            q.case_ways[q.cases] = ways
            q.case_out_of[q.cases] = size
            q.cases += 1


@compiled
def draw_case(q: Job, ply: int, row: int) -> None:
    """Take the tiles of a case out of the bag."""
    digits = q.case_gone[row]
    q.digits[ply] = digits
    for kind in range(q.kinds):
        if q.stuck[ply, kind]:
            base = q.bag[kind] + 1
            q.gone[ply, kind] = digits % base
            digits //= base
            q.bag[kind] -= q.gone[ply, kind]
            q.bag_size -= q.gone[ply, kind]
    if q.case_kind[row] >= 0:
        q.bag[q.case_kind[row]] -= 1
        q.bag_size -= 1


@inner
def put_back(q: Job, ply: int, row: int) -> None:
    """Put back the tiles of the last ``draw_case`` at this ply."""
    for kind in range(q.kinds):
        if q.stuck[ply, kind]:
            q.bag[kind] += q.gone[ply, kind]
            q.bag_size += q.gone[ply, kind]
    if q.case_kind[row] >= 0:
        q.bag[q.case_kind[row]] += 1
        q.bag_size += 1


@compiled
def draw_nothing(q: Job, ply: int) -> int:
    """Empty the bag, in which no tile has a place; return its size before."""
    size = q.bag_size
    for kind in range(q.kinds):
        q.gone[ply, kind] = q.bag[kind]
        q.bag[kind] = 0
    q.bag_size = 0
    return int(size)


@inner
def put_back_all(q: Job, ply: int, size: int) -> None:
    """Undo ``draw_nothing``."""
    for kind in range(q.kinds):
        q.bag[kind] = q.gone[ply, kind]
    q.bag_size = size
