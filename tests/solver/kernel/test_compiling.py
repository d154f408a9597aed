"""Compiling with our hooks into numba, by numba alone, and not at all: the results are the same."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from burgrave.solver.kernel import compiling, store
from burgrave.solver.limits import Limits, stands

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(compiling.linking is None, reason="this numba has no hooks"),
]


def run(folder: Path, module: str = "toys", **environment: str) -> list[str]:
    """Return what the small functions print, with a cache folder."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", f"tests.solver.kernel.{module}"],
        env={**plain, "BURGRAVE_CACHE": str(folder), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.long
def test_hooks_change_no_result(tmp_path: Path) -> None:
    """Circles, constants, tuples and functions chosen by type give what plain Python gives.

    So do calls from Python of functions that are compiled for compiled functions only.
    Both ways of compiling share a folder: neither may load what the other one kept.
    """
    *results, compiled = run(tmp_path)
    assert compiled == "compiled: 3"
    *by_numba, compiled = run(tmp_path, BURGRAVE_PLAIN_NUMBA="1")
    assert compiled == "compiled: 3"
    *uncompiled, none = run(tmp_path, NUMBA_DISABLE_JIT="1")
    assert none == "compiled: 0"
    assert results == by_numba == uncompiled


def test_machine_code_is_found_again(tmp_path: Path) -> None:
    """A second process compiles nothing, and gets the same from the cache folder."""
    *first, compiled = run(tmp_path)
    *second, again = run(tmp_path)
    assert (compiled, again) == ("compiled: 3", "compiled: 0")
    assert first == second


@pytest.mark.long
def test_ctrl_c_leaves_no_half_of_the_machine_code(tmp_path: Path) -> None:
    """Who goes on after Ctrl-C in a compilation compiles all of it, and so does the disk."""
    *plain, _ = run(tmp_path / "plain", NUMBA_DISABLE_JIT="1")
    *results, _, interruptions = run(tmp_path / "folder", "interrupted")
    assert results == plain
    assert interruptions == "interruptions: 8"
    *found, compiled = run(tmp_path / "folder")
    assert (found, compiled) == (plain, "compiled: 0")


def double(number: Any) -> Any:
    """Return twice a number, of whatever type."""
    return 2 * number


def test_versions_of_a_function_have_files_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes compile for different types; each finds its own machine code again."""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    one, other, later = (compiling.compiled(double) for _ in range(3))
    assert (one(2), other(1.5)) == (4, 3.0)
    assert (later(1.5), later(2)) == (3.0, 4)
    assert not later.stats.cache_misses
    assert len(list(tmp_path.glob("*.code"))) == 2


def flipped(data: bytes) -> bytes:
    """Return bytes with one bit changed."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "flipped": flipped,
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "zeroed": lambda data: bytes(len(data)),
    "longer": lambda data: data + b"x",
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_code_is_compiled_anew(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    kind: str,
) -> None:
    """It is never run: the function gives the right result, says so, and the disk is mended."""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    assert compiling.compiled(double)(2) == 4
    (file,) = tmp_path.glob("*.code")
    file.write_bytes(DAMAGE[kind](file.read_bytes()))
    caplog.clear()
    assert compiling.compiled(double)(2) == 4
    assert f"{file} is damaged: compiling it again" in caplog.text
    again = compiling.compiled(double)
    assert (again(2), bool(again.stats.cache_misses)) == (4, False)


def test_a_folder_in_place_of_code_costs_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be read is compiled anew, and what cannot be kept is told."""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    assert compiling.compiled(double)(2) == 4
    (file,) = tmp_path.glob("*.code")
    file.unlink()
    file.mkdir()
    assert compiling.compiled(double)(2) == 4
    assert "cannot be read" in caplog.text
    assert "compiled code is not kept" in caplog.text


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system has no owners of files")
def test_code_of_another_user_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a file that he planted, nor a folder that he made."""
    file = tmp_path / "a.code"
    store.keep_code(file, b"code")
    assert store.read_code(file) == b"code"
    planted = tmp_path / "planted"
    planted.mkdir()
    monkeypatch.setenv("BURGRAVE_CACHE", str(planted))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    (tmp_path / f"burgrave-{os.getuid()}").mkdir()
    assert store.read_code(file) is None
    assert not file.exists()
    found = store.cache_folder.__wrapped__("key")
    assert found.parent == tmp_path
    assert found.name.startswith("burgrave-")
    assert found.name != f"burgrave-{os.getuid()}"
    assert found.stat().st_mode & 0o077 == 0
    assert f"{planted / 'key'} belongs to another user" in caplog.text


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_a_folder_is_closed_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the user's own to which all may write is closed; the named folder above it stays."""
    parent = tmp_path / "cache"
    (parent / "key").mkdir(parents=True)
    for folder in (parent, parent / "key"):
        folder.chmod(0o777)
    monkeypatch.setenv("BURGRAVE_CACHE", str(parent))
    assert store.cache_folder.__wrapped__("key") == parent / "key"
    assert (parent / "key").stat().st_mode & 0o777 == 0o700
    assert parent.stat().st_mode & 0o777 == 0o777


def test_a_full_disk_costs_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The result comes, with one note, and nothing half written stays."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(tempfile, "mkstemp", full)
    monkeypatch.setattr(os, "open", full)
    assert compiling.compiled(double)(2) == 4
    assert "No space left on device" in caplog.text
    monkeypatch.undo()
    assert not list(tmp_path.iterdir())


def test_without_any_folder_code_is_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even the system's temporary folder can be written to."""
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("BURGRAVE_CACHE", str(file))
    monkeypatch.setattr(tempfile, "tempdir", str(file))
    found = store.cache_folder.__wrapped__("key")
    assert "compiled code cannot be kept" in caplog.text
    monkeypatch.setattr(compiling, "cache_folder", lambda: found)
    assert compiling.compiled(double)(2) == 4


def test_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    """The others wait and load it."""
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda _: run(tmp_path), range(3)))
    counts = sorted(int(lines[-1].removeprefix("compiled: ")) for lines in runs)
    assert len({tuple(lines[:-1]) for lines in runs}) == 1
    assert sum(counts) == 3
    assert not list(tmp_path.glob("*/*.lock"))


