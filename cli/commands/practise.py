"""``burgrave practise``: a game against a level of the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import (
    ForceOption,
    JobsOption,
    JsonOption,
    PositionArgument,
    TurnOption,
    budget,
    cores,
    player_index,
)
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.render import json_estimates


def practise(
    position: PositionArgument,
    level: Annotated[
        int,
        typer.Option(
            min=1,
            max=5,
            help="Strength: 1 takes the most points, 2 plays at sight, 3 to 5 look ahead.",
        ),
    ] = 3,
    player: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            help="The player whom you play; by default the player to move.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of draws and of the opponent.")] = 1,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="FILE",
            help="Keep the game in this record, and go on from it the next time.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play against the program; with --json, print the move that a level plays."""
    from burgrave.cli import sources
    from burgrave.cli.output import note, show, writable
    from burgrave.cli.practice import Practice
    from burgrave.cli.render.editions import rules_text
    from burgrave.model.notation import write_move
    from burgrave.puzzles.games.levels import LEVELS
    from burgrave.puzzles.games.matches import Match

    start = sources.table(position, at)
    chosen, means = LEVELS[level], budget(None, None, jobs or cores())
    if as_json and (player is not None or keep is not None):
        raise QuestionError("--json prints one move: leave out --as and --keep")
    if as_json:
        found = Match.begun(start, seed).reply(chosen, means)
        data: json_estimates.Practice = {
            "player": start.game.players[start.to_move],
            "notation": write_move(start, found.move),
            "level": level,
            "playouts": found.playouts,
            "proved": found.proved,
            "seconds": found.seconds,
            "seed": seed,
        }
        show(data, "", as_json=True)
        return
    user = player_index(start, player, "--as")
    writable(keep, force=True)  # a record is resumed, and replaced after each move
    if keep is not None and force:
        keep.unlink(missing_ok=True)
    game = Practice(
        start,
        user=start.to_move if user is None else user,
        level=chosen,
        seed=seed,
        budget=means,
        keep=keep,
    )
    for line in rules_text(start.game):
        note(line)
    note(f"{chosen.words[:1].upper()}{chosen.words[1:]}. ? lists what you can type.")
    raise typer.Exit(ANSWERED if game.run() else NO)
