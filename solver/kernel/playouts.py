"""Playouts in compiled code: a policy plays games to their end, for estimates.

The policy evaluates some of its turns with ``outlook`` and plays the one with the best lead over
the best opponent. With no tile left it uses the totals. With one tile left everyone knows it: the
policy then looks at the best last turn after each of its most promising turns. With two tiles left
it does so for both orders of them. A playout that is cut ends after some turns, and the learned
value judges it.

All functions take a state ``s``, its tables ``t`` and a ``DESK`` as ``d``. The state is unchanged
afterwards unless something else is said. ``w`` are weights, a row for each number of tiles ``left``
after the turn. Rows of the desk are free from ``at`` on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burgrave.solver.kernel.chance import following, shuffle
from burgrave.solver.kernel.compiling import compiled, inner
from burgrave.solver.kernel.game import describe, mover, outlook, play, totals, turns, undo
from burgrave.solver.kernel.job import MOST_KINDS, ROOM
from burgrave.solver.kernel.records import PLAYERS, record_type

DUEL = 2
"""Players in a game in which what one wins the other loses."""
WORSE = -1e18
NO_PLACE = -2
"""Returned instead of a turn if the tile has no place."""
FINE = 1024.0
"""Steps of a point in which turns are ranked before their best last turns are looked at."""

WHOLE = 1 << 20
"""Turns after which a playout is cut that is played to its end."""
REPLIES = 6
"""Turns that the learned value compares as a reply: the best by the judgement of the policy."""
MOST_NUMBERS = 128
"""Room for the numbers of a player that the learned value weighs."""

DESK = record_type(
    [
        ("out", np.int64, (ROOM,)),  # row → turn
        ("hints", np.int64, (ROOM,)),  # row → ordering score
        ("points", np.int64, (PLAYERS,)),  # player → total
        ("hope", np.float64, (PLAYERS,)),  # player → expected points
        ("coming", np.int64, (MOST_KINDS,)),  # kind → tiles to come
        ("numbers", np.float64, (PLAYERS, MOST_NUMBERS)),  # as the learned value sees the players
    ],
    align=True,
)
"""The work space of playouts."""


@inner
def lead(values: Any, players: int, player: int) -> float:
    """Return a player's lead over the best opponent; without opponents, his points."""
    best, others = WORSE, False
    for other in range(players):
        if other != player:
            best, others = max(best, values[other]), True
    return float(values[player] - best if others else values[player])


@compiled
def judge(s: Any, t: Any, turn: int, left: int, player: int, w: Any, d: Any) -> float:
    """Return the policy's estimate of a player's lead after a legal turn."""
    play(s, t, turn, left == 0)
    if left == 0:
        totals(s, t, d.points)
        for other in range(s.players):
            d.hope[other] = d.points[other]
    else:
        outlook(s, t, w[min(left, w.shape[0] - 1)], d.hope)
    undo(s, t)
    return lead(d.hope, s.players, player)


@compiled
def ranked(s: Any, t: Any, kind: int, left: int, w: Any, d: Any, at: int) -> int:
    """List all turns with a tile, with the policy's judgement in steps of a point by ``FINE``.

    Return the row after the last turn. It exceeds ``ROOM`` if there are too many.
    """
    end = turns(s, t, kind, left == 0, False, d.out, d.hints, at)
    player = mover(s)
    for i in range(at, min(end, ROOM)):
        d.hints[i] = int(FINE * judge(s, t, d.out[i], left, player, w, d))
    return end


@inner
def ended(s: Any, t: Any, kind: int, player: int, enough: float, d: Any, at: int) -> float:
    """Return a player's lead at the end after the last turn, which its mover plays best.

    The first turn of one opponent that keeps him from more than ``enough`` ends the look.
    """
    other = mover(s)
    end = turns(s, t, kind, True, False, d.out, d.hints, at)
    if end == at:
        end = turns(s, t, -1, True, False, d.out, d.hints, at)
    totals(s, t, d.points)
    own, best = lead(d.points, s.players, player), WORSE
    for i in range(at, min(end, ROOM)):
        play(s, t, d.out[i], True)
        totals(s, t, d.points)
        undo(s, t)
        value = lead(d.points, s.players, other)
        if value > best:
            best, own = value, lead(d.points, s.players, player)
            if s.players == DUEL and other != player and own <= enough:
                break
    return own


@inner
def bring(d: Any, at: int, end: int) -> None:
    """Bring the turn with the best ordering score of some rows to the first of them."""
    best = at
    for i in range(at + 1, end):
        if d.hints[i] > d.hints[best]:
            best = i
    d.out[at], d.out[best] = d.out[best], d.out[at]
    d.hints[at], d.hints[best] = d.hints[best], d.hints[at]


