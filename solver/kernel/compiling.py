"""Compile kernel functions with numba and keep the machine code on disk.

numba's cache checks only a function's own file, but the machine code contains every called
function. The name of the cache folder is therefore a digest of all kernel sources. A change in any
of them starts an empty folder, so that stale code is never loaded.

``solver.kernel.linking`` halves the time with hooks into numba. Untested versions of numba, and
``BURGRAVE_PLAIN_NUMBA=1``, compile without these hooks.
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
"""Whether the kernel runs as plain Python."""
linking: ModuleType | None = None
if not os.environ.get("BURGRAVE_PLAIN_NUMBA"):
    with suppress(ImportError, AttributeError):
        linking = import_module("solver.kernel.linking")

F = TypeVar("F", bound=Callable[..., object])


@cache
def cache_folder() -> Path:
    """Return the folder for compiled code, created if possible.

    Returns:
        A folder in ``$BURGRAVE_CACHE`` or the user's cache folder. Its name holds the digest of the
        kernel sources and the versions of Python and numba. If it is not writable, a folder in the
        system's temporary folder.

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
    """Tell whether the cache folder holds machine code of ``what``; see ``note_compiled``."""
    return (cache_folder() / f"{what}.compiled").exists()


def note_compiled(what: str) -> None:
    """Record that the cache folder holds machine code of ``what``."""
    if not is_compiled(what):
        (cache_folder() / f"{what}.compiled").touch()


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
    """Compile a function for calls from compiled code; Python runs it as plain Python."""
    if PLAIN_PYTHON:
        return function
    if linking is not None:
        return cast("F", linking.Inner(function))
    # A call from Python without numba's wrapper is a segmentation fault, so that Python keeps the
    # plain function. The two methods are for ``by_type``, and keep ``made``: types do not.
    made: Any = _jit(function, no_cpython_wrapper=True)
    plain: Any = function
    plain._numba_type_ = made._numba_type_
    plain.get_call_template, plain.get_overload = made.get_call_template, made.get_overload
    return function


def inlined(function: F) -> F:
    """Compile a mutually recursive function, so that its callers inline it.

    numba cannot cache machine code of mutual recursion. One function of the circle stays a
    function; all others are inlined. Only compiled functions call it.
    """
    if linking is None or PLAIN_PYTHON:
        jit: Any = numba.njit(inline="always", error_model="numpy")
        return cast("F", jit(function))
    return inner(function)


def by_type(choose: Callable[[Any], Any]) -> Callable[[F], F]:
    """Dispatch calls of a function in compiled code by the type of its first argument.

    Args:
        choose: takes the type of the first argument; returns an object with the compiled function
            of the same name.

    """

    def bound(function: F) -> F:
        if not PLAIN_PYTHON:
            # numba treats an object with this attribute as a value of that type.
            function._numba_type_ = _Typed(function.__name__, choose).type  # type: ignore[attr-defined]
        return function

    return bound


class _Typed:
    """The object that numba calls for a function of ``by_type``, like one of its dispatchers."""

    is_compiling = False
    made: ClassVar[list[_Typed]] = []
    """All objects of this class: numba holds only weak references."""

    def __init__(self, name: str, choose: Callable[[Any], Any]) -> None:
        """Store the name of the functions and the rule of choice."""
        self._name, self._choose = name, choose
        dispatcher: Any = numba.types.Dispatcher
        self.type = dispatcher(self)
        self.made.append(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the template of a call of the chosen function."""
        return getattr(self._choose(args[0]), self._name).get_call_template(args, kws)

    def get_overload(self, args: Any) -> Any:
        """Return numba's entry of the chosen function, compiled for the argument types."""
        return getattr(self._choose(args[0]), self._name).get_overload(args)


def _jit(function: F, **options: Any) -> F:
    """Compile a function and cache its code.

    The kernel allocates no arrays, so that reference counting is off: it took half of the time.
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
            cache: Any = made._cache  # noqa: SLF001 -- numba has no setting for it
            cache._cache_file = _Versions(cache._cache_file)  # noqa: SLF001
        return cast("F", made)
    finally:
        settings.CACHE_DIR = before


def _compile_once(dispatcher: Any) -> None:
    """Make numba treat constant arguments of a compiled function as plain numbers.

    Otherwise numba compiles the function again for each constant.
    """
    template = dispatcher.get_call_template
    unliteral: Any = numba.types.unliteral

    def of_numbers(args: Any, kws: Any) -> Any:
        plain = tuple(unliteral(arg) for arg in args)
        return template(plain, {name: unliteral(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = of_numbers


class _Versions:
    """The files of a function in the cache, which are others for each version of it.

    numba has one index of all versions. If two processes compile for different games at once, one
    of them may leave its machine code under the types of the other.
    """

    def __init__(self, shared: Any) -> None:
        """Remember numba's files of the function."""
        self._shared = shared

    def load(self, key: Any) -> Any:
        """Return the machine code of a version; None if there is none."""
        return self._of(key).load(key)

    def save(self, key: Any, data: Any) -> None:
        """Keep the machine code of a version."""
        self._of(key).save(key, data)

    def _of(self, key: Any) -> Any:
        """Return the files of the version with a key."""
        shared = self._shared
        base = shared._index_name.removesuffix(".nbi")  # noqa: SLF001
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return type(shared)(
            cache_path=shared._cache_path,  # noqa: SLF001
            filename_base=f"{base}-{digest}",
            source_stamp=shared._source_stamp,  # noqa: SLF001
        )
