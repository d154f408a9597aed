"""``burgrave compose``: a puzzle of one's own on the composer's bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from burgrave.cli.commands.maximum import GoalName, ModeName
from burgrave.cli.completion import complete_positions
from burgrave.cli.exits import ANSWERED, NO, ONLY_A_BOUND
from burgrave.cli.options import (
    ForceOption,
    ForOption,
    JsonOption,
    NodesOption,
    TimeOption,
    TurnOption,
    budget,
)
from burgrave.cli.output import note, show


def compose(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A puzzle, or a position as other commands take it.",
            show_default=False,
            autocompletion=complete_positions,
        ),
    ],
    question: Annotated[
        str | None,
        typer.Option(
            metavar="force|best|win|expect|max|help|series|inflict",
            help="The question about a position; force by default. A puzzle states its own.",
            show_default=False,
        ),
    ] = None,
    objective: Annotated[
        GoalName | None,
        typer.Option(help="For best and max: points (the default) or lead.", show_default=False),
    ] = None,
    player: ForOption = None,
    mode: Annotated[
        ModeName | None,
        typer.Option(help="For max: helped (the default) or solitaire.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.toml",
            help="Write the finished puzzle to this file if it is sound.",
            show_default=False,
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="With --out: the title.", show_default=False),
    ] = None,
    force: ForceOption = False,
    time: TimeOption = None,
    nodes: NodesOption = None,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Examine a puzzle that you compose: cooks, idle pieces, tries, themes and quality."""
    from burgrave.cli.composing import composed, finished, subject
    from burgrave.cli.output import as_json_file, save, writable
    from burgrave.cli.render.bench import bench_data, bench_text
    from burgrave.puzzles.files.puzzle_files import write_puzzle

    writable(output, force=force)
    asked = subject(puzzle, at, question, objective=objective, player=player, mode=mode)
    limits = budget(time, nodes)
    bench, whole = composed(asked, limits)
    text = "\n".join(bench_text(bench, whole=whole))
    sound = whole and bench.sound
    if output is not None and sound:
        made = finished(asked, bench.puzzle, output, title)
        save(output, write_puzzle(made, as_json=as_json_file(output)))
    saved = str(output) if output is not None and sound else None
    data = bench_data(bench, whole=whole, file=saved)
    show(data, text, as_json=as_json, game=bench.puzzle.position.game)
    if output is not None and not sound:
        why = "; ".join(bench.faults) or "it is not proved to be sound"
        note(f"{output} is not written: {why}.")
    raise typer.Exit(ANSWERED if sound else NO if bench.faults else ONLY_A_BOUND)
