"""Compile a kernel function and its callees as one piece, optimised once.

Plain numba optimises and loads every function alone, then links it again into each caller. This
takes half of its time. Here a function is a *part*: code before optimisation. A *whole* is the
entry for Python: a wrapper linked with each part that it needs. The disk holds only wholes.

A part runs only the passes that the kernel's Python needs: no variable holds a reference, so none
is deleted when it is no longer used. A cache holds the types that numba found
for operators. Parts may be mutually recursive: the annotation gives a function's result type
before numba infers it.

``pipeline_class`` and passes are public interfaces of numba. Code libraries, the typing context and
function descriptors are internal. If one of these is missing or different,
``solver.kernel.compiling`` compiles with plain numba, and the answers are the same.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numba
from llvmlite import binding as llvm  # type: ignore[import-untyped]
from numba.core import compiler, funcdesc, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.imputils import lower_cast
from numba.core.typed_passes import (
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing.context import Context
from numba.core.typing.templates import make_concrete_template, signature
from numba.core.untyped_passes import FixupArgs, ReconstructSSA, TranslateByteCode
from numba.np import arrayobj

if numba.version_info.short != (0, 68):
    # Add a version once ``tests/solver/kernel/test_compiling.py`` passes with it.
    raise ImportError(f"numba {numba.__version__} is not tested with this version of Burgrave")


@lower_cast(types.NestedArray, types.Array)
def _plain_array(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """Convert an array of a record to any array: numba holds both alike."""
    return value


def _wide(one: Any) -> Any:
    """Return the argument type that stands for a type, so that few versions are compiled.

    It is a plain number for constants and numbers of fewer bits, any array for one of a record.
    """
    if isinstance(one, types.Integer):
        return types.int64
    if isinstance(one, types.UniTuple | types.Tuple):
        return types.Tuple([_wide(part) for part in one.types])
    if isinstance(one, types.NestedArray):
        return types.Array(one.dtype, one.ndim, one.layout)
    return types.unliteral(one)


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Return an index as it is: none in the kernel counts from the end."""
    return context.cast(builder, index, kind, types.intp)


RETURNED = {"int": types.int64, "bool": types.boolean, "float": types.float64, "None": types.none}
"""Annotation of a result → its numba type."""


class _Part(JITCodeLibrary):
    """The unlinked code of one function.

    The passes on single functions run here once, not in each whole. The code is not loaded.
    """

    def finalize(self) -> None:
        """Mark the code as ready to link, without numba's optimisation."""
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        """Run the cheapest passes on the functions that a module defines."""
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001
        for one in ll_module.functions:
            if not one.is_declaration:
                builder = self._codegen._pass_builder(opt=1)  # noqa: SLF001
                builder.getFunctionPassManager().run(one, builder)


class _Whole(_Part):
    """The wrapper of one function and all its callees, as machine code."""

    def finalize(self) -> None:
        """Link the parts, make them private so that LLVM drops unused ones, and optimise."""
        module = self._final_module
        self._entries = [one.name for one in module.functions if not one.is_declaration]
        parts: dict[Any, None] = {}
        self._collect(self, parts)
        for part in parts:
            module.link_in(part._get_module_for_linking(), preserve=True)  # noqa: SLF001
        for one in module.functions:
            if not one.is_declaration and one.name not in self._entries:
                one.linkage = "internal"
        # Loops over tables are short, so that vectors save no time. Level 2 saves 0 to 3 % of a
        # search and adds a tenth to the compilation.
        passes, builder = self._codegen._module_pass_manager(  # noqa: SLF001
            loop_vectorize=False, slp_vectorize=False, opt=1
        )
        passes.run(module, builder)
        module.verify()
        self._finalize_final_module()

    def _collect(self, library: Any, found: dict[Any, None]) -> None:
        """Add the libraries that a library needs, directly or not, to ``found``."""
        for one in library._linking_libraries:  # noqa: SLF001
            if one not in found:
                found[one] = None
                self._collect(one, found)

    def _get_module_for_linking(self) -> Any:
        """Return the module stored beside the machine code; it holds only the wrappers' names.

        No code is linked with a whole, so that a second copy of its code is unnecessary.
        """
        names = "".join(f'define void @"{one}"() {{ unreachable }}\n' for one in self._entries)
        return llvm.parse_assembly(names)


class _Types(Context):
    """numba's typing context with a cache for the types of operators and builtin functions.

    These types depend only on the argument types, not on the values of constants.
    """

    known: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Context) -> None:
        """Share the contents of a context."""
        self.__dict__ = context.__dict__

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        if kws or (isinstance(func, types.Type) and not isinstance(func, types.Function)):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(types.unliteral(one) for one in args)
        if key not in self.known:
            self.known[key] = super().resolve_function_type(func, key[1], kws)
        return self.known[key]


def _passes(*steps: Any) -> list[PassManager]:
    """Return the only pipeline of a compiler."""
    made = PassManager("kernel")
    for step in steps:
        made.add_pass(step, "")
    made.finalize()
    return [made]


