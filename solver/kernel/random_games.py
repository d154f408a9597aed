"""Random games in compiled code: every legal turn is listed, and one is chosen by lot."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.kernel.compiling import compiled, inner
from solver.kernel.game import play, totals, turns, undo

GAMES, PLAYED, LISTED, TOO_MANY = range(4)
"""What a tally counts: games, turns played, turns listed; 1 if a list was too long."""


@inner
def shuffled(seed: int) -> int:
    """Return the number after a seed, by xorshift with 64 bits; none of them is 0."""
    word = np.uint64(seed)
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return int(np.int64(word))


@inner
def below(seed: int, number: int) -> int:
    """Return a number from 0 to ``number`` - 1 by a seed."""
    return int(np.int64(np.uint64(seed) % np.uint64(number)))


@inner
def random_turn(
    s: Any, t: Any, kind: int, last: bool, seed: int, out: Any, hints: Any, tally: Any
) -> bool:
    """Play one of the turns with a tile by lot; return whether there is one."""
    end = turns(s, t, kind, last, True, out, hints, 0)
    if end > out.size:
        tally[TOO_MANY] = 1
        end = out.size
    if end == 0:
        return False
    tally[LISTED] += end
    tally[PLAYED] += 1
    play(s, t, out[below(seed, end)], last)
    return True


@compiled
def random_game(
    s: Any, t: Any, tiles: Any, seed: int, points: Any, out: Any, hints: Any, tally: Any
) -> int:
    """Play a game to its end from a state and leave it there.

    Args:
        s: the state; who calls takes the plays back.
        t: the tables.
        tiles: kinds of the tiles to come, one entry a tile; they are shuffled.
        seed: the lot, not 0.
        points: each player's total is written here.
        out: room for the turns of a list.
        hints: room as long, or none.
        tally: four counts, added to.

    Returns:
        The seed for what comes after.

    """
    for i in range(tiles.size - 1, 0, -1):
        seed = shuffled(seed)
        other = below(seed, i + 1)
        tiles[i], tiles[other] = tiles[other], tiles[i]
    left = False
    for i in range(tiles.size):
        seed = shuffled(seed)
        left = not random_turn(s, t, tiles[i], i == tiles.size - 1, seed, out, hints, tally)
    if left:
        # The tiles drawn last have no place: the turn goes without one.
        seed = shuffled(seed)
        random_turn(s, t, -1, True, seed, out, hints, tally)
    totals(s, t, points)
    tally[GAMES] += 1
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
    """Play so many games from a state, which is then as before.

    The arguments are those of ``random_game``, ``games`` games being played; to ``sums`` the
    totals are added.

    Returns:
        The seed for what comes after.

    """
    depth = s.depth
    for _ in range(games):
        seed = random_game(s, t, tiles, seed, points, out, hints, tally)
        for player in range(s.players):
            sums[player] += points[player]
        while s.depth > depth:
            undo(s, t)
    return seed
