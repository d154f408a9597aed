"""Progress of long work, on standard error while a person watches."""

from __future__ import annotations

import sys

import typer

from solver.progress import Reporter


class Told(Reporter):
    """Tells every better value on standard error."""

    def found(self, value: int) -> None:
        """Tell the value of the best that was found so far."""
        typer.echo(f"so far: {value}", err=True)


def watcher() -> Reporter:
    """Return who hears of progress: nobody unless standard error is a terminal."""
    return Told() if sys.stderr.isatty() else Reporter()
