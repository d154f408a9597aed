"""First turns shared by several processes: the same answers, and no process left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import indent

import pytest

from model.files.positions import load_position
from model.position import Position
from puzzles.library import find, position
from solver.answers import Status
from solver.budget import Budget, OutOfTimeError
from solver.outlook import Goal, Order, Outlook, Play, Task
from solver.progress import Reporter
from solver.questions import ahead, expected, forced, winning
from solver.search import several
from solver.search.several import try_all

ROOT = Path(__file__).parents[2]
POSITIONS = ROOT / "benchmarks" / "positions"
MANY = 12
MAIN = "from cli.app import main; main()"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start the processes without waiting, and look whether they have ended."""
    monkeypatch.setattr(several, "PATIENCE", 0.0)
    yield
    assert not multiprocessing.active_children()


def task(seconds: float | None = None, jobs: int = 2) -> Task:
    """Return any question, to be answered by several processes."""
    at = position(find("castle-01"))
    return Task(
        position=at,
        asker=at.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=Order.GIVEN,
        watch=Budget(seconds=seconds, jobs=jobs).start(),
        reporter=Reporter(),
    )


class Told:
    """First turns of which it is told which process has searched them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.heard: dict[int, tuple[int, int | None]] = {}

    def __len__(self) -> int:
        return MANY

    def bar(self, index: int) -> int | None:
        return 7 * index

    def search(self, index: int, bar: int | None) -> tuple[int, int | None]:
        self.task.watch.tick()
        return os.getpid(), bar

    def learn(self, index: int, found: tuple[int, int | None]) -> None:
        assert index not in self.heard
        self.heard[index] = found


class Dying(Told):
    """Processes that end in the middle of one first turn in three."""

    def search(self, index: int, bar: int | None) -> tuple[int, int | None]:
        if index % 3 == 0 and multiprocessing.parent_process() is not None:
            os._exit(1)
        return super().search(index, bar)


class Endless(Told):
    """A search that takes too long."""

    def search(self, index: int, bar: int | None) -> tuple[int, int | None]:
        time.sleep(60)
        return 0, None


def test_every_first_turn_is_searched_once() -> None:
    """By other processes, with what is known when it is handed out; turns played are counted."""
    told = Told(task())
    try_all(told)
    assert {index: bar for index, (_, bar) in told.heard.items()} == {
        index: 7 * index for index in range(MANY)
    }
    assert os.getpid() not in {who for who, _ in told.heard.values()}
    assert told.task.watch.nodes == MANY


@pytest.mark.parametrize("most", [None, 5])
def test_one_process_is_enough(most: int | None) -> None:
    """Where no others are asked for, or turns are counted, this one does it all."""
    jobs = 1 if most is None else 2
    told = Told(replace(task(), watch=Budget(jobs=jobs, nodes=most).start()))
    if most is None:
        try_all(told)
        assert len(told.heard) == MANY
    else:
        with pytest.raises(OutOfTimeError):
            try_all(told)
        assert sorted(told.heard) == list(range(most))
    assert {who for who, _ in told.heard.values()} == {os.getpid()}


def test_what_a_process_leaves_undone_is_done_here() -> None:
    """Processes that die take nothing with them."""
    dying = Dying(task())
    try_all(dying)
    assert sorted(dying.heard) == list(range(MANY))
    assert os.getpid() in {who for who, _ in dying.heard.values()}


def test_the_end_of_the_time_ends_the_processes() -> None:
    """Wherever they are."""
    began = time.monotonic()
    with pytest.raises(OutOfTimeError):
        try_all(Endless(task(seconds=1.5)))
    assert time.monotonic() - began < 20


def test_ctrl_c_ends_the_processes() -> None:
    """As it ends a search of this process."""
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        try_all(Endless(task()))
    timer.join()


def told(answer: Outlook) -> tuple[object, ...]:
    """Return what an answer says that does not depend on who found what when."""
    first = [(one.move, one.value) for one in answer.first]
    return answer.status, answer.value, answer.odds, answer.complete, first


def forgotten(at: Position) -> Position:
    """Return a position of which the first tile alone is known."""
    return replace(at, order=at.order[:1], bag=tuple(sorted(at.order[1:])))


def test_answers_are_the_same_with_any_number_of_processes() -> None:
    """Of each engine that shares its first turns: values, and all equally good first moves."""
    three, two = (load_position(POSITIONS / f"{name}.toml") for name in ("k3-3", "k2-2"))
    one, both = Budget(jobs=1), Budget(jobs=2)
    assert told(expected(forgotten(three), budget=both)) == told(
        expected(forgotten(three), budget=one)
    )
    assert told(expected(forgotten(two), every=False, engine="expectimax", budget=both)) == told(
        expected(forgotten(two), every=False, budget=one)
    )
    assert told(forced(three, budget=both)) == told(forced(three, budget=one))
    assert told(forced(three, every=True, engine="full", budget=both)) == told(
        forced(three, every=True, budget=one)
    )
    assert told(winning(forgotten(two), budget=both)) == told(winning(forgotten(two), budget=one))
    assert told(ahead(three, 1, budget=both)) == told(ahead(three, 1, budget=one))


class Impatient(Reporter):
    """Somebody who presses Ctrl-C as soon as something is found."""

    def found(self, value: object) -> None:
        raise KeyboardInterrupt


def test_an_early_stop_tells_a_bound() -> None:
    """What the player to move has at least, by the first turns that were finished."""
    at = forgotten(load_position(POSITIONS / "k3-3.toml"))
    answer = expected(at, budget=Budget(jobs=2), reporter=Impatient())
    assert (answer.status, answer.complete) == (Status.BOUND, False)
    whole = {one.move: one.value for one in expected(at).first}
    assert len(answer.first) == 1
    assert whole[answer.first[0].move] == answer.first[0].value == answer.value


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_command_leaves_no_process_behind(how: signal.Signals) -> None:
    """After Ctrl-C, which tells what is known, and after being killed, which tells nothing."""
    command = [sys.executable, "-c", MAIN, "force", "castle-09", "--jobs", "2", "--json"]
    run = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    session = run.pid
    deadline = time.monotonic() + 60
    while len(members(session)) < 3 and time.monotonic() < deadline:
        time.sleep(0.2)
    os.killpg(session, how) if how is signal.SIGINT else run.kill()
    output, errors = run.communicate(timeout=60)
    while members(session) and time.monotonic() < deadline + 30:
        time.sleep(0.2)
    assert not members(session)
    if how is signal.SIGINT:
        assert run.returncode == 3
        assert "Traceback" not in errors  # after SIGKILL a process half started tells of it
        assert '"status": "optimal"' not in output


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for signal masks in /proc")
def test_every_process_is_deaf_from_its_start() -> None:
    """Also the first that a program starts, before it has said for itself what it hears."""
    program = (
        "from multiprocessing import active_children\n"
        "from pathlib import Path\n"
        "from solver.search.several import _processes\n"
        "from tests.solver.test_several import Told, task\n"
        "with _processes(Told(task()), 2):\n"
        "    for one in active_children():\n"
        "        print(Path(f'/proc/{one.pid}/status').read_text())\n"
    )
    command = [sys.executable, "-c", f"if __name__ == '__main__':\n{indent(program, '    ')}"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    masks = [line for line in told.splitlines() if line.startswith("SigBlk:")]
    blocked = [int(mask.split()[1], 16) for mask in masks]
    assert len(blocked) == 2
    assert all(mask >> signal.SIGINT - 1 & 1 for mask in blocked)


def members(session: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            state, _, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if of == str(session) and state != "Z":
            found.append(int(entry.name))
    return found
