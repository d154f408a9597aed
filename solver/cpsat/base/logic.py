"""Literals and formulas; known truth values make no variables.

A literal is a Python truth value where it is known, and else a Boolean variable of CP-SAT.
Every formula is an equivalence. So the decisions fix all variables, and each choice of
decisions is one solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from model.rule import Rule
from solver.cpsat.base.cp import CpModel, Domain, Expression, IntVar, Literal, Reading, weighted_sum
from solver.limits import Clock

Lit: TypeAlias = bool | Literal
"""A truth value or a Boolean variable, perhaps negated."""
Law: TypeAlias = Rule[..., object]
Term: TypeAlias = tuple[int, Lit]
"""A weight and the literal under which it counts."""
K = TypeVar("K")
P = TypeVar("P")
FORMULAS_BETWEEN_LOOKS = 256
"""Formulas made between two checks of the clock."""


def no(literal: Lit) -> Lit:
    """Return the opposite."""
    return not literal if isinstance(literal, bool) else ~literal


class Logic:
    """A CP-SAT model under construction."""

    def __init__(self, *, explain: bool = False, watch: Clock | None = None) -> None:
        """Begin an empty model.

        Args:
            watch: the time to build it; after its end a formula soon raises
                ``OutOfTimeError``. None for no limit.
            explain: whether rules become literals that can be assumed, to find reasons;
                otherwise they are constraints.

        """
        self.model = CpModel()
        self.explain = explain
        self.laws: dict[str, tuple[Law, Literal]] = {}
        """Rules in use with their literals, by id."""
        self._watch = watch
        self._formulas = 0
        self._known: dict[int, bool] = {}
        self._made: dict[tuple[str, frozenset[int]], Literal] = {}

    def law(self, rule: Law) -> Lit:
        """Return the literal of a rule."""
        if not self.explain:
            return True
        if rule.id not in self.laws:
            self.laws[rule.id] = (rule, self.model.new_bool_var(rule.id))
        return self.laws[rule.id][1]

    def decision(self, name: str) -> Literal:
        """Return a new Boolean variable."""
        return self.model.new_bool_var(name)

    def integer(self, low: int, high: int, name: str) -> IntVar:
        """Return a new integer variable with both ends included."""
        return self.model.new_int_var(low, high, name)

    def value(self, literal: Lit) -> Lit:
        """Return the truth value of a literal if a clause fixes it, or else the literal."""
        if isinstance(literal, bool):
            return literal
        known = self._known.get(literal.index)
        return literal if known is None else known

    def _open(self, literals: Iterable[Lit], idle: bool) -> list[Literal] | None:  # noqa: FBT001
        """Return literals without duplicates and ``idle`` ones; None if one decides the formula."""
        self._formulas += 1
        if self._watch is not None and self._formulas % FORMULAS_BETWEEN_LOOKS == 0:
            self._watch.look()
        left: dict[int, Literal] = {}
        for literal in map(self.value, literals):
            if isinstance(literal, bool):
                if literal is not idle:
                    return None
            elif -literal.index - 1 in left:  # the index of its negation
                return None
            else:
                left[literal.index] = literal
        return list(left.values())

    def any_of(self, literals: Iterable[Lit]) -> Lit:
        """Return v with v ↔ a or b or … as a literal."""
        left = self._open(literals, idle=False)
        if left is None:
            return True
        if len(left) < 2:  # noqa: PLR2004 -- nothing to combine
            return left[0] if left else False
        key = ("or", frozenset(literal.index for literal in left))
        if key not in self._made:
            made = self.model.new_bool_var("")
            self.model.add_bool_or([*left, ~made])
            for literal in left:
                self.model.add_implication(literal, made)
            self._made[key] = made
        return self._made[key]

    def all_of(self, literals: Iterable[Lit]) -> Lit:
        """Return v with v ↔ a and b and … as a literal."""
        return no(self.any_of([no(literal) for literal in literals]))

    def clause(self, *literals: Lit) -> None:
        """Demand a or b or …; a single literal is known in all later formulas."""
        left = self._open(literals, idle=False)
        if left is None:
            return
        self.model.add_bool_or(left)
        if len(left) == 1:
            self._known[left[0].index] = True
            self._known[(~left[0]).index] = False

    def within(self, expression: Expression, least: int, most: int) -> Lit:
        """Return v with v ↔ least ≤ expression ≤ most."""
        made = self.model.new_bool_var("")
        self._member(expression, Domain(least, most), made)
        return made

    def one_of(self, expression: Expression, values: Sequence[int]) -> Lit:
        """Return v with v ↔ expression ∈ values."""
        if not values:
            return False
        made = self.model.new_bool_var("")
        self._member(expression, Domain.from_values(values), made)
        return made

    def _member(self, expression: Expression, domain: Domain, made: Literal) -> None:
        """Demand made ↔ expression ∈ domain."""
        self.model.add_linear_expression_in_domain(expression, domain).only_enforce_if(made)
        outside = domain.complement()
        self.model.add_linear_expression_in_domain(expression, outside).only_enforce_if(~made)

    def equal_if(self, literals: Sequence[Lit], left: Expression, right: Expression) -> None:
        """Demand a and b and … → left = right."""
        premises = self._open(literals, idle=True)
        if premises is not None:
            self.model.add(left == right).only_enforce_if(premises)

    def within_if(self, literal: Lit, expression: Expression, least: int, most: int) -> None:
        """Demand a → least ≤ expression ≤ most."""
        premises = self._open([literal], idle=True)
        if premises is not None:
            self.model.add_linear_constraint(expression, least, most).only_enforce_if(premises)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(Generic[P]):
    """Turns to come as variables, with their value."""

    logic: Logic
    play: P
    """The variables of a family of games."""
    value: Expression
    """The asker's value at the end. In a solution that is not optimal it may be less than the
    line is worth, never more."""


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
    found = weighted_sum(literals, weights)
    return found + known if known else found


def at_least(logic: Logic, terms: Iterable[Term], least: int) -> Lit:
    """Return whether Σ weight · literal ≥ least."""
    known = 0
    rest: list[Term] = []
    for weight, literal in terms:
        value = logic.value(literal)
        if isinstance(value, bool):
            known += weight * value
        elif weight:
            rest.append((weight, value))
    low = known + sum(weight for weight, _ in rest if weight < 0)
    high = known + sum(weight for weight, _ in rest if weight > 0)
    if low >= least or high < least:
        return low >= least
    if known == least - 1 and low == known:
        return logic.any_of(literal for _, literal in rest)
    return logic.within(weighted(rest) + known, least, high)


def truth(literal: Lit, reading: Reading) -> bool:
    """Return the truth value of a literal in a solution."""
    return literal if isinstance(literal, bool) else bool(reading(literal))


def chosen(literals: Mapping[K, Literal], reading: Reading) -> K | None:
    """Return the key of the literal that is true in a solution; None if none is."""
    return next((key for key, literal in literals.items() if reading(literal)), None)
