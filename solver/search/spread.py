"""The first turns of a question, searched by workers outside this process.

The first turn of a draw is searched alone, because its value makes the search of its brothers much
shorter (young brothers wait). Each of them gets the best value that is known when it is handed out.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import lru_cache
from threading import Event, get_ident
from typing import Any, NamedTuple

from burgrave.model.position import Move
from burgrave.solver.kernel.job import RUNNING, STOPPED
from burgrave.solver.limits import SILENT, Limits, OutOfTimeError
from burgrave.solver.pool import LostError, Pool, WorkersError
from burgrave.solver.problem import Problem
from burgrave.solver.result import RootMove
from burgrave.solver.search.question import FirstDraw
from burgrave.solver.search.root import FirstMove, Root
from burgrave.solver.workers.tasks import attempts, ordered

GLANCE = 0.1
"""Seconds between two checks of the clock while workers search."""
TRIES = 4
"""Workers that may end with a first turn."""


class Opening(NamedTuple):
    """What a worker opens once for all first turns of a question."""

    problem: Problem
    prunings: int
    killers: bytes
    """Pickled and compressed killers that a rehearsal found for the only draw; empty for none."""


class FirstTurn(NamedTuple):
    """A first turn for a worker."""

    opening: Opening
    draw: int
    """Index of the draw."""
    turn: int
    """Index of the turn among those of the draw."""
    bar: int | None
    """The best value so far times the scale; for a line, the value of the turn."""
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

    def value(self, asked: FirstTurn) -> tuple[int | None, int]:
        """Return what ``_searched`` finds for a first turn, and the turns that were played.

        Raises:
            OutOfTimeError: the time is used up, or nobody waits any more.
            TooLargeError: the kernel cannot hold the search.

        """
        self.clock = Limits(seconds=asked.seconds).start()
        draw, before = self.draws[asked.draw], self.nodes
        found: list[int | None] = []

        def work() -> None:
            if self._last is None or self._last[0] != asked.draw:
                self._last = asked.draw, self._job(draw)
            job = self._jobs[get_ident()] = self._last[1]
            job.state = RUNNING  # the end of each run stops all jobs
            if self._halted:
                job.state = STOPPED
            state = self.opened.state.copy()
            found.append(self._searched(state, job, draw, asked.turn, asked.bar))

        try:
            self._run(work, 1)
        except BaseException:
            self._last = None  # a job that was stopped stays so
            raise
        return found[0], self.nodes - before

    def line(self, asked: FirstTurn) -> tuple[Move, ...]:
        """Return best play after a first turn with a known value.

        Raises:
            OutOfTimeError: the time is used up, or nobody waits any more.

        """
        assert asked.bar is not None
        self.clock = Limits(seconds=asked.seconds).start()
        draw, value = self.draws[asked.draw], asked.bar
        found: list[Move] = []
        self._run(lambda: found.extend(self._line(draw, draw.turns[asked.turn], value)), 1)
        return tuple(found)


_opened = lru_cache(maxsize=1)(Apart)
"""The last question that this worker opened."""


def value_of(asked: FirstTurn) -> tuple[int | None, int]:
    """Return the value of a first turn in a worker, and the turns that were played."""
    return _opened(asked.opening).value(asked)


def line_of(asked: FirstTurn) -> tuple[Move, ...]:
    """Return best play after a first turn in a worker."""
    return _opened(asked.opening).line(asked)


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
        pool, opening, changed = self._pool, self._opening(), Event()
        running: dict[Any, tuple[FirstDraw, int, int]] = {}

        def hand_out(draw: FirstDraw, index: int, tries: int) -> None:
            bar = None if self.problem.every else draw.best
            asked = self._asked(opening, draw, index, bar)
            future = pool.submit(attempts, value_of, (asked,))
            running[future] = draw, index, tries
            future.add_done_callback(lambda _: changed.set())

        try:
            while self._todo or running:
                while len(running) < pool.width and (found := self._next(running.values())):
                    hand_out(*found, tries=1)
                changed.wait(GLANCE)
                changed.clear()
                if self.clock.out:
                    raise OutOfTimeError
                for future in [one for one in running if one.done()]:
                    draw, index, tries = running.pop(future)
                    try:
                        ((answer, error, _),) = pool.result(future)
                    except LostError:
                        if tries == TRIES:
                            raise WorkersError(f"{tries} workers ended with one turn") from None
                        hand_out(draw, index, tries + 1)
                        continue
                    if error is not None:
                        raise error
                    value, played = answer
                    self.nodes += played
                    self._learn(draw, index, value)
        finally:
            pool.cancel([*running])

    @property
    def _pool(self) -> Pool:
        """The workers."""
        pool = self.clock.limits.pool
        assert pool is not None
        return pool

    def _opening(self) -> Opening:
        """Return what workers open."""
        killers = b""
        if self._rehearses():
            kept = pickle.dumps(self.draws[0].job.kept, pickle.HIGHEST_PROTOCOL)
            killers = zlib.compress(kept, 1)
        return Opening(self.problem, self.prunings, killers)

    def _asked(self, opening: Opening, draw: FirstDraw, index: int, bar: int | None) -> FirstTurn:
        """Return a first turn for a worker."""
        number = next(at for at, one in enumerate(self.draws) if one is draw)
        return FirstTurn(opening, number, index, bar, self.clock.left())

    def _next(self, running: Iterable[tuple[FirstDraw, int, int]]) -> tuple[FirstDraw, int] | None:
        """Take the next first turn that need not wait for its elder brother; None if all must."""
        busy = {id(draw) for draw, _, _ in running}
        alike = self.problem.every or self.each  # no turn tells anything about the others
        for at, (draw, index) in enumerate(self._todo):
            if alike or draw.best is not None or id(draw) not in busy:
                del self._todo[at]
                return draw, index
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
            self._asked(opening, one.draw, one.draw.turns.index(one.turn), one.value)
            for one in lined
        ]
        with closing(ordered(line_of, asked, self._pool)) as results:
            lines = [done.result() for done in results]
        found = dict(zip((id(one) for one in lined), lines, strict=True))
        return [one.with_line(found.get(id(one), ())) for one in first]
