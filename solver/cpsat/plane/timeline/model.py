"""The whole model of the turns to come in Carcassonne: tiles, followers, towers, final scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from model.rules.tower.actions import ONE_ACTION
from solver.cpsat.logic import Logic, no, weighted
from solver.cpsat.plane.timeline.captures import Table, reaching, taking
from solver.cpsat.plane.timeline.features import gone_home, leading
from solver.cpsat.plane.timeline.ground import survey
from solver.cpsat.plane.timeline.play import claiming, moving
from solver.cpsat.plane.timeline.prisoners import Custody, custody, solvent, supplied
from solver.cpsat.plane.timeline.scores import cloisters, farms, roads_and_cities, total
from solver.cpsat.plane.timeline.towers import Towers, towering
from solver.cpsat.run import Expression, Literal
from solver.cpsat.timeline.contacts import contacts
from solver.cpsat.timeline.joining import Encoding
from solver.cpsat.timeline.laying import laying
from solver.outlook import Goal, Play, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneTimeline:
    """The turns to come as variables, with what they stand for."""

    logic: Logic
    table: Table
    custody: Custody
    value: Expression
    """What the end is worth to the asker. Of a solution that is not best it may be less than
    the play is worth, never more."""


def plane_timeline(task: Task, encoding: Encoding, *, explain: bool = False) -> PlaneTimeline:
    """Build the model of a task with a known order in which everybody serves the asker.

    Args:
        task: the question, to the end of the game; its position is as the asker meets it.
        encoding: how it is said what is connected.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time of the task is used up.

    """
    logic = Logic(explain=explain, watch=task.watch)
    position = task.position
    ground, cities = survey(position, task.watch, explain=explain)
    lie = laying(logic, ground)
    moves = moving(logic, position, lie, alone=task.play is Play.SOLITAIRE)
    claims = claiming(logic, ground, lie, moves)
    towers = towering(logic, ground, lie, moves)
    for tile in range(len(ground.kinds)):
        placed = [
            claims.on[part.number] for part in ground.new_of(tile) if part.number in claims.on
        ]
        _one_action(logic, placed, towers, tile)
    table = Table(logic=logic, ground=ground, lie=lie, moves=moves, claims=claims, towers=towers)
    reached = reaching(table)
    touching = contacts(logic, ground, lie)
    joined = encoding.join(logic, ground, touching, claims.on, towers.freed(logic, ground))
    led = leading(logic, ground, lie, touching, joined, claims, towers)
    home = gone_home(logic, ground, led)
    taking(table, reached, home)
    held = custody(table)
    supplied(table, held, home)
    pieces = [
        *roads_and_cities(logic, ground, led),
        *cloisters(logic, ground, lie, led),
        *farms(logic, ground, cities, led),
    ]
    solvent(table, held, pieces)
    terms = [
        [*total(logic, pieces, player), *held.income(player)]
        for player in range(len(position.players))
    ]
    scores = [
        state.score + weighted(mine) for state, mine in zip(position.players, terms, strict=True)
    ]
    value = scores[task.asker]
    if task.goal is Goal.LEAD and len(scores) > 1:
        most = sum(abs(w) for mine in terms for w, _ in mine)
        most += sum(state.score for state in position.players)
        value = logic.integer(-most, most, "lead")
        for player, theirs in enumerate(scores):
            if player != task.asker:
                logic.model.add(value <= scores[task.asker] - theirs)
    return PlaneTimeline(logic=logic, table=table, custody=held, value=value)


def _one_action(logic: Logic, placed: Sequence[Literal], towers: Towers, tile: int) -> None:
    """Demand that in a turn one follower, guard or tower piece is placed at most.

    Whether the rule holds or not there is one of each sort.
    """
    pieces, guards = towers.of_turn(tile)
    if not logic.explain:
        logic.model.add_at_most_one([*placed, *pieces, *guards])
        return
    logic.model.add_at_most_one([*placed, *guards])
    logic.model.add_at_most_one(pieces)
    for piece, other in product(pieces, (*placed, *guards)):
        logic.clause(no(logic.law(ONE_ACTION)), ~piece, ~other)
