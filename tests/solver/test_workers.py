"""Tasks of workers: order, errors, lost workers, clusters that cannot be had."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from multiprocessing import active_children
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from burgrave.solver.pool import WorkersError, wanted
from burgrave.solver.workers import cluster
from burgrave.solver.workers.cluster import Cluster, versions
from burgrave.solver.workers.pools import workers
from burgrave.solver.workers.tasks import Done, in_words, ordered


class OddError(Exception):
    """An error that cannot be pickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def odd(item: int) -> int:
    """Return an even number."""
    if item % 2:
        raise OddError(item, item)
    return item


def deadly(folder: Path, times: int, item: int) -> int:
    """End the process with item 3, so many times."""
    before = len([*folder.iterdir()])
    if item == 3 and before < times:
        (folder / str(before)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def unwanted(_: int) -> None:
    """Work until nobody waits for it, or two minutes."""
    begun = time.monotonic()
    while wanted() and time.monotonic() - begun < 120:
        time.sleep(0.01)


def told(found: Iterator[Done[int, int]]) -> list[int | str]:
    """Return results, and errors in words."""
    return [one.result() if one.error is None else in_words(one.error) for one in found]


def test_results_come_in_order_and_errors_do_not_end_the_run() -> None:
    """Also errors that cannot be pickled come back in words from other processes."""
    items = range(6)
    here = told(ordered(odd, items, None))
    assert here == [0, "OddError: 1 and 1", 2, "OddError: 3 and 3", 4, "OddError: 5 and 5"]
    with workers(2) as pool:
        assert told(ordered(odd, items, pool)) == here


def test_items_without_end_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in count():
            taken.append(item)
            yield item

    with workers(1) as pool:
        results = ordered(math.sqrt, items(), pool)
        assert [next(results).value for _ in range(3)] == [0, 1, math.sqrt(2)]
        results.close()
    assert len(taken) < 2000


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no process can be killed")
@pytest.mark.parametrize(("times", "third"), [(2, 3), (99, "the worker ended 4 times")])
def test_a_killed_process_loses_nothing(tmp_path: Path, times: int, third: int | str) -> None:
    """Its tasks are done again one by one; the item that always kills is named."""
    with workers(2) as pool:
        found = told(ordered(partial(deadly, tmp_path, times), range(6), pool))
    assert [*found[:3], *found[4:]] == [0, 1, 2, 4, 5]
    assert str(found[3]).startswith(str(third))


@pytest.mark.every_case
@pytest.mark.parametrize(
    "address",
    ["", "nowhere", "localhost", "local:0", "local:x", "local:65", "tcp://a:0", "f://a:1"],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    """One message names it and says what would be right."""
    pytest.importorskip("distributed")
    with pytest.raises(WorkersError) as error:
        Cluster(address)
    assert address in str(error.value)
    assert "tcp://HOST:8786" in str(error.value) or "from 1 to 64" in str(error.value)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 0.1)
    with pytest.raises(WorkersError, match="no scheduler answers there"):
        Cluster("tcp://localhost:1")
    # No certificates are set.
    with pytest.raises(WorkersError, match=r"cannot be encrypted: .*; see distributed\.comm\.tls"):
        Cluster("tls://localhost:1")


def test_what_closes_the_connection_may_want_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    comm = pytest.importorskip("distributed.comm")

    async def closed(_: str) -> str:
        raise comm.CommClosedError

    monkeypatch.setattr(cluster, "_identity", closed)
    with pytest.raises(WorkersError, match="or one that encrypts, tls://HOST:8786"):
        Cluster("tcp://localhost:1")


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkersError, match=r'pip install "\.\[cluster\]"'):
        Cluster("local")


@pytest.mark.slow
def test_workers_of_dask_do_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same order, also if one is killed or was cancelled; other versions are refused."""
    pytest.importorskip("distributed")
    with workers(cluster="local:2") as pool:
        assert told(ordered(odd, range(6), pool)) == told(ordered(odd, range(6), None))
        found = told(ordered(partial(deadly, tmp_path, 1), range(6), pool))
        assert found == [*range(6)]
        assert len([*tmp_path.iterdir()]) == 1
        futures = [pool.submit(unwanted, 0) for _ in range(2)]
        time.sleep(1)
        assert not any(future.done() for future in futures)
        pool.cancel(futures)
        begun = time.monotonic()
        assert told(ordered(abs, [-1], pool)) == [1]
        assert time.monotonic() - begun < 60
        other = {**versions(), "its sources": "older"}
        monkeypatch.setattr(cluster, "versions", lambda: other)
        with pytest.raises(WorkersError, match=r"has its sources \w+ and not older; install the"):
            told(ordered(odd, range(6), pool))


def test_processes_end_with_the_block() -> None:
    """At once, whatever they do."""
    before = {*active_children()}
    with workers(1) as pool:
        assert told(ordered(abs, [-1], pool)) == [1]
        (process,) = {*active_children()} - before
    assert wait([process.sentinel], 60)
    # The thread of the pool may hear first how it ended, and tells it a moment later.
    for _ in range(600):
        if process.exitcode is not None:
            break
        time.sleep(0.1)
    assert process.exitcode == -signal.SIGTERM
