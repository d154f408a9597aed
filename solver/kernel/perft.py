"""Count lines of play in compiled code, for tests against frozen counts."""

from __future__ import annotations

from typing import Any

from solver.kernel.compiling import compiled
from solver.kernel.game import placeable, play, turns, undo

TOO_MANY = -1
"""Returned if a list of turns was too short."""


@compiled
def perft(
    s: Any, t: Any, order: Any, first: int, bag: Any, depth: int, out: Any, hints: Any, at: int
) -> int:
    """Return the number of lines of ``depth`` turns.

    A player lays the next tile of the known order that has a place. After the last of these, each
    kind in the bag with a place counts as one draw. If no tile has a place, the turn has no tile.

    Args:
        s: the state.
        t: the tables.
        order: index → kind of the next tiles.
        first: the index of the next tile.
        bag: kind → tiles that follow in unknown order.
        depth: turns of a line.
        out: work space for the turns of all lists.
        hints: work space of the same length, or of length 0.
        at: where the room begins.

    """
    left = 0
    for kind in range(bag.size):
        left += bag[kind]
    if first == order.size and left == 0:
        return 0
    known, begin, after = False, 0, bag.size
    while first < order.size and not known:
        begin, after = order[first], order[first] + 1
        known = placeable(s, t, begin)
        first += 1
    if not known:
        begin, after = 0, bag.size
    found, drawn = 0, known
    for kind in range(begin, after):
        if not known:
            if bag[kind] == 0 or not placeable(s, t, kind):
                continue
            drawn = True
            bag[kind] -= 1
        last = first == order.size and left == (0 if known else 1)
        end = turns(s, t, kind, last, True, out, hints, at)
        if end > out.size:
            return TOO_MANY
        if depth == 1:
            found += end - at
        else:
            for i in range(at, end):
                play(s, t, out[i], last)
                more = perft(s, t, order, first, bag, depth - 1, out, hints, end)
                undo(s, t)
                if more == TOO_MANY:
                    return TOO_MANY
                found += more
        if not known:
            bag[kind] += 1
    if drawn:
        return found
    end = turns(s, t, -1, True, True, out, hints, at)
    if end > out.size:
        return TOO_MANY
    return end - at if depth == 1 else 0
