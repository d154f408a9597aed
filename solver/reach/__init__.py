"""Limits of each player's final score and lead, without a search.

They hold for all orders of the tiles and all values of all switches. ``bounds.md`` in the
documentation has the arguments: "Known without a search".
"""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, floor

from burgrave.model.registry import CARCASSONNE, CASTLE
from burgrave.solver.reach.castle import castle_most
from burgrave.solver.reach.gains import coming
from burgrave.solver.reach.ground import Ground
from burgrave.solver.reach.plane import plane_most

_MOST = {CASTLE: castle_most, CARCASSONNE: plane_most}
"""By base what counts the points that can still come."""


def most_ahead(
    ground: Ground,
    mine: int | None,
    theirs: int | None,
    *,
    away: Collection[int] = (),
    mean: bool = False,
) -> int:
    """Return the most by which a player's final score exceeds another's, without ransoms.

    Args:
        ground: the board and the tiles that can be laid.
        mine: the player whose points count; None if nobody's do.
        theirs: the player whose points count against them; None if nobody's do.
        away: the players who lay their tiles where they help him least. With some the limit is
            one of what he can force against them.
        mean: whether the limit is one of the mean over the orders of the bag.

    """
    turns = coming(ground, mine or 0, away=() if mine is None else away, mean=mean)
    most = _MOST[ground.game.base](ground, mine, theirs, turns)
    return ceil(most) if mean else floor(most)
