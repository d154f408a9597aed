"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.output import Colour


class EngineName(StrEnum):
    """The engines that can be chosen."""

    CPSAT = "cpsat"
    REFERENCE = "reference"
    STATE = "state"
    BRUTE = "brute"


PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A file, - for standard input, or the id of a shipped position or puzzle.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file, as JSON if its name ends in .json.",
        show_default=False,
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")]
ColourOption = Annotated[
    Colour, typer.Option("--color", help="Colour: auto obeys NO_COLOR and the terminal.")
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
