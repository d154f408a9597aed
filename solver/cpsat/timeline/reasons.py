"""Why something cannot be reached with the tiles to come: a smallest set of rules forbids it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from model.features import Feature
from model.final import final_scoring
from model.geometry import Cell
from model.position import Position
from model.rules.carcassonne.completion import missing
from solver.budget import Stopwatch
from solver.cpsat.logic import Law, Logic
from solver.cpsat.plane.timeline.model import plane_timeline
from solver.cpsat.plane.timeline.reasons import unfinished as unfinished_on_plane
from solver.cpsat.reasons import Case, smallest
from solver.cpsat.timeline.claims import Claims
from solver.cpsat.timeline.contacts import contacts
from solver.cpsat.timeline.engine import orders
from solver.cpsat.timeline.features import leading
from solver.cpsat.timeline.ground import needed, survey
from solver.cpsat.timeline.laying import laying
from solver.cpsat.timeline.model import timeline
from solver.cpsat.timeline.rings import rings
from solver.cpsat.timeline.times import Times
from solver.outlook import Task

FAR = 1_000_000
"""A score that no game comes near to; CP-SAT holds no number without end."""


def unfinished(position: Position, feature: Feature, watch: Stopwatch) -> tuple[Law, ...] | None:
    """Return rules because of which a feature cannot be completed any more, if it cannot.

    Args:
        position: a position; tiles of its bag come in the best order.
        feature: an uncompleted feature of it of a kind that can be completed.
        watch: the time.

    Returns:
        The rules by id, none of which could be left out; empty if no rule of placement is to
        blame, but the number and the kinds of the tiles alone; None if it can be completed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    if not needs(position, feature):
        return ()
    if position.game.board.endless:
        return unfinished_on_plane(position, feature, watch)
    logic = Logic(explain=True, watch=watch)
    ground = survey(position, len(position.order)).of_kind(feature.kind)
    lie = laying(logic, ground)
    touching = contacts(logic, ground, lie)
    joined = Times().join(logic, ground, touching, {})
    nobody = {part.number: False for part in ground.new}
    claims = Claims(on={}, by=(nobody, nobody), ranks={})
    led = leading(logic, ground, lie, touching, joined, claims, rings(ground))
    number = next(part.number for part in ground.old if part.feature == feature)
    logic.clause(
        *(logic.all_of((one.members[number], one.complete)) for one in led if number in one.members)
    )
    return smallest((lambda: logic,), watch)


def needs(position: Position, feature: Feature) -> frozenset[Cell]:
    """Return the empty cells that must be filled for a feature to be complete as it is."""
    if position.game.board.endless:
        return missing(feature, position.by_cell())
    return needed(position, feature)


def out_of_reach(task: Task, value: int) -> tuple[Law, ...] | None:
    """Return rules because of which no play is worth so much to the asker, if none is.

    Args:
        task: a task whose players all serve the asker; what nobody knows comes as is best for him.
        value: what he would like to have.

    Returns:
        The rules by id, none of which could be left out; empty if no rule of the model is to
        blame, but what is given alone; None if some play is worth so much.

    Raises:
        OutOfTimeError: the time is used up.

    """
    if task.position.over:
        return () if task.worth(*final_scoring(task.position).scores) < value else None
    return smallest(_Orders(task=task, least=max(-FAR, min(value, FAR))), task.watch, task.reporter)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Orders:
    """A model for every order of the bag, in which a task is worth at least so much."""

    task: Task
    least: int

    def __iter__(self) -> Iterator[Case]:
        """Yield what builds each model."""
        position = self.task.position
        for order in orders(position.bag):
            yield partial(self._model, replace(position, order=position.order + order, bag=()))

    def _model(self, position: Position) -> Logic:
        """Return the model of an order."""
        build = plane_timeline if position.game.board.endless else timeline
        model = build(replace(self.task, position=position), Times(), explain=True)
        model.logic.model.add(model.value >= self.least)
        return model.logic
