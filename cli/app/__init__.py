"""The program ``burgrave``: its commands, mounted."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.commands import tiles
from cli.commands.best import best
from cli.commands.booklet import booklet
from cli.commands.check import check
from cli.commands.count import count
from cli.commands.draw import draw
from cli.commands.evaluate import evaluate
from cli.commands.expect import expect
from cli.commands.force import force
from cli.commands.generate import generate
from cli.commands.importing import import_save
from cli.commands.maximum import maximum
from cli.commands.moves import moves
from cli.commands.new import new
from cli.commands.play import play
from cli.commands.positions import positions
from cli.commands.puzzles import puzzles
from cli.commands.replay import replay
from cli.commands.review import review
from cli.commands.rules import rules
from cli.commands.schema import schema
from cli.commands.score import score
from cli.commands.serve import serve
from cli.commands.solve import solve
from cli.commands.switches import switches
from cli.commands.verify import verify
from cli.commands.why import why
from cli.commands.win import win
from cli.exits import ANSWERED, Program
from cli.output import say

app = typer.Typer(
    cls=Program,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    no_args_is_help=True,
    help="Rules checker and exact puzzle solver for Carcassonne: The Castle (unofficial).",
    epilog="Exit codes: 0 answered, 1 the answer is no, 2 unusable input, 3 only a bound.",
)
# A function ``max`` would hide the built-in one in its own module, and ``import`` is no name.
RENAMED = {maximum: "max", import_save: "import"}
for command in (
    new,
    check,
    moves,
    play,
    score,
    best,
    maximum,
    force,
    expect,
    evaluate,
    win,
    count,
    why,
    replay,
    review,
    import_save,
    draw,
    rules,
    switches,
    verify,
    schema,
    positions,
    puzzles,
    solve,
    serve,
    generate,
    booklet,
):
    app.command(RENAMED.get(command, command.__name__))(command)

tile_sets = typer.Typer(
    rich_markup_mode=None, no_args_is_help=True, help="Validate, draw and list sets of tiles."
)
tile_sets.command("check")(tiles.check)
tile_sets.command("show")(tiles.show_set)
tile_sets.command("list")(tiles.list_sets)
app.add_typer(tile_sets, name="tiles")


def _version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

        try:
            say(f"burgrave {version('burgrave')}")
        except PackageNotFoundError:
            say("burgrave, run from its folder without being installed")
        raise typer.Exit(ANSWERED)


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Take the options of the program itself."""


def main() -> None:
    """Run the program."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Whoever started the program has closed it.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 -- stays
        else:
            # What a terminal cannot show is escaped; it must not end the program.
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="burgrave")
