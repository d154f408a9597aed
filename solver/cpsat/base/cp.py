"""The one place that calls CP-SAT; literals and formulas, where known values make no variables.

Every solve uses one worker, a fixed seed and no linear relaxation. So answers are the same on
every run, and an enumeration yields no solution twice. It is the fastest setting measured too.
Ctrl-C stops a solve and raises ``KeyboardInterrupt``. A solve takes some ``seconds`` at most, None
for no limit; or the time and the conflicts that ``watch`` leaves, and counts those it meets.
``presolve`` is off for a second proof: the wrong proofs of impossibility that were reported for
CP-SAT came from its presolve. ``read`` makes a row of a solution.

A literal is a Python truth value where it is known, and else a Boolean variable of CP-SAT.
Every formula is an equivalence. So the decisions fix all variables, and each choice of
decisions is one solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from threading import Event
from typing import Generic, TypeAlias, TypeVar

from ortools.sat.python import cp_model  # noqa: TID253 -- the module that owns CP-SAT

from burgrave.model.rule import Rule
from burgrave.solver.limits import Clock, OutOfTimeError

CpModel = cp_model.CpModel
IntVar = cp_model.IntVar
Literal = cp_model.BoolVarT
Expression: TypeAlias = cp_model.LinearExpr | int
Solution = cp_model.CpSolverSolutionCallback
Reading = Callable[[Expression], int]
"""Gives the value of an expression in a solution."""
T = TypeVar("T")
MOST_CONFLICTS = 2**63 - 1
"""The largest limit that CP-SAT can hold."""
SEED = 20030101
_LOOK_SECONDS = 0.05
"""Seconds between two looks whether an interrupted search has ended."""


class Proof(StrEnum):
    """What a solve proved."""

    DONE = "done"
    """The optimum is proved."""
    NONE = "none"
    """There is no solution."""
    STOPPED = "stopped"
    """The time ran out before a proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Best(Generic[T]):
    """The result of a maximisation."""

    proof: Proof
    value: int | None
    """The best value found; None without a solution."""
    bound: int | None
    """Upper bound of all solutions; None if none is known."""
    row: T | None
    """The reading of the best solution; None without a solution."""