@inner
def foreseen(s: Any, t: Any, kind: int, deep: int, d: Any, at: int, end: int) -> int:
    """Return the mover's turn with the best lead after the best last turn, of a kind of tile.

    Of the turns that ``ranked`` listed from ``at`` to ``end`` the best ``deep`` are compared.
    """
    player, best, found = mover(s), WORSE, d.out[at]
    for i in range(at, min(end, at + deep)):
        bring(d, i, end)
        play(s, t, d.out[i], False)
        value = ended(s, t, kind, player, best, d, end)
        undo(s, t)
        if value > best:
            best, found = value, d.out[i]
    return int(found)


@inner
def awaited(
    s: Any, t: Any, turn: int, first: int, second: int, deep: int, w: Any, d: Any, at: int
) -> float:
    """Return the mover's lead at the end after a turn and the last two tiles.

    Of the turns with the ``first`` tile ``deep`` are compared.
    """
    player = mover(s)
    play(s, t, turn, False)
    end = min(ranked(s, t, first, 1, w, d, at), ROOM)
    if end == at:
        value = ended(s, t, second, player, WORSE, d, at)
    else:
        play(s, t, foreseen(s, t, second, deep, d, at, end), False)
        value = ended(s, t, second, player, WORSE, d, end)
        undo(s, t)
    undo(s, t)
    return value


@inner
def expecting(
    s: Any,
    t: Any,
    first: int,
    second: int,
    either: bool,
    wide: int,
    deep: int,
    w: Any,
    d: Any,
    end: int,
) -> int:
    """Return the mover's turn with the best mean lead over the orders of the last two tiles.

    ``first`` and ``second`` are their kinds; ``either`` tells whether they may also come in the
    other order. Of the turns that ``ranked`` listed up to the row ``end`` ``wide`` are compared,
    and ``deep`` of those with the last tile but one.
    """
    best, found = WORSE, d.out[0]
    for i in range(min(end, wide)):
        bring(d, i, end)
        turn = d.out[i]
        value = awaited(s, t, turn, first, second, deep, w, d, end)
        if either and first != second:
            value += awaited(s, t, turn, second, first, deep, w, d, end)
            value *= 0.5
        if value > best:
            best, found = value, turn
    return int(found)


@inner
def choose(
    s: Any,
    t: Any,
    tiles: Any,
    index: int,
    count: int,
    known: int,
    tries: int,
    looks: Any,
    seed: int,
    w: Any,
    d: Any,
) -> int:
    """Return the turn that the policy plays with a tile; ``NO_PLACE`` if there is none.

    With the last tile it evaluates all turns, as the totals alone tell which is best. Otherwise it
    evaluates ``tries``: those with most immediate points, and random ones. The tile has an
    ``index``; the other arguments are as for ``playout``.
    """
    left, kind = count - 1 - index, tiles[index]
    if 0 < left <= looks.size and looks[left - 1] > 0:
        end = min(ranked(s, t, kind, left, w, d, 0), ROOM)
        if end == 0:
            return NO_PLACE
        if left == 1:
            return foreseen(s, t, tiles[index + 1], looks[0], d, 0, end)
        first, second, either = tiles[index + 1], tiles[index + 2], index + 1 >= known
        return expecting(s, t, first, second, either, looks[1], looks[0], w, d, end)
    end = min(turns(s, t, kind, left == 0, False, d.out, d.hints, 0), ROOM)
    if end == 0:
        return NO_PLACE
    player, best, found, last = mover(s), WORSE, d.out[0], left == 0
    for i in range(end if last else min(end, tries)):
        # At most half of them by immediate points above 0; the others at random.
        at = i
        if not last and (2 * i < tries or end <= tries):
            for j in range(i + 1, end):
                if d.hints[j] > d.hints[at]:
                    at = j
        if not last and at == i and end > tries and d.hints[i] <= 0:
            seed = following(seed)
            at = i + seed % (end - i)
        d.out[i], d.out[at] = d.out[at], d.out[i]
        d.hints[i], d.hints[at] = d.hints[at], d.hints[i]
        value = judge(s, t, d.out[i], left, player, w, d)
        if value > best:
            best, found = value, d.out[i]
    return int(found)


@inner
def count_kinds(tiles: Any, begin: int, count: int, d: Any) -> None:
    """Count the tiles from an index up to ``count`` by kind."""
    d.coming[:] = 0
    for i in range(begin, count):
        d.coming[tiles[i]] += 1


