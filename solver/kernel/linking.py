"""Compile a kernel function with all that it calls as one piece, optimised once.

numba by itself optimises and loads every function alone, then links it again into each caller:
half of its time. Here a function is a *part*, code that is not yet optimised. A *whole* is what
Python calls: a wrapper linked with each part that it needs. Only wholes reach the disk.

A part runs the passes that the kernel's Python needs, and no others. Types that numba found for an
operator are remembered. Parts may call each other in a circle: the annotation of a function says
what it returns before numba has found it out.

``pipeline_class`` and passes are numba's public way to do this. Libraries of code, the typing
context and function descriptors are not: where one of them is missing or different,
``solver.kernel.compiling`` compiles as numba does by itself, and the answers are the same.
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
from numba.core.compiler_machinery import (
    AnalysisPass,
    LoweringPass,
    PassManager,
    _pass_registry,
    register_pass,
)
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing.context import Context
from numba.core.typing.templates import make_concrete_template, signature
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode

if numba.version_info.short != (0, 68):
    # Add a version once ``tests/solver/kernel/test_compiling.py`` passes with it.
    raise ImportError(f"linking is not tried with numba {numba.__version__}")

RETURNED = {
    "int": types.int64,
    "bool": types.boolean,
    "float": types.float64,
    "None": types.none,
}
"""The annotation of a result → its type."""


class _Part(JITCodeLibrary):
    """The code of one function, which waits to be linked.

    It has run the passes that look at one function alone: that is cheaper than to run them in
    each whole. It is not loaded.
    """

    def finalize(self) -> None:
        """Let the code be linked."""
        self._finalized = True


class _Whole(_Part):
    """The wrapper of one function with all the code that it needs, as machine code."""

    def finalize(self) -> None:
        """Link the parts, hide them from outside so that unused ones vanish, and optimise."""
        module = self._final_module
        self._entries = [one.name for one in module.functions if not one.is_declaration]
        parts: dict[Any, None] = {}
        self._collect(self, parts)
        for part in parts:
            module.link_in(part._get_module_for_linking(), preserve=True)  # noqa: SLF001
        for one in module.functions:
            if not one.is_declaration and one.name not in self._entries:
                one.linkage = "internal"
        # Loops over tables are short: vectors bring nothing, and a higher level brings nothing.
        passes, builder = self._codegen._module_pass_manager(  # noqa: SLF001
            loop_vectorize=False, slp_vectorize=False, opt=2
        )
        passes.run(module, builder)
        module.verify()
        self._finalize_final_module()

    def _collect(self, library: Any, found: dict[Any, None]) -> None:
        """Note the libraries that one needs, and those that these need."""
        for one in library._linking_libraries:  # noqa: SLF001
            if one not in found:
                found[one] = None
                self._collect(one, found)

    def _get_module_for_linking(self) -> Any:
        """Return what is kept beside the machine code: the names of the wrappers.

        Nothing is linked with a whole, so that its code need not be kept twice.
        """
        names = "".join(f'define void @"{one}"() {{ unreachable }}\n' for one in self._entries)
        return llvm.parse_assembly(names)


class _Types(Context):
    """numba's typing context, which remembers the types of operators and builtin functions.

    They depend on the types of the arguments alone, not on the values of constants.
    """

    known: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Context) -> None:
        """Share all that a context holds."""
        self.__dict__ = context.__dict__

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        if kws or (isinstance(func, types.Type) and not isinstance(func, types.Function)):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(types.unliteral(one) for one in args)
        if key not in self.known:
            self.known[key] = super().resolve_function_type(func, key[1], kws)
        return self.known[key]


class _Passes(PassManager):
    """Passes run one after the other, without numba's checks and timings between them."""

    def run(self, state: Any) -> None:
        """Run the passes."""
        for one, _ in self.passes:
            step = _pass_registry.get(one).pass_inst
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)


def _passes(*steps: Any) -> list[_Passes]:
    """Return the only pipeline of a compiler."""
    made = _Passes("kernel")
    for step in steps:
        made.add_pass(step, "")
    made.finalize()
    return [made]


class Inner:
    """A function that compiled code calls, in the place of numba's dispatcher.

    Args:
        function: takes and returns numbers, arrays and records only.

    """

    is_compiling = False
    """numba need not look for circles: see ``_Forward``."""
    of: ClassVar[dict[Callable[..., Any], Inner]] = {}
    """Python's function → this one."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Compile nothing yet."""
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
        dispatcher: Any = types.Dispatcher
        self._numba_type_ = dispatcher(self)
        self.of[function] = self

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the template of a call, as numba wants it; constants are taken as numbers."""
        args = tuple(types.unliteral(one) for one in args)
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
        """Return the key under which numba knows the compiled function."""
        if args in self.dispatcher.overloads:
            return self.dispatcher.overloads[args].entry_point
        return self._forward[args][1]

    def __call__(self, *args: Any) -> Any:
        """Run the function as plain Python."""
        return self.dispatcher.py_func(*args)

    @property
    def signatures(self) -> Any:
        """The types of arguments for which it is compiled."""
        return self.dispatcher.signatures

    @property
    def nopython_signatures(self) -> Any:
        """The same with what is returned, for numba's messages."""
        return self.dispatcher.nopython_signatures

    def announce(self, args: Any, returned: Any, key: Any) -> None:
        """Let calls be compiled before the function is, as circles of calls need."""
        function = self.dispatcher.py_func
        template = make_concrete_template(
            function.__name__, function.__name__, [signature(returned, *args)]
        )
        self._forward[args] = (template, self.dispatcher._compiler.pysig, args, {}), key  # noqa: SLF001

    def _check(self, args: Any) -> None:
        """Check that a function returns what its annotation said when it was called."""
        said = self._forward[args][0][0].cases[0].return_type
        found = self.dispatcher.overloads[args].signature.return_type
        if found != said:
            name = self.dispatcher.py_func.__qualname__
            raise TypeError(f"{name} is called as returning {said} but returns {found}")


@register_pass(mutates_CFG=False, analysis_only=True)
class _Forward(AnalysisPass):
    """Announce the function, so that a function that it calls may call it."""

    _name = "kernel_forward"

    def __init__(self) -> None:
        """Make the pass."""
        super().__init__()

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
class _Keep(LoweringPass):
    """Let other parts call the function, which has no address yet."""

    _name = "kernel_keep"

    def __init__(self) -> None:
        """Make the pass."""
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        key = _key()
        state.targetctx.insert_user_function(key, state["cr"].fndesc, [state.library])
        state["cr"] = state["cr"]._replace(cfunc=key)
        return True


def _key() -> Any:
    """Return a builtin function like no other: numba wants one for each compiled function."""
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
            IRProcessing,
            _Forward,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            NativeLowering,
            _Keep,
            NoPythonBackend,
        )


@register_pass(mutates_CFG=False, analysis_only=True)
class _Wrap(LoweringPass):
    """Make the function's part, and a wrapper for Python that is linked with it."""

    _name = "kernel_wrap"

    def __init__(self) -> None:
        """Make the pass."""
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        dispatcher = Inner.of[state.func_id.func].dispatcher
        args = tuple(state.args)
        with _uncollected():
            dispatcher.compile(args)
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
def _uncollected() -> Iterator[None]:
    """Look for no garbage: numba keeps what it makes, and looking takes an eighth of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class WholeCompiler(compiler.CompilerBase):
    """Compile a function that is an ``Inner`` to a whole."""

    def define_pipelines(self) -> Any:
        """Return the only pipeline."""
        state = self.state
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return _passes(_Wrap, NoPythonBackend)
