"""``burgrave win``: win, draw or loss, or the probability of each."""

from __future__ import annotations

from cli.options import (
    CertifyOption,
    JsonOption,
    NodesOption,
    PositionArgument,
    SearchOption,
    TileOption,
    TimeOption,
    budget,
)


def win(
    position: PositionArgument,
    tile: TileOption = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    engine: SearchOption = None,
    certify: CertifyOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tell whether the player to move wins with best play of both, or with what probability."""
    from cli import sources
    from cli.outlooks import tell
    from cli.progress import watcher
    from solver.questions import drawn_first, winning

    read = drawn_first(sources.position(position), tile)
    answer = winning(
        read, engine=engine, certify=certify, budget=budget(time, nodes), reporter=watcher()
    )
    tell(read, answer, as_json=as_json)
