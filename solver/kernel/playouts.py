"""Playouts in compiled code: a policy plays games to their end, for estimates.

The policy evaluates some of its turns with ``outlook`` and plays the one with the best lead over
the best opponent. With no tile left it uses the totals. With one tile left everyone knows it: the
policy then looks at the best last turn after each of its most promising turns. With two tiles left
it does so for both orders of them.
"""

from __future__ import annotations

from typing import Any

from solver.kernel.compiling import compiled, inner
from solver.kernel.game import mover, outlook, play, totals, turns, undo
from solver.kernel.random_games import following

DUEL = 2
"""Players in a game in which what one wins the other loses."""
WORSE = -1e18
NO_PLACE = -2
"""Returned instead of a turn if the tile has no place."""
FINE = 1024.0
"""Steps of a point in which turns are ranked before their best last turns are looked at."""


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


@compiled
def ranked(
    s: Any,
    t: Any,
    kind: int,
    left: int,
    w: Any,
    out: Any,
    hints: Any,
    at: int,
    points: Any,
    hope: Any,
) -> int:
    """List all turns with a tile, with the policy's judgement as ordering score.

    Args:
        s: the state.
        t: the tables.
        kind: kind of the tile.
        left: tiles left after it.
        w: as for ``judge``.
        out: row → turn, written from ``at`` on.
        hints: row → judgement in steps of a point by ``FINE``, written likewise.
        at: the first row.
        points: as for ``judge``.
        hope: as for ``judge``.

    Returns:
        The row after the last turn. It exceeds the length of ``out`` if ``out`` is too short.

    """
    end = turns(s, t, kind, left == 0, False, out, hints, at)
    player = mover(s)
    for i in range(at, min(end, out.size)):
        hints[i] = int(FINE * judge(s, t, out[i], left, player, w, points, hope))
    return end


@inner
def ended(
    s: Any,
    t: Any,
    kind: int,
    player: int,
    enough: float,
    out: Any,
    hints: Any,
    at: int,
    points: Any,
) -> float:
    """Return a player's lead at the end after the last turn, which its mover plays best.

    Args:
        s: the state; unchanged afterwards.
        t: the tables.
        kind: kind of the last tile.
        player: the player.
        enough: a lead that he must beat; the first turn of one opponent that keeps him from it
            ends the look.
        out: work space for turns.
        hints: work space of the same length.
        at: first free row of both.
        points: work space for totals.

    """
    other = mover(s)
    end = turns(s, t, kind, True, False, out, hints, at)
    if end == at:
        end = turns(s, t, -1, True, False, out, hints, at)
    totals(s, t, points)
    own, best = lead(points, s.players, player), WORSE
    for i in range(at, min(end, out.size)):
        play(s, t, out[i], True)
        totals(s, t, points)
        undo(s, t)
        value = lead(points, s.players, other)
        if value > best:
            best, own = value, lead(points, s.players, player)
            if s.players == DUEL and other != player and own <= enough:
                break
    return own


@inner
def bring(out: Any, hints: Any, at: int, end: int) -> None:
    """Bring the turn with the best ordering score of some rows to the first of them."""
    best = at
    for i in range(at + 1, end):
        if hints[i] > hints[best]:
            best = i
    out[at], out[best] = out[best], out[at]
    hints[at], hints[best] = hints[best], hints[at]


@inner
def foreseen(
    s: Any, t: Any, kind: int, deep: int, out: Any, hints: Any, at: int, end: int, points: Any
) -> int:
    """Return the mover's turn with the best lead after the best last turn.

    Args:
        s: the state; unchanged afterwards.
        t: the tables.
        kind: kind of the last tile.
        deep: how many turns are compared, the first by ordering score.
        out: turns as ``ranked`` lists them, rearranged, and work space after them.
        hints: likewise ordering scores.
        at: row of the first turn.
        end: row after the last.
        points: work space for totals.

    """
    player, best, found = mover(s), WORSE, out[at]
    for i in range(at, min(end, at + deep)):
        bring(out, hints, i, end)
        play(s, t, out[i], False)
        value = ended(s, t, kind, player, best, out, hints, end, points)
        undo(s, t)
        if value > best:
            best, found = value, out[i]
    return int(found)


