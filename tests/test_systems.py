"""Windows and macOS by construction: what Linux alone has is nowhere taken for granted.

What a solve of the page does where limits are refused stands in tests/cli/serve/test_jobs.py,
locks of files in tests/model/test_locks.py, processes in tests/solver/test_processes.py.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import measuring
from burgrave.cli import exits
from burgrave.cli.app import app
from burgrave.cli.serve.jobs import HOME

ROOT = Path(__file__).parents[1]
PACKAGES = ("burgrave", "cli", "puzzles", "solver", "model")
FILES = sorted(path for name in (*PACKAGES, "benchmarks") for path in (ROOT / name).rglob("*.py"))
POSIX_MODULES = frozenset(
    [
        "_posixsubprocess",
        "curses",
        "fcntl",
        "grp",
        "posix",
        "pty",
        "pwd",
        "readline",
        "resource",
        "syslog",
        "termios",
        "tty",
    ]
)
POSIX_NAMES = {
    "os": [
        "O_DIRECTORY",
        "chown",
        "fork",
        "forkpty",
        "getegid",
        "geteuid",
        "getgid",
        "getloadavg",
        "getpgid",
        "getpgrp",
        "getuid",
        "killpg",
        "mkfifo",
        "nice",
        "pread",
        "pwrite",
        "sched_getaffinity",
        "setpgid",
        "setsid",
        "wait",
        "wait4",
    ],
    "signal": [
        "ITIMER_PROF",
        "ITIMER_REAL",
        "SIGALRM",
        "SIGCHLD",
        "SIGHUP",
        "SIGKILL",
        "SIGPROF",
        "SIGUSR1",
        "alarm",
        "pause",
        "pthread_kill",
        "pthread_sigmask",
        "setitimer",
        "sigwait",
    ],
}
BROWSER = "webbrowser.open"
"""What opens no file."""
FEWER = f"""
import asyncio, os, signal, subprocess, sys, tempfile
from multiprocessing import pool, resource_tracker  # the library itself is that of this system
for name in {sorted(POSIX_MODULES - {"_posixsubprocess", "posix"})}:
    sys.modules[name] = None
for module, names in (os, {POSIX_NAMES["os"]}), (signal, {POSIX_NAMES["signal"]}):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
resource_tracker._HAVE_SIGMASK = False
"""
"""Run when Python starts: it takes away what Windows does not have."""
EVERYTHING = f"""
import importlib, pkgutil
for name in {PACKAGES}:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
        print(module.name)
"""
PROCESSES = """
from burgrave.solver.workers.pools import workers
from burgrave.solver.workers.tasks import ordered
if __name__ == "__main__":
    with workers(2) as pool:
        print(sum(done.value for done in ordered(abs, range(-10, 0), pool)))
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Return a folder of code that makes each Python that finds it one without POSIX."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(FEWER, encoding="utf-8")
    return folder


def run(elsewhere: Path, *args: str) -> str:
    """Return what Python prints without POSIX; it must end well."""
    done = subprocess.run(
        [sys.executable, *args],
        cwd=elsewhere.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(elsewhere), str(ROOT)])},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_every_module_is_imported_where_posix_is_missing(elsewhere: Path) -> None:
    """No module needs ``resource``, ``fcntl`` or a signal that Windows does not have."""
    imported = run(elsewhere, "-c", EVERYTHING).split()
    assert {
        "burgrave.cli.serve.worker",
        "burgrave.model.files.locks",
        "burgrave.solver.kernel.search",
    } <= set(imported)
    assert run(elsewhere, "-c", "import os; print(hasattr(os, 'fork'))") == "False\n"


@pytest.mark.slow
def test_commands_answer_where_posix_is_missing(elsewhere: Path) -> None:
    """A question, a written file, a picture and processes that are spawned."""
    burgrave = ("-m", "burgrave")
    assert "13 points in this turn (proved)" in run(
        elsewhere, *burgrave, "best", "path-house-and-tower"
    )
    run(elsewhere, *burgrave, "new", "castle", "--seed", "1", "-o", "new.toml")
    assert run(elsewhere, *burgrave, "check", "new.toml") == "Possible.\n"
    run(elsewhere, *burgrave, "draw", "new.toml", "-o", "board.svg")
    (elsewhere.parent / "processes.py").write_text(PROCESSES, encoding="utf-8")
    assert run(elsewhere, "processes.py").split() == ["55"]


def parts(file: Path) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """Yield each part of a file's code with those around it, the file first."""

    def below(node: ast.AST, around: list[ast.AST]) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
        yield node, around
        for child in ast.iter_child_nodes(node):
            yield from below(child, [*around, node])

    yield from below(ast.parse(file.read_text(encoding="utf-8")), [])


