"""A turn as it goes on: what its phases change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from burgrave.model.placement import Placement
from burgrave.model.position import Move, PlayerState, Position


@dataclass(slots=True, kw_only=True)
class Course:
    """A legal move that is played, phase by phase."""

    position: Position
    """The position as it has become; the tile of the turn is not among its tiles."""
    placement: Placement | None
    """The tile of the turn; None if no tile was left that has a place."""
    move: Move

    def change(self, player: int, change: Callable[[PlayerState], PlayerState]) -> None:
        """Change the state of a player."""
        players = list(self.position.players)
        players[player] = change(players[player])
        self.position = replace(self.position, players=tuple(players))
