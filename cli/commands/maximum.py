"""``burgrave max``: the most that any play can reach."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from burgrave.cli.options import (
    CertifyOption,
    ClusterOption,
    ForOption,
    JsonOption,
    NodesOption,
    PositionArgument,
    SearchName,
    SearchOption,
    TileOption,
    TimeOption,
    TurnOption,
    means,
    player_index,
)


class GoalName(StrEnum):
    """The objective of a maximum."""

    POINTS = "points"
    LEAD = "lead"


class ModeName(StrEnum):
    """Who plays."""

    HELPED = "helped"
    SOLITAIRE = "solitaire"


class OrderName(StrEnum):
    """In which order the tiles of the bag come."""

    GIVEN = "given"
    CHOOSE = "choose"
    ANY = "any"


def maximum(
    position: PositionArgument,
    player: ForOption = None,
    objective: Annotated[
        GoalName, typer.Option(help="points: the final score; lead: less the opponent's.")
    ] = GoalName.POINTS,
    mode: Annotated[
        ModeName,
        typer.Option(help="helped: all players help; solitaire: the player makes every turn."),
    ] = ModeName.HELPED,
    order: Annotated[
        OrderName,
        typer.Option(help="Order of the tiles: given, choose (best case) or any (worst case)."),
    ] = OrderName.GIVEN,
    tile: TileOption = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    cluster: ClusterOption = None,
    engine: SearchOption = None,
    certify: CertifyOption = False,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the largest final score that the player to move can reach with help."""
    from burgrave.cli import sources
    from burgrave.cli.exits import tell
    from burgrave.cli.progress import watching
    from burgrave.solver.problem import Goal, Play, TileOrder
    from burgrave.solver.questions import drawn_first
    from burgrave.solver.questions import maximum as ask

    read = drawn_first(sources.position(position, at), tile)
    if cluster is not None:
        engine = engine or SearchName.SEARCH  # a model has no first moves to hand out
    one = 1 if cluster is None else None
    with means(time, nodes, one, cluster, engine) as limits, watching() as reporter:
        answer = ask(
            read,
            asker=player_index(read, player),
            goal=Goal(objective),
            play=Play(mode),
            order=TileOrder(order),
            engine=engine,
            certify=certify,
            budget=limits,
            reporter=reporter,
        )
    tell(read, answer, as_json=as_json)
