"""What a turn does besides its tile, where it is tapped on the board."""

from __future__ import annotations

from typing import Any

from burgrave.cli.render.sentences import Act
from burgrave.model.geometry import Cell
from burgrave.model.pictures import follower_spots, tower_spot
from burgrave.model.placement import Placement
from burgrave.model.tiles import PlacedTile

_GUARD = 24.0
"""How far beside the middle of a tower a guard is offered, in hundredths of a tile."""


def name_of(act: Act) -> str:
    """Return what a turn's acts are told apart by."""
    return f"{act.sort}@{act.cell}.{act.segment} {act.title} {act.says}"


def target(placement: Placement, act: Act) -> dict[str, Any]:
    """Return an act for the page.

    Its spot is where it is tapped on its cell, in hundredths from the top left corner; null where
    the board has no place for it.
    """
    told: dict[str, Any] = {"says": act.says, "sort": act.sort, "title": act.title}
    if act.cell is None:
        return {**told, "cell": None, "spot": None, "segment": None, "at": ""}
    tile = placement.board[act.cell]
    name = "" if act.segment is None else tile.kind.name_of(act.segment, tile.rotation)
    spot = [round(way, 1) for way in _spot(placement, act, act.cell)]
    return {**told, "cell": list(act.cell), "spot": spot, "segment": act.segment, "at": name}


def _spot(placement: Placement, act: Act, cell: Cell) -> tuple[float, float]:
    """Return where an act is tapped on its cell."""
    tile = placement.board[cell]
    if act.segment is not None:
        return turned(follower_spots(tile.kind)[act.segment], tile)
    x, y = turned(tower_spot(tile.kind) or (50.0, 50.0), tile)
    if act.sort == "piece":
        return x, y
    return (x + _GUARD if x <= 50 else x - _GUARD), y  # noqa: PLR2004 -- the middle


def turned(spot: tuple[float, float], tile: PlacedTile) -> tuple[float, float]:
    """Return a place of a kind of tile where it lies on the board."""
    x, y = spot
    for _ in range(tile.rotation):
        x, y = 100 - y, x
    return x, y