@inner
def awaited(
    s: Any,
    t: Any,
    turn: int,
    first: int,
    second: int,
    deep: int,
    w: Any,
    out: Any,
    hints: Any,
    at: int,
    points: Any,
    hope: Any,
) -> float:
    """Return the mover's lead at the end after a turn and the last two tiles.

    Args:
        s: the state; unchanged afterwards.
        t: the tables.
        turn: the turn with the last tile but two.
        first: kind of the last tile but one.
        second: kind of the last tile.
        deep: as for ``foreseen``.
        w: as for ``judge``.
        out: work space for turns.
        hints: work space of the same length.
        at: first free row of both.
        points: as for ``judge``.
        hope: as for ``judge``.

    """
    player = mover(s)
    play(s, t, turn, False)
    end = min(ranked(s, t, first, 1, w, out, hints, at, points, hope), out.size)
    if end == at:
        value = ended(s, t, second, player, WORSE, out, hints, at, points)
    else:
        play(s, t, foreseen(s, t, second, deep, out, hints, at, end, points), False)
        value = ended(s, t, second, player, WORSE, out, hints, end, points)
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
    out: Any,
    hints: Any,
    end: int,
    points: Any,
    hope: Any,
) -> int:
    """Return the mover's turn with the best mean lead over the orders of the last two tiles.

    Args:
        s: the state; unchanged afterwards.
        t: the tables.
        first: kind of the last tile but one.
        second: kind of the last tile.
        either: whether the two may also come in the other order.
        wide: how many turns are compared.
        deep: as for ``foreseen``.
        w: as for ``judge``.
        out: turns as ``ranked`` lists them from the row 0 on, and work space after them.
        hints: likewise ordering scores.
        end: row after the last turn.
        points: as for ``judge``.
        hope: as for ``judge``.

    """
    best, found = WORSE, out[0]
    for i in range(min(end, wide)):
        bring(out, hints, i, end)
        turn = out[i]
        value = awaited(s, t, turn, first, second, deep, w, out, hints, end, points, hope)
        if either and first != second:
            value += awaited(s, t, turn, second, first, deep, w, out, hints, end, points, hope)
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
    out: Any,
    hints: Any,
    points: Any,
    hope: Any,
) -> int:
    """Return the turn that the policy plays with a tile; ``NO_PLACE`` if there is none.

    With the last tile it evaluates all turns, as the totals alone tell which is best.

    Args:
        s: the state.
        t: the tables.
        tiles: as for ``playout``.
        index: of the tile.
        count: as for ``playout``.
        known: as for ``playout``.
        tries: the number of turns it evaluates: those with most immediate points, and random ones.
        looks: as for ``playout``.
        seed: the seed of the random numbers.
        w: weights, a row for each number of tiles left.
        out: work space for turns.
        hints: work space of the same length.
        points: work space for totals.
        hope: work space for expected points.

    """
    left, kind = count - 1 - index, tiles[index]
    if 0 < left <= looks.size and looks[left - 1] > 0:
        end = min(ranked(s, t, kind, left, w, out, hints, 0, points, hope), out.size)
        if end == 0:
            return NO_PLACE
        if left == 1:
            return foreseen(s, t, tiles[index + 1], looks[0], out, hints, 0, end, points)
        first, second, either = tiles[index + 1], tiles[index + 2], index + 1 >= known
        wide, deep = looks[1], looks[0]
        return expecting(s, t, first, second, either, wide, deep, w, out, hints, end, points, hope)
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
    known: int,
    seed: int,
    tries: Any,
    looks: Any,
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
        known: how many of the tiles, the first, came in an order that everybody knows.
        tries: player → number of turns that the policy evaluates.
        looks: with 1 tile left after a turn and with 2 the number of turns that are compared by the
            play to the end; 0 to treat that tile as any other.
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
            tiles,
            i,
            count,
            known,
            tries[player],
            looks,
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
    looks: Any,
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
        looks: as for ``playout``.
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
        playout(
            s, t, tiles, order.size, known, seed, tries, looks, weights, out, hints, points, hope
        )
        for player in range(s.players):
            results[game, player] = points[player]
        while s.depth > depth:
            undo(s, t)
