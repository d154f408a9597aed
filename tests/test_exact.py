"""``benchmarks.exact`` limits what it counts: processor time, not the clock."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from benchmarks.exact import Job, processor_time


def job(seconds: float, jobs: int = 1) -> Job:
    """Return a job with a limit; its question is not asked."""
    return Job(
        question="force",
        engine="default",
        path=Path("none"),
        seconds=seconds,
        patience=10,
        jobs=jobs,
        memory=100,
    )


def test_a_search_ends_with_its_processor_time() -> None:
    """It ends as with Ctrl-C; what comes afterwards is not limited."""
    with pytest.raises(KeyboardInterrupt), processor_time(job(0.05)):
        work(10)
    work(0.1)


def work(seconds: float) -> None:
    """Use so much processor time."""
    started = time.process_time()
    while time.process_time() < started + seconds:
        pass


def test_a_busy_machine_ends_no_search() -> None:
    """While others work the clock goes on and the limit does not come nearer."""
    with processor_time(job(0.05)):
        time.sleep(0.3)
    assert job(2).wall == 20
    assert job(2, jobs=2).wall == 2
