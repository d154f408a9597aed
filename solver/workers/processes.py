"""Processes that this one starts. Ctrl-C reaches them all; this one alone is to hear it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from typing import Any

from burgrave.solver.pool import LostError


@contextmanager
def starting() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C; this one hears it when they are started.

    Else a process that is half started dies of it, and tells so at length. Each calls ``deafen``
    when it begins.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.

    """
    # While the tracker of ``multiprocessing`` is started signals are let through to its parent.
    # Windows has no tracker, nor the module that would start one: processes start without.
    with suppress(ImportError):
        resource_tracker.ensure_running()
    with _later(), _blocked():
        yield


def deafen() -> None:
    """Let this process, which another has started, not hear Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _blocked() -> Iterator[None]:
    """Block Ctrl-C where that is possible: processes started within begin with it blocked."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _later() -> Iterator[None]:
    """Put off what Ctrl-C does: another thread, which does not block it, may take the signal."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    heard = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(heard[0])


class Processes:
    """Processes of this machine. Ctrl-C reaches them not; they end with the pool."""

    deaths = 3

    def __init__(self, width: int) -> None:
        """Begin; each process is started when there is work for it."""
        self.width = width
        self._executor = self._made()

    def _made(self) -> ProcessPoolExecutor:
        """Return processes that ignore Ctrl-C."""
        return ProcessPoolExecutor(self.width, get_context("spawn"), initializer=deafen)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Let a process call a function; where one has ended, all are started anew."""
        with starting():
            try:
                return self._executor.submit(function, *args)
            except BrokenExecutor:
                self._executor = self._made()
                return self._executor.submit(function, *args)

    def result(self, future: Future[Any]) -> Any:
        """Return the result of a finished task.

        Raises:
            LostError: a process ended, and all tasks of that time with it.

        """
        try:
            return future.result()
        except BrokenExecutor:
            raise LostError from None

    def cancel(self, futures: list[Future[Any]]) -> None:
        """Forget tasks that have not begun."""
        for future in futures:
            future.cancel()

    def close(self) -> None:
        """End all processes at once, whatever they do."""
        # ``terminate_workers`` comes with Python 3.14.
        running = list((self._executor._processes or {}).values())  # noqa: SLF001
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()
