"""``burgrave serve``: boards in the browser."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_positions
from burgrave.cli.options import JsonOption, SiteOption, TurnOption
from burgrave.cli.output import Colour, coloured, note, say, show
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists
    from burgrave.puzzles.files.datasets import Dataset
    from burgrave.puzzles.study.puzzle import Puzzle

_PORT = 8642
_FIRST = "castle-04"
"""The shipped position that the page opens with unless one is named."""


def serve(
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="[POSITION]",
            help="A file, - for standard input, or the id of a position, puzzle or rule card;"
            " or a file NAME.jsonl, a dataset or a set of puzzles to train with.",
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
    lan: Annotated[
        bool,
        typer.Option(
            "--lan", help="Let in the network too: who has the token of the address printed."
        ),
    ] = False,
    own: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="ADDRESS",
            help="With --lan: the address of this machine to answer under, if it has several.",
            show_default=False,
        ),
    ] = None,
    site: SiteOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open a page in the browser to set up boards, ask about them and solve puzzles."""
    if own is not None and not lan:
        raise QuestionError("--address is for --lan; without it the page is on 127.0.0.1 alone")
    needed = ("starlette", "uvicorn", "segno") if lan else ("starlette", "uvicorn")
    if any(find_spec(name) is None for name in needed):
        raise QuestionError(
            "the page needs a server library: in the folder of Burgrave's sources run"
            ' pip install ".[page]"'
        )
    from burgrave.cli.publish.preview import web_address
    from burgrave.cli.serve.catalogue import opened
    from burgrave.cli.serve.entrance import Entrance, private_address
    from burgrave.cli.serve.guard import LOOPBACK
    from burgrave.cli.serve.server import address, listening, run
    from burgrave.cli.sources import puzzles, shipped_set, source
    from burgrave.puzzles.files.datasets import is_dataset
    from burgrave.puzzles.files.datasets import opened as opened_dataset

    shown_at = None if site is None else web_address(site)
    training: tuple[str, list[Puzzle]] | Dataset | str | None = None
    if position is not None and is_dataset(Path(position)):
        training = opened_dataset(Path(position))
    elif position is not None and Path(position).suffix.lower() == ".jsonl":
        training = Path(position).stem, puzzles(position)
    elif position is not None and (chosen := shipped_set(position)) is not None:
        training = chosen.id
    start = opened(source(_FIRST if position is None or training else position, at))
    with listening(port, private_address(own) if lan else LOOPBACK) as listener:
        entrance = Entrance.at(*listener.getsockname()) if lan else None
        url = address(listener) if entrance is None else entrance.url
        page: json_lists.Page = {"url": url}
        if entrance is not None and not as_json and sys.stdout.isatty():
            _show_code(url)
        text = f"The page is at {url} (Ctrl-C ends it)."
        if entrance is not None:
            text += "\nWho has this address can use the page. What is sent is not encrypted."
        show(page, text, as_json=as_json)
        run(
            listener,
            start,
            training,
            entrance,
            named=position is not None,
            browse=not no_browser,
            site=shown_at,
        )


def _show_code(url: str) -> None:
    """Show an address as a QR code, or say why not."""
    from burgrave.cli.render.qr import qr_lines

    plain = qr_lines(url, colour=False)
    try:
        "".join(plain).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        note("no QR code: this terminal cannot show its characters")
        return
    if len(plain[0]) > get_terminal_size().columns:
        note(f"no QR code: it needs a terminal of {len(plain[0])} columns")
        return
    say("\n".join(qr_lines(url, colour=coloured(Colour.AUTO))), picture=True)
