"""Limits of each player's final score and lead, without a search.

They hold for all orders of the tiles and all values of all switches. ``bounds.md`` in the
documentation has the arguments: "Known without a search".
"""

from __future__ import annotations

from solver.reach.castle import castle_most
from solver.reach.ground import Ground
from solver.reach.plane import Plane


def most_ahead(ground: Ground, mine: int | None, theirs: int | None, *, away: bool = False) -> int:
    """Return the most by which a player's final score exceeds another's, without ransoms.

    Args:
        ground: the board and the tiles that can be laid.
        mine: the player whose points count; None if nobody's do.
        theirs: the player whose points count against them; None if nobody's do.
        away: whether the others lay their tiles where they help him least, and so the limit is
            one of what he can force.

    """
    shy = ground.shy(mine) if away and mine is not None else ()
    if ground.game.board.endless:
        return Plane(ground, mine, theirs, shy).most()
    return castle_most(ground, mine, theirs, shy)
