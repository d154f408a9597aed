"""The first turns of a question, tried by this process or, if that takes long, by several.

Each first turn is searched for itself: what a process needs of the others is the best value
that is known, and that only to spare it work. So values do not depend on who finds them when.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Protocol, TypeVar

from solver.budget import Budget, OutOfTimeError
from solver.collecting import seldom
from solver.outlook import Task
from solver.processes import deafen, starting
from solver.progress import Reporter

R = TypeVar("R")
PATIENCE = 1.0
"""Seconds that a question takes before other processes are started, which takes a while."""


class Trials(Protocol[R]):
    """The first turns of a task. Another process makes the same from the task alone."""

    task: Task

    def __init__(self, task: Task) -> None:
        """Take over a task."""

    def __len__(self) -> int:
        """Return how many there are."""

    def bar(self, index: int) -> int | None:
        """Return the best value so far that a first turn is compared with, if there is one."""

    def search(self, index: int, bar: int | None) -> R:
        """Search a first turn.

        Args:
            index: of the first turn.
            bar: what ``bar`` has said of it, now or before.

        """

    def learn(self, index: int, found: R) -> None:
        """Hear what ``search`` has found."""


def try_all(trials: Trials[R]) -> None:
    """Search every first turn.

    Where the number of turns to search is limited, one process does it, so that they are the
    same turns wherever and whenever it is done.

    Args:
        trials: the first turns, promising ones first.

    Raises:
        OutOfTimeError: the time is used up.
        KeyboardInterrupt: Ctrl-C; the other processes have ended by then.

    """
    watch = trials.task.watch
    todo = deque(range(len(trials)))
    several = watch.jobs > 1 and watch.most is None
    while todo:
        if several and len(todo) > 1 and watch.spent() >= PATIENCE:
            _share(trials, todo)
            several = False
        else:
            index = todo.popleft()
            trials.learn(index, trials.search(index, trials.bar(index)))


def _share(trials: Trials[R], todo: deque[int]) -> None:
    """Let other processes search first turns; those of a process that dies are left to do."""
    watch = trials.task.watch
    undone: list[int] = []
    with _processes(trials, min(watch.jobs, len(todo))) as free:
        busy: dict[Connection, int] = {}
        while todo or busy:
            while todo and free:
                end, index = free.pop(), todo.popleft()
                busy[end] = index
                with suppress(OSError):  # it has died, as will be heard
                    end.send((index, trials.bar(index)))
            if not busy:
                break
            heard = wait(list(busy), watch.left())
            if not heard:
                raise OutOfTimeError
            for end in [end for end in busy if end in heard]:
                index = busy.pop(end)
                try:
                    found, nodes = end.recv()
                except (EOFError, OSError):
                    undone.append(index)
                    continue
                watch.nodes += nodes
                trials.learn(index, found)
                free.append(end)
    todo.extend(undone)


@contextmanager
def _processes(trials: Trials[R], count: int) -> Iterator[list[Connection]]:
    """Start processes that search first turns, and end them."""
    context = get_context("spawn")
    task = replace(trials.task, watch=Budget().start(), reporter=Reporter())
    started = []
    try:
        for _ in range(count):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, type(trials), task), daemon=True)
            started.append((process, here))
            with starting():
                process.start()
            there.close()
        yield [here for _, here in started]
    finally:
        for process, _ in started:
            if process.pid is not None:
                process.kill()
        for process, here in started:
            if process.pid is not None:
                process.join()
            here.close()


def _work(end: Connection, build: Callable[[Task], Trials[R]], task: Task) -> None:
    """Search the first turns that are asked for, until nobody asks."""
    deafen()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with seldom(), suppress(EOFError):
        trials = build(task)
        while True:
            index, bar = end.recv()
            before = task.watch.nodes
            found = trials.search(index, bar)
            end.send((found, task.watch.nodes - before))


def _end_with_parent() -> None:
    """End this process with the one that has started it, however that ends."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
