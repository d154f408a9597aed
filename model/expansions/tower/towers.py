"""Towers at the moment of the action: where they may stand, and whom they reach."""

from __future__ import annotations

from burgrave.model.components import Prisoner
from burgrave.model.expansions.tower.parts import Tower, Towers
from burgrave.model.geometry import Cell
from burgrave.model.position import Capture
from burgrave.model.stage import Stage


def tower_places(stage: Stage) -> tuple[Cell, ...]:
    """Return the cells of all tiles with a tower place, ascending."""
    return tuple(sorted(cell for cell, tile in stage.board.items() if tile.kind.tower_place))


def raised(stage: Stage, cell: Cell) -> Tower:
    """Return the tower on a cell with one more tower piece."""
    tower = stage.position.part(Towers).on(cell)
    return Tower(cell, 1) if tower is None else tower._replace(height=tower.height + 1)


def near(stage: Stage, cell: Cell) -> tuple[Capture, ...]:
    """Return all followers and guards in reach of the tower on a cell once it is raised."""
    risen = raised(stage, cell)
    found = [
        Capture(*follower.node)
        for follower in stage.position.followers
        if risen.reaches(follower.node.cell)
    ]
    found += [
        Capture(tower.cell, None)
        for tower in stage.position.part(Towers).guarded
        if risen.reaches(tower.cell)
    ]
    return tuple(found)


def taken_by(stage: Stage, capture: Capture) -> Prisoner | None:
    """Return the follower that a capture takes; None if there is none."""
    if capture.segment is None:
        tower = stage.position.part(Towers).on(capture.cell)
        there = None if tower is None else tower.guard
        return None if tower is None or there is None else Prisoner(there, tower.rank)
    for follower in stage.position.followers:
        if follower.node == (capture.cell, capture.segment):
            return Prisoner(follower.player, follower.rank)
    return None