class Inner:
    """A function for calls from compiled code; it replaces numba's dispatcher."""

    is_compiling = False
    """Switches off numba's search for recursion; ``_Forward`` handles it."""
    of: ClassVar[dict[Callable[..., Any], Inner]] = {}
    """Python function → its ``Inner``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Store the function; the first call from compiled code compiles it."""
        self.begin(function)
        dispatcher: Any = types.Dispatcher
        self._numba_type_ = dispatcher(self)
        self.of[function] = self

    def begin(self, function: Callable[..., Any]) -> None:
        """Begin without any compiled version."""
        njit: Any = numba.njit  # its types leave options out
        self.dispatcher = njit(
            nogil=True,
            error_model="numpy",
            _nrt=False,
            no_cfunc_wrapper=True,
            no_cpython_wrapper=True,
            pipeline_class=_PartCompiler,
        )(function)
        self._templates: dict[Any, Any] = {}
        self._forward: dict[Any, tuple[Any, Any]] = {}
        self._circle: set[Any] = set()

    @classmethod
    def forget(cls) -> None:
        """Forget all parts after a compilation that did not end.

        Parts of a circle call each other by names that only a whole compilation defines. An
        announced function would look compiled, and the next whole would call nothing.
        """
        for function, one in cls.of.items():
            one.begin(function)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return numba's template of a call, which converts the arguments; see ``_wide``."""
        args = tuple(_wide(one) for one in args)
        if args in self._templates:
            return self._templates[args]
        if args in self._forward and args not in self.dispatcher.overloads:
            self._circle.add(args)
            return self._forward[args][0]
        found = self.dispatcher.get_call_template(args, kws)
        if args in self._circle:
            self._check(args)
        self._templates[args] = found
        return found

    def get_overload(self, args: Any) -> Any:
        """Return numba's key of the compiled function."""
        if args in self.dispatcher.overloads:
            return self.dispatcher.overloads[args].entry_point
        return self._forward[args][1]

    def __call__(self, *args: Any) -> Any:
        """Run the function as plain Python."""
        return self.dispatcher.py_func(*args)

    @property
    def signatures(self) -> Any:
        """The argument types of the compiled versions."""
        return self.dispatcher.signatures

    @property
    def nopython_signatures(self) -> Any:
        """The signatures with result types, for numba's messages."""
        return self.dispatcher.nopython_signatures

    def announce(self, args: Any, returned: Any, key: Any) -> None:
        """Register a function's signature before its compilation, for mutual recursion."""
        function = self.dispatcher.py_func
        template = make_concrete_template(
            function.__name__, function.__name__, [signature(returned, *args)]
        )
        self._forward[args] = (template, self.dispatcher._compiler.pysig, args, {}), key  # noqa: SLF001

    def _check(self, args: Any) -> None:
        """Check that a function's result type is the type of its annotation."""
        said = self._forward[args][0][0].cases[0].return_type
        found = self.dispatcher.overloads[args].signature.return_type
        if found != said:
            name = self.dispatcher.py_func.__qualname__
            raise TypeError(f"{name} is called as returning {said} but returns {found}")


class _Step(AnalysisPass):
    """A pass of the kernel's own."""

    def __init__(self) -> None:
        """Make the pass."""
        super().__init__()


@register_pass(mutates_CFG=False, analysis_only=True)
class _Forward(_Step):
    """Announce the function, so that its callees may call it."""

    _name = "kernel_forward"

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        function = state.func_id.func
        returned = RETURNED.get(function.__annotations__.get("return"))
        if returned is None:
            return False
        names = (f"arg.{name}" for name in state.func_id.arg_names)
        described = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            dict(zip(names, state.args, strict=True)),
            returned,
            {},
            mangler=state.targetctx.mangler,
            inline=state.flags.forceinline,
            noalias=state.flags.noalias,
            abi_tags=[state.flags.get_mangle_string()],
        )
        key = _key()
        state.targetctx.insert_user_function(key, described, [])
        Inner.of[function].announce(tuple(state.args), returned, key)
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _Keep(_Step):
    """Make the function callable by other parts before it has an address."""

    _name = "kernel_keep"

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        key = _key()
        state.targetctx.insert_user_function(key, state["cr"].fndesc, [state.library])
        state["cr"] = state["cr"]._replace(cfunc=key)
        return True


def _key() -> Any:
    """Return a fresh builtin function: numba needs a different key for each compiled function."""
    made: list[None] = []
    return made.append


class _PartCompiler(compiler.CompilerBase):
    """Compile a function to a part."""

    def define_pipelines(self) -> Any:
        """Return the only pipeline."""
        state = self.state
        state.typingctx = _Types(state.typingctx)
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        return _passes(
            TranslateByteCode,
            FixupArgs,
            _Forward,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            NativeLowering,
            _Keep,
            NoPythonBackend,
        )


@register_pass(mutates_CFG=False, analysis_only=True)
class _Wrap(_Step):
    """Make the function's part and its linked wrapper for Python."""

    _name = "kernel_wrap"

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        dispatcher = Inner.of[state.func_id.func].dispatcher
        args = tuple(state.args)
        with _set_for_kernel():
            try:
                dispatcher.compile(args)
            except BaseException:  # Ctrl-C, for one
                Inner.forget()
                raise
        part, context, library = dispatcher.overloads[args], state.targetctx, state.library
        library.add_linking_library(part.library)
        context.create_cpython_wrapper(
            library, part.fndesc, part.environment, part.call_helper, release_gil=True
        )
        made = context.get_executable(library, part.fndesc, part.environment)
        state.return_type = part.signature.return_type
        state["cr"] = compiler._LowerResult(  # noqa: SLF001
            part.fndesc, part.call_helper, made, part.environment
        )
        return True


@contextmanager
def _set_for_kernel() -> Iterator[None]:
    """Take indices as they are, and pause garbage collection, an eighth of the time."""
    collecting, before = gc.isenabled(), arrayobj.fix_integer_index
    gc.disable()
    arrayobj.fix_integer_index = _index
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before
        if collecting:
            gc.enable()


class WholeCompiler(compiler.CompilerBase):
    """Compile an ``Inner`` function to a whole."""

    def define_pipelines(self) -> Any:
        """Return the only pipeline."""
        state = self.state
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return _passes(_Wrap, NoPythonBackend)
