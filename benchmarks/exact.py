"""How far exact answers reach on the frozen endings: time, effort, memory, proof.

    python -m benchmarks.exact --questions max force --k 2 3 4 --seconds 10 60

Every answer is asked for in a process of its own, which ends when the longest time is over, so
that no run takes another's memory. Counted and limited is processor time, which a busy machine
changes little. With ``--jobs 2``, where a question may take two processes, it is the time on the
clock. No process outlives ``--patience`` times the limit on the clock.
Prints two tables in Markdown, and nothing else, to standard output.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

from model.errors import QuestionError
from model.files.positions import load_position
from model.position import Position
from solver.limits import Limits
from solver.questions import expected, forced, maximum
from solver.result import Answer, Status

POSITIONS = Path(__file__).parent / "positions"
GRACE = 20.0
"""Seconds beyond its limit after which a process is ended from outside."""


def most(position: Position, engine: str | None, budget: Limits) -> Answer:
    """Ask for the highest final score of the player to move, both helping him."""
    return maximum(position, engine=engine, budget=budget)


def force(position: Position, engine: str | None, budget: Limits) -> Answer:
    """Ask for the lead that can be forced, and all moves that force it."""
    return forced(position, engine=engine, budget=budget)


def expect(position: Position, engine: str | None, budget: Limits) -> Answer:
    """Ask for the expected lead of each first move, the order after the first tile unknown."""
    return expected(_forgotten(position), engine=engine, budget=budget)


def expect_best(position: Position, engine: str | None, budget: Limits) -> Answer:
    """Ask for the highest expected lead alone, the order after the first tile unknown."""
    return expected(_forgotten(position), every=False, engine=engine, budget=budget)


def _forgotten(position: Position) -> Position:
    """Return a position of which the first tile alone is known."""
    return replace(position, order=position.order[:1], bag=tuple(sorted(position.order[1:])))


QUESTIONS: dict[str, Callable[[Position, str | None, Limits], Answer]] = {
    "max": most,
    "force": force,
    "expect": expect,
    "expect-best": expect_best,
}
DEFAULT = "default"
"""Stands for the engine that the question chooses itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One question about one position, answered by one engine."""

    question: str
    engine: str
    """As it was asked for."""
    name: str
    """The position's file without its ending."""
    tiles: int
    status: str
    value: str
    nodes: int
    cpu: float
    """Seconds of processor time for the answer, that of all its processes; loading the program is
    left out."""
    wall: float
    jobs: int
    """Processes that it may take."""
    memory: int
    """The most memory that one of its processes held, in MB."""

    @property
    def proved(self) -> bool:
        """Whether the answer is proved."""
        return self.status == Status.OPTIMAL

    @property
    def counted(self) -> float:
        """The seconds that count."""
        return self.cpu if self.jobs == 1 else self.wall


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a process has to do."""

    question: str
    engine: str
    path: Path
    seconds: float
    """Limit of what is counted: processor time with one process, else time on the clock."""
    patience: float
    """Limit of the time on the clock, in multiples of ``seconds``, where it is not counted."""
    jobs: int
    """Processes that it may take."""
    memory: int
    """Limit of address space in MB."""

    @property
    def wall(self) -> float:
        """Limit of the time on the clock in seconds."""
        return self.seconds * (self.patience if self.jobs == 1 else 1)


def work(job: Job, answers: Connection) -> None:
    """Answer a question in a process of its own and send what came of it."""
    limit = job.memory << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    position = load_position(job.path)
    engine = None if job.engine == DEFAULT else job.engine
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        budget = Limits(seconds=job.wall, jobs=job.jobs)
        with processor_time(job):
            outlook = QUESTIONS[job.question](position, engine, budget)
    except QuestionError as error:
        answers.send(_without_answer(job, str(error)))
        return
    except KeyboardInterrupt:
        answers.send(_without_answer(job, "out of time"))
        return
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    run = Run(
        question=job.question,
        engine=job.engine,
        name=job.path.stem,
        tiles=len(position.order),
        status=outlook.status,
        value="" if outlook.value is None else f"{float(outlook.value):g}",
        nodes=outlook.nodes,
        cpu=time.process_time() - cpu + others.ru_utime + others.ru_stime,
        wall=time.perf_counter() - wall,
        jobs=job.jobs,
        memory=max(own.ru_maxrss, others.ru_maxrss) // 1024,
    )
    answers.send(run)


@contextmanager
def processor_time(job: Job) -> Iterator[None]:
    """End a search like Ctrl-C once a single process has used its processor time."""
    if job.jobs > 1:
        yield
        return
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, job.seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def measure(job: Job) -> Run:
    """Run a job in a process of its own; one that dies or does not end has no proof."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(job, sender))
    process.start()
    sender.close()
    run = _received(receiver, job.wall + GRACE)
    if run is None:
        process.kill()
    process.join()
    return run or _without_answer(job, f"ended by {process.exitcode}")


