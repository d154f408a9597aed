"""``burgrave force``: what the player to move can force to the end of the game."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.exits import ANSWERED, ONLY_A_BOUND
from cli.options import JsonOption, PositionArgument
from cli.output import show
from model.errors import QuestionError


def force(
    position: PositionArgument,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop after this time, above 0.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find what the player to move can force to the end, the order of the tiles being known."""
    from cli import sources
    from cli.progress import watcher
    from cli.render.forced import forced_data, forced_text
    from solver.answers import Status
    from solver.budget import Budget
    from solver.questions import forced

    if time is not None and not time > 0:
        raise QuestionError(f"--time {time:g}: give a number of seconds above 0")
    read = sources.position(position)
    answer = forced(read, budget=Budget(seconds=time), reporter=watcher())
    show(forced_data(read, answer), "\n".join(forced_text(read, answer)), as_json=as_json)
    raise typer.Exit(ANSWERED if answer.status is Status.OPTIMAL else ONLY_A_BOUND)
