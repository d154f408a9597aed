"""Measure the program's speed, each measure in a process of its own, by processor time.

    python -m benchmarks                          everything, printed as Markdown
    python -m benchmarks --only force start       some groups or single measures (force-k6)
    python -m benchmarks --quick                  fewer positions, shorter limits
    python -m benchmarks --write                  also write history.toml and RESULTS.md
    python -m benchmarks --table                  make RESULTS.md anew from history.toml

Seeds and positions are fixed, so that two runs do the same work.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median

from benchmarks.history import Figure, load, save
from benchmarks.measuring import Sample, in_process, require_means
from benchmarks.report import GAMES, GROUPS, RESULTS, report
from benchmarks.work import (
    QUESTIONS,
    ask,
    compile_first,
    play_games,
    play_out,
    positions,
    start,
)

PLAYED = ("games", "turns", "step")
"""Groups that are measured together, from the same games."""
LIBRARIES = ("numba", "numpy", "ortools", "networkx")


@dataclass(frozen=True, slots=True)
class Effort:
    """The extent of a run."""

    seconds: float
    """Limit of processor time for an answer."""
    few: int | None
    """Positions asked about for each measure; None for all."""
    batches: int
    """Samples of a rate or a command."""
    batch: float
    """Seconds of user CPU of a sample of a rate."""


WHOLE = Effort(seconds=60, few=None, batches=5, batch=1)
QUICK = Effort(seconds=10, few=2, batches=3, batch=0.3)


def figures(
    samples: Iterable[tuple[str, Sample]],
    *,
    asked: int | None = None,
    limit: float | None = None,
    memory: int | None = None,
) -> dict[str, Figure]:
    """Return the figure of each measure from its samples.

    Args:
        samples: measures with their samples.
        asked: questions asked in each measure; None where none are asked. A question without a
            sample counts as not proved: its process was ended.
        limit: seconds of processor time after which a question is stopped.
        memory: the most memory that the process held, in MB.

    """
    found: dict[str, list[Sample]] = {}
    for name, sample in samples:
        found.setdefault(name, []).append(sample)
    made = {}
    for name, some in found.items():
        values = [sample.value for sample in some]
        values += [limit or 0] * ((asked or 0) - len(values))
        made[name] = Figure(
            median=_rounded(median(values)),
            least=_rounded(min(values)),
            most=_rounded(max(values)),
            asked=asked,
            proved=None if asked is None else sum(sample.proved for sample in some),
            limit=limit,
            memory=memory,
        )
    return made


def _rounded(value: float) -> float:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}")


def jobs(chosen: Iterable[str], effort: Effort) -> dict[str, Callable[[], dict[str, Figure]]]:
    """Return the measures: a name → work that measures it in separate processes.

    Args:
        chosen: groups and single measures.
        effort: how much is measured of each.

    """
    todo: dict[str, Callable[[], dict[str, Figure]]] = {}
    for some in chosen:
        group = some.split("-", maxsplit=1)[0]
        for name in (measure.id for measure in GROUPS[group].measures):
            if some not in {group, name}:
                continue
            if group in PLAYED:
                for game in (key for key in GAMES if some in {group, f"{group}-{key}"}):
                    todo[f"games of {game}"] = partial(_played, game, effort, play_games)
            elif group == "playouts":
                todo[name] = partial(_played, name.removeprefix("playouts-"), effort, play_out)
            elif group in QUESTIONS:
                todo[name] = partial(_asked, name, effort)
            elif group == "start":
                todo[name] = partial(_commands, start(name, effort.batches))
            else:
                todo[name] = partial(_commands, compile_first(name))
    return todo


def _played(
    game: str, effort: Effort, work: Callable[[str, int, float], Iterable[tuple[str, Sample]]]
) -> dict[str, Figure]:
    """Measure games of one kind."""
    samples, memory = in_process(work, game, effort.batches, effort.batch, seconds=effort.seconds)
    return figures(samples, memory=memory)


def _asked(name: str, effort: Effort) -> dict[str, Figure]:
    """Measure the answers to the questions of a measure."""
    samples, memory = in_process(ask, name, effort.few, effort.seconds, seconds=effort.seconds)
    number = len(positions(name)[: effort.few])
    return figures(samples, asked=number, limit=effort.seconds, memory=memory or None)


def _commands(samples: Iterable[tuple[str, Sample]]) -> dict[str, Figure]:
    """Measure commands, which are processes themselves."""
    return figures(samples)


def circumstances() -> dict[str, str]:
    """Return the environment of the figures."""
    load_now = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
        "load": f"{load_now} when the last figures were taken",
        "python": platform.python_version(),
        "libraries": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
    }


def _processor() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor() or platform.machine()


def main(arguments: list[str]) -> int:
    """Measure, print and write; return the exit code: 1 if a measure brought no figure."""
    parser = argparse.ArgumentParser(description="Measure speed by processor time.")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[*GROUPS, *(one.id for group in GROUPS.values() for one in group.measures)],
        default=list(GROUPS),
        metavar="WHAT",
        help=f"groups ({', '.join(GROUPS)}) or single measures (force-k6)",
    )
    parser.add_argument("--quick", action="store_true", help="fewer positions, 10 s an answer")
    parser.add_argument("--seconds", type=float, help="processor time for an answer (default 60)")
    parser.add_argument("--write", action="store_true", help="write history.toml and RESULTS.md")
    parser.add_argument("--table", action="store_true", help="measure nothing; write RESULTS.md")
    parser.add_argument("--release", default="unreleased", help="whose figures these are")
    parser.add_argument("--note", default="", help="what a reader must know of the figures")
    options = parser.parse_args(arguments)
    history = load()
    if options.table:
        RESULTS.write_text(report(history, options.release), encoding="utf-8")
        return 0
    require_means()
    effort = QUICK if options.quick else WHOLE
    if options.seconds is not None:
        effort = Effort(options.seconds, effort.few, effort.batches, effort.batch)
    todo = jobs(options.only, effort)
    found: dict[str, Figure] = {}
    missing = []
    for place, (name, work) in enumerate(todo.items(), 1):
        print(f"{place} of {len(todo)}: {name}", file=sys.stderr, flush=True)
        made = work()
        found |= made
        missing += [] if made else [name]
        history = history.with_figures(options.release, made, circumstances(), options.note)
        if options.write:  # a run that is stopped keeps what it has
            save(history)
            RESULTS.write_text(report(history, options.release), encoding="utf-8")
    print(report(history.only(options.release, found), options.release))
    for name in missing:
        print(f"no figure for {name}: its process failed", file=sys.stderr)
    return min(len(missing), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
