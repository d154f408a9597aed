"""A smallest set of rules that together leave models without a solution.

Every rule is a literal that is assumed to hold. CP-SAT names assumptions that cannot hold
together; each is dropped in turn for good if the rest still forbid every solution, so that
no rule named could be left out. A last solve with presolve off confirms it.

What nobody knows and is best chosen makes several *cases*, a model each: the orders of a bag.
Rules forbid something if they do in every case, and one could be left out if the others still
do. So the rules that the first case needs are tried on the next, and more are taken where
they are not enough; once several cases gave some, each is tried to be left out again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from solver.certificates import CertificateError
from solver.cpsat.base.cp import core, holding
from solver.cpsat.base.logic import Law, Logic
from solver.limits import Clock
from solver.progress import SILENT, Reporter

Case = Callable[[], Logic]
"""Builds a model made to explain, what is asked for demanded outright."""
AT_HAND = 32
"""Models that are kept; those of further cases are built again when they are looked at."""


def smallest(
    cases: Iterable[Case], watch: Clock, reporter: Reporter = SILENT
) -> tuple[Law, ...] | None:
    """Return rules that together forbid what is asked for in every case, or None.

    Args:
        cases: at least one model, gone through more than once and built when it is needed.
        watch: the time and the conflicts allowed.
        reporter: hears in how many cases it is impossible.

    Returns:
        The rules by id, none of which could be left out; empty if no model has a solution
        whatever the rules. None if what is asked for is possible in some case.

    Raises:
        OutOfTimeError: the time or the conflicts are used up.
        CertificateError: with presolve off the rules named do not forbid it: a bug.

    """
    search = _Search(cases=cases, watch=watch)
    kept: frozenset[str] = frozenset()
    gave = 0
    for number, logic in search.models():
        reporter.ruled_out(number)
        if search.forbid(number, logic, kept):
            continue
        more = search.enough(number, logic, kept)
        if more is None:
            return None
        kept = more
        gave += 1
    if gave > 1:
        for name in sorted(kept):
            if search.forbid_everywhere(kept - {name}):
                kept -= {name}
    return search.confirmed(kept)


@dataclass(kw_only=True)
class _Search:
    """The cases with what is known of them."""

    cases: Iterable[Case]
    watch: Clock
    built: dict[int, Logic] = field(default_factory=dict)
    proved: dict[int, frozenset[str]] = field(default_factory=dict)
    """By case, the rules that were last found to forbid it."""

    def models(self) -> Iterator[tuple[int, Logic]]:
        """Yield the models of all cases with their numbers."""
        for number, case in enumerate(self.cases):
            yield number, self._model(number, case)

    def _model(self, number: int, case: Case) -> Logic:
        """Return the model of a case."""
        found = self.built.get(number)
        if found is None:
            found = case()
            if number < AT_HAND:
                self.built[number] = found
        return found

    def forbid(self, number: int, logic: Logic, names: Collection[str]) -> bool:
        """Tell whether rules forbid a case."""
        literals = [logic.laws[name][1] for name in sorted(names) if name in logic.laws]
        impossible = core(logic.model, literals, self.watch) is not None
        if impossible:
            self.proved[number] = frozenset(names)
        return impossible

    def enough(self, number: int, logic: Logic, kept: frozenset[str]) -> frozenset[str] | None:
        """Return rules that forbid a case, no more than it needs besides those kept, or None."""
        names = sorted(logic.laws)
        named = core(logic.model, [logic.laws[name][1] for name in names], self.watch)
        if named is None:
            return None
        found = kept.union(names[i] for i in named)
        # A core that names what was never assumed may be too small to forbid anything.
        if not self.forbid(number, logic, found):
            found = kept.union(names)
        for name in sorted(found - kept):
            if self.forbid(number, logic, found - {name}):
                found -= {name}
        return found

    def forbid_everywhere(self, names: frozenset[str]) -> bool:
        """Tell whether rules forbid every case."""
        for number, case in enumerate(self.cases):
            if self.proved[number] <= names:
                continue
            if not self.forbid(number, self._model(number, case), names):
                return False
        return True

    def confirmed(self, names: frozenset[str]) -> tuple[Law, ...]:
        """Return rules that forbid every case, by id, once it is confirmed that they do."""
        laws: dict[str, Law] = {}
        for _, logic in self.models():
            own = {name: logic.laws[name] for name in names if name in logic.laws}
            laws.update((name, law) for name, (law, _) in own.items())
            held = holding(logic.model, [literal for _, literal in own.values()])
            if core(held, (), self.watch, presolve=False) is None:
                raise CertificateError("the rules named forbid nothing with presolve off")
        return tuple(laws[name] for name in sorted(names))
