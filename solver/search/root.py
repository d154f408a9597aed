"""The root of a search: first turns, shared among threads, and the answer put together.

Each first turn is searched for itself. Threads share only the best value so far. It saves work and
changes no value, so any number of threads gives the same answer.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from model.position import Move
from solver.kernel.codec import Opened
from solver.kernel.draws import draw_case, draw_nothing, list_cases
from solver.kernel.game import hand_over, mover, placeable, play, turns
from solver.kernel.job import NONE, RUNNING, STOPPED, TOO_LARGE
from solver.kernel.maxn import each_after
from solver.kernel.search import first_value, serves
from solver.limits import Clock
from solver.problem import Play, Problem, TileOrder
from solver.progress import Reporter
from solver.result import NOTHING, Result, RootMove, Status, TooLargeError
from solver.search.question import INFINITY, copy_of, job_of
from solver.simulation.walk import check_room, compiling

LOOK = 0.02
"""Seconds between two checks of the clock while threads search."""


class StoppedError(Exception):
    """A search was stopped before its end."""


@dataclass(slots=True, kw_only=True)
class FirstDraw:
    """A tile that may be drawn first, with the first turns that lay it."""

    job: Any
    """The job after the draw; each search works on a copy."""
    kind: int
    """Of the tile, or -1 if no tile has a place."""
    scale: int
    """The scale of values."""
    ways: int
    """Its chance is ``ways / out_of``."""
    out_of: int
    last: bool
    """Whether no tile is left after it."""
    turns: tuple[int, ...]
    """Every first turn, in the order of the rules engine."""
    discards: tuple[str, ...]
    """Ids of the tiles that had no place and leave before it."""
    tried: tuple[int, ...]
    """Indices of the turns, those that promise most first."""
    values: dict[int, int] = field(default_factory=dict)
    """Index of a turn → its value times ``scale``; turns found worse than the best are missing."""
    best: int | None = None
    """The best value so far for the player to move, times ``scale``."""


class Root:
    """One question, searched on the kernel.

    Args:
        problem: the question, of a position with a tile to come.
        clock: the time, the turns and the threads allowed.
        reporter: hears better values, and if the kernel is to be compiled.
        prunings: bits of ``solver.kernel.job``.

    """

    def __init__(self, problem: Problem, clock: Clock, reporter: Reporter, prunings: int) -> None:
        """Open the position and list the first turns."""
        self.problem, self.clock, self.reporter = problem, clock, reporter
        self.opened = Opened(problem.begin(problem.position), shown=True)
        self.each = problem.play is Play.EACH
        self.job = job_of(problem, self.opened, prunings, clock.most)
        self.scale = int(self.job.scale)
        part = "each" if self.each else "search"
        with compiling(part, problem.position.game, reporter):
            self.serving = self.each or bool(serves(self.job, mover(self.opened.state)))
            self.draws = list(self._draws())
            check_room(self.opened.state)
            self._warm_up()
        self.nodes = 0
        self._todo = deque((draw, index) for draw in self.draws for index in draw.tried)
        self._lock = threading.Lock()
        self._jobs: list[Any] = []
        self._failures: list[BaseException] = []
        self._halted = False

    def result(self) -> Result:
        """Return the answer; at the end of the time or Ctrl-C, the result so far.

        Raises:
            TooLargeError: the kernel cannot hold the search.

        """
        clock = self.clock
        try:
            # A limit on turns holds for all in a row, so that they are the same everywhere.
            self._run(self._work, 1 if clock.most is not None else max(1, clock.jobs))
        except (StoppedError, KeyboardInterrupt):
            return self._bound()
        nodes = self.nodes
        value = self._value([self._best(draw) for draw in self.draws])
        first: list[RootMove] = []
        try:
            self._run(lambda: first.extend(self._first_moves(lines=True)), 1)
        except (StoppedError, KeyboardInterrupt):
            first = list(self._first_moves(lines=False))
        return Result(status=Status.OPTIMAL, value=value, first=tuple(first), nodes=nodes)

    # The possible first draws.

    def _draws(self) -> Iterator[FirstDraw]:
        """Yield the possible first draws, in the order of the rules engine."""
        state, tables, ids = self.opened.state, self.opened.tables, self.opened.ids
        order = [int(kind) for kind in self.job.order[: self.job.ordered]]
        for at, kind in enumerate(order):
            if placeable(state, tables, kind):
                job = copy_of(self.job)
                job.at = at + 1
                yield self._draw(job, tuple(ids[k] for k in order[:at]), kind)
                return
        known = tuple(ids[kind] for kind in order)
        self.job.at = self.job.ordered
        list_cases(state, tables, self.job, 0)
        if self.job.state != RUNNING:
            raise TooLargeError
        rows = range(int(self.job.cases))
        self.job.cases = 0
        found: list[tuple[tuple[str, ...], str, FirstDraw]] = []
        for row in rows:
            job = copy_of(self.job)
            draw_case(job, 0, row)
            stuck = [kind for kind in range(job.kinds) if job.stuck[0, kind]]
            gone = (*known, *sorted(ids[kind] for kind in stuck for _ in range(job.gone[0, kind])))
            kind = int(job.case_kind[row])
            draw = self._draw(job, gone, kind, int(job.case_ways[row]), int(job.case_out_of[row]))
            found.append((gone, ids[kind], draw))
        yield from (draw for _, _, draw in sorted(found, key=lambda one: one[:2]))
        if not rows:
            job = copy_of(self.job)
            fallen = sorted(ids[kind] for kind in range(job.kinds) for _ in range(job.bag[kind]))
            draw_nothing(job, 0)
            yield self._draw(job, (*known, *fallen), NONE)

    def _draw(
        self, job: Any, discards: tuple[str, ...], kind: int, ways: int = 1, out_of: int = 1
    ) -> FirstDraw:
        """Return a draw with its first turns.

        Args:
            job: the job after the draw.
            discards: ids of the tiles that had no place and leave before it.
            kind: of the tile, or -1.
            ways: its chance is ``ways / out_of``.
            out_of: likewise.

        """
        state, tables = self.opened.state, self.opened.tables
        last = bool(job.ordered - job.at + job.bag_size == 0)
        end = turns(state, tables, kind, last, True, job.out, job.hints, 0)
        listed = tuple(int(turn) for turn in job.out[:end])
        hints = [int(hint) for hint in job.hints[:end]]
        chance = self.problem.order is TileOrder.CHANCE
        return FirstDraw(
            job=job,
            kind=kind,
            scale=self.scale // out_of if chance else self.scale,
            ways=ways,
            out_of=out_of,
            last=last,
            turns=listed,
            discards=discards,
            tried=tuple(sorted(range(end), key=lambda i: -hints[i])),
        )

    # Searching the first turns.

    def _run(self, work: Callable[[], None], count: int) -> None:
        """Let threads work; stop them when time is up.

        Args:
            work: the work of each thread; it ends soon after ``_halt``.
            count: how many threads.

        Raises:
            StoppedError: time or turns are used up.
            TooLargeError: the kernel cannot hold the search.
            KeyboardInterrupt: Ctrl-C; the threads have ended by then.

        """
        self._halted = False
        ended = threading.Semaphore(0)
        guarded = partial(self._guarded, work, ended)
        threads = [threading.Thread(target=guarded, daemon=True) for _ in range(count)]
        try:
            for thread in threads:
                thread.start()
            # Ctrl-C in ``join`` would let Python 3.11 take a thread at work for one that has ended.
            for _ in threads:
                while not ended.acquire(timeout=LOOK):
                    if self.clock.out:
                        self._halt()
        finally:
            self._halt()
            for thread in threads:
                thread.join()
        if self._failures:
            raise self._failures[0]

    def _guarded(self, work: Callable[[], None], ended: threading.Semaphore) -> None:
        """Work; keep an early error for the calling thread and stop the others; tell the end."""
        try:
            work()
        except BaseException as error:  # noqa: BLE001 -- the calling thread raises it again
            self._failures.append(error)
            self._halt()
        finally:
            ended.release()

    def _warm_up(self) -> None:
        """Play one turn on the main thread, which hears Ctrl-C, to compile or load the kernel."""
        draw = self.draws[0]
        job = copy_of(draw.job)
        job.node_limit = 0
        state, tables, turn = self.opened.state.copy(), self.opened.tables, draw.turns[0]
        if self.each:
            each_after(state, tables, job, 0, 0, turn, draw.last, draw.scale)
        else:
            first_value(state, tables, job, turn, draw.last, draw.scale, -INFINITY, INFINITY)

    def _halt(self) -> None:
        """Tell all threads to stop."""
        self._halted = True
        for job in self._jobs:
            if job.state == RUNNING:
                job.state = STOPPED

    def _work(self) -> None:
        """Search first turns until none is left or the search is stopped."""
        state = self.opened.state.copy()
        jobs: dict[int, Any] = {}
        while True:
            with self._lock:
                if not self._todo or self._halted:
                    return
                draw, index = self._todo.popleft()
                if id(draw) not in jobs:
                    jobs[id(draw)] = self._job(draw)
                bar = None if self.problem.every else draw.best
            self._learn(draw, index, self._searched(state, jobs[id(draw)], draw, index, bar))

    def _job(self, draw: FirstDraw) -> Any:
        """Return a job for the search of a draw, which ``_halt`` stops."""
        job = copy_of(draw.job)
        self._jobs.append(job)
        return job

    def _searched(
        self, state: Any, job: Any, draw: FirstDraw, index: int, bar: int | None
    ) -> int | None:
        """Return the value of a first turn times the scale; None if it is worse than ``bar``."""
        if bar is None or self.each:
            return self._after(state, job, draw, index, -INFINITY, INFINITY)
        if self.serving:
            if self._after(state, job, draw, index, bar - 1, bar) < bar:
                return None
            return max(bar, self._after(state, job, draw, index, bar, INFINITY))
        if self._after(state, job, draw, index, bar, bar + 1) > bar:
            return None
        return min(bar, self._after(state, job, draw, index, -INFINITY, bar))

    def _after(  # noqa: PLR0913, PLR0917 -- a turn, a window and what to search on
        self, state: Any, job: Any, draw: FirstDraw, index: int, low: int, high: int
    ) -> int:
        """Return the value after a first turn, exact within a window.

        Raises:
            StoppedError: a stop was requested, or the limit of turns is reached.
            TooLargeError: the kernel cannot hold the search.

        """
        tables, turn = self.opened.tables, draw.turns[index]
        before = int(job.nodes)
        job.node_limit = int(self.job.node_limit) - self.nodes + before
        if self.each:
            each_after(state, tables, job, 0, 0, turn, draw.last, draw.scale)
            found = int(job.each[1, self.problem.asker])
        else:
            found = int(first_value(state, tables, job, turn, draw.last, draw.scale, low, high))
        with self._lock:
            self.nodes += int(job.nodes) - before
        check_room(state)
        if job.state == STOPPED or self._halted:
            raise StoppedError
        if job.state == TOO_LARGE:
            raise TooLargeError
        return found

    def _learn(self, draw: FirstDraw, index: int, found: int | None) -> None:
        """Note the value of a first turn."""
        if found is None:
            return
        with self._lock:
            draw.values[index] = found
            if self.each:
                # With several possible draws the player to move is not the asker; see ``_best``.
                draw.best = found
            elif draw.best is None or (found > draw.best if self.serving else found < draw.best):
                draw.best = found
                if len(self.draws) == 1:
                    self.reporter.found(Fraction(found, draw.scale))

    # The answer.

    def _best(self, draw: FirstDraw) -> int:
        """Return the value of the best first turn with a tile, times its scale."""
        return max(draw.values.values()) if self.serving else min(draw.values.values())

    def _value(self, best: Sequence[int]) -> Fraction:
        """Return the value of the position from the best values of its draws."""
        if self.problem.order is TileOrder.CHANCE:
            whole = sum(draw.ways * value for draw, value in zip(self.draws, best, strict=True))
            return Fraction(whole, self.scale)
        return Fraction(
            max(best) if self.problem.order is TileOrder.CHOOSE else min(best), self.scale
        )

    def _bound(self) -> Result:
        """Return the result of an early stop: the asker can have the best turn found."""
        (draw, *others) = self.draws
        if others or not self.serving or not draw.values:
            return replace(NOTHING, nodes=self.nodes)
        return Result(
            status=Status.BOUND,
            value=Fraction(self._best(draw), draw.scale),
            first=tuple(self._first(draw, lines=False)),
            complete=False,
            nodes=self.nodes,
        )

    def _first_moves(self, *, lines: bool) -> Iterator[RootMove]:
        """Yield the first moves that are asked for, with their lines or without."""
        for draw in self.draws:
            yield from self._first(draw, lines=lines)

    def _first(self, draw: FirstDraw, *, lines: bool) -> Iterator[RootMove]:
        """Yield the first moves with a tile that are asked for.

        Args:
            draw: the tile.
            lines: whether each comes with best play after it, where all is known.

        """
        best = self._best(draw)
        shown = 0
        for index, turn in enumerate(draw.turns):
            value = draw.values.get(index)
            if value is None or not (self.problem.every or value == best):
                continue
            told = self.problem.told is None or shown < self.problem.told
            shown += 1
            move = self.opened.move(self.opened.state, turn, draw.discards)
            line: tuple[Move, ...] = ()
            if lines and told and self.problem.order is TileOrder.GIVEN:
                line = (move, *self._line(draw, index, value))
            yield RootMove(move=move, value=Fraction(value, draw.scale), line=line)

    def _line(self, draw: FirstDraw, index: int, value: int) -> Iterator[Move]:
        """Yield best play after a first turn, searched anew so that threads do not change it."""
        state, job = self.opened.state.copy(), copy_of(draw.job)
        self._jobs = [job]  # the others have ended, and each holds megabytes
        self._after(state, job, draw, index, value - 1, value + 1)
        tables, order = self.opened.tables, [int(kind) for kind in job.order[: job.ordered]]
        at = int(job.at)
        self._step(state, draw.turns[index], last=draw.last)
        for step in range(int(job.lines[1])):
            kind, gone = int(job.line_kind[1, step]), []
            while at < len(order) and (
                kind < 0 or order[at] != kind or not placeable(state, tables, kind)
            ):
                gone.append(self.opened.ids[order[at]])
                at += 1
            at += 1
            turn = int(job.line[1, step])
            yield self.opened.move(state, turn, tuple(gone))
            self._step(state, turn, last=at >= len(order))

    def _step(self, state: Any, turn: int, *, last: bool) -> None:
        """Play a turn of a line; in a solitaire the next one is the asker's too."""
        play(state, self.opened.tables, turn, last)
        if self.problem.play is Play.SOLITAIRE:
            hand_over(state, self.problem.asker)
