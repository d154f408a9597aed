"""``burgrave count``: the number of lines of play."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.exits import ANSWERED, ONLY_A_BOUND
from burgrave.cli.options import (
    JsonOption,
    NodesOption,
    PositionArgument,
    TimeOption,
    TurnOption,
    budget,
)
from burgrave.cli.output import show

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


class BestName(StrEnum):
    """Which best lines can be counted."""

    FORCE = "force"
    MAX = "max"


def count(
    position: PositionArgument,
    depth: Annotated[int, typer.Option(min=0, metavar="N", help="Count lines of N moves.")] = 1,
    best: Annotated[
        BestName | None,
        typer.Option(
            help="Count the best lines to the end: force for best play of all players, max for"
            " all of them helping the player to move.",
            show_default=False,
        ),
    ] = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count the legal lines of N moves, or the best lines to the end."""
    from burgrave.cli import sources
    from burgrave.cli.render.findings import STOPPED
    from burgrave.cli.render.game_answers import in_words
    from burgrave.model.naming import times
    from burgrave.solver.problem import Goal, Play
    from burgrave.solver.questions import best_lines, continuations

    means = budget(time, nodes)
    read = sources.position(position, at)
    if best is None:
        found = continuations(read, depth, budget=means)
    elif best is BestName.FORCE:
        found = best_lines(read, budget=means)
    else:
        found = best_lines(read, goal=Goal.POINTS, play=Play.HELPED, budget=means)
    data: json_types.Count = {
        "lines": found.lines,
        "least": found.least,
        "value": None if found.value is None else int(found.value),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 3),
    }
    if found.lines is None:
        text = f"Not counted to the end, {times(found.least, 'line')} at least: {STOPPED}."
    elif found.value is None:
        most = "at most " if depth > len(read.order) + len(read.bag) else ""
        text = f"{times(found.lines, 'legal line')} of {most}{times(depth, 'move')}"
    else:
        text = f"{times(found.lines, 'best line')} worth {in_words(found.value)}"
    show(data, text, as_json=as_json, game=read.game)
    raise typer.Exit(ONLY_A_BOUND if found.lines is None else ANSWERED)
