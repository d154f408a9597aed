"""Time, effort and progress of a question. Nothing else in the solver reads the clock."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from types import UnionType
from typing import NamedTuple

from burgrave.model.errors import CallError
from burgrave.model.naming import times
from burgrave.solver.pool import Pool

TURNS_BETWEEN_LOOKS = 64
"""Turns searched between two checks of the clock."""


class OutOfTimeError(Exception):
    """The limit of time or turns is reached; the search ends with its results so far."""


class _Standstill:
    """Time that counts for no question, because code was compiled or loaded meanwhile."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lock = threading.Lock()
        self._blocks = 0
        self._since = self._seconds = 0.0

    def begin(self) -> None:
        """Stop the clock, unless it stands already."""
        with self._lock:
            if not self._blocks:
                self._since = time.monotonic()
            self._blocks += 1

    def end(self) -> None:
        """Let the clock run again, unless another block still stops it."""
        with self._lock:
            self._blocks -= 1
            if not self._blocks:
                self._seconds += time.monotonic() - self._since

    def now(self) -> float:
        """Return the time in seconds, without standstills."""
        with self._lock:
            return (self._since if self._blocks else time.monotonic()) - self._seconds

    @property
    def stands(self) -> bool:
        """Whether the clock stands."""
        return self._blocks > 0


_STANDSTILL = _Standstill()


@contextmanager
def standing() -> Iterator[None]:
    """Let the clocks of all questions stand within the block, which compiles or loads code."""
    _STANDSTILL.begin()
    try:
        yield
    finally:
        _STANDSTILL.end()


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """End the block after some seconds of the real clock.

    On the main thread of systems with alarms; elsewhere the block runs to its end.

    Raises:
        OutOfTimeError: the block took longer.

    """
    on_main = threading.current_thread() is threading.main_thread()
    needed = (
        hasattr(signal, "SIGALRM"),
        hasattr(signal, "ITIMER_REAL"),
        hasattr(signal, "setitimer"),
    )
    if not (on_main and all(needed)):
        yield
        return

    def late(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)


def now() -> float:
    """Return seconds on a clock that stands while code is compiled or loaded."""
    return _STANDSTILL.now()


def stands() -> bool:
    """Tell whether code is being compiled or loaded."""
    return _STANDSTILL.stands


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a question: time, effort, threads."""

    seconds: float | None = None
    """Wall-clock seconds; None for no limit. With 0 nothing is tried. The time in which code is
    compiled or loaded does not count."""
    nodes: int | None = None
    """Turns that a search may play, or conflicts that CP-SAT may meet; None for no limit."""
    jobs: int = 1
    """Threads that may search first turns at once."""
    pool: Pool | None = field(default=None, repr=False, compare=False)
    """Workers that search first turns in place of threads; None for none."""

    def __post_init__(self) -> None:
        """Refuse limits that mean nothing.

        Raises:
            CallError: one is no finite number, or too small.

        """
        seconds, nodes, jobs = self.seconds, self.nodes, self.jobs
        if seconds is not None and not (_is_number(seconds, int | float) and 0 <= seconds < inf):
            raise CallError(f"Limits: seconds = {seconds!r}: give a number from 0 on, or None")
        if nodes is not None and not (_is_number(nodes, int) and nodes >= 0):
            raise CallError(f"Limits: nodes = {nodes!r}: give a whole number from 0 on, or None")
        if not (_is_number(jobs, int) and jobs >= 1):
            raise CallError(f"Limits: jobs = {jobs!r}: give a whole number from 1 on")

    def start(self) -> Clock:
        """Start the clock."""
        return Clock(self)


def _is_number(value: object, kind: type | UnionType) -> bool:
    """Tell whether a value is a number of a kind; True and False are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


NO_LIMIT = Limits()
"""As much as an answer takes."""


@dataclass(slots=True)
class Clock:
    """A budget that is being spent."""

    limits: Limits
    nodes: int = 0
    """Turns played so far."""
    started: float = field(default_factory=now)
    """Seconds on the clock of ``now``."""

    def remaining(self) -> Limits:
        """Return limits with the time that is left, and all turns allowed: they are per engine."""
        return replace(self.limits, seconds=self.left())

    def spent(self) -> float:
        """Return the seconds since the start."""
        return now() - self.started

    def left(self) -> float | None:
        """Return the seconds left, 0 or more; None for no limit."""
        seconds = self.limits.seconds
        return None if seconds is None else max(0.0, seconds - self.spent())

    @property
    def out(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0

    def look(self) -> None:
        """Look at the clock.

        Raises:
            OutOfTimeError: the time is used up.

        """
        if self.out:
            raise OutOfTimeError

    def tick(self) -> None:
        """Count a turn.

        Raises:
            OutOfTimeError: it is one too many, or the time is used up.

        """
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            raise OutOfTimeError
        if self.nodes % TURNS_BETWEEN_LOOKS == 0:
            self.look()
        self.nodes += 1


class Sketch(NamedTuple):
    """The best answer so far of an estimate that is still at work."""

    move: str
    """The best first move in notation; empty where no tile is known."""
    value: float | None
    """The lead at the end after it, in points; None before it is estimated."""
    error: float
    """Half the interval of 95 % of the value."""
    playouts: int
    """Games that were played so far, for all moves."""

    def __str__(self) -> str:
        """Return it in words."""
        lead = "" if self.value is None else f"{self.value:+.1f} ± {self.error:.1f}"
        return ", ".join(filter(None, (self.move, lead, times(self.playouts, "playout"))))


class Reporter:
    """A listener that hears nothing; override what you want to hear."""

    def stage(self, name: str) -> None:
        """Hear that a stage begins: ``laying K07``, ``proving 12``."""

    def found(self, value: int | Fraction) -> None:
        """Hear the best value found so far."""

    def sketched(self, answer: Sketch) -> None:
        """Hear the best answer so far, an estimate."""

    def ruled_out(self, cases: int) -> None:
        """Hear in how many cases it is settled that something cannot be."""

    def listed(self, moves: int) -> None:
        """Hear how many moves have been listed so far."""


SILENT = Reporter()
"""A listener that reports nothing."""
