"""``burgrave replay``: a record played again."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.exits import ANSWERED, NO
from cli.options import JsonOption
from cli.output import show


def replay(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD", help="A file, or - for standard input.", show_default=False
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Play a record move by move, score its end, and compare with the result it names."""
    from cli import sources
    from cli.replays import replay_data, replay_text, replayed

    name, read = sources.record(record)
    result = replayed(name, read)
    show(replay_data(result), "\n".join(replay_text(result)), as_json=as_json)
    raise typer.Exit(ANSWERED if result.passed else NO)
