"""``burgrave solve``: puzzles answered again."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import ANSWERED, NO
from cli.options import EngineName, JsonOption
from cli.output import show

if TYPE_CHECKING:
    from puzzles.puzzle import Puzzle
    from puzzles.verdict import Verdict


def solve(
    wanted: Annotated[
        list[str],
        typer.Argument(
            metavar="PUZZLE...",
            help="Files, - for standard input, or ids of shipped puzzles.",
            show_default=False,
        ),
    ],
    engine: Annotated[
        EngineName | None, typer.Option(help="The engine that answers.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Answer puzzles anew and compare with their stored answers."""
    from cli import sources
    from cli.render.verdicts import verdict_data
    from puzzles.puzzle import solve as answer

    puzzles = [sources.puzzle(argument) for argument in wanted]
    found = [answer(puzzle, engine) for puzzle in puzzles]
    text = "\n".join(
        line
        for puzzle, verdict in zip(puzzles, found, strict=True)
        for line in _text(puzzle, verdict)
    )
    show([verdict_data([verdict]) for verdict in found], text, as_json=as_json)
    raise typer.Exit(ANSWERED if all(verdict.passed for verdict in found) else NO)


def _text(puzzle: Puzzle, verdict: Verdict) -> Iterator[str]:
    """Yield question, answer and explanation, and the verdict."""
    from cli.render.verdicts import verdict_text

    yield f"{puzzle.id}: {puzzle.title}"
    yield f"  Question: {puzzle.question}"
    yield f"  Answer: {verdict.got['value']} ({verdict.got['status']})"
    yield from (f"    {move}" for move in verdict.got["moves"])
    yield fill(puzzle.explanation, width=96, initial_indent="  ", subsequent_indent="  ")
    yield from verdict_text([verdict])
