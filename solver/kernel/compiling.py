"""Compile kernel functions with numba and keep the machine code on disk.

numba checks only a function's own file when it looks for cached code, though the code holds
everything that the function calls. The cache folder is therefore named after a digest of all
kernel sources: a change in any of them starts an empty folder, and stale code is never found.

``solver.kernel.linking`` halves the time with hooks into numba. With a version of numba that it is
not tried with, or with ``BURGRAVE_PLAIN_NUMBA=1``, numba compiles by itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeVar, cast

import numba
from numba.core import config

PLAIN_PYTHON = bool(cast("Any", config).DISABLE_JIT)
"""Whether nothing is compiled."""
linking: ModuleType | None = None
if not os.environ.get("BURGRAVE_PLAIN_NUMBA"):
    with suppress(ImportError, AttributeError):
        linking = import_module("solver.kernel.linking")

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
    name = f"kernel-{version}{'' if linking else '-plain'}-{digest.hexdigest()[:16]}"
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
    if linking is None or PLAIN_PYTHON:
        return _jit(function, no_cpython_wrapper=False)
    made: Any = _jit(function, pipeline_class=linking.WholeCompiler)
    part = linking.Inner(function)
    made.get_call_template, made.get_overload = part.get_call_template, part.get_overload
    return cast("F", made)


def inner(function: F) -> F:
    """Compile a function that compiled functions alone call; it is no part of the cache.

    Args:
        function: as for ``compiled``.

    """
    if linking is None or PLAIN_PYTHON:
        return _jit(function, no_cpython_wrapper=True)
    return cast("F", linking.Inner(function))


def inlined(function: F) -> F:
    """Compile a function of a circle of functions: all of it but the one that calls itself.

    numba by itself cannot keep a circle's machine code; it makes this function a part of each
    function that calls it.

    Args:
        function: as for ``compiled``, called by compiled functions alone.

    """
    if linking is None or PLAIN_PYTHON:
        jit: Any = numba.njit(inline="always", error_model="numpy")
        return cast("F", jit(function))
    return inner(function)


def by_type(choose: Callable[[Any], Any]) -> Callable[[F], F]:
    """Let compiled code call, in place of a function, one that the type of an argument decides.

    Args:
        choose: gets the type of the first argument; returns the module that has a compiled
            function of the same name.

    """

    def bound(function: F) -> F:
        if not PLAIN_PYTHON:
            # numba takes what has this attribute for a value of that type.
            function._numba_type_ = _Typed(function.__name__, choose).type  # type: ignore[attr-defined]
        return function

    return bound


class _Typed:
    """What numba calls in place of a function of ``by_type``: see its dispatchers."""

    is_compiling = False
    made: ClassVar[list[_Typed]] = []
    """All of them: numba refers to them weakly."""

    def __init__(self, name: str, choose: Callable[[Any], Any]) -> None:
        """Choose among functions of a name."""
        self._name, self._choose = name, choose
        dispatcher: Any = numba.types.Dispatcher
        self.type = dispatcher(self)
        self.made.append(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the template of a call of the chosen function."""
        return getattr(self._choose(args[0]), self._name).get_call_template(args, kws)

    def get_overload(self, args: Any) -> Any:
        """Return the chosen function as numba knows it, compiled for types of arguments."""
        return getattr(self._choose(args[0]), self._name).get_overload(args)


def _jit(function: F, **options: Any) -> F:
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
            **options,
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
