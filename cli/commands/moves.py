"""``burgrave moves``: every legal move of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.options import EngineName, JsonOption, PositionArgument, TurnOption
from burgrave.cli.output import note, show
from burgrave.cli.render.editions import rules_text

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


def moves(
    position: PositionArgument,
    tile: Annotated[
        str | None, typer.Option(metavar="KIND", help="List only the moves with this tile.")
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Print only their number.")] = False,
    engine: Annotated[
        EngineName, typer.Option(help="The engine that lists the moves.")
    ] = EngineName.REFERENCE,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every legal move, one a line."""
    from burgrave.cli import sources
    from burgrave.model.notation import write_move
    from burgrave.solver.questions import legal, unnamed_now

    read = sources.position(position, at)
    if unnamed_now(read):
        typer.echo("A wall tile in hand has no number: moves that use it are not listed.", err=True)
    found = [write_move(read, move) for move in legal(read, tile=tile, engine=engine)]
    data: json_types.Moves = {"count": len(found)}
    if not count:
        data["moves"] = found
    text = str(len(found)) if count else "\n".join(found)
    if as_json:
        show(data, "", as_json=True, game=read.game)
        return
    # Moves alone stand on standard output, for the program that reads them.
    for line in rules_text(read.game):
        note(line)
    show(data, text, as_json=False, picture=True)
