"""A position as a picture."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.naming import times
from burgrave.model.pictures.caption import caption
from burgrave.model.pictures.castle import castle
from burgrave.model.pictures.overlays import overlays
from burgrave.model.pictures.panel import WIDTH, panel
from burgrave.model.pictures.plane import plane
from burgrave.model.pictures.sheet import Svg, picture
from burgrave.model.pictures.style import Theme
from burgrave.model.pictures.view import View
from burgrave.model.pictures.xml import group
from burgrave.model.position import Position
from burgrave.model.registry import CARCASSONNE, CASTLE

_GAP = 24.0
_DRAWN = {CASTLE: castle, CARCASSONNE: plane}
"""What draws the board of a base, with its frame."""


def board_svg(
    position: Position,
    view: View | None = None,
    *,
    embed_style: bool = True,
    theme: Theme = Theme.AUTO,
) -> Svg:
    """Return a position as a picture.

    Args:
        position: any position, also an impossible one.
        view: what to show; all that lies on the table if left out.
        embed_style: whether the picture carries its colours; otherwise the page does.
        theme: the colours that it carries.

    Returns:
        SVG text, 100 units to a cell, the same bytes for the same position and view. The
        game's label stands below the board, the board's note on the panel.

    """
    view = view or View()
    if view.thumbnail:
        view = replace(view, coordinates=False, panel=False, crop=True)
    drawn, (left, top, width, height) = _DRAWN[position.game.base](position, view)
    parts = [drawn, *overlays(position, view)]
    if not view.thumbnail:
        label, low = caption(position.game.label, width - 2 * _GAP, view.lettering)
        parts.append(group(label, at=(left + _GAP, top + height)))
        height += low + _GAP / 2
    if view.panel and view.below:
        scale = round((width - 2 * _GAP) / WIDTH, 2)
        under, tall = panel(position)
        parts.append(group(under, at=(left + _GAP, top + height + _GAP), scale=scale))
        height += scale * tall + 2 * _GAP
    elif view.panel:
        beside, tall = panel(position)
        parts.append(group(beside, at=(left + width + _GAP, top + _GAP)))
        width += WIDTH + 2 * _GAP
        height = max(height, tall + 2 * _GAP)
    return picture(
        "".join(parts),
        (left, top, width, height),
        position.game.named,
        _description(position),
        theme=theme if embed_style else None,
    )


def panel_svg(position: Position, *, embed_style: bool = True, theme: Theme = Theme.AUTO) -> Svg:
    """Return the panel beside a board as a separate picture: players, tiles to come.

    Args:
        position: any position.
        embed_style: whether the picture carries its colours; otherwise the page does.
        theme: the colours that it carries.

    """
    drawn, height = panel(position, short=True)
    return picture(
        drawn,
        (-2, -2, WIDTH + 4, height + 4),
        "Players and tiles to come",
        _description(position),
        theme=theme if embed_style else None,
    )


def _description(position: Position) -> str:
    """Return a description of a position in words."""
    game = position.game
    scores = ", ".join(
        f"{game.name(player)} {times(state.score, 'point')}"
        for player, state in enumerate(position.players)
    )
    turn = "the game is over" if position.over else f"{game.name(position.to_move)} is to move"
    return f"{times(len(position.tiles), 'tile')} on the board; {scores}; {turn}. {game.label}"
