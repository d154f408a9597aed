"""``burgrave play``: moves played from a position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import typer

from burgrave.cli.exits import NO
from burgrave.cli.options import ForceOption, JsonOption, OutputOption, PositionArgument, TurnOption
from burgrave.cli.output import as_json_file, save, show, writable


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
    """Play moves and tell what happens; -o writes the new position or a record."""
    from burgrave.cli import sources
    from burgrave.cli.lines import line_data, line_text, play_line, result_file

    writable(output, force=force)
    line = play_line(sources.table(position, at), _whole(moves))
    text = "\n".join(line_text(line))
    show(line_data(line), text, as_json=as_json, game=line.end.game)
    if line.refused:
        raise typer.Exit(NO)
    if output is not None:
        save(output, result_file(line, as_record=as_record, as_json=as_json_file(output)))


def _whole(moves: Sequence[str]) -> Sequence[str]:
    """Return moves; words of a single one that a shell has taken apart are joined."""
    cells = sum(re.search(r"\d,", word) is not None for word in moves)
    # A word with a tile on its cell is a move as it stands, and so is a pass.
    stands = any("@" in word or word.strip().lower() == "pass" for word in moves)
    return [" ".join(moves)] if cells == 1 and not stands else moves
