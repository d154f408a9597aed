"""Positions, tiles and tile sets as SVG pictures, drawn by code from segments."""

from __future__ import annotations

from burgrave.model.pictures.board import board_svg, panel_svg
from burgrave.model.pictures.pawns import figure_svg
from burgrave.model.pictures.sheet import Svg
from burgrave.model.pictures.stamps import TILES, Stamp, stamp_pictures, stamps
from burgrave.model.pictures.style import Theme, stylesheet
from burgrave.model.pictures.tiles import follower_spots, tile_set_svg, tile_svg, tower_spot
from burgrave.model.pictures.view import COORDINATE, Step, View

__all__ = [
    "COORDINATE",
    "TILES",
    "Stamp",
    "Step",
    "Svg",
    "Theme",
    "View",
    "board_svg",
    "figure_svg",
    "follower_spots",
    "panel_svg",
    "stamp_pictures",
    "stamps",
    "stylesheet",
    "tile_set_svg",
    "tile_svg",
    "tower_spot",
]
