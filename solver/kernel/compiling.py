"""Compile kernel functions with numba and keep the machine code on disk.

numba checks only a function's own file when it looks for cached code, though the code holds
everything that the function calls. The cache folder is therefore named after a digest of all
kernel sources: a change in any of them starts an empty folder, and stale code is never found.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., object])


@cache
def cache_folder() -> Path:
    """Return the folder for compiled code, created if possible.

    Returns:
        ``$BURGRAVE_CACHE`` or the user's cache folder, followed by the digest of the kernel
        sources and the versions of Python and numba; a folder below the system's temporary
        folder where that one cannot be written.

    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    version = f"{sys.version_info.major}.{sys.version_info.minor}-{numba.__version__}"
    name = f"kernel-{version}-{digest.hexdigest()[:16]}"
    for parent in (_user_cache(), Path(tempfile.gettempdir()) / f"burgrave-{_user()}"):
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="burgrave-"))


def is_compiled(what: str) -> bool:
    """Tell whether machine code of something is in the cache folder; see ``note_compiled``."""
    return (cache_folder() / f"{what}.compiled").exists()


def note_compiled(what: str) -> None:
    """Note that machine code of something is in the cache folder now."""
    if not is_compiled(what):
        (cache_folder() / f"{what}.compiled").touch()


def _user() -> str:
    """Return a name that keeps users of one machine apart."""
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


def compiled(function: F) -> F:
    """Compile a function of the kernel at its first call, without Python objects and the GIL.

    With ``NUMBA_DISABLE_JIT=1`` the function stays plain Python, for debugging and coverage.

    Args:
        function: takes and returns numbers, arrays and records only.

    """
    return _jit(function, from_python=True)


def inlined(function: F) -> F:
    """Make a function a part of each compiled function that calls it; it is never compiled alone.

    Args:
        function: as for ``compiled``, called by compiled functions alone.

    """
    jit: Any = numba.njit(inline="always", error_model="numpy")
    return cast("F", jit(function))


def inner(function: F) -> F:
    """Compile a function that compiled functions alone call; it takes less time to compile.

    Args:
        function: as for ``compiled``.

    """
    return _jit(function, from_python=False)


def _jit(function: F, *, from_python: bool) -> F:
    """Compile a function, with its code kept in the cache folder.

    The kernel makes no arrays, so that nothing counts references: counting took half of the time.
    """
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        njit: Any = numba.njit  # its types leave options out
        jit = njit(
            cache=True,
            nogil=True,
            error_model="numpy",
            _nrt=False,
            no_cfunc_wrapper=True,
            no_cpython_wrapper=not from_python,
        )
        made = jit(function)
        if made is not function:
            _compile_once(made)
        return cast("F", made)
    finally:
        settings.CACHE_DIR = before


def _compile_once(dispatcher: Any) -> None:
    """Let a compiled function take numbers as numbers when compiled code calls it with constants.

    numba would compile it anew for each constant that it is called with.
    """
    template = dispatcher.get_call_template
    unliteral: Any = numba.types.unliteral

    def of_numbers(args: Any, kws: Any) -> Any:
        plain = tuple(unliteral(arg) for arg in args)
        return template(plain, {name: unliteral(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = of_numbers
