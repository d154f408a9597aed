"""The program ``burgrave``: its commands, mounted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from burgrave.cli.commands import tiles
from burgrave.cli.commands.batch import batch
from burgrave.cli.commands.best import best
from burgrave.cli.commands.booklet import booklet
from burgrave.cli.commands.check import check
from burgrave.cli.commands.compose import compose
from burgrave.cli.commands.count import count
from burgrave.cli.commands.draw import draw
from burgrave.cli.commands.evaluate import evaluate
from burgrave.cli.commands.expect import expect
from burgrave.cli.commands.export import export
from burgrave.cli.commands.fits import fits
from burgrave.cli.commands.force import force
from burgrave.cli.commands.generate import generate
from burgrave.cli.commands.importing import import_game
from burgrave.cli.commands.maximum import maximum
from burgrave.cli.commands.moves import moves
from burgrave.cli.commands.new import new
from burgrave.cli.commands.play import play
from burgrave.cli.commands.positions import positions
from burgrave.cli.commands.practise import practise
from burgrave.cli.commands.publish import publish
from burgrave.cli.commands.puzzles import puzzles
from burgrave.cli.commands.quiz import quiz
from burgrave.cli.commands.replay import replay
from burgrave.cli.commands.review import review
from burgrave.cli.commands.rules import rules
from burgrave.cli.commands.schema import schema
from burgrave.cli.commands.score import score
from burgrave.cli.commands.serve import serve
from burgrave.cli.commands.solve import solve
from burgrave.cli.commands.switches import switches
from burgrave.cli.commands.verify import verify
from burgrave.cli.commands.warm import warm
from burgrave.cli.commands.why import why
from burgrave.cli.commands.win import win
from burgrave.cli.exits import ANSWERED, Program
from burgrave.cli.help import CONTEXT, Group, example
from burgrave.cli.output import say

COMMANDS: dict[str, tuple[tuple[Callable[..., None], str], ...]] = {
    "Positions and moves": (
        (new, "new castle --seed 7 -o game.toml"),
        (draw, "draw castle-04"),
        (check, 'check castle-04 "K35 3,4 r0 merchant E"'),
        (moves, "moves castle-04"),
        (fits, "fits castle-04"),
        (play, 'play castle-04 "K35@3,4r0 =3,2.NL*3"'),
        (score, "score castle-04"),
    ),
    "Questions": (
        (best, "best castle-04 --top 3"),
        (force, "force market-day"),
        (win, "win city-on-every-side"),
        (expect, "expect not-knowing-what-comes"),
        (evaluate, "evaluate castle-04 --playouts 1000"),
        (maximum, "max two-markets-in-hand"),
        (count, "count castle-04"),
        (why, "why castle-04 --cell 6,0"),
        (batch, "batch force positions.jsonl -o answers.jsonl"),
    ),
    "Puzzles": (
        (puzzles, "puzzles castle 1-2"),
        (solve, "solve market-day --ask"),
        (quiz, "quiz castle-04 --ask"),
        (generate, "generate --theme patience --count 2 -o puzzles.jsonl"),
        (compose, "compose a-road-and-a-field"),
        (booklet, "booklet castle 1-2 -o puzzles.html"),
    ),
    "Rules": (
        (rules, "rules fountain"),
        (switches, "switches double_once"),
        (verify, "verify CA-69"),
    ),
    "Games and files": (
        (replay, "replay game.toml"),
        (review, "review game.toml"),
        (practise, "practise castle-04 --level 2"),
        (import_game, "import game.jcz -o game.toml"),
        (export, "export game.jcz --to carcassonnelab"),
        (positions, "positions"),
        (schema, "schema best"),
        (warm, "warm"),
    ),
    "In the browser": (
        (serve, "serve castle-04"),
        (publish, "publish site"),
    ),
}
"""The commands by group, each with an example."""
TILE_SETS: tuple[tuple[str, Callable[..., None], str], ...] = (
    ("check", tiles.check, "tiles check my-tiles.toml"),
    ("show", tiles.show_set, "tiles show castle"),
    ("list", tiles.list_sets, "tiles list"),
)
"""The commands about sets of tiles: name, function, example."""
# A function ``max`` would hide the built-in one in its own module, and ``import`` is no name.
_RENAMED = {maximum: "max", import_game: "import"}
_MOUNTED = {
    _RENAMED.get(command, command.__name__): (command, line, group)
    for group, members in COMMANDS.items()
    for command, line in members
}
"""Function, example and group of each command."""


class Commands(Mapping[str, Any]):
    """The commands by name. Each is built when it is asked for: to build all takes 0.05 s."""

    def __getitem__(self, name: str) -> Any:
        """Return a command."""
        return _tile_sets() if name == "tiles" else _command(name)

    def __iter__(self) -> Iterator[str]:
        """Yield the names as help lists them."""
        yield from (*_MOUNTED, "tiles")

    def __len__(self) -> int:
        """Return their number."""
        return len(_MOUNTED) + 1


class _Burgrave(Program):
    """The program with its commands."""

    def __init__(self, **settings: Any) -> None:
        """Take the commands."""
        super().__init__(**{**settings, "commands": Commands()})


@cache
def _command(name: str) -> Any:
    """Build a command."""
    command, line, group = _MOUNTED[name]
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command(
        name, rich_help_panel=group, epilog=_example(line), context_settings=dict(CONTEXT)
    )(command)
    return typer.main.get_command(alone)


@cache
def _tile_sets() -> Any:
    """Build the command with those about sets of tiles."""
    several = typer.Typer(
        name="tiles",
        cls=Group,
        rich_markup_mode=None,
        add_completion=False,
        no_args_is_help=True,
        context_settings=dict(CONTEXT),
        help="Check, draw and list sets of tiles.",
    )
    for name, function, line in TILE_SETS:
        several.command(name, epilog=_example(line), context_settings=dict(CONTEXT))(function)
    built: Any = typer.main.get_command(several)
    built.rich_help_panel = "Games and files"  # typer hands it on to groups within groups alone
    return built


def _example(line: str) -> str:
    """Return the end of a command's help."""
    return example(f"burgrave {line}")


app = typer.Typer(
    cls=_Burgrave,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    no_args_is_help=True,
    context_settings=dict(CONTEXT),
    help=(
        "Judge moves and solve positions and puzzles of Carcassonne: The Castle, The Falcon,"
        " Carcassonne, Inns & Cathedrals and The Tower (unofficial).\n\n"
        "Start with: burgrave best castle-04"
    ),
    epilog=(
        "burgrave COMMAND --help shows options and an example.\n\n"
        "Exit codes: 0 answered, 1 the answer is no, 2 unusable input, 3 only a bound,"
        " 130 interrupted with Ctrl-C."
    ),
)


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
            # The parent process has closed it.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 -- stays
        else:
            # Characters that a terminal cannot show are escaped; they must not end the program.
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="burgrave")
