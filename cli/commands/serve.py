"""``burgrave serve``: boards in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_positions
from cli.options import JsonOption, TurnOption
from cli.output import show
from model.errors import QuestionError

if TYPE_CHECKING:
    from cli.render import json_lists

_PORT = 8642
_FIRST = "castle-04"
"""The shipped position that the page opens with unless one is named."""


def serve(
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="[POSITION]",
            help="A file, - for standard input, or the id of a position, puzzle or rule card;"
            " or a file NAME.jsonl of puzzles to train with.",
            show_default=False,
            autocompletion=complete_positions,
        ),
    ] = None,
    at: TurnOption = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on this machine; 0 for any free one.")
    ] = _PORT,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page in the browser.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Open a page in the browser to set up boards, ask about them and solve puzzles."""
    if any(find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise QuestionError(
            "the page needs a server library: in the folder of Burgrave's sources run"
            ' pip install ".[page]"'
        )
    from cli.serve.catalogue import opened
    from cli.serve.server import address, listening, run
    from cli.sources import puzzles, source

    trains = position is not None and Path(position).suffix.lower() == ".jsonl"
    training = (Path(position).stem, puzzles(position)) if position and trains else None
    start = opened(source(_FIRST if position is None or trains else position, at))
    with listening(port) as listener:
        url = address(listener)
        page: json_lists.Page = {"url": url}
        show(page, f"The page is at {url} (Ctrl-C ends it).", as_json=as_json)
        run(listener, start, training, browse=not no_browser)
