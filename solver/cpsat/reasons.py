"""A smallest set of rules that together leave a model without a solution.

Every rule is a literal that is assumed to hold. CP-SAT names assumptions that cannot hold
together; each is dropped in turn for good if the rest still forbid every solution, so that
no rule named could be left out. A last solve with presolve off confirms it.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.budget import OutOfTimeError, Stopwatch
from solver.certify import CertificateError
from solver.cpsat.logic import Law, Logic
from solver.cpsat.run import CpModel, Literal, core, holding, possible


def smallest(logic: Logic, watch: Stopwatch) -> tuple[Law, ...] | None:
    """Return rules that together forbid what a model asks for, or None if it is possible.

    Args:
        logic: a model made to explain, what is asked for demanded outright.
        watch: the time.

    Returns:
        The rules by id, none of which could be left out; empty if the model has no solution
        whatever the rules.

    Raises:
        OutOfTimeError: the time is used up.
        CertificateError: with presolve off the rules named do not forbid it: a bug.

    """
    laws = [logic.laws[name] for name in sorted(logic.laws)]
    literals = [literal for _, literal in laws]
    named = core(logic.model, literals, watch.left())
    if named is None:
        return None
    kept = _shrunk(logic.model, literals, named, watch)
    held = holding(logic.model, [literals[i] for i in kept])
    still = possible(held, watch.left(), presolve=False)
    if still is None:
        raise OutOfTimeError
    if still:
        raise CertificateError("the rules named forbid nothing with presolve off")
    return tuple(laws[i][0] for i in kept)


def _shrunk(
    model: CpModel, literals: Sequence[Literal], named: Sequence[int], watch: Stopwatch
) -> tuple[int, ...]:
    """Return a smallest part of a core: no element can be left out."""
    kept = list(named)
    # A core that names what was never assumed may be too small to forbid anything.
    if core(model, [literals[i] for i in kept], watch.left()) is None:
        kept = list(range(len(literals)))
    for index in tuple(kept):
        rest = [i for i in kept if i != index]
        if core(model, [literals[i] for i in rest], watch.left()) is not None:
            kept = rest
    return tuple(kept)
