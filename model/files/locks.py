"""Locks between processes: a place that one run at a time may write to, work that is done once.

The system holds the lock, so it ends with the run, however that ends.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

from burgrave.model.errors import QuestionError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # locks ask whether it is there
try:
    import msvcrt
except ImportError:  # every other system
    msvcrt = None  # type: ignore[assignment]  # likewise

_LOOK_SECONDS = 0.05
"""Time between two attempts to lock a file while another process holds it."""
_TAKEN = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
"""The reason for a refused lock, if another run holds it."""


@contextmanager
def locked(lock: Path, place: Path) -> Iterator[bool]:
    """Keep other runs of this program from writing to a place.

    Args:
        lock: a file for the lock alone, which is made, and removed in the end. If its folder is
            made too, it is removed if nothing else is in it then.
        place: the file written to, for errors.

    Yields:
        Whether others are kept out; not all systems and file systems have locks.

    Raises:
        QuestionError: another run writes there.

    """
    new = not lock.parent.exists()
    with suppress(OSError):  # the writer reports why the file cannot be made
        lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor, state = _opened(lock)
    if state is _State.TAKEN:
        raise QuestionError(
            f"{place}: another run is writing puzzles there; wait for its end, or give another"
            " place"
        )
    try:
        yield state is _State.HELD
    finally:
        if descriptor is not None:
            _remove(lock, descriptor)
        if new:
            with suppress(OSError):
                lock.parent.rmdir()


@contextmanager
def in_turn(lock: Path) -> Iterator[None]:
    """Wait until no other process is in a block with this lock, then run the block.

    Without a folder for the lock, or without locks of the system, nobody waits.

    Args:
        lock: a file for the lock alone, which is made, and removed in the end.

    """
    descriptor, state = _opened(lock)
    while state is _State.TAKEN:
        time.sleep(_LOOK_SECONDS)
        descriptor, state = _opened(lock)
    try:
        yield
    finally:
        if descriptor is not None:
            _remove(lock, descriptor)


class _State(Enum):
    """The outcome of an attempt to lock."""

    HELD = "held"
    TAKEN = "taken"
    """Another run holds it."""
    NONE = "none"
    """It cannot be had here."""


def _opened(path: Path) -> tuple[int | None, _State]:
    """Open and lock a file.

    Returns:
        Its descriptor, unless it could not be opened or another run holds the lock; and what
        became of the lock.

    """
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:
            return None, _State.NONE
        try:
            _lock(descriptor)
        except OSError as error:
            if error.errno in _TAKEN:
                os.close(descriptor)
                return None, _State.TAKEN
            return descriptor, _State.NONE
        if fcntl is None:
            return descriptor, _State.NONE if msvcrt is None else _State.HELD
        # The run that held it may have removed the file between opening and locking.
        if _same(descriptor, path):
            return descriptor, _State.HELD
        os.close(descriptor)


def _remove(path: Path, descriptor: int) -> None:
    """Remove a locked file, and with it the lock."""
    with suppress(OSError):
        if fcntl is not None:
            # While it is locked, so that no other process locks a file that then disappears.
            path.unlink(missing_ok=True)
    os.close(descriptor)
    with suppress(OSError):
        if fcntl is None:
            # Windows removes no file that is open; if the next run has it open, it stays.
            path.unlink(missing_ok=True)


def _lock(descriptor: int) -> None:
    """Lock an open file for this process, if the system has locks.

    Raises:
        OSError: another process holds the lock, or the file system has none.

    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif msvcrt is not None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)


def _same(descriptor: int, path: Path) -> bool:
    """Tell whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
