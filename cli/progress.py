"""Progress of long work, on standard error while a person watches."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from solver.progress import Reporter

if TYPE_CHECKING:
    from fractions import Fraction


class Told(Reporter):
    """Tells every better value on standard error."""

    def found(self, value: int | Fraction) -> None:
        """Tell the value of the best that was found so far."""
        typer.echo(f"so far: {value}", err=True)


def watcher() -> Reporter:
    """Return who hears of progress: nobody unless standard error is a terminal."""
    return Told() if sys.stderr.isatty() else Reporter()
