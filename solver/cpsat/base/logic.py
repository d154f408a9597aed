"""Literals with their formulas: what is known while the model is built costs nothing.

A literal is a Python truth value where it is known, and a Boolean variable of CP-SAT
where it is not. Every variable made here is fixed by the others (formula on both sides),
so that the solutions of a model are its decisions, each once.
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
"""A weight and the literal that it counts for."""
K = TypeVar("K")
P = TypeVar("P")
BETWEEN_LOOKS = 256
"""Formulas made between two looks at the clock."""


def no(literal: Lit) -> Lit:
    """Return the opposite."""
    return not literal if isinstance(literal, bool) else ~literal


class Logic:
    """A CP-SAT model under construction."""

    def __init__(self, *, explain: bool = False, watch: Clock | None = None) -> None:
        """Begin an empty model.

        Args:
            watch: the time to build it: a formula made later raises ``OutOfTimeError``, not each
                but soon; None for no limit.
            explain: whether rules become literals that can be assumed, for reasons why
                something is impossible; otherwise they simply hold.

        """
        self.model = CpModel()
        self.explain = explain
        self.laws: dict[str, tuple[Law, Literal]] = {}
        """Rules that were used, with their literals, by id."""
        self._watch = watch
        self._formulas = 0
        self._known: dict[int, bool] = {}
        self._made: dict[tuple[str, frozenset[int]], Literal] = {}

    def law(self, rule: Law) -> Lit:
        """Return the literal that says that a rule holds."""
        if not self.explain:
            return True
        if rule.id not in self.laws:
            self.laws[rule.id] = (rule, self.model.new_bool_var(rule.id))
        return self.laws[rule.id][1]

    def decision(self, name: str) -> Literal:
        """Return a new variable that nothing fixes yet."""
        return self.model.new_bool_var(name)

    def integer(self, low: int, high: int, name: str) -> IntVar:
        """Return a new integer variable with both ends included."""
        return self.model.new_int_var(low, high, name)

    def value(self, literal: Lit) -> Lit:
        """Return the truth value of a literal if a clause has settled it."""
        if isinstance(literal, bool):
            return literal
        known = self._known.get(literal.index)
        return literal if known is None else known

    def _open(self, literals: Iterable[Lit], idle: bool) -> list[Literal] | None:  # noqa: FBT001
        """Drop idle and double literals; None if one of them decides the formula."""
        self._formulas += 1
        if self._watch is not None and self._formulas % BETWEEN_LOOKS == 0:
            self._watch.look()
        left: dict[int, Literal] = {}
        for literal in map(self.value, literals):
            if isinstance(literal, bool):
                if literal is not idle:
                    return None
            elif (~literal).index in left:
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
        """Demand a or b or …; a single literal is settled for all later formulas."""
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
    """Turns to come as variables, and the value of their end."""

    logic: Logic
    play: P
    """The variables, as the family of games has them."""
    value: Expression
    """What the end is worth to the asker. Of a solution that is not best it may be less than
    the play is worth, never more."""


def weighted(pairs: Iterable[Term]) -> Expression:
    """Return Σ weight · literal.

    CP-SAT adds to a sum made by ``+`` in place where it sees one reference to it, though
    -(-sum) may be that very sum; so a sum that is kept is made at once.
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
