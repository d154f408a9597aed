"""Processes that this one starts. Ctrl-C reaches them all; this one alone is to hear it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker


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
