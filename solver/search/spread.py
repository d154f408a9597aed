"""The first turns of a question, searched by workers outside this process.

A value makes the search of all other turns much shorter, so they wait for the two eldest. Of a
game with many tiles to come, workers share the replies to the first of these, then to the second
one; of others they search both at once. Each later turn gets the best value that is known when it
is handed out.
"""

from __future__ import annotations

import pickle
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from threading import Event, get_ident
from typing import Any, NamedTuple

from burgrave.model.engine import play
from burgrave.model.position import Move
from burgrave.solver.kernel.job import RUNNING, STOPPED
from burgrave.solver.limits import SILENT, Limits, OutOfTimeError
from burgrave.solver.pool import LostError, Pool, WorkersError
from burgrave.solver.problem import Goal, Problem
from burgrave.solver.result import RootMove
from burgrave.solver.search.question import FirstDraw
from burgrave.solver.search.root import FirstMove, Root
from burgrave.solver.workers.tasks import TASKS_AHEAD, attempts, ordered

GLANCE = 0.1
"""Seconds between two checks of the clock while workers search."""
BATCH_SECONDS = 0.3
"""Seconds that first turns of a task take together, if each is quick."""
BATCHES = 3
"""Tasks for each worker into which the turns that are left are divided at least."""
ELDEST = 2
"""Turns of a draw that are searched before any value is known. Often the second one is nearly as
good as the first, so that its search is long with a value too."""
TRIES = 4
"""Workers that may end with the same first turns."""


class Opening(NamedTuple):
    """What a worker opens once for all first turns of a question."""

    problem: Problem
    prunings: int
    killers: bytes
    """Pickled and compressed killers that a rehearsal found for the only draw; empty for none."""


class FirstTurns(NamedTuple):
    """First turns of a draw for a worker, one after the other."""

    opening: bytes
    """An ``Opening``, pickled once for all of them, since it is large."""
    draw: int
    """Index of the draw."""
    turns: tuple[int, ...]
    """Indices among the turns of the draw."""
    low: int
    """Values up to this one, times the scale, are alike."""
    bar: int | None
    """The best value so far times the scale; for a line, the value of the only turn."""
    seconds: float | None
    """Time that is left; None for no limit."""


class Apart(Root):
    """A question that is opened in a worker, for one first turn after the other."""

    def __init__(self, opening: Opening) -> None:
        """Open the position and take over what a rehearsal found."""
        super().__init__(opening.problem, Limits().start(), SILENT, opening.prunings)
        if opening.killers:
            kept = pickle.loads(zlib.decompress(opening.killers))  # noqa: S301 -- of our own process
            self.draws[0].job.kept[:] = kept
        self._last: tuple[int, Any] | None = None
        """The last draw and its job, which remembers positions."""

    def values(self, asked: FirstTurns) -> tuple[dict[int, int | None], int]:
        """Return what ``_searched`` finds for first turns, and the turns that were played.

        Raises:
            OutOfTimeError: the time is used up, or nobody waits any more.
            TooLargeError: the kernel cannot hold the search.

        """
        self.clock, self.low = Limits(seconds=asked.seconds).start(), asked.low
        draw, before = self.draws[asked.draw], self.nodes
        found: dict[int, int | None] = {}

        def work() -> None:
            if self._last is None or self._last[0] != asked.draw:
                self._last = asked.draw, self._job(draw)
            job = self._jobs[get_ident()] = self._last[1]
            job.state = RUNNING  # the end of each run stops all jobs
            if self._halted:
                job.state = STOPPED
            state, bar = self.opened.state.copy(), asked.bar
            for index in asked.turns:
                value = found[index] = self._searched(state, job, draw, index, bar)
                if not self.problem.every and value is not None:
                    bar = value

        try:
            self._run(work, 1)
        except BaseException:
            self._last = None  # a job that was stopped stays so
            raise
        return found, self.nodes - before

    def line(self, asked: FirstTurns) -> tuple[Move, ...]:
        """Return best play after a first turn with a known value.

        Raises:
            OutOfTimeError: the time is used up, or nobody waits any more.

        """
        assert asked.bar is not None
        self.clock = Limits(seconds=asked.seconds).start()
        draw, value = self.draws[asked.draw], asked.bar
        found: list[Move] = []
        self._run(lambda: found.extend(self._line(draw, draw.turns[asked.turns[0]], value)), 1)
        return tuple(found)


