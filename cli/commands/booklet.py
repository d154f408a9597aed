"""``burgrave booklet``: shipped puzzles to be printed, solutions at the back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_filters
from cli.options import ForceOption, JsonOption
from cli.output import save, show, writable
from model.errors import QuestionError

if TYPE_CHECKING:
    from cli.render import json_lists

PDF_EXTRA = (
    "PDF needs the extra 'booklet': in the folder of Burgrave's sources run"
    ' pip install ".[booklet]"; HTML needs nothing'
)


def booklet(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A file that ends in .html or .pdf."),
    ],
    filters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILTER...",
            help="Ids, games, themes, questions or difficulties, like: castle patience 2-4.",
            show_default=False,
            autocompletion=complete_filters,
        ),
    ] = None,
    title: Annotated[
        str, typer.Option(help="The heading of the booklet.")
    ] = "Puzzles of the castle",
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a booklet of shipped puzzles to print, with the solutions at the back."""
    from cli.render.booklet import booklet_html
    from puzzles.library import puzzle, select

    if output.suffix.lower() not in {".html", ".pdf"}:
        raise QuestionError(f"{output}: a booklet's name ends in .html or .pdf")
    writable(output, force=force)
    chosen = sorted(select(filters or ()), key=lambda e: (e.game, e.difficulty or 0, e.id))
    if not chosen:
        raise QuestionError("no puzzle fits all these filters")
    puzzles = [puzzle(entry) for entry in chosen]
    if output.suffix.lower() == ".html":
        save(output, booklet_html(title, puzzles))
    else:
        try:
            from cli.render.booklet_pdf import booklet_pdf
        except ImportError:
            raise QuestionError(f"{output}: {PDF_EXTRA}") from None
        save(output, booklet_pdf(title, puzzles))
    data: json_lists.Booklet = {"file": str(output), "puzzles": [one.id for one in puzzles]}
    words = "1 puzzle" if len(puzzles) == 1 else f"{len(puzzles)} puzzles"
    show(data, f"{words} in {output}", as_json=as_json)
