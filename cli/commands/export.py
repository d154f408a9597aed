"""``burgrave export``: a record for another program."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.options import ForceOption, JsonOption, OutputOption
from burgrave.cli.output import save, show, writable

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


class Program(StrEnum):
    """The programs for which a game can be written."""

    CARCASSONNELAB = "carcassonnelab"
    JCLOISTERZONE = "jcloisterzone"


def export(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD",
            help="A record, a game that burgrave import reads, or - for standard input.",
            show_default=False,
        ),
    ],
    to: Annotated[
        Program,
        typer.Option(
            "--to",
            help="carcassonnelab: a link; jcloisterzone: a save in the form of version 5.",
            show_default=False,
        ),
    ],
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a game of Carcassonne for another program: a link or a saved game."""
    from burgrave.cli import sources
    from burgrave.model.formats.lab import write_link
    from burgrave.model.formats.save_writing import write_save

    writable(output, force=force)
    _, game = sources.record(record)
    text = write_link(game) + "\n" if to is Program.CARCASSONNELAB else write_save(game)
    data: json_lists.Exported = {"program": str(to), "text": text}
    if output is not None or not as_json:
        save(output, text)
    if as_json:
        show(data, "", as_json=True)
