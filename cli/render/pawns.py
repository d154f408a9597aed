"""The inks and letters that distinguish followers and markers."""

from __future__ import annotations

from burgrave.cli.render.canvas import Ink
from burgrave.model.components import Follower, Rank
from burgrave.model.position import Position

_INKS = {ink.name.lower(): ink for ink in (Ink.WHITE, Ink.BLACK, Ink.RED, Ink.BLUE, Ink.GREEN)}
_INKS |= {ink.name.lower(): ink for ink in (Ink.YELLOW, Ink.GREY)}
"""The ink of players who are called by a colour."""


def ink(position: Position, player: int) -> Ink:
    """Return the ink of a player's followers and marker."""
    inks = list(_INKS.values())
    return _INKS.get(position.game.players[player], inks[player % len(inks)])


def sign_of(follower: Follower) -> str:
    """Return the letter of a follower: of his role, or a capital one of his rank."""
    if follower.rank is Rank.FOLLOWER:
        return follower.role[0]
    return follower.rank[0].upper()
