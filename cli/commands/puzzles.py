"""``burgrave puzzles``: the shipped puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_filters
from burgrave.cli.options import JsonOption
from burgrave.cli.output import show

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


def puzzles(
    filters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILTER...",
            help="Ids, sets, games, themes, questions or difficulties, like: castle 2-4.",
            show_default=False,
            autocompletion=complete_filters,
        ),
    ] = None,
    sets: Annotated[
        bool,
        typer.Option("--sets", help="List the sets instead. The name of a set is a filter."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the shipped puzzles; filters choose among them."""
    from burgrave.cli.render.puzzle_heads import entry_head
    from burgrave.puzzles.files.library import select

    if sets:
        _show_sets(as_json=as_json)
        return

    found = select(filters or ())
    data: list[json_lists.ShippedPuzzle] = [
        {**entry_head(entry), "file": entry.file} for entry in found
    ]
    lines = [
        f"{entry.id:32} {entry.difficulty or '-'} {entry.game:18} {entry.edition:8}"
        f"{entry.question:8} {entry.title} ({', '.join(entry.themes) or 'no theme'})"
        for entry in found
    ]
    show(data, "\n".join(lines) or "No puzzle fits all these filters.", as_json=as_json)


def _show_sets(*, as_json: bool) -> None:
    """List the shipped sets with their stories."""
    from burgrave.puzzles.files.sets import shipped_sets

    found = shipped_sets()
    data: list[json_lists.ShippedSet] = [
        {"id": one.id, "title": one.title, "story": one.story, "puzzles": list(one.puzzles)}
        for one in found
    ]
    lines = [f"{one.id:20} {len(one.puzzles):3}  {one.title}. {one.story}" for one in found]
    show(data, "\n".join(lines), as_json=as_json)
