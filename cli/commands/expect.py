"""``burgrave expect``: what first moves are worth when nobody knows which tile comes."""

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


def expect(
    position: PositionArgument,
    tile: TileOption = None,
    best: Annotated[
        bool, typer.Option("--best", help="Find the best first moves only, which is faster.")
    ] = False,
    time: TimeOption = None,
    nodes: NodesOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    engine: SearchOption = None,
    certify: CertifyOption = False,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the expected lead of each first move, with the tiles drawn at random."""
    from burgrave.cli import sources
    from burgrave.cli.exits import tell
    from burgrave.cli.progress import watching
    from burgrave.solver.questions import drawn_first, expected

    read = drawn_first(sources.position(position, at), tile)
    with means(time, nodes, jobs, cluster, engine) as limits, watching() as reporter:
        answer = expected(
            read,
            every=not best,
            engine=engine,
            certify=certify,
            budget=limits,
            reporter=reporter,
        )
    tell(read, answer, as_json=as_json)
