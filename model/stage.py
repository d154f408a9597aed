"""The table at the moment of the action: the tile lies, early ransoms are paid."""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.model.features import Laid
from burgrave.model.placement import Placement
from burgrave.model.position import PlayerState, Position
from burgrave.model.tiles import PlacedTile


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The state that a player sees before he chooses an action."""

    position: Position
    """The position before the turn, early ransoms paid."""
    placement: Placement | None
    """The tile of the turn; None if no tile was left that has a place."""

    @property
    def board(self) -> Laid:
        """The tiles by cell, the new one included."""
        return self.position.by_cell() if self.placement is None else self.placement.board

    @property
    def tile(self) -> PlacedTile | None:
        """The tile just laid, if any."""
        return None if self.placement is None else self.placement.tile

    @property
    def mover(self) -> PlayerState:
        """The player whose turn it is."""
        return self.position.players[self.position.to_move]

    @property
    def mover_name(self) -> str:
        """The name of the player whose turn it is."""
        return self.position.game.name(self.position.to_move)
