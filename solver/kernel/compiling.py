"""Compile kernel functions with numba and keep the machine code on disk.

numba's own cache checks only a function's own file, but the machine code contains every called
function. Here the name of the cache folder is a digest of all kernel sources. A change in any of
them starts an empty folder, so that stale code is never loaded. ``solver.kernel.store`` guards the
files.

``solver.kernel.linking`` halves the time with hooks into numba. Untested versions of numba, and
``BURGRAVE_PLAIN_NUMBA=1``, compile without these hooks.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import EnumType
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeVar, cast

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from burgrave.model.files.locks import in_turn
from burgrave.model.registry import BASES, flags
from burgrave.solver.kernel import store
from burgrave.solver.kernel.store import LOGGER, digest_of, keep_code, read_code
from burgrave.solver.limits import standing

PLAIN_PYTHON = bool(cast("Any", config).DISABLE_JIT)
"""Whether the kernel runs as plain Python."""
linking: ModuleType | None = None
if not os.environ.get("BURGRAVE_PLAIN_NUMBA"):
    try:
        linking = import_module("burgrave.solver.kernel.linking")
    except (ImportError, AttributeError) as error:
        LOGGER.warning("%s: compiling takes three to four times as long", error)

IMPORTED = re.compile(rb"^from (burgrave\.model[\w.]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)
"""An import from the model: the module, and its names in parentheses or without."""
NAME = re.compile(rb"\w+")

F = TypeVar("F", bound=Callable[..., object])


@cache
def cache_folder() -> Path:
    """Return the folder for compiled code; see ``solver.kernel.store``.

    Its name holds the versions of Python and numba, and a digest of the kernel sources, of the
    other versions and of the flags of expansions and constants of rules, on which machine code
    depends.
    """
    sources = [source.read_bytes() for source in sorted(Path(__file__).parent.glob("*.py"))]
    versions = repr((np.__version__, llvmlite.__version__, sys.implementation.cache_tag))
    versions += repr([[*flags(base)] for base in BASES])
    digest = digest_of((versions.encode(), *constants(sources), *sources))
    version = f"{sys.version_info.major}.{sys.version_info.minor}-{numba.__version__}"
    return store.cache_folder(f"kernel-{version}{'' if linking else '-plain'}-{digest}")


def constants(sources: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the constants of the model that sources import, which machine code holds as numbers.

    Args:
        sources: the texts of modules.

    Yields:
        The name and value of each number, of each text, and of each enumeration its members.

    """
    for module, several, alone in IMPORTED.findall(b"\n".join(sources)):
        names = NAME.findall(several or alone)
        held = vars(import_module(module.decode()))
        for name in names:
            value = held.get(name.decode())
            if isinstance(value, EnumType):
                value = tuple(value)
            if isinstance(value, int | float | str | tuple):
                yield name + b" = " + repr(value).encode()


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
    """Compile a function and keep its code.

    The kernel allocates no arrays, so that reference counting is off: it took half of the time.
    """
    njit: Any = numba.njit  # its types leave options out
    jit = njit(nogil=True, error_model="numpy", _nrt=False, no_cfunc_wrapper=True, **options)
    made = jit(function)
    if made is not function:
        _compile_once(made)
        _keep(made)
    return cast("F", made)


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


def _keep(dispatcher: Any) -> None:
    """Let a compiled function look for its code on the disk first, and keep what is compiled.

    The clocks of questions stand meanwhile.
    """
    kept, make = _Kept(dispatcher.py_func), dispatcher.compile
    dispatcher._cache = kept  # noqa: SLF001 -- numba has no setting for it

    def compile_or_load(sig: Any) -> Any:
        with standing(), kept.at_work():
            return make(sig)

    dispatcher.compile = compile_or_load


class _Kept(NullCache):
    """The code of a function on the disk: a file for each version of it, which numba asks for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Remember the function."""
        self._function = function
        self._locks = ExitStack()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Give back the lock of a compilation at the end of the block, however that ends."""
        with ExitStack() as self._locks:
            yield

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a version, or None if it must be compiled.

        While another process compiles it this one waits.
        """
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        content = read_code(path)
        if content is None:
            _tell_compiling()
            self._locks.enter_context(in_turn(path.with_suffix(".lock")))
            content = read_code(path)
        if content is None:
            return None
        kept = pickle.loads(content)  # noqa: S301 -- ``read_code`` says who wrote it
        rebuild: Any = CompileResult._rebuild  # noqa: SLF001 -- as numba's own cache does
        return rebuild(target_context, *kept)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code of a version."""
        dump: Any = dumps
        keep_code(self._path(sig, data.codegen), dump(data._reduce()))  # noqa: SLF001

    def _path(self, sig: Any, codegen: Any) -> Path:
        """Return the file of a version: for argument types, a processor and a source."""
        source = Path(self._function.__code__.co_filename)
        version = repr((sig, codegen.magic_tuple(), _digest_of_file(source)))
        name = f"{source.stem}.{self._function.__qualname__}".replace("<locals>", "")
        return cache_folder() / f"{name}-{digest_of([version.encode()])}.code"


@cache
def _digest_of_file(path: Path) -> str:
    """Return the digest of a source; functions of tests and benchmarks are not in the kernel."""
    return digest_of([path.read_bytes()])


@cache
def _tell_compiling() -> None:
    """Tell once that code is compiled, and how long it takes."""
    LOGGER.warning(
        "compiling code for this machine, once: about half a minute"
        " (burgrave warm compiles everything beforehand)"
    )