def _solver(seconds: float | None, watch: Clock | None = None) -> cp_model.CpSolver:
    """Return a deterministic solver with limits."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.linearization_level = 0
    # CP-SAT would take Ctrl-C for the end of the time.
    solver.parameters.catch_sigint_signal = False
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    if watch is not None and watch.limits.nodes is not None:
        left = max(0, watch.limits.nodes - watch.nodes)
        solver.parameters.max_number_of_conflicts = min(left, MOST_CONFLICTS)
    return solver


def _solve(
    solver: cp_model.CpSolver, model: CpModel, callback: Solution | None = None
) -> cp_model.CpSolverStatus:
    """Solve in a thread, so that Ctrl-C reaches Python at once.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the solve.
        ValueError: the model is malformed, which is a bug.

    """
    begun, cancelled, ended = Event(), Event(), Event()

    def work() -> cp_model.CpSolverStatus:
        begun.set()
        try:
            return cp_model.UNKNOWN if cancelled.is_set() else solver.solve(model, callback)
        finally:
            ended.set()

    with ThreadPoolExecutor(max_workers=1) as pool:
        try:
            status = pool.submit(work).result()
        except KeyboardInterrupt:
            # Work that begins after this does not search. A search that has only just begun does
            # not hear that it shall stop, so it is told again until it has ended.
            cancelled.set()
            while begun.is_set() and not ended.wait(_LOOK_SECONDS):
                solver.stop_search()
            raise
    if status == cp_model.MODEL_INVALID:
        raise ValueError(model.validate())
    return status


def between(model: CpModel, value: Expression, least: int | None, most: int | None) -> CpModel:
    """Return a copy of a model in which an expression has two limits; None for no limit."""
    copy = model.clone()
    if least is not None:
        copy.add(value >= least)
    if most is not None:
        copy.add(value <= most)
    return copy


def holding(model: CpModel, literals: Sequence[Literal]) -> CpModel:
    """Return a copy of a model in which all of some literals hold."""
    copy = model.clone()
    copy.add_bool_and(literals)
    return copy


def maximise(
    model: CpModel,
    value: Expression,
    read: Callable[[Reading], T],
    watch: Clock,
    hear: Callable[[int], None] = lambda _: None,
) -> Best[T]:
    """Return the largest value of an expression; Ctrl-C ends it like the end of the time.

    The objective of the model is set and cleared again. ``hear`` hears the value of every better
    solution.
    """
    best: int | None = None
    row: T | None = None
    bound: int | None = None
    conflicts = 0

    def improve(found: Solution) -> None:
        """Keep a solution, which is the best so far."""
        nonlocal best, row, bound, conflicts
        best, row = round(found.objective_value), read(found.value)
        bound, conflicts = round(found.best_objective_bound), found.num_conflicts
        hear(best)

    solver = _solver(watch.left(), watch)
    proof = Proof.STOPPED
    model.maximize(value)
    # After Ctrl-C, bound and conflicts are those of the best solution.
    with suppress(KeyboardInterrupt):
        status = _solve(solver, model, _Listener(improve))
        conflicts = solver.num_conflicts
        proof = {cp_model.OPTIMAL: Proof.DONE, cp_model.INFEASIBLE: Proof.NONE}.get(status, proof)
        # Before the first solution, the bound of CP-SAT is that of the unsolved model.
        solved = status in {cp_model.OPTIMAL, cp_model.FEASIBLE}
        bound = round(solver.best_objective_bound) if solved else None
    model.clear_objective()  # type: ignore[no-untyped-call]  # of OR-Tools
    watch.nodes += conflicts
    return Best(proof=proof, value=best, bound=bound, row=row)


def possible(model: CpModel, seconds: float | None, *, presolve: bool = True) -> bool | None:
    """Tell whether a model has a solution; None if the time ran out."""
    solver = _solver(seconds)
    solver.parameters.cp_model_presolve = presolve
    status = _solve(solver, model)
    if status == cp_model.UNKNOWN:
        return None
    return bool(status != cp_model.INFEASIBLE)


def every(
    model: CpModel, read: Callable[[Reading], T], seconds: float | None
) -> tuple[T, ...] | None:
    """Return the rows of all solutions, in the order found; None if the time ran out.

    The decisions of the model must fix all other variables, so that each solution comes once.
    """
    solver = _solver(seconds)
    solver.parameters.enumerate_all_solutions = True
    rows: list[T] = []
    status = _solve(solver, model, _Listener(lambda found: rows.append(read(found.value))))
    done = status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
    return tuple(rows) if done else None


def core(
    model: CpModel, assumed: Sequence[Literal], watch: Clock, *, presolve: bool = True
) -> tuple[int, ...] | None:
    """Return assumptions that cannot hold together, or None if all can.

    Returns:
        Indices into ``assumed``; not always a smallest set.

    Raises:
        OutOfTimeError: the time or the conflicts are used up.

    """
    if watch.out:
        raise OutOfTimeError
    solver = _solver(watch.left(), watch)
    solver.parameters.cp_model_presolve = presolve
    # Such a model is easy and is solved once for each rule; probing would take longest.
    solver.parameters.cp_model_probing_level = 0
    model.clear_assumptions()
    model.add_assumptions(assumed)
    status = _solve(solver, model)
    model.clear_assumptions()
    watch.nodes += solver.num_conflicts
    if status == cp_model.UNKNOWN:
        raise OutOfTimeError
    if status != cp_model.INFEASIBLE:
        return None
    named = set(solver.sufficient_assumptions_for_infeasibility())
    # Presolve may name literals that were never assumed. They are left out, and the caller
    # confirms that the rest is a core.
    return tuple(i for i, literal in enumerate(assumed) if literal.index in named)


class _Listener(Solution):
    """Hands every solution found to a function, while it can be read."""

    def __init__(self, hear: Callable[[Solution], None]) -> None:
        """Remember who hears of solutions."""
        super().__init__()
        self.hear = hear

    def on_solution_callback(self) -> None:
        """Hand a solution over."""
        self.hear(self)


Lit: TypeAlias = bool | Literal
"""A truth value or a Boolean variable, perhaps negated."""
Law: TypeAlias = Rule[..., object]
Term: TypeAlias = tuple[int, Lit]
"""A weight and the literal under which it counts."""
K = TypeVar("K")
FORMULAS_BETWEEN_LOOKS = 256
"""Formulas made between two checks of the clock."""


def no(literal: Lit) -> Lit:
    """Return the opposite."""
    return not literal if isinstance(literal, bool) else ~literal


class Logic:
    """A CP-SAT model under construction."""

    def __init__(self, *, explain: bool = False, watch: Clock | None = None) -> None:
        """Begin an empty model.

        To ``explain``, rules become literals that can be assumed; otherwise they are constraints.
        When the time of ``watch`` is out, a formula soon raises ``OutOfTimeError``.
        """
        self.model = CpModel()
        self.decision = self.model.new_bool_var
        """Returns a new Boolean variable of a name."""
        self.integer = self.model.new_int_var
        """Returns a new integer variable: its limits, which are included, and its name."""
        self.explain = explain
        self.laws: dict[str, tuple[Law, Literal]] = {}
        """Rules in use with their literals, by id."""
        self._watch = watch
        self._formulas = 0
        self._made: dict[tuple[str, frozenset[int]], Literal] = {}

    def law(self, rule: Law) -> Lit:
        """Return the literal of a rule."""
        if not self.explain:
            return True
        if rule.id not in self.laws:
            self.laws[rule.id] = (rule, self.decision(rule.id))
        return self.laws[rule.id][1]

    def _open(self, literals: Iterable[Lit]) -> list[Literal] | None:
        """Return the unknown literals of a disjunction once each; None if it is true."""
        self._formulas += 1
        if self._watch is not None and self._formulas % FORMULAS_BETWEEN_LOOKS == 0:
            self._watch.look()
        left: dict[int, Literal] = {}
        for literal in literals:
            if isinstance(literal, bool):
                if literal:
                    return None
            elif -literal.index - 1 in left:  # the index of its negation
                return None
            else:
                left[literal.index] = literal
        return list(left.values())

    def any_of(self, literals: Iterable[Lit]) -> Lit:
        """Return v with v ↔ a or b or … as a literal."""
        left = self._open(literals)
        if left is None:
            return True
        if len(left) < 2:  # noqa: PLR2004 -- nothing to combine
            return left[0] if left else False
        key = ("or", frozenset(literal.index for literal in left))
        if key not in self._made:
            made = self.decision("")
            self.model.add_bool_or([*left, ~made])
            for literal in left:
                self.model.add_implication(literal, made)
            self._made[key] = made
        return self._made[key]

    def all_of(self, literals: Iterable[Lit]) -> Lit:
        """Return v with v ↔ a and b and … as a literal."""
        return no(self.any_of([no(literal) for literal in literals]))

    def clause(self, *literals: Lit) -> None:
        """Demand a or b or …."""
        left = self._open(literals)
        if left is not None:
            self.model.add_bool_or(left)

    def demand(self, rule: Law, *literals: Lit) -> None:
        """Demand rule → a or b or …."""
        self.clause(no(self.law(rule)), *literals)

    def within(self, expression: Expression, least: int, most: int) -> Lit:
        """Return v with v ↔ least ≤ expression ≤ most."""
        if isinstance(expression, int):
            return least <= expression <= most
        made, inside = self.decision(""), cp_model.Domain(least, most)
        self.model.add_linear_expression_in_domain(expression, inside).only_enforce_if(made)
        outside = inside.complement()
        self.model.add_linear_expression_in_domain(expression, outside).only_enforce_if(~made)
        return made

    def equal_if(self, literal: Lit, left: Expression, right: Expression) -> None:
        """Demand a → left = right."""
        self.within_if(literal, left - right, 0, 0)

    def within_if(self, literal: Lit, expression: Expression, least: int, most: int) -> None:
        """Demand a → least ≤ expression ≤ most."""
        if literal is not False:
            self.model.add_linear_constraint(expression, least, most).only_enforce_if(literal)


def weighted(pairs: Iterable[Term]) -> Expression:
    """Return Σ weight · literal.

    CP-SAT changes a sum made by ``+`` in place if it sees a single reference to it. But
    -(-sum) may be the same object. So this makes the whole sum at once.
    """
    known, weights, literals = 0, list[int](), list[Literal]()
    for weight, literal in pairs:
        if isinstance(literal, bool):
            known += weight * literal
        elif weight:
            weights.append(weight)
            literals.append(literal)
    if not literals:
        return known
    found = cp_model.LinearExpr.weighted_sum(literals, weights)
    return found + known if known else found


def at_least(logic: Logic, terms: Iterable[Term], least: int) -> Lit:
    """Return whether Σ weight · literal ≥ least."""
    some = [(weight, literal) for weight, literal in terms if weight and literal is not False]
    known = sum(weight for weight, literal in some if literal is True)
    rest = [(weight, literal) for weight, literal in some if literal is not True]
    low = known + sum(min(weight, 0) for weight, _ in rest)
    high = known + sum(max(weight, 0) for weight, _ in rest)
    if low >= least or high < least:
        return low >= least
    if known == least - 1 and low == known:
        return logic.any_of(literal for _, literal in rest)
    return logic.within(weighted(some), least, high)


def added(logic: Logic, first: Sequence[Lit], second: Sequence[Lit]) -> list[Lit]:
    """Return the sum of two numbers, each a row of literals: at least 1, at least 2, …."""
    one, two = (True, *first), (True, *second)
    return [
        logic.any_of(
            logic.all_of((one[a], two[j - a])) for a in range(len(one)) if 0 <= j - a < len(two)
        )
        for j in range(1, len(one) + len(two) - 1)
    ]


def truth(literal: Lit, reading: Reading) -> bool:
    """Return the truth value of a literal in a solution."""
    return literal if isinstance(literal, bool) else bool(reading(literal))


def chosen(literals: Mapping[K, Literal], reading: Reading) -> K | None:
    """Return the key of the literal that is true in a solution; None if none is."""
    return next((key for key, literal in literals.items() if reading(literal)), None)
