"""Why a feature of Carcassonne cannot be completed: a smallest set of rules forbids it.

What is done with followers and towers changes neither the tiles nor their places, so the answer
is the same with The Tower and without.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.features import Feature
from model.position import Position
from model.rules.carcassonne.completion import missing
from model.tiles import Kind
from solver.budget import Stopwatch
from solver.cpsat.logic import Law, Lit, Logic, no
from solver.cpsat.plane.timeline.ground import survey
from solver.cpsat.reasons import smallest
from solver.cpsat.timeline.contacts import contacts
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.laying import Laying, laying
from solver.cpsat.timeline.times import Times


def unfinished(position: Position, feature: Feature, watch: Stopwatch) -> tuple[Law, ...] | None:
    """Return rules because of which a feature cannot be completed any more, if it cannot.

    Args:
        position: a position; tiles of its bag come in the best order.
        feature: an uncompleted road, city or cloister of it.
        watch: the time.

    Returns:
        The rules by id, none of which could be left out; empty if no rule of placement is to
        blame, but the number and the kinds of the tiles alone; None if it can be completed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    logic = Logic(explain=True, watch=watch)
    ground = survey(position, watch, explain=True)[0].of_kind(feature.kind)
    lie = laying(logic, ground)
    if feature.kind is Kind.CLOISTER:
        last = len(ground.kinds) - 1
        for cell in sorted(missing(feature, position.by_cell())):
            logic.clause(lie.full(cell, last))
    else:
        logic.clause(*_closed(logic, ground, lie, feature))
    return smallest((lambda: logic,), watch)


def _closed(logic: Logic, ground: Ground, lie: Laying, feature: Feature) -> Iterable[Lit]:
    """Yield for every part that may lead the feature whether it does, and no part is open.

    within[r,n] and AND_v (v within → v is shut in the end)
    """
    if not ground.kinds:
        return
    touching = contacts(logic, ground, lie)
    joined = Times().join(logic, ground, touching, {})
    number = next(part.number for part in ground.old if part.feature == feature)
    for _, members in joined.features(logic):
        if number in members:
            shut = (logic.any_of((no(lit), touching.shut[-1][v])) for v, lit in members.items())
            yield logic.all_of((members[number], *shut))
