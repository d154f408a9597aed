"""``burgrave tiles``: sets of tiles, shipped and of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_tile_sets
from burgrave.cli.options import (
    AsciiOption,
    ColourOption,
    Colours,
    ForceOption,
    JsonOption,
    PictureOption,
    ThemeOption,
    WidthOption,
)
from burgrave.cli.output import Colour, coloured, glyphs, show

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists
    from burgrave.model.tiles import TileSet

SetFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A file with a tile set.",
        show_default=False,
        autocompletion=complete_tile_sets,
    ),
]
SetName = Annotated[
    str,
    typer.Argument(
        metavar="SET", help="A shipped set, or a file.", autocompletion=complete_tile_sets
    ),
]


def check(file: SetFile, as_json: JsonOption = False) -> None:
    """Check a tile set of your own and list what it holds."""
    from burgrave.cli.render.tilesets import set_data, set_text

    tile_set = _tile_set(file)
    data: json_lists.ValidTileSet = {"valid": True, **set_data(tile_set)}
    show(data, f"{file} can be used.\n{set_text(tile_set)}", as_json=as_json)


def show_set(
    name: SetName = "castle",
    output: PictureOption = None,
    width: WidthOption = None,
    force: ForceOption = False,
    color: ColourOption = Colour.AUTO,
    ascii_only: AsciiOption = False,
    theme: ThemeOption = Colours.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Draw every kind of tile of a set."""
    from burgrave.cli.pictures import check_target, check_width, save_picture
    from burgrave.cli.render.tilesets import set_data, set_text, tile_sheet
    from burgrave.model.games import UNOFFICIAL
    from burgrave.model.pictures import Theme, tile_set_svg
    from burgrave.model.quarters import quarters_of

    check_width(output, width)
    if output is not None:
        check_target(output, force=force)
    tile_set = _tile_set(name)
    if output is not None:
        save_picture(output, tile_set_svg(tile_set, theme=Theme(theme)), width)
        if as_json:
            written: json_lists.TileSheetFile = {"file": str(output), **set_data(tile_set)}
            show(written, "", as_json=True)
        return
    lines = tile_sheet(tile_set, glyphs(plain=ascii_only)).lines(colour=coloured(color))
    text = "\n".join([set_text(tile_set), "", *lines, "", UNOFFICIAL, tile_set.note.strip()])
    codes = {kind.id: code for kind in tile_set.kinds if (code := quarters_of(kind))}
    data: json_lists.TileSheet = {
        **set_data(tile_set),
        "note": tile_set.note,
        "codes": codes,
        "lines": lines,
    }
    show(data, text, as_json=as_json, picture=True)


def list_sets(as_json: JsonOption = False) -> None:
    """List the shipped sets."""
    from burgrave.cli.render.tilesets import set_data, set_text
    from burgrave.model.files.tilesets import shipped_tile_set, shipped_tile_sets

    sets = [shipped_tile_set(name) for name in shipped_tile_sets()]
    show([set_data(one) for one in sets], "\n".join(map(set_text, sets)), as_json=as_json)


def _tile_set(name: str) -> TileSet:
    """Return a shipped set, or one from a file."""
    from burgrave.model.files.paths import PathKind, path_kind
    from burgrave.model.files.tilesets import (
        load_tile_set,
        shipped_tile_set,
        shipped_tile_sets,
    )

    path = Path(name)
    shipped = name in shipped_tile_sets()
    if shipped or not (path.suffix or path_kind(path) is not PathKind.NOTHING):
        return shipped_tile_set(name)
    return load_tile_set(path)