@lru_cache(maxsize=1)
def _opened(opening: bytes) -> Apart:
    """Return the question that this worker opened last."""
    return Apart(pickle.loads(opening))  # noqa: S301 -- of our own process


def values_of(asked: FirstTurns) -> tuple[dict[int, int | None], int]:
    """Return the values of first turns in a worker, and the turns that were played."""
    return _opened(asked.opening).values(asked)


def line_of(asked: FirstTurns) -> tuple[Move, ...]:
    """Return best play after a first turn in a worker."""
    return _opened(asked.opening).line(asked)


class _Handed(NamedTuple):
    """First turns that a worker searches."""

    draw: FirstDraw
    turns: Sequence[int]
    tries: int
    """The number of workers that got them."""


class Spread(Root):
    """A question whose first turns are searched by the workers of its limits."""

    def _search(self) -> None:
        """Let workers search the first turns.

        Raises:
            OutOfTimeError: the time is used up.
            TooLargeError: the kernel cannot hold the search.
            WorkersError: the workers are gone.

        """
        if self._short:
            super()._search()
            return
        for _ in range(min(ELDEST, len(self._todo)) if self._divides() else 0):
            draw, index = self._todo.popleft()
            self._learn(draw, index, self._divided(draw, index))
        self._share()

    def _divides(self) -> bool:
        """Tell whether the replies to the eldest first turns are shared by the workers."""
        counts_points = self.problem.goal is Goal.LEAD and self.scale == 1  # nothing is by lot
        return self._rehearses() and self.serving and counts_points

    def _divided(self, draw: FirstDraw, index: int) -> int | None:
        """Return the value of a first turn whose replies workers search; None if it is worse.

        Raises:
            OutOfTimeError: the time is used up.
            TooLargeError: the kernel cannot hold the search.
            WorkersError: the workers are gone.

        """
        move = self.opened.move(self.opened.state, draw.turns[index], draw.discards)
        after = play(self.problem.position, move).position
        replies = type(self)(
            replace(self.problem, position=after), self.clock, SILENT, self.prunings
        )
        if draw.best is not None:
            replies.low = draw.best - 1
        replies.draws[0].job.kept[:] = draw.job.kept
        value = replies.best_value()
        self.nodes += replies.nodes
        return value if value > replies.low else None

    def best_value(self) -> int:
        """Let workers search the turns of the only draw, and return the value of the best one.

        At ``low`` or below it, the value is a bound.

        Raises:
            OutOfTimeError: the time is used up.
            TooLargeError: the kernel cannot hold the search.
            WorkersError: the workers are gone.

        """
        self._share()
        return self._best(self.draws[0])

    def _share(self) -> None:
        """Let workers search the first turns that are left."""
        pool, opening, changed = self._pool, self._opening(), Event()
        running: dict[Any, _Handed] = {}

        def hand_out(draw: FirstDraw, turns: Sequence[int], tries: int) -> None:
            bar = None if self.problem.every else draw.best
            asked = self._asked(opening, draw, turns, bar)
            future = pool.submit(attempts, values_of, (asked,))
            running[future] = _Handed(draw, turns, tries)
            future.add_done_callback(lambda _: changed.set())

        try:
            while (self._todo or running) and not self._refuted:
                while len(running) < TASKS_AHEAD * pool.width and (
                    found := self._next(running.values())
                ):
                    hand_out(*found, tries=1)
                changed.wait(GLANCE)
                changed.clear()
                if self.clock.out:
                    raise OutOfTimeError
                for future in [one for one in running if one.done()]:
                    handed = running.pop(future)
                    if not self._learned(future, handed):
                        hand_out(handed.draw, handed.turns, handed.tries + 1)
        finally:
            pool.cancel([*running])

    @property
    def _refuted(self) -> bool:
        """Whether a reply is so good that nothing else about them matters."""
        best = self.draws[0].best
        return not self.serving and best is not None and best <= self.low

    def _learned(self, future: Any, handed: _Handed) -> bool:
        """Note the values that a worker found; return False if it ended before.

        Raises:
            OutOfTimeError: the time is used up.
            TooLargeError: the kernel cannot hold the search.
            WorkersError: the workers are gone, or too many ended.

        """
        try:
            ((answer, error, seconds),) = self._pool.result(future)
        except LostError:
            if handed.tries < TRIES:
                return False
            raise WorkersError(f"{TRIES} workers ended with the same first turns") from None
        if error is not None:
            raise error
        values, played = answer
        self.nodes += played
        self._mean = seconds / len(values)
        for index, value in values.items():
            self._learn(handed.draw, index, value)
        return True

    _mean = BATCH_SECONDS
    """Seconds that a first turn of the last task took."""

    @property
    def _pool(self) -> Pool:
        """The workers."""
        pool = self.clock.limits.pool
        assert pool is not None
        return pool

    def _opening(self) -> bytes:
        """Return what workers open, pickled."""
        killers = b""
        if len(self.draws) == 1:
            kept = pickle.dumps(self.draws[0].job.kept, pickle.HIGHEST_PROTOCOL)
            killers = zlib.compress(kept, 1)
        opening = Opening(self.problem, self.prunings, killers)
        return pickle.dumps(opening, pickle.HIGHEST_PROTOCOL)

    def _asked(
        self, opening: bytes, draw: FirstDraw, turns: Sequence[int], bar: int | None
    ) -> FirstTurns:
        """Return first turns for a worker."""
        number = next(at for at, one in enumerate(self.draws) if one is draw)
        return FirstTurns(opening, number, tuple(turns), self.low, bar, self.clock.left())

    def _next(self, running: Iterable[_Handed]) -> tuple[FirstDraw, list[int]] | None:
        """Take the next first turns that need not wait for elder brothers; None if all must.

        They take some tenths of a second together, and the last ones are shared by all workers.
        """
        busy = Counter(id(handed.draw) for handed in running)
        alike = self.problem.every or self.each  # no turn tells anything about the others
        for draw, _ in self._todo:
            free = alike or draw.best is not None
            if free or busy[id(draw)] < min(ELDEST, self._pool.width):
                share = len(self._todo) // (BATCHES * self._pool.width)
                most = max(1, min(int(BATCH_SECONDS / max(self._mean, 1e-9)), share)) if free else 1
                turns = [index for one, index in self._todo if one is draw][:most]
                taken = {*turns}
                self._todo = deque(
                    (one, index)
                    for one, index in self._todo
                    if one is not draw or index not in taken
                )
                return draw, turns
        return None

    def _with_lines(self, first: Sequence[FirstMove]) -> list[RootMove]:
        """Return first moves with their lines, which workers search.

        Raises:
            OutOfTimeError: the time is used up.
            WorkersError: the workers are gone.

        """
        if self._short:
            return super()._with_lines(first)
        opening = self._opening()
        lined = [one for one in first if one.lined]
        asked = [
            self._asked(opening, one.draw, [one.draw.turns.index(one.turn)], one.value)
            for one in lined
        ]
        with closing(ordered(line_of, asked, self._pool)) as results:
            lines = [done.result() for done in results]
        found = dict(zip((id(one) for one in lined), lines, strict=True))
        return [one.with_line(found.get(id(one), ())) for one in first]
