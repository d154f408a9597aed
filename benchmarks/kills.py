"""Kill workers, schedulers and commands at random moments; what they make must stay the same.

    python -m benchmarks.kills --kills 20 --seed 1

A scheduler and two workers of Dask run on this machine. A command makes puzzles, reviews games or
solves puzzles with them, and is given again until it comes to its end. Meanwhile a worker, the
scheduler or the command is killed. What is written then is compared with what one process wrote,
byte by byte.
Prints a line for each kill; exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from benchmarks.measuring import PROGRAM, until_stopped

GAME = Path(__file__).parents[1] / "docs" / "examples" / "arena.json"
SEED = ["--seed", "5"]
GENERATE = ["generate", "--theme", "any", "--game", "carcassonne", "--count", "3", "-o", "made"]
REVIEW = ["review", "games", "--playouts", "200", "--keep", "kept", "--table", "turns.csv"]
SOLVE = ["solve", "king-and-falconer", "nobody-at-home", "--certify", "--keep", "kept.jsonl"]
COMMANDS = {"generate": [*GENERATE, *SEED], "review": [*REVIEW, *SEED], "solve": SOLVE}
TARGETS = ("worker", "scheduler", "command")
LATEST = 8.0
"""Seconds after which a kill comes at the latest."""
EACH = 5
"""Kills while a command comes to its end."""
TRIES = 50
"""Runs of a command after which it counts as one that comes to no end."""


class Cluster:
    """A scheduler and two workers, each a process that can be killed."""

    def __init__(self, folder: Path) -> None:
        """Start them; what they tell is kept in a folder."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.ready()

    def ready(self) -> None:
        """Start what does not run. Workers end with their scheduler."""
        if self._ended("scheduler"):
            for name in ("one", "two"):
                self.kill(name)
            place = ["--host", "127.0.0.1", "--port", str(self.port)]
            self._start("scheduler", "dask_scheduler", *place)
        for name in ("one", "two"):
            if self._ended(name):
                self._start(name, "dask_worker", self.address, "--nthreads", "1", "--no-nanny")

    def _ended(self, name: str) -> bool:
        """Tell whether a process does not run."""
        return name not in self.running or self.running[name].poll() is not None

    def _start(self, name: str, module: str, *args: str) -> None:
        """Start a process."""
        command = [sys.executable, "-m", f"distributed.cli.{module}", *args, "--no-dashboard"]
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)

    def kill(self, name: str) -> None:
        """Kill a process at once."""
        if name in self.running:
            self.running[name].kill()
            self.running[name].wait()

    def close(self) -> None:
        """Kill all."""
        for name in self.running:
            self.kill(name)


def run(command: str, place: Path, *more: str) -> subprocess.Popen[bytes]:
    """Start a command in a folder of its own, which is prepared when it is new."""
    if not place.exists():
        (place / "games").mkdir(parents=True)
        for name in ("one", "other"):
            (place / "games" / f"{name}.json").write_bytes(GAME.read_bytes())
    args = [sys.executable, "-c", PROGRAM, *COMMANDS[command], *more]
    with (place.with_suffix(".log")).open("ab") as log:
        return subprocess.Popen(args, cwd=place, stdout=subprocess.DEVNULL, stderr=log)


def content(place: Path) -> dict[str, list[bytes]]:
    """Return the lines that a command wrote; those of kept reviews may have come in any order."""
    found = {}
    for file in sorted(place.rglob("*")):
        if file.is_file():
            lines = file.read_bytes().splitlines(keepends=True)
            found[str(file.relative_to(place))] = lines
            if file.parent.name == "kept":
                lines.sort()
    return found


def disturbed(command: str, place: Path, cluster: Cluster, rng: random.Random, most: int) -> int:
    """Run a command to its end on a cluster, with a kill in each try; return the number of kills.

    Args:
        command: of ``COMMANDS``.
        place: the folder of the run.
        cluster: the cluster.
        rng: of the moments and the victims.
        most: kills at most.

    Raises:
        SystemExit: the command comes to no end.

    """
    kills = 0
    for _ in range(TRIES):
        cluster.ready()
        asked = run(command, place, "--cluster", cluster.address)
        while kills < most and asked.poll() is None:
            target, moment = rng.choice(TARGETS), rng.uniform(0.5, LATEST)
            with suppress(subprocess.TimeoutExpired):
                asked.wait(moment)
                break
            kills += 1
            print(f"{command}: {target} killed after {moment:.1f} s", flush=True)
            if target == "command":
                asked.kill()
            else:
                cluster.kill("scheduler" if target == "scheduler" else rng.choice(("one", "two")))
            if target == "worker":
                cluster.ready()
        if asked.wait() == 0:
            return kills
    raise SystemExit(f"{command} comes to no end; see {place.with_suffix('.log')}")


def main() -> int:
    """Kill, compare and print."""
    parser = argparse.ArgumentParser(description="Kill workers, schedulers and commands.")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, folder = random.Random(options.seed), Path(tempfile.mkdtemp(prefix="burgrave-kills-"))
    wanted: dict[str, Any] = {}
    for command in COMMANDS:
        place = folder / f"{command}-alone"
        if run(command, place, "--jobs", "1").wait():
            raise SystemExit(f"{command} fails; see {place.with_suffix('.log')}")
        wanted[command] = content(place)
    cluster, kills, runs, different = Cluster(folder), 0, 0, 0
    begun = time.monotonic()
    with closing(cluster), until_stopped():
        while kills < options.kills:
            command = [*COMMANDS][runs % len(COMMANDS)]
            place = folder / f"{command}-{runs}"
            most = min(EACH, options.kills - kills)
            kills += disturbed(command, place, cluster, rng, most)
            runs += 1
            same = content(place) == wanted[command]
            different += not same
            print(f"{command}: {'the same' if same else f'DIFFERENT, see {place}'}", flush=True)
    spent = time.monotonic() - begun
    print(f"{kills} kills, {runs} runs, {different} different; {spent:.0f} s")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
