"""How much faster workers search the first moves of ``force``, whatever else the machine does.

    python -m benchmarks.spreading k8-2 k8-3 --workers 1 2 4

Each worker is a process with tables of its own. They search one after the other on a simulated
clock that counts turns: a task ends when its worker has played its turns, and a best value is known
to others from then on. The way of a task to a worker and back counts as some turns too. Lines,
which come after the value, do not count. So the figures are the same on a busy machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from burgrave.model.files.positions import load_position
from burgrave.solver.limits import Limits
from burgrave.solver.questions import forced

POSITIONS = Path(__file__).parent / "positions"
WAY = 6_500
"""Turns that a worker plays in the 10 ms that a task is under way."""


class Task:
    """A task that was done, with the moment at which the simulated clock lets it end."""

    def __init__(self, pool: Simulated, end: int, found: Any) -> None:
        """Remember what was found."""
        self.pool, self.end, self.found = pool, end, found

    def done(self) -> bool:
        """Tell whether it ends before all others that are under way; lines count no time."""
        return not self.end or self is min(self.pool.running, key=lambda task: task.end)

    def add_done_callback(self, fn: Callable[[Any], Any], /) -> None:
        """Call a function at once: the clock goes on when results are read."""
        fn(self)


class Simulated:
    """Workers on a simulated clock."""

    deaths = 1

    def __init__(self, width: int) -> None:
        """Start a process for each."""
        context = get_context("spawn")
        self.width = width
        self.processes = [ProcessPoolExecutor(1, context) for _ in range(width)]
        self.free = [0] * width
        self.now = self.played = 0
        self.running: list[Task] = []

    def submit(self, function: Callable[..., Any], *args: Any) -> Task:
        """Let the worker that is free first do a task, and wait for it."""
        worker = min(range(self.width), key=self.free.__getitem__)
        found = self.processes[worker].submit(function, *args).result()
        played = found[0].value[1] if found[0].error is None else 0
        if not isinstance(played, int):
            return Task(self, 0, found)  # a line
        self.played += played
        self.free[worker] = max(self.now, self.free[worker]) + played + WAY
        self.running.append(Task(self, self.free[worker], found))
        return self.running[-1]

    def result(self, task: Task) -> Any:
        """Return what was found; the clock goes on to the end of the task."""
        if task.end:
            self.running.remove(task)
            self.now = max(self.now, task.end)
        return task.found

    def cancel(self, tasks: list[Task]) -> None:
        """Forget nothing: all is done."""

    def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            process.shutdown()


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description="Measure how workers share a hard question.")
    parser.add_argument("endings", nargs="+", help="of benchmarks/positions: k8-2")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    print("| ending | workers | turns played | turns one after the other | speed-up |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in options.endings:
        position = load_position(POSITIONS / f"{name}.toml")
        alone = forced(position)
        print(f"| {name} | none | {alone.nodes:,} | {alone.nodes:,} | 1 |", flush=True)
        for width in options.workers:
            pool = Simulated(width)
            answer = forced(position, budget=Limits(pool=pool))
            pool.close()
            if (answer.value, answer.first) != (alone.value, alone.first):
                raise SystemExit(f"{name}: {width} workers answer otherwise")
            in_a_row = pool.now + answer.nodes - pool.played  # and what this process rehearsed
            ratio = alone.nodes / in_a_row
            row = f"| {name} | {width} | {answer.nodes:,} | {in_a_row:,} | {ratio:.2f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
