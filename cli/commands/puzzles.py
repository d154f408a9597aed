"""``burgrave puzzles``: the shipped puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_filters
from cli.options import JsonOption
from cli.output import show

if TYPE_CHECKING:
    from cli.render import json_lists


def puzzles(
    filters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILTER...",
            help="Ids, games, themes, questions or difficulties, like: castle patience 2-4.",
            show_default=False,
            autocompletion=complete_filters,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the shipped puzzles; filters choose among them."""
    from cli.render.puzzle_heads import entry_head
    from puzzles.library import select

    found = select(filters or ())
    data: list[json_lists.ShippedPuzzle] = [
        {**entry_head(entry), "file": entry.file} for entry in found
    ]
    lines = [
        f"{entry.id:24} {entry.difficulty or '-'} {entry.game:18} {entry.question:8} {entry.title}"
        f" ({', '.join(entry.themes) or 'no theme'})"
        for entry in found
    ]
    show(data, "\n".join(lines) or "No puzzle fits all these filters.", as_json=as_json)
