"""Chance in compiled code: draws from the bag, and random games.

A tile without a place leaves the game, and the player draws another. The order of the removed
tiles does not matter. A *case* is a tile with a place, and the multiset of tiles removed before it.
If no tile has a place, the only case is that all are removed. One number encodes the multiset: a
digit for each kind without a place, in the mixed base (tiles of the kind in the bag) + 1. A wall
tile turned over is a draw too: its cases are its numbers.

Positions before a draw have keys, under which a search remembers their limits.
"""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.castle_state import NUMBERS
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.game import (
    identify,
    pending,
    placeable,
    play,
    totals,
    turns,
    undo,
    unseen,
)
from burgrave.solver.kernel.job import CASES, KEYS, NONE, SHOWN, TOO_LARGE, tell
from burgrave.solver.kernel.records import Job, State, Tables

UNLIMITED = 1 << 62
"""Beyond each value."""


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

    The probability of a case is ``ways / out_of``; those of a draw add up to 1. A pending wall tile
    has its numbers as cases.
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
    if q.cases + max(groups * fitting, 1) > CASES:
        q.state = TOO_LARGE
        return
    if fitting == 0:
        # In a mixed base, -1 has the largest digit at each place: all tiles are removed.
        push_case(q, NONE, -1, 1, 1)
        return
    for gone in range(groups):
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
                push_case(q, kind, gone, ways * q.bag[kind], out_of)


@inner
def push_case(q: Job, kind: int, gone: int, ways: int, out_of: int) -> None:
    """Push a case on the stack; there is room."""
    q.case_kind[q.cases], q.case_gone[q.cases] = kind, gone
    q.case_ways[q.cases], q.case_out_of[q.cases] = ways, out_of
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
            push_case(q, SHOWN - number, 0, ways, size)


@compiled
def draw_case(q: Job, ply: int, row: int) -> None:
    """Take the tiles of a case out of the bag."""
    digits = q.case_gone[row]
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
def set_key(s: State, t: Tables, q: Job, scale: int) -> None:
    """Make the job's key that of the position before a draw from the bag."""
    q.key[0], q.key[1] = 0, 0
    tell(q, 29, scale & (1 << 32) - 1)
    tell(q, 30, scale >> 32)
    for kind in range(q.kinds):
        if q.bag[kind]:
            tell(q, 31, kind << 16 | q.bag[kind])
    identify(s, t, q)


@inner
def row_of(q: Job) -> int:
    """Return the row of the position with the job's key; if it is new, it has no limits yet."""
    row = int(q.key[0]) & KEYS - 1
    if q.known_key[row, 0] != q.key[0] or q.known_key[row, 1] != q.key[1]:
        q.known_key[row, 0], q.known_key[row, 1] = q.key[0], q.key[1]
        q.known_low[row], q.known_high[row] = -UNLIMITED, UNLIMITED
    return row


@inner
def note_limits(q: Job, row: int, found: int, low: int, high: int) -> None:
    """Remember what a search with a window found of the position in a row."""
    if found > low:
        q.known_low[row] = max(q.known_low[row], found)
    if found < high:
        q.known_high[row] = min(q.known_high[row], found)


SEED_BITS = (1 << 32) - 1
"""Mask of a seed."""
GAMES_PLAYED, TURNS_PLAYED, TURNS_LISTED, LIST_TOO_LONG = range(4)
"""Indices of a tally: games, turns played, turns listed, 1 if a list was too long."""


@inner
def following(seed: int) -> int:
    """Return the number after a seed, 1 to 2^32 - 1, by xorshift (Marsaglia 2003)."""
    seed ^= seed << 13 & SEED_BITS
    seed ^= seed >> 17
    return seed ^ (seed << 5 & SEED_BITS)


@inner
def shuffle(tiles: Any, known: int, seed: int) -> int:
    """Shuffle kinds of tiles from index ``known`` on; return the seed afterwards."""
    for i in range(tiles.size - 1, known, -1):
        seed = following(seed)
        other = known + seed % (i + 1 - known)
        tiles[i], tiles[other] = tiles[other], tiles[i]
    return seed


@compiled
def random_games(
    s: Any,
    t: Any,
    tiles: Any,
    games: int,
    seed: int,
    points: Any,
    sums: Any,
    out: Any,
    hints: Any,
    tally: Any,
) -> int:
    """Play random games to their end from a state, which is then as before.

    Args:
        s: the state.
        t: the tables.
        tiles: kinds of the tiles to come, one entry a tile; they are shuffled for each game.
        games: the number of games.
        seed: the seed of the random numbers, 1 to 2^32 - 1.
        points: player → total of the last game, written here.
        sums: player → number to which his totals are added.
        out: work space for the turns of a list.
        hints: work space of the same length, or of length 0.
        tally: four counts, increased by those of the games.

    Returns:
        The seed after the games.

    """
    depth = s.depth
    for _ in range(games):
        seed = shuffle(tiles, 0, seed)
        placed = True
        # If the tiles drawn last have no place, the player takes a turn without a tile.
        for i in range(tiles.size + 1):
            if i == tiles.size and placed:
                break
            seed = following(seed)
            kind = tiles[i] if i < tiles.size else NONE
            last = i >= tiles.size - 1
            end = turns(s, t, kind, last, True, out, hints, 0)
            if end > out.size:
                tally[LIST_TOO_LONG] = 1
                end = out.size
            placed = end > 0
            if placed:
                tally[TURNS_LISTED] += end
                tally[TURNS_PLAYED] += 1
                play(s, t, out[seed % end], last)
        totals(s, t, points)
        tally[GAMES_PLAYED] += 1
        for player in range(s.players):
            sums[player] += points[player]
        while s.depth > depth:
            undo(s, t)
    return seed