def _without_answer(job: Job, status: str) -> Run:
    """Return what is known of a job that came to no answer at all."""
    return Run(
        question=job.question,
        engine=job.engine,
        name=job.path.stem,
        tiles=len(load_position(job.path).order),
        status=status,
        value="",
        nodes=0,
        cpu=job.seconds,
        wall=job.wall,
        jobs=job.jobs,
        memory=job.memory,
    )


def _received(receiver: Connection, seconds: float) -> Run | None:
    """Return what a process sends in so many seconds; None if it ends without a word."""
    if not receiver.poll(seconds):
        return None
    try:
        run: Run = receiver.recv()
    except EOFError:
        return None
    return run


def summary(runs: Sequence[Run], limits: Sequence[float]) -> Iterator[str]:
    """Yield a table of a line for each question, engine and number of tiles."""
    within = [f"proved in {limit:g} s" for limit in limits]
    yield _row(
        ("question", "engine", "k", *within, "median s", "longest s", "median nodes", "most MB")
    )
    yield _row(["---"] * (7 + len(limits)))
    groups: dict[tuple[str, str, int], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.question, run.engine, run.tiles), []).append(run)
    for key, group in groups.items():
        solved = [sum(run.proved and run.counted <= limit for run in group) for limit in limits]
        yield _row(
            (
                *key,
                *(f"{count} of {len(group)}" for count in solved),
                f"{median(run.counted for run in group):.2f}",
                f"{max(run.counted for run in group):.2f}",
                f"{median(run.nodes for run in group):.0f}",
                max(run.memory for run in group),
            )
        )


def details(runs: Iterable[Run]) -> Iterator[str]:
    """Yield a table of a line for each run."""
    yield _row(("question", "engine", "position", "status", "value", "nodes", "CPU s", "s", "MB"))
    yield _row(["---"] * 9)
    for run in runs:
        yield _row(
            (
                run.question,
                run.engine,
                run.name,
                run.status,
                run.value,
                run.nodes,
                f"{run.cpu:.2f}",
                f"{run.wall:.2f}",
                run.memory,
            )
        )


def _row(cells: Iterable[object]) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How far exact answers reach.")
    parser.add_argument("--questions", nargs="+", choices=QUESTIONS, default=list(QUESTIONS)[:3])
    parser.add_argument("--engines", nargs="+", default=[DEFAULT], help="search, full, time, …")
    parser.add_argument("--falcon", action="store_true", help="endings with The Falcon")
    parser.add_argument("--k", nargs="+", type=int, help="tiles left; default: all")
    parser.add_argument("--seconds", nargs="+", type=float, default=[10.0, 60.0])
    parser.add_argument(
        "--patience", type=float, default=10.0, help="limit on the clock, in limits of --seconds"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes that a question may take")
    parser.add_argument("--memory", type=int, default=4000, help="MB of address space")
    options = parser.parse_args()
    paths = [
        path
        for path in sorted(POSITIONS.glob("falcon-k*.toml" if options.falcon else "k*.toml"))
        if options.k is None or len(load_position(path).order) in options.k
    ]
    jobs = [
        Job(
            question=question,
            engine=engine,
            path=path,
            seconds=max(options.seconds),
            patience=options.patience,
            jobs=options.jobs,
            memory=options.memory,
        )
        for question in options.questions
        for engine in options.engines
        for path in paths
    ]
    runs = []
    for number, job in enumerate(jobs, 1):
        told = f"{number} of {len(jobs)}: {job.question} {job.engine} {job.path.stem}"
        print(f"{told:<60}", end="\r", file=sys.stderr, flush=True)
        runs.append(measure(job))
    print(file=sys.stderr)
    print("\n".join((*summary(runs, options.seconds), "", *details(runs))))


if __name__ == "__main__":
    main()