@inner
def value(s: Any, t: Any, left: int, w: Any, v: Any, d: Any) -> None:
    """Write the final points that the learned value expects into ``d.hope``.

    It is the outlook and a sum of numbers times weights; ``count_kinds`` comes first.

    Args:
        s: the state.
        t: the tables.
        left: tiles to come.
        w: the weights of the outlook, a row for each number of tiles left.
        v: the learned weights, likewise.
        d: the work space.

    """
    row = min(left, w.shape[0] - 1)
    outlook(s, t, w[row], d.hope)
    count = describe(s, t, d.coming, d.numbers)
    for player in range(s.players):
        for i in range(count):
            d.hope[player] += v[row, i] * d.numbers[player, i]


@inner
def reply(s: Any, t: Any, tiles: Any, count: int, w: Any, v: Any, d: Any) -> int:
    """Return the turn with the first tile by which its mover leads most, by the learned value.

    The arguments are as for ``value``, the tiles as for ``playout``. It is ``NO_PLACE`` if there is
    none.
    """
    left = count - 1
    end = min(ranked(s, t, tiles[0], left, w, d, 0), ROOM)
    if end == 0:
        return NO_PLACE
    player, best, found = mover(s), WORSE, d.out[0]
    count_kinds(tiles, 1, count, d)
    for i in range(min(end, REPLIES)):
        bring(d, i, end)
        play(s, t, d.out[i], False)
        value(s, t, left, w, v, d)
        undo(s, t)
        ahead = lead(d.hope, s.players, player)
        if ahead > best:
            best, found = ahead, d.out[i]
    return int(found)


@compiled
def playout(
    s: Any,
    t: Any,
    tiles: Any,
    count: int,
    known: int,
    seed: int,
    tries: Any,
    looks: Any,
    weights: Any,
    cut: int,
    v: Any,
    d: Any,
) -> int:
    """Play a game on from a state and leave it there; write the final points into ``d.hope``.

    They are the totals at the end or, if the playout is cut, those that the learned value expects.

    Args:
        s: the state; the caller takes the plays back.
        t: the tables.
        tiles: kinds of the tiles to come, in this order.
        count: the number of tiles.
        known: how many of the tiles, the first, came in an order that everybody knows.
        seed: the seed of the random numbers, 1 to 2^32 - 1.
        tries: player → number of turns that the policy evaluates.
        looks: with 1 tile left after a turn and with 2 the number of turns that are compared by the
            play to the end; 0 to treat that tile as any other.
        weights: player → his weights.
        cut: tiles after which the playout is cut, if any is left; ``WHOLE`` for never.
        v: the learned weights.
        d: the work space.

    Returns:
        The seed after the game.

    """
    passes = False
    for i in range(min(cut, count)):
        seed, player = following(seed), mover(s)
        few, w = tries[player], weights[player]
        if i == 0 and cut < count:
            turn = reply(s, t, tiles, count, w, v, d)
        else:
            turn = choose(s, t, tiles, i, count, known, few, looks, seed, w, d)
        passes = turn == NO_PLACE
        if not passes:
            play(s, t, turn, i == count - 1)
    if cut < count:
        count_kinds(tiles, cut, count, d)
        value(s, t, count - cut, weights[0], v, d)
        return seed
    if passes and turns(s, t, -1, True, False, d.out, d.hints, 0) > 0:
        # The tiles drawn last have no place: the player takes a turn without a tile.
        play(s, t, d.out[0], True)
    totals(s, t, d.points)
    for player in range(s.players):
        d.hope[player] = d.points[player]
    return seed


@compiled
def playouts(
    s: Any,
    t: Any,
    order: Any,
    known: int,
    drawn: Any,
    seeds: Any,
    tries: Any,
    looks: Any,
    weights: Any,
    cut: int,
    v: Any,
    d: Any,
    results: Any,
) -> None:
    """Play a game from a state for each seed; the other arguments are as for ``playout``.

    Args:
        s: as for ``playout``, but unchanged afterwards.
        t: as for ``playout``.
        order: kinds of the tiles to come.
        known: the first ``known`` tiles come in this order; the others are shuffled.
        drawn: game, index → kind of the tile drawn, written here.
        seeds: game → seed; games with the same seed draw the same tiles.
        tries: as for ``playout``.
        looks: as for ``playout``.
        weights: as for ``playout``.
        cut: as for ``playout``.
        v: as for ``playout``.
        d: the work space.
        results: game, player → final points, floating-point, written here.

    """
    depth = s.depth
    for game in range(seeds.size):
        tiles = drawn[game]
        for i in range(order.size):
            tiles[i] = order[i]
        seed = shuffle(tiles, known, following(seeds[game]))
        playout(s, t, tiles, order.size, known, seed, tries, looks, weights, cut, v, d)
        for player in range(s.players):
            results[game, player] = d.hope[player]
        while s.depth > depth:
            undo(s, t)
