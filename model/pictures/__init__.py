"""Positions, tiles and tile sets as SVG pictures, drawn by code from segments."""

from __future__ import annotations

from model.pictures.board import board_svg, panel_svg
from model.pictures.pawns import figure_svg
from model.pictures.sheet import Svg
from model.pictures.style import Theme, stylesheet
from model.pictures.tiles import follower_spots, tile_set_svg, tile_svg
from model.pictures.view import COORDINATE, Step, View

__all__ = [
    "COORDINATE",
    "Step",
    "Svg",
    "Theme",
    "View",
    "board_svg",
    "figure_svg",
    "follower_spots",
    "panel_svg",
    "stylesheet",
    "tile_set_svg",
    "tile_svg",
]
