"""Who has most followers on a feature, as literals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model.games import Game
from model.switches import TIE
from solver.cpsat.logic import Lit, Logic, weighted

Term = tuple[int, Lit]
"""A weight and the literal that it counts for."""


def leaders(logic: Logic, game: Game, counts: Sequence[Sequence[Term]]) -> list[Lit]:
    """Return for each player whether he has most followers, at least one.

    Args:
        logic: the model.
        game: by its switch all who are level win, or none of them.
        counts: by player, his followers as a sum.

    """
    least = 1 if game.value(TIE) == "none" else 0
    return [
        logic.all_of(
            (
                at_least(logic, mine, 1),
                *(
                    at_least(logic, [*mine, *((-weight, lit) for weight, lit in theirs)], least)
                    for other, theirs in enumerate(counts)
                    if other != player and theirs
                ),
            )
        )
        for player, mine in enumerate(counts)
    ]


def at_least(logic: Logic, terms: Iterable[Term], least: int) -> Lit:
    """Return whether Σ weight · literal ≥ least."""
    known = 0
    rest: list[tuple[int, Lit]] = []
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
