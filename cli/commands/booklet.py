"""``burgrave booklet``: puzzles to be printed, solutions at the back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_filters
from burgrave.cli.options import ForceOption, JsonOption
from burgrave.cli.output import save, show, writable
from burgrave.model.errors import QuestionError
from burgrave.model.files.paths import PathKind, path_kind
from burgrave.model.naming import times

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

PDF_EXTRA = (
    "PDF needs the extra 'booklet': in the folder of Burgrave's sources run"
    ' pip install ".[booklet]"; HTML needs nothing'
)
_FILES = {".toml", ".json", ".jsonl"}
"""Endings of files with puzzles."""


def booklet(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A file that ends in .html or .pdf."),
    ],
    filters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILTER...",
            help="Files with puzzles; ids, games, themes, questions or difficulties of shipped"
            " ones, like: castle patience 2-4.",
            show_default=False,
            autocompletion=complete_filters,
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(help="The heading; by default that of the set, or the games."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a booklet of puzzles to print, two a page, with the solutions at the back."""
    from burgrave.cli import sources
    from burgrave.cli.render.booklet import Front, booklet_html, heading
    from burgrave.puzzles.files.library import puzzle, select
    from burgrave.puzzles.files.sets import shipped_sets

    if output.suffix.lower() not in {".html", ".pdf"}:
        raise QuestionError(f"{output}: a booklet's name ends in .html or .pdf")
    writable(output, force=force)
    words = filters or []
    files = [word for word in words if Path(word).suffix.lower() in _FILES]
    named = [word for word in words if word not in files]
    for word in named:
        if path_kind(Path(word)) is PathKind.FILE:
            raise QuestionError(f"{word}: a file with puzzles ends in .toml, .json or .jsonl")
    chosen = () if files and not named else select(named)
    if not chosen and not files:
        raise QuestionError("no puzzle fits all these filters")
    sets = [one for one in shipped_sets() if one.id in {word.lower() for word in named}]
    # The order of a set teaches: only what no set orders is sorted.
    ordered = chosen if sets else sorted(chosen, key=lambda e: (e.game, e.difficulty or 0, e.id))
    puzzles = [*sources.all_puzzles(files), *(puzzle(entry) for entry in ordered)]
    alone = sets[0] if len(sets) == 1 else None
    front = Front(
        title=title or (heading(puzzles) if alone is None else alone.title),
        story="\n".join(one.story if alone else f"{one.title}. {one.story}" for one in sets),
    )
    if output.suffix.lower() == ".html":
        save(output, booklet_html(front, puzzles))
    else:
        try:
            from burgrave.cli.render.booklet_pdf import booklet_pdf
        except ImportError:
            raise QuestionError(f"{output}: {PDF_EXTRA}") from None
        save(output, booklet_pdf(front, puzzles))
    data: json_lists.Booklet = {"file": str(output), "puzzles": [one.id for one in puzzles]}
    show(data, f"{times(len(puzzles), 'puzzle')} in {output}", as_json=as_json)
