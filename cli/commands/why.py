"""``burgrave why``: which rules together forbid something."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from burgrave.cli.exits import ANSWERED, NO, ONLY_A_BOUND
from burgrave.cli.options import (
    ForOption,
    JsonOption,
    NodesOption,
    PositionArgument,
    TimeOption,
    TurnOption,
    budget,
)
from burgrave.cli.output import show
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from burgrave.model.games import Game
    from burgrave.solver.questions import Reasons


class DoubledName(StrEnum):
    """The kinds of features that wall tiles double."""

    PATH = "path"
    TOWER = "tower"
    HOUSE = "house"
    COURT = "court"


class KindName(StrEnum):
    """The kinds of features on which followers stand."""

    PATH = "path"
    TOWER = "tower"
    HOUSE = "house"
    COURT = "court"
    CHAPEL = "chapel"
    ROAD = "road"
    CITY = "city"
    CLOISTER = "cloister"
    FIELD = "field"


def why(
    position: PositionArgument,
    feature: Annotated[
        str | None,
        typer.Option(
            metavar="NODE",
            help="Explain why this feature, like 4,5.N, can no longer be completed.",
            show_default=False,
        ),
    ] = None,
    score: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Explain why this final score is out of reach.", show_default=False
        ),
    ] = None,
    player: ForOption = None,
    tile: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="The tile of this turn.", show_default=False),
    ] = None,
    cell: Annotated[
        str | None,
        typer.Option(
            metavar="CELL", help="The tile lies on this cell, like 4,5.", show_default=False
        ),
    ] = None,
    rotation: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="Clockwise quarter turns of the tile.", show_default=False),
    ] = None,
    follower: Annotated[
        KindName | None,
        typer.Option(help="A follower stands on a feature of this kind.", show_default=False),
    ] = None,
    doubled: Annotated[
        DoubledName | None,
        typer.Option(help="A wall tile doubles a feature of this kind.", show_default=False),
    ] = None,
    extra: Annotated[
        int,
        typer.Option(
            min=0, max=99, metavar="N", help="Number of wall tiles 1 played in this turn."
        ),
    ] = 0,
    time: TimeOption = None,
    nodes: NodesOption = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain which rules forbid a placement, a completion or a final score."""
    from burgrave.cli import sources
    from burgrave.cli.options import player_index
    from burgrave.cli.progress import watching
    from burgrave.cli.render import given
    from burgrave.cli.render.findings import STOPPED
    from burgrave.cli.render.reasons import unknown, unsettled_data
    from burgrave.model.geometry import Cell
    from burgrave.model.tiles import Kind
    from burgrave.model.words import read_cell, read_node
    from burgrave.solver.limits import OutOfTimeError
    from burgrave.solver.problem import Wish
    from burgrave.solver.questions import Reasons, why_not, why_out_of_reach, why_unfinished

    read = sources.position(position, at)
    place: Cell | None = None if cell is None else read_cell(cell)
    wanted = Wish(
        cell=place,
        rotation=rotation,
        follower=None if follower is None else Kind(follower),
        doubled=None if doubled is None else Kind(doubled),
        extra_turns=extra,
    )
    this_turn = tile is not None or wanted != Wish()
    if (feature is not None) + (score is not None) + this_turn > 1:
        raise QuestionError("ask one thing: --feature, --score, or options about this turn")
    means = budget(time, nodes)
    chosen = (
        [] if feature is None and score is None else unknown(read, with_towers=score is not None)
    )
    found: Reasons | None
    try:
        if feature is not None:
            node = read_node(read, feature)
            found = why_unfinished(read, node, budget=means)
            facts = given.of_feature(read, node, () if found is None else found.cells)
        elif score is not None:
            asker = player_index(read, player)
            with watching() as reporter:
                found = why_out_of_reach(read, score, asker=asker, budget=means, reporter=reporter)
            facts = given.of_score(read, read.to_move if asker is None else asker)
        else:
            rules = why_not(read, wanted, tile=tile, budget=means)
            found = None if rules is None else Reasons(rules=rules)
            facts = given.of_turn(read, wanted, tile)
    except (OutOfTimeError, KeyboardInterrupt):
        stopped = f"Not settled: {STOPPED}."
        show(unsettled_data(chosen), stopped, as_json=as_json, game=read.game)
        raise typer.Exit(ONLY_A_BOUND) from None
    _tell(read.game, found, facts, chosen, as_json=as_json)


def _tell(
    game: Game, reasons: Reasons | None, given: Iterator[str], chosen: list[str], *, as_json: bool
) -> NoReturn:
    """Print reasons and end: answered, or no because nothing forbids it."""
    from burgrave.cli.render.reasons import reasons_data, reasons_text

    facts = [] if reasons is None else [*given]
    text = "\n".join(reasons_text(reasons, facts, chosen))
    show(reasons_data(reasons, facts, chosen), text, as_json=as_json, game=game)
    raise typer.Exit(NO if reasons is None else ANSWERED)
