"""``burgrave puzzles``: the shipped puzzles."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_filters
from cli.options import JsonOption
from cli.output import show


def puzzles(
    filters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILTER...",
            help="Ids, games, themes, questions, difficulties (2-4): all sorts named must hold.",
            show_default=False,
            autocompletion=complete_filters,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the shipped puzzles, all or those that filters leave."""
    from puzzles.library import select

    found = select(filters or ())
    data = [
        {
            "id": entry.id,
            "title": entry.title,
            "game": entry.game,
            "question": entry.question,
            "themes": list(entry.themes),
            "difficulty": entry.difficulty,
            "file": entry.file,
        }
        for entry in found
    ]
    lines = [
        f"{entry.id:24} {entry.difficulty or '-'} {entry.game:18} {entry.question:8} {entry.title}"
        f" ({', '.join(entry.themes) or 'no theme'})"
        for entry in found
    ]
    show(data, "\n".join(lines) or "No puzzle has all of that.", as_json=as_json)
