"""Two runs into one place: the second is refused, and nothing is left of the lock."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from burgrave.model.errors import QuestionError
from burgrave.model.files import locks
from burgrave.model.files.locks import locked
from burgrave.puzzles.making.gathering import Folder, Lines

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from pathlib import Path
from burgrave.model.files.locks import locked
with locked(Path(sys.argv[1]), Path("place")) as alone:
    print(alone, flush=True)
    sys.stdin.read()
"""


def holding(lock: Path) -> subprocess.Popen[str]:
    """Begin a process that holds a lock until it is told to end."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("kind", [Lines, Folder])
def test_a_second_run_is_refused(tmp_path: Path, kind: type[Lines | Folder]) -> None:
    """While the first lasts, and no longer; the message names the place."""
    place = tmp_path / "made.jsonl"
    lock = kind(place).lock
    with holding(lock) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "True\n"
        with pytest.raises(QuestionError, match=r"made\.jsonl: another run"), locked(lock, place):
            raise AssertionError
        first.communicate()
    with locked(lock, place) as alone:
        assert alone
        with pytest.raises(QuestionError), locked(lock, place):
            raise AssertionError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed so")
def test_a_run_that_is_killed_locks_nothing(tmp_path: Path) -> None:
    """The system takes the lock back, though the file stays."""
    lock = tmp_path / ".made.lock"
    with holding(lock) as first:
        assert first.stdout is not None
        first.stdout.readline()
        first.kill()
    assert lock.exists()
    with locked(lock, tmp_path) as alone:
        assert alone
    assert not lock.exists()


class Msvcrt:
    """The locks of Windows, as far as they are used: no handle gets what another has."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.holder: int | None = None

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        if self.holder is not None:
            raise PermissionError(13, "Permission denied")
        self.holder = descriptor


def test_windows_locks_with_its_own_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no ``fcntl``."""
    lock = tmp_path / ".made.lock"
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(locks, "msvcrt", Msvcrt())
    with locked(lock, tmp_path) as alone:
        assert alone
        with pytest.raises(QuestionError), locked(lock, tmp_path):
            raise AssertionError
    assert not lock.exists()


def no_locks(*_: Any) -> None:
    """Refuse a lock as some file systems do."""
    raise OSError(95, "Operation not supported")


@pytest.mark.parametrize(
    "fcntl", [None, SimpleNamespace(flock=no_locks, LOCK_EX=2, LOCK_NB=4)], ids=["none", "refuses"]
)
def test_without_locks_a_run_goes_on_and_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fcntl: object
) -> None:
    """Neither the system nor the file system need have any."""
    monkeypatch.setattr(locks, "fcntl", fcntl)
    monkeypatch.setattr(locks, "msvcrt", None)
    with locked(tmp_path / ".made.lock", tmp_path) as alone:
        assert not alone
    assert list(tmp_path.iterdir()) == []
