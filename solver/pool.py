"""Workers outside this process, as questions and tasks see them. ``solver.workers`` has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from burgrave.model.errors import BurgraveError


def _always() -> bool:
    """Tell that somebody waits for the result."""
    return True


_WANTED: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=_always)


def wanted() -> bool:
    """Tell whether somebody still waits for the result of the task at work."""
    return _WANTED.get()()


@contextmanager
def wanted_while(tells: Callable[[], bool]) -> Iterator[None]:
    """Let a function tell within the block whether somebody waits for the result."""
    before = _WANTED.set(tells)
    try:
        yield
    finally:
        _WANTED.reset(before)


class WorkersError(BurgraveError):
    """The workers cannot be had, differ from this program, or are gone."""


class LostError(Exception):
    """The worker of a task ended, and the task with it; no other task is concerned."""


class Future(Protocol):
    """A task that was submitted."""

    def done(self) -> bool:
        """Tell whether it is finished, has failed or was cancelled."""

    def add_done_callback(self, fn: Callable[[Any], Any], /) -> Any:
        """Call a function when it is done."""


class Pool(Protocol):
    """Workers outside this process."""

    @property
    def width(self) -> int:
        """The number of workers now, at least 1."""

    @property
    def deaths(self) -> int:
        """The number of lost workers after which a task that ran alone counts as failed."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Future:
        """Let a worker call a function; all must be picklable.

        Raises:
            WorkersError: the workers are gone.

        """

    def result(self, future: Any) -> Any:
        """Return the result of a finished task.

        Raises:
            LostError: its worker ended.
            WorkersError: the workers are gone, or differ from this program.

        """

    def cancel(self, futures: list[Any]) -> None:
        """Forget tasks whose results nobody wants."""
