"""A tile laid on the board, with the features that it joins and completes."""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.model.features import Feature, Features, Laid
from burgrave.model.position import PlayerState, Position
from burgrave.model.tiles import PlacedTile


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The tile of a turn on its cell, before a follower is placed."""

    position: Position
    tile: PlacedTile
    board: Laid
    """Tiles and start-space pictures by cell, the new tile included."""
    after: Features
    """Features with the tile, with the followers that stood there before."""
    completed: tuple[Feature, ...]
    """Features other than courts that this tile completed, by anchor."""
    discards: tuple[str, ...] = ()
    """Tiles drawn before it that had no place."""

    @property
    def mover(self) -> PlayerState:
        """The player whose turn it is."""
        return self.position.players[self.position.to_move]

    @property
    def mover_name(self) -> str:
        """The name of the player whose turn it is."""
        return self.position.game.name(self.position.to_move)
