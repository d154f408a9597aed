"""Random games in compiled code: list every legal turn, and play a random one."""

from __future__ import annotations

from typing import Any

from solver.kernel.compiling import compiled, inner
from solver.kernel.game import play, totals, turns, undo

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
def random_turn(
    s: Any, t: Any, kind: int, last: bool, seed: int, out: Any, hints: Any, tally: Any
) -> bool:
    """Play a random turn with a tile; return False if there is none."""
    end = turns(s, t, kind, last, True, out, hints, 0)
    if end > out.size:
        tally[LIST_TOO_LONG] = 1
        end = out.size
    if end == 0:
        return False
    tally[TURNS_LISTED] += end
    tally[TURNS_PLAYED] += 1
    play(s, t, out[seed % end], last)
    return True


@compiled
def random_game(
    s: Any, t: Any, tiles: Any, seed: int, points: Any, out: Any, hints: Any, tally: Any
) -> int:
    """Play a game to its end from a state and leave it there.

    Args:
        s: the state; the caller takes the plays back.
        t: the tables.
        tiles: kinds of the tiles to come, one entry a tile; they are shuffled.
        seed: the seed of the random numbers, 1 to 2^32 - 1.
        points: player → total, written here.
        out: work space for the turns of a list.
        hints: work space of the same length, or of length 0.
        tally: four counts, increased by the game's.

    Returns:
        The seed after the game.

    """
    for i in range(tiles.size - 1, 0, -1):
        seed = following(seed)
        other = seed % (i + 1)
        tiles[i], tiles[other] = tiles[other], tiles[i]
    left = False
    for i in range(tiles.size):
        seed = following(seed)
        left = not random_turn(s, t, tiles[i], i == tiles.size - 1, seed, out, hints, tally)
    if left:
        # The tiles drawn last have no place: the player takes a turn without a tile.
        seed = following(seed)
        random_turn(s, t, -1, True, seed, out, hints, tally)
    totals(s, t, points)
    tally[GAMES_PLAYED] += 1
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

    The arguments are as for ``random_game``, ``games`` games being played; to ``sums`` the
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
