"""Playouts in compiled code: games played to their end by a policy, for honest estimates.

The policy looks at some of its turns, judges by ``outlook`` what each leads to, and takes the one
with the best lead over the best opponent. With no tile left it counts the totals themselves.
"""

from __future__ import annotations

from typing import Any

from solver.kernel.compiling import compiled, inner
from solver.kernel.game import mover, outlook, play, totals, turns, undo
from solver.kernel.random_games import following

WORSE = -1e18
NO_PLACE = -2
"""Stands for a turn where the tile has no place."""


@inner
def lead(values: Any, players: int, player: int) -> float:
    """Return by how much a player is ahead of the best other; alone, what he has."""
    best, others = WORSE, False
    for other in range(players):
        if other != player:
            best, others = max(best, values[other]), True
    return float(values[player] - best if others else values[player])


@inner
def judged(
    s: Any, t: Any, turn: int, left: int, player: int, w: Any, points: Any, hope: Any
) -> float:
    """Return a player's lead as the policy sees it after a turn.

    Args:
        s: the state, in which the turn is legal; as before afterwards.
        t: the tables.
        turn: the turn.
        left: tiles left after it.
        player: the player.
        w: weights, a row for each number of tiles left.
        points: room for totals.
        hope: room for hopes.

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


@compiled
def judge(
    s: Any, t: Any, turn: int, left: int, player: int, w: Any, points: Any, hope: Any
) -> float:
    """Return what ``judged`` returns, for Python."""
    return judged(s, t, turn, left, player, w, points, hope)


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
        tries: how many turns it looks at: those that bring most at once, and others by lot.
        seed: the lot.
        w: weights, a row for each number of tiles left.
        out: room for turns.
        hints: room as long.
        points: room for totals.
        hope: room for hopes.

    """
    end = min(turns(s, t, kind, left == 0, False, out, hints, 0), out.size)
    if end == 0:
        return NO_PLACE
    player, best, found = mover(s), WORSE, out[0]
    for i in range(min(end, tries)):
        # Half of them by what they bring at once, if they bring something; the others by lot.
        at = i
        if 2 * i < tries or end <= tries:
            for j in range(i + 1, end):
                if hints[j] > hints[at]:
                    at = j
        if at == i and end > tries and hints[i] <= 0:
            seed = following(seed)
            at = i + seed % (end - i)
        out[i], out[at] = out[at], out[i]
        hints[i], hints[at] = hints[at], hints[i]
        value = judged(s, t, out[i], left, player, w, points, hope)
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
        count: how many they are.
        seed: the seed of the random numbers, 1 to 2^32 - 1.
        tries: by player how many turns the policy looks at.
        weights: by player, weights for ``choose``.
        out: room for turns.
        hints: room as long.
        points: gets each player's total.
        hope: room for hopes.

    Returns:
        The seed for what comes after.

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
    """Play a game from a state for each seed; the state is then as before.

    Args:
        s: the state.
        t: the tables.
        order: kinds of the tiles to come.
        known: how many of them, the first, come in this order; the others are shuffled.
        drawn: gets the tiles in the order in which they are drawn, by game.
        seeds: a lot for each game; games with the same lot draw the same tiles.
        tries: as for ``playout``.
        weights: likewise.
        out: likewise.
        hints: likewise.
        points: room for totals.
        hope: room for hopes.
        results: gets the totals, by game and player.

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
