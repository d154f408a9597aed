"""``burgrave best``: the best move of a turn, with its proof."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.exits import ANSWERED, NO, ONLY_A_BOUND
from cli.options import EngineName, JsonOption, PositionArgument
from cli.output import show
from model.errors import QuestionError


class ObjectiveName(StrEnum):
    """What a move can be best for."""

    POINTS = "points"
    LEAD = "lead"


def best(
    position: PositionArgument,
    objective: Annotated[
        ObjectiveName, typer.Option(help="Points of this turn, or points less the opponent's.")
    ] = ObjectiveName.POINTS,
    top: Annotated[
        int, typer.Option(min=1, metavar="N", help="Show at least the N best moves.")
    ] = 1,
    tile: Annotated[
        str | None, typer.Option(metavar="KIND", help="The tile to be laid, if not known.")
    ] = None,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop after this time, above 0.")
    ] = None,
    engine: Annotated[
        EngineName | None, typer.Option(help="The engine that answers.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the moves that are best in this turn, and say what they score."""
    from cli import sources
    from cli.progress import watcher
    from cli.render.answers import answer_data, answer_text
    from solver.answers import Objective, Status
    from solver.budget import Budget
    from solver.questions import best as ask

    if time is not None and not time > 0:
        raise QuestionError(f"--time {time:g}: give a number of seconds above 0")
    read = sources.position(position)
    answer = ask(
        read,
        objective=Objective(objective),
        top=top,
        tile=tile,
        budget=Budget(seconds=time),
        reporter=watcher(),
        engine=engine,
    )
    show(answer_data(read, answer), "\n".join(answer_text(read, answer)), as_json=as_json)
    codes = {Status.OPTIMAL: ANSWERED, Status.INFEASIBLE: NO}
    raise typer.Exit(codes.get(answer.status, ONLY_A_BOUND))
