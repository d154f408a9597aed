"""The table at the moment of the action: the tile lies, early ransoms are paid."""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.model.components import Tower
from burgrave.model.features import Laid
from burgrave.model.geometry import Cell
from burgrave.model.placement import Placement
from burgrave.model.position import Capture, PlayerState, Position
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

    def tower_places(self) -> tuple[Cell, ...]:
        """Return the cells of all tiles with a tower place, ascending."""
        return tuple(sorted(cell for cell, tile in self.board.items() if tile.kind.tower_place))

    def raised(self, cell: Cell) -> Tower:
        """Return the tower on a cell with one more tower piece."""
        tower = self.position.tower_on(cell)
        return Tower(cell, 1) if tower is None else tower._replace(height=tower.height + 1)

    def near(self, cell: Cell) -> tuple[Capture, ...]:
        """Return all followers and guards in reach of the tower on a cell once it is raised."""
        height = self.raised(cell).height
        found = [
            Capture(*follower.node)
            for follower in self.position.followers
            if in_reach(cell, height, follower.node.cell)
        ]
        found += [
            Capture(tower.cell, None)
            for tower in self.position.built
            if tower.guard is not None and in_reach(cell, height, tower.cell)
        ]
        return tuple(found)

    def owner(self, capture: Capture) -> int | None:
        """Return whose follower a capture takes; None if there is none."""
        if capture.segment is None:
            tower = self.position.tower_on(capture.cell)
            return None if tower is None else tower.guard
        for follower in self.position.followers:
            if follower.node == (capture.cell, capture.segment):
                return follower.player
        return None


def in_reach(tower: Cell, height: int, cell: Cell) -> bool:
    """Tell whether a cell is in reach of a tower: straight on, no farther than its height.

    >>> in_reach(Cell(0, 0), 1, Cell(0, 1)), in_reach(Cell(0, 0), 1, Cell(1, 1))
    (True, False)
    """
    dx, dy = abs(cell.x - tower.x), abs(cell.y - tower.y)
    return min(dx, dy) == 0 and max(dx, dy) <= height
