"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_positions
from burgrave.cli.output import Colour
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.model.position import Position
    from burgrave.solver.limits import Limits
    from burgrave.solver.pool import Pool


class EngineName(StrEnum):
    """The engines that can be chosen for questions about one turn."""

    CPSAT = "cpsat"
    REFERENCE = "reference"
    STATE = "state"


class SearchName(StrEnum):
    """The engines that can be chosen for questions about the rest of a game."""

    SEARCH = "search"
    FULL = "full"
    TIME = "time"
    RANK = "rank"
    ALPHABETA = "alphabeta"
    EXHAUSTIVE = "exhaustive"


PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A file, - for standard input, the id of a position, puzzle or rule card, or a line"
        " from burgrave draw --line.",
        show_default=False,
        autocompletion=complete_positions,
    ),
]
TurnOption = Annotated[
    int | None,
    typer.Option(
        "--at",
        min=1,
        metavar="TURN",
        help="Of a record or a save: take the position before this turn.",
        show_default=False,
    ),
]
SiteOption = Annotated[
    str | None,
    typer.Option(
        "--site",
        metavar="URL",
        help="A site of burgrave publish: links to it hold the position, or a game turn by turn.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file, as JSON if its name ends in .json.",
        show_default=False,
    ),
]
AtOption = Annotated[
    int | None,
    typer.Option(
        "--at",
        min=1,
        metavar="TURN",
        help="Write the position before this turn. One more than the last turn gives the end.",
        show_default=False,
    ),
]
AsSeenOption = Annotated[
    bool,
    typer.Option("--unknown", help="With --at: put the tiles that are not drawn yet into the bag."),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write a picture to this file, whose name ends in .svg or .png.",
        show_default=False,
    ),
]


class Colours(StrEnum):
    """The colours of a picture."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"
    PRINT = "print"


ThemeOption = Annotated[
    Colours,
    typer.Option(
        "--theme",
        help="Colours: light, dark, print (black and white), or auto, which follows the viewer.",
    ),
]
WidthOption = Annotated[
    int | None,
    typer.Option("--width", metavar="PIXELS", help="Width of a PNG.", show_default=False),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
KeepOption = Annotated[
    Path | None,
    typer.Option(
        "--keep",
        metavar="FILE",
        help="Keep each answer in this file, and go on from it the next time.",
        show_default=False,
    ),
]
ColourOption = Annotated[
    Colour,
    typer.Option("--color", help="Colour the picture; auto obeys NO_COLOR and the terminal."),
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
ForOption = Annotated[
    str | None,
    typer.Option(
        "--for", metavar="PLAYER", help="The player asked about; by default the player to move."
    ),
]
TileOption = Annotated[
    str | None,
    typer.Option("--tile", metavar="KIND", help="The tile drawn from the bag.", show_default=False),
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time", metavar="SECONDS", help="Stop the search after this time.", show_default=False
    ),
]
NodesOption = Annotated[
    int | None,
    typer.Option(
        "--nodes", metavar="N", help="Stop the search after this many turns.", show_default=False
    ),
]
SearchOption = Annotated[
    SearchName | None,
    typer.Option("--engine", help="The engine that answers.", show_default=False),
]
MOST_JOBS = 64
"""Processes that may be asked for; a slip of the finger must not take the machine."""
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        max=MOST_JOBS,
        metavar="J",
        help="Number of threads; by default one for each core, at most 4.",
        show_default=False,
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local[:N]",
        help="Work on a Dask cluster: the address of its scheduler, tcp://HOST:8786, or N workers"
        " of this machine.",
        show_default=False,
    ),
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        max=MOST_JOBS,
        metavar="J",
        help="Number of processes; 1 by default.",
        show_default=False,
    ),
]
CertifyOption = Annotated[
    bool, typer.Option("--certify", help="Let a second engine confirm the value.")
]


USUAL_JOBS = 4
"""Processes for first moves unless more are asked for, since each holds tables of its own."""


def cores() -> int:
    """Return the number of processes for first moves that this machine has cores for."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), USUAL_JOBS)
    return min(os.cpu_count() or 1, USUAL_JOBS)


def budget(time: float | None, nodes: int | None = None, jobs: int = 1) -> Limits:
    """Return the means that ``--time``, ``--nodes`` and ``--jobs`` allow.

    Args:
        time: seconds; None for no limit.
        nodes: turns; None for no limit.
        jobs: threads that may search first moves at once.

    Raises:
        QuestionError: one of them allows nothing.

    """
    from burgrave.solver.limits import Limits  # noqa: PLC0415 -- not for --help

    if time is not None and not time > 0:
        raise QuestionError(f"--time {time:g}: give a number of seconds above 0")
    if nodes is not None and nodes < 1:
        raise QuestionError(f"--nodes {nodes}: give a number of turns above 0")
    return Limits(seconds=time, nodes=nodes, jobs=jobs)


def workers(
    jobs: int | None, cluster: str | None, *, usual: int = 1, apart: bool = False
) -> AbstractContextManager[Pool | None]:
    """Return the workers of ``--jobs`` or ``--cluster``, which end with the block.

    None stands for this process.

    Args:
        jobs: processes; None for the usual number.
        cluster: the cluster in place of processes.
        usual: the number of processes by default.
        apart: whether a single one is a process of its own too.

    Raises:
        QuestionError: both options are given.
        WorkersError: the cluster cannot be had.

    """
    from burgrave.solver.workers import pools  # noqa: PLC0415 -- not for --help

    if jobs is not None and cluster is not None:
        raise QuestionError("--jobs and --cluster exclude each other: a cluster has its workers")
    count = jobs or usual
    return pools.workers(count if apart or count > 1 else 0, cluster)


@contextmanager
def means(
    time: float | None,
    nodes: int | None,
    jobs: int | None,
    cluster: str | None,
    engine: SearchName | None,
) -> Iterator[Limits]:
    """Yield the means of a question about the rest of a game; a cluster is left with the block.

    Args:
        time: seconds; None for no limit.
        nodes: turns; None for no limit.
        jobs: threads; None for the usual number.
        cluster: the cluster that searches first moves; None for this process.
        engine: the engine that is asked; None for the usual one.

    Raises:
        QuestionError: an option allows nothing, or does not go with ``--cluster``.
        WorkersError: the cluster cannot be had.

    """
    from dataclasses import replace  # noqa: PLC0415 -- not for --help

    limits = budget(time, nodes, jobs or cores())
    if cluster is not None and nodes is not None:
        raise QuestionError("--nodes and --cluster exclude each other: the limit is for one search")
    if cluster is not None and engine not in {None, SearchName.SEARCH, SearchName.FULL}:
        raise QuestionError(f"--engine {engine} has no use for --cluster; search and full have")
    with workers(jobs, cluster) if cluster is not None else nullcontext() as pool:
        yield replace(limits, pool=pool)


def player_index(position: Position, name: str | None, option: str = "--for") -> int | None:
    """Return a player by name; None if none is named.

    Args:
        position: a position of the game.
        name: the name.
        option: where it was given, for the error.

    Raises:
        QuestionError: there is none of that name.

    """
    if name is None:
        return None
    players = position.game.players
    if name.lower() not in players:
        from burgrave.model.naming import quoted, suggestion  # noqa: PLC0415 -- not for --help

        raise QuestionError(f"{option}: no player {quoted(name)}.{suggestion(name, players)}")
    return players.index(name.lower())
