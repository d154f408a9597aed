"""The first turns of a question, each searched for itself on the compiled kernel.

Threads share only the best value so far. It saves work and changes no value, so any number of
threads gives the same answer.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from burgrave.model.position import Move
from burgrave.solver.kernel.chance import draw_case, list_cases
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import hand_over, mover, placeable, play, turns
from burgrave.solver.kernel.job import DRAW, RUNNING, STOPPED, TOO_LARGE, tiles_left
from burgrave.solver.kernel.maxn import each_after
from burgrave.solver.kernel.search import first_value, promise, serves
from burgrave.solver.limits import Clock, OutOfTimeError, Reporter
from burgrave.solver.pool import wanted
from burgrave.solver.problem import Play, Problem, TileOrder
from burgrave.solver.result import NOTHING, Result, RootMove, Status, TooLargeError
from burgrave.solver.search.question import INFINITY, FirstDraw, copy_of, job_of
from burgrave.solver.simulation.walk import check_room

LOOK = 0.02
"""Seconds between two checks of the clock while threads search."""
SHORT = 2
"""Tiles after the first turn below which no thread is started: a turn takes milliseconds then."""
SHORTER = 2
"""Tiles that a rehearsal leaves out. With two players the same one lays the last tile."""
REHEARSED = 7
"""Tiles to come from which a rehearsal pays: with six it costs a tenth of the time, with seven it
saves a quarter."""


class FirstMove(NamedTuple):
    """A first move that is asked for."""

    shown: RootMove
    """It, without a line."""
    draw: FirstDraw
    turn: int
    value: int
    """Its value times the scale of the draw."""
    lined: bool
    """Whether best play after it is asked for."""

    def with_line(self, line: Iterable[Move]) -> RootMove:
        """Return it with best play after it; ``line`` is read only if that is asked for."""
        return replace(self.shown, line=(self.shown.move, *line)) if self.lined else self.shown


class Root:
    """One question about a position with a tile to come, searched on the kernel."""

    def __init__(self, problem: Problem, clock: Clock, reporter: Reporter, prunings: int) -> None:
        """Open the position and list the first turns; ``prunings`` are bits of a job."""
        self.problem, self.clock, self.reporter = problem, clock, reporter
        self.prunings = prunings
        self.opened = Opened(problem.begin(problem.position), shown=True)
        self.each = problem.play is Play.EACH
        self.job = job_of(problem, self.opened, prunings, clock.limits.nodes)
        self.scale = int(self.job.scale)
        self.serving = self.each or bool(serves(self.job, mover(self.opened.state)))
        self.draws = list(self._draws())
        check_room(self.opened.state)
        self._warm_up()
        self.nodes = 0
        self._todo = deque((draw, index) for draw in self.draws for index in draw.tried)
        self._lock = threading.Lock()
        self._jobs: dict[int, Any] = {}
        self._halted = False
        known = problem.order is TileOrder.GIVEN
        self._short = known and all(draw.left < SHORT for draw in self.draws)
        """Whether each first turn is searched in milliseconds, the time that a thread costs."""

    def result(self) -> Result:
        """Return the answer; at the end of the time or Ctrl-C, the result so far.

        Raises:
            TooLargeError: the kernel cannot hold the search.

        """
        try:
            if self._rehearses():
                self._run(self._rehearse, 1)
            self._search()
        except (OutOfTimeError, KeyboardInterrupt):
            return self._bound()
        nodes = self.nodes
        value = self._value([self._best(draw) for draw in self.draws])
        try:
            first = self._with_lines(list(self._first_moves()))
        except (OutOfTimeError, KeyboardInterrupt):
            first = [one.shown for one in self._first_moves()]
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
            found.append((gone, ids[kind], draw))  # without a tile this is the only one
        yield from (draw for _, _, draw in sorted(found, key=lambda one: one[:2]))

    def _draw(
        self, job: Any, discards: tuple[str, ...], kind: int, ways: int = 1, out_of: int = 1
    ) -> FirstDraw:
        """Return a draw, whose chance is ``ways / out_of``, with its first turns."""
        state, tables = self.opened.state, self.opened.tables
        last = bool(job.ordered - job.at + job.bag_size == 0)
        end = turns(state, tables, kind, last, True, job.out, job.hints, 0)
        listed = tuple(int(turn) for turn in job.out[:end])
        known = bool(promise(state, tables, job, 0, end))
        job.nodes, job.state = 0, RUNNING  # no limit of turns holds for listing
        hints = [int(hint) for hint in job.hints[:end]]
        chance = self.problem.order is TileOrder.CHANCE
        return FirstDraw(
            job=job,
            scale=self.scale // out_of if chance else self.scale,
            ways=ways,
            turns=listed,
            discards=discards,
            tried=tuple(sorted(range(end), key=lambda i: -hints[i])),
            most=tuple(hints) if known else (),
        )

    # Searching the first turns.

    def _search(self) -> None:
        """Find the values of the first turns, as far as they matter.

        Raises:
            OutOfTimeError: time or turns are used up.
            TooLargeError: the kernel cannot hold the search.

        """
        limits = self.clock.limits
        # A limit on turns holds for all in a row, so that they are the same everywhere.
        self._run(self._work, 1 if limits.nodes is not None else max(1, limits.jobs))

    def _run(self, work: Callable[[], None], count: int) -> None:
        """Let ``count`` threads work; stop them when time is up, when one fails, and at Ctrl-C.

        Raises:
            OutOfTimeError: time or turns are used up.
            TooLargeError: the kernel cannot hold the search.

        """
        self._halted = False
        if self._short:
            work()
            return
        name = f"search-{id(self)}"
        pool = ThreadPoolExecutor(count, name)
        try:
            tasks = [pool.submit(work) for _ in range(count)]
            done, at_work = wait(tasks, LOOK, FIRST_EXCEPTION)
            while at_work and not (
                self.clock.out or any(map(Future.exception, done)) or not wanted()
            ):
                done, at_work = wait(tasks, LOOK, FIRST_EXCEPTION)
        finally:
            self._halt()
            pool.shutdown()
            # Ctrl-C may come when a thread has begun and the pool does not know it yet.
            for thread in threading.enumerate():
                if thread.name.startswith(name):
                    thread.join()
        try:
            for task in (*done, *tasks):  # the first to fail tells why
                task.result()
        finally:
            # A future has its error, the error this frame, and the frame the futures: such a ring
            # keeps a search in memory until Python looks for rings, some 20 MB after each stop.
            del task, tasks, done, at_work

    def _warm_up(self) -> None:
        """Play one turn on the main thread, which hears Ctrl-C, to compile or load the kernel."""
        draw = self.draws[0]
        job = copy_of(draw.job)
        job.node_limit = 0
        state, tables, turn = self.opened.state.copy(), self.opened.tables, draw.turns[0]
        if self.each:
            each_after(state, tables, job, 0, 0, turn, not draw.left, draw.scale)
        else:
            first_value(state, tables, job, turn, not draw.left, draw.scale, -INFINITY, INFINITY)

    def _halt(self) -> None:
        """Tell all threads to stop."""
        self._halted = True
        for job in list(self._jobs.values()):
            if job.state == RUNNING:
                job.state = STOPPED

    def _rehearses(self) -> bool:
        """Tell whether a shorter game shall tell which first turns are tried first."""
        problem = self.problem
        known = not problem.position.bag and problem.horizon is None
        against = problem.play is Play.AGAINST and not problem.every
        return known and against and self.draws[0].left >= REHEARSED - 1

    def _rehearse(self) -> None:
        """Try those first turns first that are best if the game ends some tiles earlier.

        A turn that is not as good as the best so far is refuted soon. To prove that a turn is
        better takes ten times as long or more, so the best one should come early.
        """
        (draw,) = self.draws
        state, tried = self.opened.state.copy(), list(draw.tried)
        for left in range(draw.left % SHORTER + SHORTER, draw.left, SHORTER):
            short = replace(draw, job=copy_of(draw.job), values={}, best=None)
            short.job.ordered = draw.job.at + left
            job = self._job(short)
            for index in tuple(tried):
                found = self._searched(state, job, short, index, short.best)
                if found is not None:
                    short.best = found
                    tried.remove(index)
                    tried.insert(0, index)
            # Good replies stay good: each kind of tile then has more tiles after it.
            draw.job.kept[SHORTER:] = job.kept[:-SHORTER]
        self._todo = deque((draw, index) for index in tried)

    def _work(self) -> None:
        """Search first turns until none is left.

        Raises:
            OutOfTimeError: the search was stopped before.

        """
        state = self.opened.state.copy()
        job, drawn = None, None
        while True:
            with self._lock:
                if not self._todo:
                    return
                if self._halted or self.clock.out:
                    raise OutOfTimeError
                draw, index = self._todo.popleft()
                if draw is not drawn:
                    job, drawn = self._job(draw), draw
                bar = None if self.problem.every else draw.best
            self._learn(draw, index, self._searched(state, job, draw, index, bar))

    def _job(self, draw: FirstDraw) -> Any:
        """Return a job for the search of a draw in this thread, which ``_halt`` stops."""
        job = copy_of(draw.job)
        self._jobs[threading.get_ident()] = job
        if self._halted:
            job.state = STOPPED
        return job

    low = -INFINITY
    """Values up to this one, times the scale, are alike."""

    def _searched(
        self, state: Any, job: Any, draw: FirstDraw, index: int, bar: int | None
    ) -> int | None:
        """Return the value of a first turn times the scale; None if it is worse than ``bar``."""
        turn = draw.turns[index]
        if bar is None or self.each:
            return self._after(state, job, draw.scale, turn, self.low, INFINITY)
        if self.serving:
            if draw.most and draw.most[index] * draw.scale < bar:
                return None
            if self._after(state, job, draw.scale, turn, bar - 1, bar) < bar:
                return None
            return max(bar, self._after(state, job, draw.scale, turn, bar, INFINITY))
        if self._after(state, job, draw.scale, turn, bar, bar + 1) > bar:
            return None
        return min(bar, self._after(state, job, draw.scale, turn, self.low, bar))

    def _after(  # noqa: PLR0913, PLR0917 -- a turn, a window and what to search on
        self, state: Any, job: Any, scale: int, turn: int, low: int, high: int
    ) -> int:
        """Return the value after a turn, exact within a window.

        Raises:
            OutOfTimeError: a stop was requested, or the limit of turns is reached.
            TooLargeError: the kernel cannot hold the search.

        """
        tables, last = self.opened.tables, tiles_left(job) == 0
        before = int(job.nodes)
        job.node_limit = int(self.job.node_limit) - self.nodes + before
        if self.each:
            each_after(state, tables, job, 0, 0, turn, last, scale)
            found = int(job.each[1, self.problem.asker])
        else:
            found = int(first_value(state, tables, job, turn, last, scale, low, high))
        with self._lock:
            self.nodes += int(job.nodes) - before
        check_room(state)
        if job.state == STOPPED or self._halted:
            raise OutOfTimeError
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
            first=tuple(one.shown for one in self._first_moves()),
            complete=False,
            nodes=self.nodes,
        )

    def _first_moves(self) -> Iterator[FirstMove]:
        """Yield the first moves that are asked for."""
        for draw in self.draws:
            best, shown = self._best(draw), 0
            for index, turn in enumerate(draw.turns):
                value = draw.values.get(index)
                if value is None or not (self.problem.every or value == best):
                    continue
                told = self.problem.told is None or shown < self.problem.told
                shown += 1
                move = self.opened.move(self.opened.state, turn, draw.discards)
                shown_as = RootMove(move=move, value=Fraction(value, draw.scale))
                lined = told and self.problem.order is TileOrder.GIVEN
                yield FirstMove(shown_as, draw, turn, value, lined)

    def _with_lines(self, first: Sequence[FirstMove]) -> list[RootMove]:
        """Return first moves with their lines, where all is known.

        Raises:
            OutOfTimeError: the time is used up.

        """
        found: list[RootMove] = []

        def work() -> None:
            found.extend(one.with_line(self._line(one.draw, one.turn, one.value)) for one in first)

        self._run(work, 1)
        return found

    def _line(self, draw: FirstDraw, turn: int, value: int) -> Iterator[Move]:
        """Yield best play after a first turn, searched anew so that threads do not change it.

        The value does not change on the way. So each step needs only a turn that keeps it, not a
        proof that no other turn is better.
        """
        self._jobs.clear()  # the others have ended; each holds megabytes
        state, job = self.opened.state.copy(), self._job(draw)
        tables, order = self.opened.tables, [int(kind) for kind in job.order[: job.ordered]]
        while True:
            after = state.copy()
            play(after, tables, turn, tiles_left(job) == 0)
            if self.problem.play is Play.SOLITAIRE:  # the next turn is the asker's too
                hand_over(after, self.problem.asker)
            low = value - 1 if serves(job, mover(after)) else value
            self._after(state, job, draw.scale, turn, low, low + 1)
            if job.best_kind[1] == DRAW:
                return
            state, at, gone = after, int(job.at), []
            kind, turn = int(job.best_kind[1]), int(job.best_turn[1])
            while at < len(order) and (
                kind < 0 or order[at] != kind or not placeable(state, tables, kind)
            ):
                gone.append(self.opened.ids[order[at]])
                at += 1
            job.at = min(at + 1, len(order))
            yield self.opened.move(state, turn, tuple(gone))
