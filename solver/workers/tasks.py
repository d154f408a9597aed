"""Results of a function over items, in the order of the items, wherever the tasks run.

A task holds items that together take about two seconds. A few tasks for each worker are under way
at once. The order of the results is that of the items, so any number of workers gives the same.
"""

from __future__ import annotations

import pickle
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from threading import Event
from typing import Any, Generic, NamedTuple, TypeVar, cast

from burgrave.model.errors import BurgraveError
from burgrave.solver.limits import now
from burgrave.solver.pool import LostError, Pool, WorkersError, wanted

TASK_SECONDS = 2.0
"""Seconds that a task shall last: much longer than the way to a worker and back."""
TASK_ITEMS = 256
"""Maximum number of items in a task."""
TASKS_AHEAD = 2
"""Unfinished tasks for each worker: one runs and one waits."""
TASKS_KEPT = 16
"""Tasks for each worker that are unfinished, or finished before one that is not."""
CHECK_SECONDS = 1.0
"""Seconds between two checks of a task whose end was not announced."""

Item = TypeVar("Item")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[Item, Value]):
    """An item with its result, or with the error that it caused."""

    item: Item
    value: Value | None = None
    error: Exception | None = None

    def result(self) -> Value:
        """Return the result.

        Raises:
            Exception: the error that the item caused.

        """
        if self.error is not None:
            raise self.error
        return cast("Value", self.value)


class Tried(NamedTuple):
    """The result of one item of a task."""

    value: Any
    error: Exception | None
    seconds: float
    """On a clock that stands while code is compiled."""


@dataclass(slots=True)
class _Task:
    """Some items in the line of tasks."""

    items: tuple[Any, ...]
    future: Any = None
    """None before the task is submitted."""
    deaths: int = 0
    """The number of workers that ended while they had it."""


def ordered(
    function: Callable[[Item], Value], items: Iterable[Item], pool: Pool | None
) -> Generator[Done[Item, Value], None, None]:
    """Yield the results of a function over items, in the order of the items.

    The error of an item ends neither the others nor the run. Close the generator to cancel what is
    still under way.

    Args:
        function: a function of a module, or a ``partial`` of one, so that it can be pickled.
        items: picklable; without end, if wanted. A few are taken ahead of their results.
        pool: the workers; None for this process.

    Raises:
        WorkersError: the workers are gone, or differ from this program.

    """
    if pool is not None:
        yield from _Line(function, iter(items), pool).results()
        return
    for item in items:
        (found,) = attempts(function, (item,))
        yield Done(item=item, value=found.value, error=found.error)


def attempts(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Tried]:
    """Return the outcomes of a function over some items; errors can be pickled.

    It ends early if nobody waits for the outcomes.
    """
    found: list[Tried] = []
    for item in items:
        if not wanted():
            break
        begun, value, error = now(), None, None
        try:
            value = function(item)
        except Exception as fault:  # noqa: BLE001 -- whoever asked for the results hears of it
            error = _portable(fault)
        found.append(Tried(value, error, now() - begun))
    return found


def _portable(error: Exception) -> Exception:
    """Return an error, or its words if it cannot be pickled, with the place where it arose."""
    told = traceback.format_exc()
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 -- written just now
    except Exception:  # noqa: BLE001 -- any class may define any failure
        error = WorkersError(in_words(error))
    if not isinstance(error, BurgraveError):
        error.add_note(told)
    return error


def in_words(error: Exception) -> str:
    """Return an error as a message; one that is no fault of the input has its type before it."""
    if isinstance(error, BurgraveError):
        return str(error)
    return f"{type(error).__name__}: {error}"


class _Line:
    """Tasks in the order of their items, the first of which is waited for."""

    def __init__(self, function: Callable[[Any], Any], items: Iterator[Any], pool: Pool) -> None:
        """Begin with an empty line."""
        self.function, self.items, self.pool = function, items, pool
        self.tasks: deque[_Task] = deque()
        self.changed = Event()
        self.seconds, self.count = 0.0, 0

    def results(self) -> Generator[Done[Any, Any], None, None]:
        """Yield all results."""
        try:
            while self._fill():
                head = self.tasks[0]
                if head.future is None:
                    self._submit(head)
                if not head.future.done():
                    self.changed.wait(CHECK_SECONDS)
                    self.changed.clear()
                    continue
                try:
                    outcomes = self.pool.result(head.future)
                except LostError:
                    if not self._fails(head):
                        continue
                    gone = WorkersError(f"the worker ended {head.deaths + 1} times while it had it")
                    outcomes = [Tried(None, gone, 0.0)]
                self.tasks.popleft()
                for item, found in zip(head.items, outcomes, strict=True):
                    self.seconds += found.seconds
                    self.count += 1
                    yield Done(item=item, value=found.value, error=found.error)
        finally:
            self.pool.cancel([task.future for task in self.tasks if task.future is not None])

    def _fill(self) -> bool:
        """Submit more tasks if workers need some; return whether any task is in the line.

        After a lost worker the first task runs alone: if its worker ends again, the task did it.
        """
        width = self.pool.width
        while not (self.tasks and self.tasks[0].deaths):
            running = sum(not task.future.done() for task in self.tasks)
            if running >= TASKS_AHEAD * width or len(self.tasks) >= TASKS_KEPT * width:
                break
            items = tuple(islice(self.items, self._size()))
            if not items:
                break
            self.tasks.append(_Task(items))
            self._submit(self.tasks[-1])
        return bool(self.tasks)

    def _size(self) -> int:
        """Return the number of items that take as long as a task shall last."""
        if not self.count:
            return 1
        return max(1, min(TASK_ITEMS, int(TASK_SECONDS * self.count / max(self.seconds, 1e-9))))

    def _submit(self, task: _Task) -> None:
        """Let a worker do a task."""
        task.future = self.pool.submit(attempts, self.function, task.items)
        task.future.add_done_callback(lambda _: self.changed.set())

    def _fails(self, head: _Task) -> bool:
        """Tell whether the first task lost too many workers.

        Otherwise its items are put into the line again, one by one.
        """
        if head.deaths == self.pool.deaths:
            return True
        self.tasks.popleft()
        again = head.deaths + 1
        self.tasks.extendleft(_Task((item,), deaths=again) for item in reversed(head.items))
        return False
