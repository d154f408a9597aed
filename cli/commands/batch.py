"""``burgrave batch``: one question about many positions."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from burgrave.cli.exits import ANSWERED, ONLY_A_BOUND, UNUSABLE
from burgrave.cli.options import ForceOption, JobsOption, NodesOption, TimeOption, budget, cores


class QuestionName(StrEnum):
    """The questions that can be asked about many positions."""

    BEST = "best"
    FORCE = "force"
    WIN = "win"
    EXPECT = "expect"
    EVALUATE = "evaluate"


def batch(
    question: Annotated[
        QuestionName,
        typer.Argument(
            metavar="QUESTION", help=f"The question: {', '.join(QuestionName)}.", show_default=False
        ),
    ],
    positions: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A file with a position on each line, or - for standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the answers to this file, and go on from it the next time.",
            show_default=False,
        ),
    ] = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    jobs: JobsOption = None,
    force: ForceOption = False,
    as_json: Annotated[  # noqa: ARG001 -- for scripts that add it to every command
        bool, typer.Option("--json", help="Nothing changes: the answers are always JSON.")
    ] = False,
) -> None:
    """Ask one question about each line of a file; answers are lines of JSON.

    Exit code 2: some line was refused, and its answer holds the error. Exit code 3: some answer is
    only a bound.
    """
    from burgrave.cli.batch import rows
    from burgrave.cli.kept import finished, lines_of
    from burgrave.cli.output import compact, note, writable
    from burgrave.cli.progress import interrupts
    from burgrave.model.naming import times

    lines = sys.stdin.buffer if positions == "-" else lines_of(Path(positions))
    writable(output, force=True)  # a file that is there is gone on with
    resumed = output is not None and output.exists() and not force
    done = finished(output, "batch") if output is not None and resumed else []
    refused = sum("error" in row for row in done)
    answered, proved = 0, all(row.get("status") not in {"bound", "unknown"} for row in done)
    place = output.open("a" if resumed else "w", encoding="utf-8") if output else None
    with place or nullcontext(sys.stdout) as file, interrupts() as interrupted:
        for row in rows(str(question), lines, budget(time, nodes, jobs or cores()), done):
            if interrupted:
                # A question that ended at Ctrl-C is asked again the next time.
                raise KeyboardInterrupt
            file.write(f"{compact(row.data)}\n")
            file.flush()
            answered += 1
            refused += row.refused
            proved = proved and (row.proved or row.refused)
    note(f"{times(len(done) + answered, 'line')}, {refused} refused")
    raise typer.Exit(UNUSABLE if refused else ANSWERED if proved else ONLY_A_BOUND)
