"""Progress of long work, on standard error while a person watches."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import typer

from solver.progress import Reporter

if TYPE_CHECKING:
    from fractions import Fraction


BETWEEN = 10.0
"""Seconds after which progress is told though nothing was found."""


@dataclass(slots=True)
class Told(Reporter):
    """Tells every better value on standard error, and now and then what is ruled out."""

    told: float = field(default_factory=time.monotonic)
    """When something was told last."""

    def ruled_out(self, cases: int) -> None:
        """Tell in how many orders something cannot be, once in a while."""
        if time.monotonic() - self.told > BETWEEN:
            self.told = time.monotonic()
            typer.echo(f"so far: impossible in {cases} orders", err=True)

    def found(self, value: int | Fraction) -> None:
        """Tell the value of the best that was found so far."""
        typer.echo(f"so far: {value}", err=True)


def watcher() -> Reporter:
    """Return who hears of progress: nobody unless standard error is a terminal."""
    return Told() if sys.stderr.isatty() else Reporter()


@dataclass(slots=True, kw_only=True)
class Pace:
    """Tells on standard error how fast work with a known end goes on."""

    wanted: int
    done: int
    """What was there at the beginning."""
    started: float = field(default_factory=time.monotonic)
    told: float = 0.0
    shown: int = -1

    def tell(self, now: int, tried: int) -> None:
        """Tell how far it is, if something was done or nothing was told for a while.

        Args:
            now: what is done by now.
            tried: the number of the last candidate.

        """
        spent = time.monotonic() - self.started
        if now == self.shown and spent - self.told < BETWEEN:
            return
        self.told, self.shown = spent, now
        made = now - self.done
        text = f"{now} of {self.wanted} puzzles, candidate {tried}"
        if made and spent > 0:
            left = (self.wanted - now) * spent / made
            text += f", {60 * made / spent:.1f} a minute, {left:.0f} s left"
        typer.echo(text, err=True)
