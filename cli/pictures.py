"""Pictures as files: contents by the options of a command, SVG or PNG by the file name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from burgrave.cli.exits import retold
from burgrave.cli.output import save, writable
from burgrave.model.errors import NotationError, QuestionError
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position

if TYPE_CHECKING:
    from burgrave.model.components import Node
    from burgrave.model.geometry import Cell
    from burgrave.model.pictures import Step, View

LEAST_PIXELS, MOST_PIXELS = 16, 6000
"""Bounds of a PNG's width; it is no higher than the second either."""
_EXTRA = (
    "PNG needs the extra 'pictures': in the folder of Burgrave's sources run"
    ' pip install ".[pictures]"; SVG needs nothing'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The requested content of a picture, as written."""

    cells: Sequence[str] = ()
    features: Sequence[str] = ()
    moves: Sequence[str] = ()
    legal: bool = False
    tile: str | None = None
    bare: bool = False
    """Without coordinates."""
    alone: bool = False
    """Without players and tiles to come."""
    below: bool = False
    """Players and tiles to come below the board."""
    crop: bool = False
    """Without empty parts of the board."""
    small: bool = False
    """As a thumbnail."""
    theme: str = "auto"
    """The colours, by name."""

    def named(self) -> list[str]:
        """Return the options that were given."""
        given = {
            "--highlight": self.cells,
            "--feature": self.features,
            "--move": self.moves,
            "--legal": self.legal,
            "--tile": self.tile,
            "--no-coordinates": self.bare,
            "--no-panel": self.alone,
            "--below": self.below,
            "--crop": self.crop,
            "--thumbnail": self.small,
            "--theme": self.theme != "auto",
        }
        return [name for name, value in given.items() if value]


def check_target(output: Path, *, force: bool) -> None:
    """Refuse a file that cannot become a picture, before any work is done.

    Raises:
        QuestionError: its ending is neither .svg nor .png, PNG cannot be made here, or
            nothing may be written there.

    """
    if output.suffix.lower() not in {".svg", ".png"}:
        raise QuestionError(f"{output}: a picture's name ends in .svg or .png")
    if output.suffix.lower() == ".png":
        try:
            import resvg_py  # noqa: F401, PLC0415 -- an extra
        except ImportError:
            raise QuestionError(f"{output}: {_EXTRA}") from None
    writable(output, force=force)


def save_picture(output: Path, svg: str, width: int | None) -> None:
    """Write a picture as SVG, or as PNG of some width in pixels.

    Without a width a PNG has a pixel for each unit, unless it would be too large then.

    Raises:
        FileError: it cannot be written.

    """
    save(output, svg if output.suffix.lower() == ".svg" else png(svg, width))


def png(svg: str, width: int | None = None) -> bytes:
    """Return a picture as PNG of some width in pixels; it needs the extra for pictures."""
    import resvg_py  # noqa: PLC0415 -- an extra

    across, down = map(float, re.findall(r' (?:width|height)="([\d.]+)"', svg)[:2])
    most = MOST_PIXELS * across / max(across, down)
    pixels = max(1, int(min(width or across, most)))
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=pixels))


def check_width(output: Path | None, width: int | None) -> None:
    """Refuse a width that no picture can have.

    Raises:
        QuestionError: the picture is no PNG, or the width is out of bounds.

    """
    if width is None:
        return
    if output is None or output.suffix.lower() != ".png":
        raise QuestionError("--width is for PNG: add -o and a name that ends in .png")
    if not LEAST_PIXELS <= width <= MOST_PIXELS:
        raise QuestionError(f"--width {width}: give from {LEAST_PIXELS} to {MOST_PIXELS} pixels")


def picture(position: Position, wishes: Wishes) -> str:
    """Return a picture of a position.

    Raises:
        BurgraveError: a cell, a segment, a move or a tile cannot be read or found.

    """
    from burgrave.model.pictures import Theme, board_svg  # noqa: PLC0415 -- for pictures only

    return board_svg(position, _view(position, wishes), theme=Theme(wishes.theme))


def _view(position: Position, wishes: Wishes) -> View:
    """Return the content of a picture of a position.

    Raises:
        BurgraveError: a cell, a segment, a move or a tile cannot be read or found.

    """
    from burgrave.model.pictures import View  # noqa: PLC0415 -- for pictures only
    from burgrave.model.places import places  # noqa: PLC0415 -- for pictures only
    from burgrave.model.words import read_cell  # noqa: PLC0415 -- for pictures only

    legal: set[Cell] = set()
    if wishes.legal:
        legal = {tile.cell for tile in places(position, _next_tile(position, wishes.tile))}
    elif wishes.tile:
        raise QuestionError("--tile needs --legal")
    steps = _steps(position, wishes.moves)
    try:
        cells = tuple(map(read_cell, wishes.cells))
    except NotationError as error:
        raise retold(error, "--highlight") from error
    outside = [str(cell) for cell in cells if not position.game.board.holds(cell)]
    if outside:
        raise QuestionError(f"--highlight {outside[0]}: that cell is not inside the castle wall")
    return View(
        coordinates=not wishes.bare,
        panel=not wishes.alone,
        below=wishes.below,
        crop=wishes.crop,
        thumbnail=wishes.small,
        cells=cells,
        features=_nodes(position, wishes.features),
        legal=tuple(sorted(legal)),
        move=steps[0].move if len(steps) == 1 else None,
        line=steps if len(steps) > 1 else (),
    )


def _next_tile(position: Position, named: str | None) -> str:
    """Return the tile whose places are asked for."""
    tile = named or next(iter(position.order), None)
    if tile is None:
        raise QuestionError("--legal: the next tile is not known; add --tile KIND")
    known = {kind.id.lower(): kind.id for kind in position.game.tile_set.kinds}
    if tile.lower() not in known:
        helps = suggestion(tile, known.values())
        raise QuestionError(f"--tile: this game has no tile {quoted(tile)}.{helps}")
    return known[tile.lower()]


def _nodes(position: Position, texts: Sequence[str]) -> tuple[Node, ...]:
    """Return all segments of the features that some segments belong to."""
    if not texts:
        return ()
    from burgrave.model.features import position_features  # noqa: PLC0415 -- loads the rules
    from burgrave.model.words import read_node  # noqa: PLC0415 -- for pictures only

    found = position_features(position)
    nodes: list[Node] = []
    for text in texts:
        try:
            nodes += found.at(read_node(position, text)).nodes
        except NotationError as error:
            raise retold(error, "--feature") from error
    return tuple(nodes)


def _steps(position: Position, texts: Sequence[str]) -> tuple[Step, ...]:
    """Return moves with their players; all but the last must be legal."""
    from burgrave.model.engine import play  # noqa: PLC0415 -- for pictures only
    from burgrave.model.loose_notation import read_typed  # noqa: PLC0415 -- for pictures only
    from burgrave.model.notation import read_move  # noqa: PLC0415 -- for pictures only
    from burgrave.model.pictures import Step  # noqa: PLC0415 -- for pictures only
    from burgrave.model.problems import problems  # noqa: PLC0415 -- for pictures only

    # An impossible position cannot decide which of several moves is legal.
    read = read_move if problems(position) else read_typed
    steps = []
    for number, text in enumerate(texts, start=1):
        try:
            move = read(position, text)
        except NotationError as error:
            raise retold(error, f"--move {number}") from error
        steps.append(Step(position.to_move, move))
        if number < len(texts):
            position = play(position, move).position
    return tuple(steps)
