"""Processes that are started: Ctrl-C comes to the one that starts them, and when it is done."""

from __future__ import annotations

import signal
import sys
import threading
from multiprocessing import resource_tracker

import pytest

from burgrave.solver.workers.processes import starting


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="threads share all signals")
def test_ctrl_c_waits_until_processes_are_started() -> None:
    """Also if a thread takes the signal that was there before and does not block it."""
    pressed, taken, done = threading.Event(), threading.Event(), []

    def take() -> None:
        pressed.wait()
        signal.raise_signal(signal.SIGINT)
        taken.set()

    thread = threading.Thread(target=take)
    thread.start()

    def start() -> None:
        with starting():
            pressed.set()
            done.append(taken.wait(120))

    with pytest.raises(KeyboardInterrupt):
        start()
    thread.join()
    assert done == [True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_processes_are_started_where_no_tracker_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which has neither ``_posixsubprocess`` nor signal masks."""
    tracker = resource_tracker.ResourceTracker()
    monkeypatch.setattr(resource_tracker, "ensure_running", tracker.ensure_running)
    monkeypatch.setitem(sys.modules, "_posixsubprocess", None)
    monkeypatch.setattr(resource_tracker, "_HAVE_SIGMASK", False, raising=False)
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    with pytest.raises(ImportError):
        tracker.ensure_running()
    done = []
    with starting():
        done.append(True)
    assert done
