"""A set of tiles as pictures side by side, and in figures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from burgrave.cli.render.canvas import Canvas, Ink
from burgrave.cli.render.glyphs import Glyphs
from burgrave.cli.render.legend import signs, tile_signs
from burgrave.cli.render.tile import HEIGHT, WIDTH, picture
from burgrave.model.naming import plural, times
from burgrave.model.quarters import quarters_of
from burgrave.model.tiles import Kind, TileSet

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

_COLUMNS = 8
_PITCH = WIDTH + 5


def tile_sheet(tile_set: TileSet, glyphs: Glyphs) -> Canvas:
    """Draw every kind with its id, its number and its quarter code, and what the signs mean."""
    canvas = Canvas()
    codes = [quarters_of(kind) for kind in tile_set.kinds]
    head = 2 if any(codes) else 1
    for index, (kind, code) in enumerate(zip(tile_set.kinds, codes, strict=True)):
        row, column = divmod(index, _COLUMNS)
        x, y = column * _PITCH, row * (HEIGHT + head + 1)
        name = kind.id if kind.count == 1 else f"{kind.id} x{kind.count}"
        canvas.put(x, y, name[: _PITCH - 1], Ink.NUMBER)
        canvas.put(x, y + 1, code, Ink.NUMBER)
        canvas.paste(x, y + head, picture(kind, 0).draw(kind, glyphs))
    signs(canvas, canvas.height + 1, list(tile_signs(glyphs, tile_set.kinds)))
    return canvas


def _contents(tile_set: TileSet) -> dict[str, int]:
    """Return how often a set shows what, by noun."""
    shown: Counter[str] = Counter()
    for kind in tile_set.kinds:
        for segment in kind.segments:
            shown[str(segment.kind)] += kind.count
            for mark in segment.marks:
                shown[str(mark)] += kind.count
        if any(segment.kind is Kind.PATH for segment in kind.segments):
            shown["square"] += kind.count * len(kind.squares)
        if kind.aeries:
            shown["aerie"] += kind.count * len(kind.aeries)
        if kind.tower_place:
            shown["tower place"] += kind.count
    return dict(sorted(shown.items()))


def set_data(tile_set: TileSet) -> json_lists.TileSet:
    """Return the JSON keys of a set: its name, number of tiles and contents."""
    return {
        "id": tile_set.id,
        "title": tile_set.title,
        "kinds": len(tile_set.kinds),
        "tiles": len(tile_set.all_tiles()),
        "segments": {plural(noun): number for noun, number in _contents(tile_set).items()},
    }


def set_text(tile_set: TileSet) -> str:
    """Return a set in one line."""
    data = set_data(tile_set)
    shown = ", ".join(times(number, noun) for noun, number in _contents(tile_set).items())
    return (
        f"{data['id']}: {data['tiles']} tiles of {data['kinds']} kinds ({shown}). {data['title']}"
    )
