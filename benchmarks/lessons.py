"""Games of the policy with itself in compiled code, with what the learned value sees of them."""

from __future__ import annotations

from typing import Any

from burgrave.solver.kernel.chance import following
from burgrave.solver.kernel.compiling import compiled
from burgrave.solver.kernel.game import describe, outlook, play, totals, turns, undo
from burgrave.solver.kernel.job import ROOM
from burgrave.solver.kernel.playouts import choose, count_kinds


@compiled
def lesson(  # noqa: PLR0913, PLR0917 -- a function of the kernel
    s: Any,
    t: Any,
    tiles: Any,
    seed: int,
    random: int,
    tries: int,
    looks: Any,
    w: Any,
    d: Any,
    seen: Any,
    hopes: Any,
) -> None:
    """Play a game from its start by the policy, with some moves at random; the state is unchanged.

    Args:
        s: the state.
        t: the tables.
        tiles: kinds of the tiles in the order in which they are drawn.
        seed: of the chance, 1 to 2^32 - 1.
        random: how many of 1000 moves are random ones.
        tries: as for ``choose``.
        looks: as for ``choose``.
        w: weights of the policy.
        d: a ``DESK``.
        seen: move, player, number → what the learned value sees after the move, written here.
        hopes: move, player → his outlook after the move, written here; the last row gets the
            totals.

    """
    begin, size = s.depth, tiles.size
    for i in range(size):
        seed = following(seed)
        turn = -2
        if seed % 1000 < random:
            end = min(turns(s, t, tiles[i], i == size - 1, False, d.out, d.hints, 0), ROOM)
            if end > 0:
                seed = following(seed)
                turn = d.out[seed % end]
        else:
            turn = choose(s, t, tiles, i, size, 0, tries, looks, seed, w, d)
        if turn != -2:
            play(s, t, turn, i == size - 1)
        if i < size - 1:
            count_kinds(tiles, i + 1, size, d)
            left = size - 1 - i
            outlook(s, t, w[min(left, w.shape[0] - 1)], d.hope)
            count = describe(s, t, d.coming, d.numbers)
            for player in range(s.players):
                hopes[i, player] = d.hope[player]
                for j in range(count):
                    seen[i, player, j] = d.numbers[player, j]
    totals(s, t, d.points)
    for player in range(s.players):
        hopes[size - 1, player] = d.points[player]
    while s.depth > begin:
        undo(s, t)