def test_a_killed_process_leaves_no_lock_behind(tmp_path: Path) -> None:
    """One that is killed while it compiles costs the next only the compilation."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, "-m", str(tmp_path)],
        env={**os.environ, "BURGRAVE_CACHE": str(tmp_path)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "compiling\n"
        first.kill()
    assert list(tmp_path.glob("*/*.lock"))
    assert run(tmp_path)[-1] == "compiled: 3"


REMEDY = "(burgrave warm compiles everything beforehand)"
HOLD = """
import time
from tests.solver.kernel import toys
from burgrave.solver.kernel import compiling
def stays(*_):
    print("compiling", flush=True)
    time.sleep(60)
compiling.linking._Keep.run_pass = stays
toys.main()
"""


def test_compiling_is_told_once_and_no_question_pays_for_it(tmp_path: Path) -> None:
    """One line on standard error, also where it is no terminal; nothing when it is found again."""
    environment = {**os.environ, "BURGRAVE_CACHE": str(tmp_path)}
    code = """
from burgrave.solver.limits import Limits
clock = Limits(seconds=60).start()
from tests.solver.kernel import toys
toys.main()
print(clock.spent())
"""
    told = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(done.stderr.splitlines())
    assert told == [
        ["compiling code for this machine, once: about half a minute " + REMEDY],
        [],
    ]


def test_the_clock_of_a_question_stands_while_code_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the time of an answer nor its limit counts it."""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    stood: list[bool] = []
    keep = store.keep_code
    monkeypatch.setattr(compiling, "keep_code", lambda *args: (stood.append(stands()), keep(*args)))
    clock = Limits().start()
    before = time.monotonic()
    assert compiling.compiled(double)(2) == 4
    spent = time.monotonic() - before
    assert stood == [True]
    assert not stands()
    assert clock.spent() < spent / 2


def test_an_untested_numba_is_told(tmp_path: Path) -> None:
    """Whoever forces another version learns why compiling takes longer."""
    code = """
import numba
numba.version_info = numba.version_info._replace(short=(0, 61))
from burgrave.solver.kernel import compiling
print(compiling.linking)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "None\n"
    assert "is not tested with this version of Burgrave" in done.stderr
    assert "compiling takes three to four times as long" in done.stderr


def test_code_with_another_constant_of_the_rules_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Machine code holds the numbers of rules, so the name of its folder hangs on them."""
    folder = compiling.cache_folder.__wrapped__
    before = folder()
    assert folder() == before
    monkeypatch.setattr("burgrave.model.rules.castle.completion.SMALLEST_RING", 9)
    assert folder() != before
    named = b"from burgrave.model.geometry import (\n    PORTS,\n    Cell,\n)\n"
    marks = b"from burgrave.model.tiles import Kind, Mark\n"
    found = [*compiling.constants([named, marks])]
    assert found[0] == b"PORTS = 12"
    assert [one.split(b" =")[0] for one in found] == [b"PORTS", b"Kind", b"Mark"]
