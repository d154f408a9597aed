"""Measure in a process of its own, limited by processor time and not by the clock."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

from burgrave.solver.pool import Pool, WorkersError
from burgrave.solver.workers.pools import workers

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # a system without it is refused below

PROGRAM = "from burgrave.__main__ import main; main()"
"""The code that the command ``burgrave`` runs, installed or not."""
PATIENCE = 20.0
"""Limit of the time on the clock, in limits of processor time."""
GRACE = 300.0
"""Seconds on the clock for a process to start and, the first time, to compile."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One measured value."""

    value: float
    """In the unit of the measure; for a question seconds of user CPU."""
    proved: bool = True
    """Whether the question is answered with a proof; True where none is asked."""


def require_means() -> None:
    """End the program if a system does not support the measure.

    Raises:
        SystemExit: it has neither processor time of children nor a timer of processor time.

    """
    if not hasattr(signal, "setitimer"):  # where this is missing, ``resource`` is missing too
        raise SystemExit("This system does not tell what is measured: run it on Linux or macOS.")


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Raise KeyboardInterrupt, as Ctrl-C does, once the process has used its processor time."""
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def until_stopped(seconds: float | None = None) -> Iterator[None]:
    """Leave the block early at Ctrl-C, at the signal of ``timeout``, or when time is up.

    The code after the block can then print what was found until then.

    Args:
        seconds: the limit on the clock; None for no limit.

    """
    ends = (signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if seconds is not None else ()))
    before = {one: signal.signal(one, signal.default_int_handler) for one in ends}
    try:
        if seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    except KeyboardInterrupt:
        print("\nstopped early", file=sys.stderr)
    finally:
        if seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in before.items():
            signal.signal(one, handler)


def add_workers(parser: argparse.ArgumentParser, jobs: int = 0) -> None:
    """Add the options that say where the work is done; ``jobs`` is the default."""
    parser.add_argument("--jobs", type=int, default=jobs, help="processes; 0 for this one")
    parser.add_argument(
        "--cluster", metavar="ADDRESS|local[:N]", help="a Dask scheduler, tcp://HOST:8786"
    )


@contextmanager
def chosen_workers(options: argparse.Namespace) -> Iterator[Pool | None]:
    """Yield the workers of the options of ``add_workers``; None for this process.

    Raises:
        SystemExit: the workers cannot be had, or are gone.

    """
    try:
        with workers(options.jobs, options.cluster) as pool:
            yield pool
    except WorkersError as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def user_cpu() -> float:
    """Return the seconds of user CPU of this process and its threads."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def timed(question: Callable[[], bool], seconds: float) -> Sample:
    """Answer a question within a limit of processor time.

    Args:
        question: returns whether its answer is proved.
        seconds: the limit.

    """
    begun = user_cpu()
    try:
        with processor_time(seconds):
            proved = question()
    except KeyboardInterrupt:
        proved = False
    return Sample(user_cpu() - begun, proved)


def in_process(
    work: Callable[..., Iterable[tuple[str, Sample]]], *args: object, seconds: float
) -> tuple[list[tuple[str, Sample]], int]:
    """Run work in a fresh process and collect its samples.

    Args:
        work: a function of a module; it yields measures with their samples.
        args: its arguments.
        seconds: the limit of processor time for one sample. A process that sends nothing for
            many times as long on the clock is ended.

    Returns:
        The samples that arrived, and the most memory that the process held, in MB.

    """
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(work, args, sender))
    process.start()
    sender.close()
    samples: list[tuple[str, Sample]] = []
    memory = 0
    while receiver.poll(seconds * PATIENCE + GRACE):
        try:
            name, sample, memory = receiver.recv()
        except EOFError:
            break
        samples.append((name, sample))
    if process.is_alive():
        process.join(1)
        process.kill()
    process.join()
    return samples, memory


def _send(
    work: Callable[..., Iterable[tuple[str, Sample]]], args: tuple[object, ...], to: Connection
) -> None:
    """Send each result of the work with the memory held so far."""
    for name, sample in work(*args):
        # Kilobytes on Linux, bytes on macOS.
        unit = 1024**2 if sys.platform == "darwin" else 1024
        to.send((name, sample, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit))


def command_cpu(words: list[str], environment: dict[str, str] | None = None) -> float:
    """Return the seconds of processor time, user and system, that a ``burgrave`` command takes.

    Args:
        words: the words after ``burgrave``.
        environment: variables to set beside those of this process.

    Raises:
        subprocess.CalledProcessError: the command fails.

    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        check=True,
        capture_output=True,
        env=os.environ | (environment or {}),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
