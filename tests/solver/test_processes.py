"""Processes that are started: Ctrl-C comes to the one that starts them, and when it is done."""

from __future__ import annotations

import signal
import threading

import pytest

from solver.processes import starting


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
            done.append(taken.wait(10))

    with pytest.raises(KeyboardInterrupt):
        start()
    thread.join()
    assert done == [True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
