"""``burgrave evaluate``: what first moves are worth at any moment of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.options import (
    JobsOption,
    JsonOption,
    PositionArgument,
    TileOption,
    TimeOption,
    TurnOption,
    budget,
    cores,
)


def evaluate(
    position: PositionArgument,
    tile: TileOption = None,
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts",
            min=1,
            metavar="N",
            help="Games for an estimate; each move gets 10 at least.",
        ),
    ] = 4000,
    seed: Annotated[int, typer.Option("--seed", help="Seed of all chance in an estimate.")] = 1,
    proof: Annotated[
        bool, typer.Option("--proof/--no-proof", help="Prove the values where few tiles are left.")
    ] = True,
    time: TimeOption = None,
    jobs: JobsOption = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what each sensible first move is worth: proved near the end, estimated before it."""
    from burgrave.cli import sources
    from burgrave.cli.exits import ONLY_A_BOUND
    from burgrave.cli.output import note, show
    from burgrave.cli.progress import interrupts, watching
    from burgrave.cli.render.evaluation import evaluation_data, evaluation_text
    from burgrave.model.naming import times
    from burgrave.solver.questions import drawn_first
    from burgrave.solver.questions import evaluate as ask

    read = drawn_first(sources.position(position, at), tile)
    with watching() as reporter, interrupts() as interrupted:
        found = ask(
            read,
            playouts=playouts,
            seed=seed,
            prove=proof,
            partial=True,
            patient=True,
            budget=budget(time, None, jobs or cores()),
            reporter=reporter,
        )
    text = "\n".join(evaluation_text(read, found))
    show(evaluation_data(read, found), text, as_json=as_json, game=read.game)
    if interrupted and not found.proved:
        note(f"Interrupted: this is the estimate of {times(found.playouts, 'playout')}.")
        raise typer.Exit(ONLY_A_BOUND)
