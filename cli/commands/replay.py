"""``burgrave replay``: a record played again."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import AsSeenOption, AtOption, ForceOption, JsonOption, OutputOption
from burgrave.cli.output import as_json_file, save, show, writable
from burgrave.model.errors import QuestionError


def replay(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD",
            help="A record, a game that burgrave import reads, or - for standard input.",
            show_default=False,
        ),
    ],
    at: AtOption = None,
    unknown: AsSeenOption = False,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Replay a recorded game, score it and compare with its stored result."""
    from burgrave.cli import sources
    from burgrave.cli.replays import replay_data, replay_text, replayed, stopped

    if at is not None:
        writable(output, force=force)
        name, read = sources.record(record)
        text = stopped(name, read, at, unknown=unknown, as_json=as_json or as_json_file(output))
        save(output, text)
        return
    if output is not None or unknown:
        raise QuestionError("--output and --unknown need --at TURN")
    name, read = sources.record(record)
    result = replayed(name, read)
    text = "\n".join(replay_text(result))
    show(replay_data(result), text, as_json=as_json, game=result.line.end.game)
    raise typer.Exit(ANSWERED if result.passed else NO)