def unguarded(file: Path) -> Iterator[str]:
    """Yield the POSIX-only modules and names that a file uses without asking for them."""
    for node, around in parts(file):
        if isinstance(node, ast.Import):
            wanted = {alias.name for alias in node.names} & POSIX_MODULES
        elif isinstance(node, ast.ImportFrom):
            wanted = {node.module or ""} & POSIX_MODULES
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            wanted = {node.attr} & set(POSIX_NAMES.get(node.value.id, ()))
        else:
            continue
        inner = [one for one in around if not isinstance(one, ast.Module | ast.ClassDef)]
        caught = any(
            word in ast.unparse(one)
            for one in inner
            if isinstance(one, ast.Try | ast.With)
            for word in ("except ImportError", "suppress(AttributeError")
        )
        asked = any(f"'{name}')" in ast.unparse(inner[0]) for name in wanted if inner)
        if wanted and not caught and not asked:
            yield f"{file.relative_to(ROOT)}: {', '.join(wanted)}"


def test_no_posix_name_is_taken_for_granted() -> None:
    """Each stands under a question whether it is there; benchmarks ask once, in ``main``."""
    found = [one for file in FILES for one in unguarded(file)]
    assert [one for one in found if not one.startswith("benchmarks")] == []
    assert {one.partition(":")[0] for one in found} <= {"benchmarks/measuring.py"}


def nameless(file: Path) -> Iterator[str]:
    """Yield the calls of a file that read or write text without naming its encoding."""
    for node, _ in parts(file):
        if not isinstance(node, ast.Call):
            continue
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        owner = ast.unparse(node.func).partition(".")[0]
        if name in {"open", "fdopen"} and ast.unparse(node.func) not in {"os.open", BROWSER}:
            text = "b" not in "".join(
                one.value for one in node.args if isinstance(one, ast.Constant) and one.value != 0
            )
        elif isinstance(node.func, ast.Attribute) and name in {"read_text", "write_text"}:
            text = True
        else:
            text = owner == "subprocess" and "text" in named
        if text and "encoding" not in named:
            yield f"{file.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)[:60]}"


def test_every_text_names_its_encoding() -> None:
    """Windows reads and writes texts in an encoding of its own unless it is told."""
    assert [one for file in FILES for one in nameless(file)] == []


def test_the_guards_are_found_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two searches above find such code."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    file = tmp_path / "bad.py"
    file.write_text(
        "import fcntl, os, signal, subprocess\n"
        "def f(path):\n    os.killpg(1, 2)\n    signal.alarm(1)\n"
        "    path.read_text()\n    path.open('w')\n    subprocess.run([], text=True)\n",
        encoding="utf-8",
    )
    assert len(list(unguarded(file))) == 3
    assert len(list(nameless(file))) == 3


def test_a_reader_that_has_gone_is_no_error_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """There a closed pipe is an invalid argument."""

    def gone(*_: object, **__: object) -> None:
        raise OSError(22, "Invalid argument")

    forgotten = []
    monkeypatch.setattr(exits, "_forget", lambda _: forgotten.append(True))
    monkeypatch.setattr("burgrave.cli.output.typer.echo", gone)
    command = ["moves", "path-house-and-tower"]
    assert isinstance(CliRunner().invoke(app, command).exception, OSError)
    monkeypatch.setattr(exits, "_GONE", frozenset({22}))
    assert CliRunner().invoke(app, command).exit_code == 0
    assert forgotten == [True]


def test_benchmarks_say_where_they_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is measured where a system does not tell processor time."""
    measuring.require_means()
    monkeypatch.delattr("signal.setitimer")  # as on Windows
    with pytest.raises(SystemExit, match="Linux or macOS"):
        measuring.require_means()


def test_solves_find_no_code_in_the_folder_of_the_page(tmp_path: Path) -> None:
    """A user's own ``solver.py`` beside the positions is no part of the program."""
    program = "from burgrave.cli.serve.jobs import HOME; print(HOME)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    means = {"capture_output": True, "text": True, "encoding": "utf-8"}
    alone = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, check=True, **means
    )
    for home in (HOME, alone.stdout.strip()):
        told = subprocess.run(
            [sys.executable, "-P", "-c", "import sys; print(*sys.path, sep='\\n')"],
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": home},
            check=True,
            **means,
        ).stdout.splitlines()
        assert str(ROOT) in told
        assert not {"", str(tmp_path)} & set(told)
