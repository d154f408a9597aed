"""``burgrave play``: moves played from a position."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.exits import NO
from cli.options import ForceOption, JsonOption, OutputOption, PositionArgument, TurnOption
from cli.output import as_json_file, save, show, writable


def play(
    position: PositionArgument,
    moves: Annotated[
        list[str],
        typer.Argument(
            metavar="MOVE...", help="Moves, each in quotation marks.", show_default=False
        ),
    ],
    output: OutputOption = None,
    as_record: Annotated[
        bool, typer.Option("--record", help="Write a record instead of the resulting position.")
    ] = False,
    force: ForceOption = False,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play moves, tell what happens, and write the resulting position or a record."""
    from cli import sources
    from cli.lines import line_data, line_text, play_line, result_file

    writable(output, force=force)
    line = play_line(sources.position(position, at), moves)
    show(line_data(line), "\n".join(line_text(line)), as_json=as_json)
    if line.refused:
        raise typer.Exit(NO)
    if output is not None:
        save(output, result_file(line, as_record=as_record, as_json=as_json_file(output)))
