"""``burgrave fits``: which tiles to come fit where."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.options import JsonOption, PositionArgument, TurnOption
from burgrave.cli.output import show


def fits(
    position: PositionArgument,
    cell: Annotated[
        str | None,
        typer.Option(
            metavar="CELL", help="Tell all kinds that fit on this cell.", show_default=False
        ),
    ] = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """List which tiles to come fit on each cell, and the cells on which none ever will."""
    from burgrave.cli import sources
    from burgrave.cli.render.fits import cell_text, fits_data, fits_text
    from burgrave.model.fitting import fits as fitting
    from burgrave.model.words import read_cell

    read = sources.position(position, at)
    found = fitting(read, None if cell is None else read_cell(cell))
    lines = fits_text(read, found) if cell is None else cell_text(read, found[0])
    show(fits_data(read, found), "\n".join(lines), as_json=as_json)
