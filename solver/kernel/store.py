"""Machine code on the disk: a private folder, digests, one compilation for several processes.

Code from the disk is run, so that nobody but the user may have written it. A file that is damaged,
or that another user owns, is thrown away and compiled anew. Where nothing can be kept the answer
comes all the same, and the next run compiles again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from burgrave.model.errors import FileError
from burgrave.model.files.paths import reason, write_whole

LOGGER = logging.getLogger("burgrave")
"""Tells what happens with compiled code. Without handlers Python writes it on standard error."""
_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size
"""Bytes of the digest that begins each file."""


@cache
def cache_folder(key: str) -> Path:
    """Return the folder for compiled code, created if possible.

    It lies in ``$BURGRAVE_CACHE``, in the user's cache folder, or in the system's temporary folder,
    the first of these that the user can have for himself. If there is none, it is a fresh folder.

    Args:
        key: a name for what the code depends on: sources, versions.

    """
    for parent in (_user_cache(), Path(tempfile.gettempdir()) / f"burgrave-{_user()}"):
        with suppress(OSError):
            return _private(parent / key)
    try:
        return Path(tempfile.mkdtemp(prefix="burgrave-"))
    except OSError as error:
        LOGGER.warning("compiled code cannot be kept: %s", reason(error))
        return _user_cache() / key


def _private(folder: Path) -> Path:
    """Return a folder that belongs to the user and is closed to others; make it if there is none.

    The folders above it stay as they are: who may write there can take it away, not fill it.

    Raises:
        OSError: there is none, it belongs to another user, or it may not be written to.

    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "geteuid"):
        about = folder.stat()
        if about.st_uid != os.geteuid():
            LOGGER.warning("%s belongs to another user: compiled code is kept elsewhere", folder)
            raise PermissionError
        if stat.S_IMODE(about.st_mode) & 0o022:
            folder.chmod(0o700)
    if not os.access(folder, os.W_OK):
        raise PermissionError
    return folder


def _user() -> str:
    """Return a name that differs between users of one machine."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _user_cache() -> Path:
    """Return the user's cache folder for this program."""
    named = os.environ.get("BURGRAVE_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "burgrave"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "burgrave"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "burgrave"


def digest_of(parts: Iterable[bytes]) -> str:
    """Return the start of a digest as hexadecimal digits, for names."""
    digest = _DIGEST()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]


def read_code(path: Path) -> bytes | None:
    """Return the content that ``keep_code`` wrote; None if there is none, or none to be trusted."""
    try:
        with path.open("rb") as file:
            if hasattr(os, "geteuid") and os.fstat(file.fileno()).st_uid != os.geteuid():
                _throw_away(path, "belongs to another user")
                return None
            kept = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        _throw_away(path, f"cannot be read ({reason(error)})")
        return None
    content = kept[_SIZE:]
    if _DIGEST(content).digest() != kept[:_SIZE]:
        _throw_away(path, "is damaged")
        return None
    return content


def _throw_away(path: Path, fault: str) -> None:
    """Remove a file and tell why."""
    LOGGER.warning("the compiled code in %s %s: compiling it again", path, fault)
    with suppress(OSError):
        path.unlink()


def keep_code(path: Path, content: bytes) -> None:
    """Write a content with its digest; if that is impossible, tell it once."""
    try:
        write_whole(path, _DIGEST(content).digest() + content)
    except FileError as error:
        _tell_unkept(str(error))


@cache
def _tell_unkept(fault: str) -> None:
    """Tell why compiled code is not kept, once for each reason."""
    LOGGER.warning("compiled code is not kept, so the next run compiles again: %s", fault)
