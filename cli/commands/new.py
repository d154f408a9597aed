"""``burgrave new``: a fresh position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from burgrave.cli.options import ForceOption, JsonOption, OutputOption
from burgrave.cli.output import as_json_file, note, save, writable
from burgrave.model.registry import GAMES, GameId


def new(
    game: Annotated[
        GameId,
        typer.Argument(metavar="GAME", help=f"The game: {', '.join(GAMES)}."),
    ],
    seed: Annotated[
        int | None, typer.Option(help="The same number gives the same shuffled position.")
    ] = None,
    unknown: Annotated[
        bool,
        typer.Option("--unknown", help="Leave the tiles in a bag and the wall tiles face down."),
    ] = False,
    first: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The player who begins: white, black, red, blue …"),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(min=2, max=6, help="Number of players of Carcassonne; 2 by default."),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The rules of Carcassonne: today (the default), rgg2006, car …"
        ),
    ] = None,
    tiles: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play with this tile set in place of the shipped tiles."),
    ] = None,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Begin a game: write its first position."""
    from burgrave.cli.beginnings import begun
    from burgrave.model.files.positions import write_position
    from burgrave.model.problems import remarks

    writable(output, force=force)
    title, position = begun(
        game,
        seed,
        unknown=unknown,
        first=first,
        players=players,
        edition=edition,
        tiles=tiles,
    )
    note(position.game.label)
    for remark in remarks(position):
        note(f"{remark.message[:1].upper()}{remark.message[1:]} [{remark.rule}].")
    save(output, write_position(position, title=title, as_json=as_json or as_json_file(output)))
