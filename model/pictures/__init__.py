"""Positions, tiles and tile sets as SVG pictures, drawn by code from segments."""

from __future__ import annotations

from model.pictures.board import board_svg, panel_svg
from model.pictures.sheet import Svg
from model.pictures.style import Theme, stylesheet
from model.pictures.tiles import tile_set_svg, tile_svg
from model.pictures.view import CellValue, Step, View

__all__ = [
    "CellValue",
    "Step",
    "Svg",
    "Theme",
    "View",
    "board_svg",
    "panel_svg",
    "stylesheet",
    "tile_set_svg",
    "tile_svg",
]
