"""Progress of long work, on standard error."""

from __future__ import annotations

import signal
import sys
import time
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from types import FrameType
from typing import TYPE_CHECKING

import typer

from burgrave.solver.limits import Clock, Reporter, Sketch, now, stands

if TYPE_CHECKING:
    from fractions import Fraction


BETWEEN = 10.0
"""Seconds after which progress is reported without a new result."""
MINUTE, HOUR = 60.0, 3600.0
"""In seconds."""


@dataclass(slots=True)
class Told(Reporter):
    """Report results on standard error, and from time to time the progress."""

    def __init__(self, *, at_once: bool) -> None:
        """Begin to tell.

        Args:
            at_once: whether to report every better value at once.

        """
        self.at_once = at_once
        self.best: int | Fraction | Sketch | None = None
        self.stage_name = ""
        self.ended = Event()

    def stage(self, name: str) -> None:
        """Hear that a stage begins."""
        self.stage_name = name

    def found(self, value: int | Fraction) -> None:
        """Hear the value of the best that was found so far."""
        self.best = value
        if self.at_once:
            typer.echo(f"so far: {value}", err=True)

    def sketched(self, answer: Sketch) -> None:
        """Hear the best answer so far, an estimate."""
        self.best = answer
        if self.at_once:
            typer.echo(f"so far: {answer}", err=True)

    def go_on(self) -> None:
        """Report progress at intervals until the work ends, but not while code is compiled."""
        started = now()
        while not self.ended.wait(BETWEEN):
            if stands():
                continue
            best = "" if self.best is None else str(self.best)
            told = ", ".join(filter(None, (best, self.stage_name))) or "nothing yet"
            typer.echo(f"so far: {told}, after {now() - started:.0f} s", err=True)


@contextmanager
def watching() -> Iterator[Reporter]:
    """Yield a listener that reports progress on standard error within the block.

    A terminal shows every better value at once. Everywhere a line each ten seconds reports the
    progress, so a log shows that long work continues. Short work leaves no line.
    """
    told = Told(at_once=sys.stderr.isatty())
    with _beside(told):
        yield told


@dataclass(slots=True)
class Stages:
    """Report on standard error at which stage long work is."""

    stage: str = "the beginning"
    ended: Event = field(default_factory=Event)

    def at(self, stage: str) -> None:
        """Hear at which stage the work is; what follows a colon changes quickly."""
        begun = stage.partition(":")[0] != self.stage.partition(":")[0]
        self.stage = stage
        if begun and sys.stderr.isatty():
            typer.echo(f"so far: at {stage}", err=True)

    def go_on(self) -> None:
        """Report the stage at intervals until the work ends."""
        started = time.monotonic()
        while not self.ended.wait(BETWEEN):
            typer.echo(
                f"so far: at {self.stage}, after {time.monotonic() - started:.0f} s", err=True
            )


@contextmanager
def in_stages() -> Iterator[Stages]:
    """Yield a listener that reports stages on standard error within the block."""
    stages = Stages()
    with _beside(stages):
        yield stages


@contextmanager
def _beside(told: Told | Stages) -> Iterator[None]:
    """Let something report from a thread of its own within the block."""
    teller = Thread(target=told.go_on, daemon=True)
    teller.start()
    try:
        yield
    finally:
        told.ended.set()
        teller.join()


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Yield a list that fills with signals of Ctrl-C within the block; each interrupts still.

    An engine ends at Ctrl-C with what it has. Work that asks many questions looks at the list, and
    ends too.
    """
    seen: list[int] = []

    def hear(number: int, _: FrameType | None) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A program in the background does not hear Ctrl-C.
        yield seen
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ended_by(clock: Clock) -> Iterator[None]:
    """Interrupt the block, as Ctrl-C does, when the time of a clock is used up.

    It ends work of many questions, some of which know no limit.
    """
    done = Event()

    def wait() -> None:
        # The clock may stand meanwhile, so that time is left after the wait.
        while not done.wait(clock.left()):
            if clock.out:
                interrupt_main()
                return

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield
    finally:
        done.set()
        waiting.join()


@contextmanager
def ending() -> Iterator[None]:
    """End at Ctrl-C within the block, also where an engine ended at it with less than a proof.

    Raises:
        KeyboardInterrupt: Ctrl-C came.

    """
    with interrupts() as interrupted:
        yield
    if interrupted:
        raise KeyboardInterrupt


@dataclass(slots=True, kw_only=True)
class Pace:
    """Report on standard error the speed of work with a known end."""

    wanted: int
    done: int = 0
    """The count at the beginning."""
    name: str
    """The name of what is counted, in the plural."""
    each: bool = False
    """Whether to report every new one; otherwise a line each ten seconds does."""
    started: float = field(default_factory=time.monotonic)
    told: float = 0.0
    shown: int = -1

    def tell(self, now: int, at: str = "") -> None:
        """Report the progress after new work, or after a silence.

        Args:
            now: the work done so far.
            at: where the work is, in words.

        """
        spent = time.monotonic() - self.started
        new = self.each and now != self.shown
        if not new and spent - self.told < BETWEEN:
            return
        self.told, self.shown = spent, now
        where = f", {at}" if at else ""
        typer.echo(f"{now} of {self.wanted} {self.name}{where}{self.rate(now)}", err=True)

    def rate(self, now: int) -> str:
        """Return the speed so far and the time that is left, after a comma; empty if unknown."""
        spent, made = time.monotonic() - self.started, now - self.done
        if not (made and spent > 0):
            return ""
        left = _time((self.wanted - now) * spent / made)
        return f", {60 * made / spent:.1f} a minute, {left} left"


def _time(seconds: float) -> str:
    """Return a time in words: seconds, from 2 minutes on minutes, from 2 hours on hours."""
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"
