"""Towers at the moment of the action: where they may stand, and whom they reach."""

from __future__ import annotations

from burgrave.model.components import Prisoner, Tower
from burgrave.model.geometry import Cell
from burgrave.model.position import Capture
from burgrave.model.stage import Stage


def tower_places(stage: Stage) -> tuple[Cell, ...]:
    """Return the cells of all tiles with a tower place, ascending."""
    return tuple(sorted(cell for cell, tile in stage.board.items() if tile.kind.tower_place))


def raised(stage: Stage, cell: Cell) -> Tower:
    """Return the tower on a cell with one more tower piece."""
    tower = stage.position.tower_on(cell)
    return Tower(cell, 1) if tower is None else tower._replace(height=tower.height + 1)


def near(stage: Stage, cell: Cell) -> tuple[Capture, ...]:
    """Return all followers and guards in reach of the tower on a cell once it is raised."""
    height = raised(stage, cell).height
    found = [
        Capture(*follower.node)
        for follower in stage.position.followers
        if in_reach(cell, height, follower.node.cell)
    ]
    found += [
        Capture(tower.cell, None)
        for tower in stage.position.built
        if tower.guard is not None and in_reach(cell, height, tower.cell)
    ]
    return tuple(found)


def taken_by(stage: Stage, capture: Capture) -> Prisoner | None:
    """Return the follower that a capture takes; None if there is none."""
    if capture.segment is None:
        tower = stage.position.tower_on(capture.cell)
        there = None if tower is None else tower.guard
        return None if tower is None or there is None else Prisoner(there, tower.rank)
    for follower in stage.position.followers:
        if follower.node == (capture.cell, capture.segment):
            return Prisoner(follower.player, follower.rank)
    return None


def in_reach(tower: Cell, height: int, cell: Cell) -> bool:
    """Tell whether a cell is in reach of a tower: straight on, no farther than its height.

    >>> in_reach(Cell(0, 0), 1, Cell(0, 1)), in_reach(Cell(0, 0), 1, Cell(1, 1))
    (True, False)
    """
    dx, dy = abs(cell.x - tower.x), abs(cell.y - tower.y)
    return min(dx, dy) == 0 and max(dx, dy) <= height
