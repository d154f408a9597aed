"""``burgrave win``: win, draw or loss, or the probability of each."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.options import (
    CertifyOption,
    ClusterOption,
    JobsOption,
    JsonOption,
    NodesOption,
    PositionArgument,
    SearchOption,
    TileOption,
    TimeOption,
    TurnOption,
    means,
)


def win(
    position: PositionArgument,
    every: Annotated[
        bool, typer.Option("--every", help="List every move that is as good, which takes longer.")
    ] = False,
    tile: TileOption = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    engine: SearchOption = None,
    certify: CertifyOption = False,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find win, draw or loss with best play, or the probability of each."""
    from burgrave.cli import sources
    from burgrave.cli.exits import tell
    from burgrave.cli.progress import watching
    from burgrave.solver.questions import drawn_first, winning

    read = drawn_first(sources.position(position, at), tile)
    with means(time, nodes, jobs, cluster, engine) as limits, watching() as reporter:
        answer = winning(
            read,
            told=None if every else 1,
            engine=engine,
            certify=certify,
            budget=limits,
            reporter=reporter,
        )
    tell(read, answer, as_json=as_json)
