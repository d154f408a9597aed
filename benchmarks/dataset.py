"""Queries of a dataset of many puzzles: seconds of processor time and on the clock.

    python -m benchmarks.dataset [--puzzles 100000] [--keep DIR]

The puzzles are synthetic: the shipped ones again and again, each with an id and digests of its
own. So their themes, games and difficulties are spread as in the shipped ones. Bytes a puzzle are
measured on the shipped ones alone, since repeated texts pack too well.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from burgrave.puzzles.files.adding import ROWS, manifest, partition, row
from burgrave.puzzles.files.dataset_rows import COLUMNS
from burgrave.puzzles.files.datasets import MANIFEST, entry_of
from burgrave.puzzles.files.library import puzzle, puzzle_entries
from burgrave.puzzles.judging.canonical import digest

QUERIES = (
    ("theme", "--theme", "merge-to-tie"),
    ("common theme", "--theme", "patience"),
    ("all three", "--theme", "patience", "--difficulty", "2-3", "--game", "castle"),
    ("one id", "p77"),
    ("like", "--like", "castle-04"),
    ("write a theme", "--theme", "patience", "-o"),
)
REPEATS = 3


def varied(rows: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """Return a row under another id, with digests that no other row has."""
    found = rows[number % len(rows)]
    name = f"p{number}"
    return {
        **found,
        "id": name,
        "puzzle": found["puzzle"].replace(f'"{found["id"]}"', f'"{name}"', 1),
        "form": digest((number, "form")),
        "look": digest((number, "look")),
    }


def fill(folder: Path, rows: list[dict[str, Any]], count: int) -> None:
    """Write a dataset of synthetic puzzles."""
    entries = []
    for part, first in enumerate(range(0, count, ROWS), start=1):
        some = [varied(rows, number) for number in range(first, min(first + ROWS, count))]
        content = partition(some)
        name = f"part-{part:06}.parquet"
        (folder / name).write_bytes(content)
        entries.append(entry_of(name, content, len(some)))
    (folder / MANIFEST).write_text(manifest(entries), encoding="utf-8")


def measured(folder: Path, options: tuple[str, ...]) -> tuple[float, float, int]:
    """Return processor time, time on the clock and lines of output of a command; best of some."""
    found = []
    target = ["found.jsonl", "--force"] if options[-1] == "-o" else []
    for _ in range(REPEATS):
        before, begun = os.times(), time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "burgrave", "puzzles", str(folder), *options, *target],
            capture_output=True,
            encoding="utf-8",
            check=False,
            cwd=folder,
        )
        after = os.times()
        used = sum(after[2:4]) - sum(before[2:4])
        found.append((used, time.perf_counter() - begun, len(done.stdout.splitlines())))
    return min(found)


def main() -> None:
    """Print a table of queries, and bytes a puzzle."""
    parser = argparse.ArgumentParser(description="Measure queries of a dataset of puzzles.")
    parser.add_argument("--puzzles", type=int, default=100_000, help="how many are stored")
    parser.add_argument("--keep", type=Path, help="an empty folder for the dataset")
    asked = parser.parse_args()
    rows = [row(puzzle(entry)) for entry in puzzle_entries()]
    lines = sum(len(one["puzzle"]) + 1 for one in rows)
    print(f"{len(rows)} shipped puzzles in one partition, bytes a puzzle:")
    print(f"  JSON Lines {lines / len(rows):.0f}, Parquet {len(partition(rows)) / len(rows):.0f}")
    many = [*islice(cycle(rows), ROWS)]
    print(f"  memory of {ROWS} rows: about {sum(map(_size, many)) / 1e6:.0f} MB")
    with TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        fill(folder, rows, asked.puzzles)
        print(f"{asked.puzzles} synthetic puzzles; seconds of processor time, on the clock; lines")
        for name, *options in QUERIES:
            used, clock, told = measured(folder, tuple(options))
            print(f"  {name:14} {used:6.2f} {clock:6.2f} {told:7}")


def _size(one: dict[str, Any]) -> int:
    """Return the bytes of a row's texts."""
    return sum(sys.getsizeof(one[name]) for name in COLUMNS)


if __name__ == "__main__":
    main()
