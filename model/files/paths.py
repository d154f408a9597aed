"""Files on the disk: what lies at a path, whole texts read, whole files written at once."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from enum import Enum
from importlib import resources
from pathlib import Path

from burgrave.model.errors import FileError

HOME = Path(str(resources.files("burgrave"))).parent
"""The folder from which the program is imported, installed or not."""
ROOMS = Path(__file__).parents[2]
"""The folder that holds ``model`` and the packages above it."""
MOST_BYTES = 4_000_000
"""The largest file that is read; the longest record of a game has some 10,000 bytes."""
MANY_BYTES = 100 * MOST_BYTES
"""The largest file of puzzles, each a line."""


class PathKind(Enum):
    """The kind of thing at a path."""

    NOTHING = "nothing"
    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A device, a pipe and so on."""


def path_kind(path: Path) -> PathKind:
    """Return the kind of thing at a path.

    Raises:
        FileError: the name is too long or holds a NUL, or the folder may not be read.

    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return PathKind.NOTHING
    except (OSError, ValueError) as error:
        raise FileError(str(path), [f"cannot be looked for: {reason(error)}"]) from error
    if stat.S_ISDIR(mode):
        return PathKind.FOLDER
    return PathKind.FILE if stat.S_ISREG(mode) else PathKind.OTHER


def reason(error: Exception) -> str:
    """Return the system's reason for refusing a path, in its own words."""
    # A NUL in a name is a ValueError, and has no words of the system.
    return getattr(error, "strerror", None) or str(error)


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file.

    Args:
        path: the file.
        most: bytes that it may have.

    Raises:
        FileError: it is not there, cannot be read, is too large or is not UTF-8.

    """
    try:
        with path.open("rb") as file:
            # One byte more than allowed: a device has no size that could be asked for.
            data = file.read(most + 1)
        if len(data) > most:
            raise FileError(str(path), [f"larger than {most} bytes: not a file of this kind"])
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(str(path), [f"byte {error.start} is not UTF-8 text"]) from error
    except (OSError, ValueError) as error:
        raise FileError(str(path), [f"cannot be read: {reason(error)}"]) from error


def probe(folder: Path) -> None:
    """Refuse a folder in which no file can be made; nothing is left there.

    Raises:
        FileError: it is not there, is no folder, or may not be written to.

    """
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        raise FileError(str(folder), [f"no file can be made there: {reason(error)}"]) from error


def write_whole(path: Path, content: str | bytes | Iterable[bytes]) -> None:
    """Write a file so that no reader ever sees half of it.

    Args:
        path: the file.
        content: its content, or the parts of it, which need not fit into memory at once.

    Raises:
        FileError: it cannot be written; what was there before is untouched.

    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                content = content.encode() if isinstance(content, str) else content
                file.writelines([content] if isinstance(content, bytes) else content)
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:  # Ctrl-C too
            Path(temporary).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise FileError(str(path), [f"cannot be written: {reason(error)}"]) from error


def _umask() -> int:
    """Return the process's umask, so that a replaced file gets ordinary rights."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
