"""``burgrave force``: what the player to move can force to the end of the game."""

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
    TimeOption,
    TurnOption,
    means,
)


def force(
    position: PositionArgument,
    every: Annotated[
        bool, typer.Option("--every", help="Give the value of every first move.")
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
    """Find the lead that the player to move can force, with the order of the tiles known."""
    from burgrave.cli import sources
    from burgrave.cli.exits import tell
    from burgrave.cli.progress import watching
    from burgrave.solver.questions import forced

    read = sources.position(position, at)
    with means(time, nodes, jobs, cluster, engine) as limits, watching() as reporter:
        answer = forced(
            read,
            every=every,
            engine=engine,
            certify=certify,
            budget=limits,
            reporter=reporter,
        )
    tell(read, answer, as_json=as_json)
