"""Playouts in compiled code: a policy plays games to their end, for estimates.

The policy evaluates some of its turns with ``outlook`` and plays the one with the best lead over
the best opponent. With no tile left it uses the totals.
"""

from __future__ import annotations

from typing import Any

from solver.kernel.compiling import compiled, inner
from solver.kernel.game import mover, outlook, play, totals, turns, undo
from solver.kernel.random_games import following

WORSE = -1e18
NO_PLACE = -2
"""Returned instead of a turn if the tile has no place."""


@inner
def lead(values: Any, players: int, player: int) -> float:
    """Return a player's lead over the best opponent; without opponents, his points."""
    best, others = WORSE, False
    for other in range(players):
        if other != player:
            best, others = max(best, values[other]), True
    return float(values[player] - best if others else values[player])


@compiled
def judge(
    s: Any, t: Any, turn: int, left: int, player: int, w: Any, points: Any, hope: Any
) -> float:
    """Return the policy's estimate of a player's lead after a turn.

    Args:
        s: a state in which the turn is legal; unchanged afterwards.
        t: the tables.
        turn: the turn.
        left: tiles left after it.
        player: the player.
        w: weights, a row for each number of tiles left.
        points: work space for totals.
        hope: work space for expected points.

    """
    play(s, t, turn, left == 0)
    if left == 0:
        totals(s, t, points)
        for other in range(s.players):
            hope[other] = points[other]
    else:
        outlook(s, t, w[min(left, w.shape[0] - 1)], hope)
    undo(s, t)
    return lead(hope, s.players, player)


@inner
def choose(
    s: Any,
    t: Any,
    kind: int,
    left: int,
    tries: int,
    seed: int,
    w: Any,
    out: Any,
    hints: Any,
    points: Any,
    hope: Any,
) -> int:
    """Return the turn that the policy plays with a tile; ``NO_PLACE`` if there is none.

    Args:
        s: the state.
        t: the tables.
        kind: kind of the tile.
        left: tiles left after it.
        tries: the number of turns it evaluates: those with most immediate points, and random ones.
            With the last tile it evaluates all, as the totals alone tell which is best.
        seed: the seed of the random numbers.
        w: weights, a row for each number of tiles left.
        out: work space for turns.
        hints: work space of the same length.
        points: work space for totals.
        hope: work space for expected points.

    """
    end = min(turns(s, t, kind, left == 0, False, out, hints, 0), out.size)
    if end == 0:
        return NO_PLACE
    player, best, found, last = mover(s), WORSE, out[0], left == 0
    for i in range(end if last else min(end, tries)):
        # At most half of them by immediate points above 0; the others at random.
        at = i
        if not last and (2 * i < tries or end <= tries):
            for j in range(i + 1, end):
                if hints[j] > hints[at]:
                    at = j
        if not last and at == i and end > tries and hints[i] <= 0:
            seed = following(seed)
            at = i + seed % (end - i)
        out[i], out[at] = out[at], out[i]
        hints[i], hints[at] = hints[at], hints[i]
        value = judge(s, t, out[i], left, player, w, points, hope)
        if value > best:
            best, found = value, out[i]
    return int(found)


@compiled
def playout(
    s: Any,
    t: Any,
    tiles: Any,
    count: int,
    seed: int,
    tries: Any,
    weights: Any,
    out: Any,
    hints: Any,
    points: Any,
    hope: Any,
) -> int:
    """Play a game to its end from a state and leave it there; write the totals into ``points``.

    Args:
        s: the state; the caller takes the plays back.
        t: the tables.
        tiles: kinds of the tiles to come, in this order.
        count: the number of tiles.
        seed: the seed of the random numbers, 1 to 2^32 - 1.
        tries: player → number of turns that the policy evaluates.
        weights: player → weights for ``choose``.
        out: work space for turns.
        hints: work space of the same length.
        points: player → total, written here.
        hope: work space for expected points.

    Returns:
        The seed after the game.

    """
    passes = False
    for i in range(count):
        seed = following(seed)
        player = mover(s)
        turn = choose(
            s,
            t,
            tiles[i],
            count - 1 - i,
            tries[player],
            seed,
            weights[player],
            out,
            hints,
            points,
            hope,
        )
        passes = turn == NO_PLACE
        if not passes:
            play(s, t, turn, i == count - 1)
    if passes and turns(s, t, -1, True, False, out, hints, 0) > 0:
        # The tiles drawn last have no place: the player takes a turn without a tile.
        play(s, t, out[0], True)
    totals(s, t, points)
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
    weights: Any,
    out: Any,
    hints: Any,
    points: Any,
    hope: Any,
    results: Any,
) -> None:
    """Play a game from a state for each seed; the state does not change.

    Args:
        s: the state.
        t: the tables.
        order: kinds of the tiles to come.
        known: the first ``known`` tiles come in this order; the others are shuffled.
        drawn: game, index → kind of the tile drawn, written here.
        seeds: game → seed; games with the same seed draw the same tiles.
        tries: as for ``playout``.
        weights: as for ``playout``.
        out: as for ``playout``.
        hints: as for ``playout``.
        points: work space for totals.
        hope: work space for expected points.
        results: game, player → total, written here.

    """
    depth = s.depth
    for game in range(seeds.size):
        seed = following(seeds[game])
        tiles = drawn[game]
        for i in range(order.size):
            tiles[i] = order[i]
        for i in range(order.size - 1, known, -1):
            seed = following(seed)
            other = known + seed % (i + 1 - known)
            tiles[i], tiles[other] = tiles[other], tiles[i]
        playout(s, t, tiles, order.size, seed, tries, weights, out, hints, points, hope)
        for player in range(s.players):
            results[game, player] = points[player]
        while s.depth > depth:
            undo(s, t)
