"""``burgrave best``: the best move of a turn, with its proof."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from burgrave.cli.exits import ANSWERED, ONLY_A_BOUND
from burgrave.cli.options import (
    EngineName,
    JobsOption,
    JsonOption,
    NodesOption,
    PositionArgument,
    TileOption,
    TimeOption,
    TurnOption,
    budget,
    cores,
)
from burgrave.cli.output import show
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.model.position import Position
    from burgrave.solver.limits import Limits


class ObjectiveName(StrEnum):
    """The objective of a best move."""

    POINTS = "points"
    LEAD = "lead"


def best(
    position: PositionArgument,
    objective: Annotated[
        ObjectiveName | None,
        typer.Option(
            help="points: points of this turn (the default); lead: less the opponent's.",
            show_default=False,
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Show the N best moves; 1 by default.",
            show_default=False,
        ),
    ] = None,
    ahead: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Look N tiles ahead: best play of both players for the lead.",
            show_default=False,
        ),
    ] = None,
    tile: TileOption = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    jobs: JobsOption = None,
    engine: Annotated[
        EngineName | None, typer.Option(help="The engine that answers.", show_default=False)
    ] = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best move of this turn and say what it scores."""
    from burgrave.cli import sources
    from burgrave.cli.progress import watching
    from burgrave.cli.render.turn_answers import turn_answer_data, turn_answer_text
    from burgrave.solver.problem import Goal
    from burgrave.solver.questions import best as ask
    from burgrave.solver.result import Status

    means = budget(time, nodes, jobs or cores())
    read = sources.position(position, at)
    if ahead is not None:
        if (engine, top) != (None, None) or objective is ObjectiveName.POINTS:
            raise QuestionError("--ahead excludes --engine, --top and --objective points")
        if ahead == 0 and objective is None:
            raise QuestionError(
                "--ahead 0 compares leads after this turn: add --objective lead, or leave --ahead"
                " out to compare its points"
            )
        _look_ahead(read, ahead, tile, means, as_json=as_json)
    if (jobs, nodes) != (None, None):
        raise QuestionError("--jobs and --nodes need --ahead")
    with watching() as reporter:
        answer = ask(
            read,
            goal=Goal(objective or ObjectiveName.POINTS),
            top=top or 1,
            tile=tile,
            budget=means,
            reporter=reporter,
            engine=engine,
        )
    text = "\n".join(turn_answer_text(read, answer))
    show(turn_answer_data(read, answer), text, as_json=as_json, game=read.game)
    raise typer.Exit(ANSWERED if answer.status is Status.OPTIMAL else ONLY_A_BOUND)


def _look_ahead(
    position: Position, tiles: int, tile: str | None, means: Limits, *, as_json: bool
) -> NoReturn:
    """Tell which first moves are best for the lead some tiles later, and end."""
    from burgrave.cli.exits import tell
    from burgrave.cli.progress import watching
    from burgrave.solver.questions import ahead, drawn_first

    read = drawn_first(position, tile)
    with watching() as reporter:
        answer = ahead(read, tiles, budget=means, reporter=reporter)
    tell(read, answer, as_json=as_json)
