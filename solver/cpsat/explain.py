"""Why something is impossible, in a turn or with the tiles to come: a smallest set of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from model.draws import Draw
from model.features import Feature
from model.final import final_scoring
from model.geometry import Cell
from model.position import Position
from model.rules.carcassonne.completion import missing
from model.rules.carcassonne.placement import ADJACENT
from model.rules.castle.placement import INSIDE
from model.tiles import Kind
from solver.cpsat.base.core import Case, smallest
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Law, Lit, Logic, no
from solver.cpsat.castle.instance import holes, needed
from solver.cpsat.castle.instance import survey as castle_survey
from solver.cpsat.castle.model import CastlePlay, castle_model
from solver.cpsat.castle.turn import castle_turn
from solver.cpsat.connectivity.by_turn import ByTurn
from solver.cpsat.engine import orders
from solver.cpsat.plane.instance import survey as plane_survey
from solver.cpsat.plane.model import plane_model
from solver.cpsat.plane.turn import plane_turn
from solver.cpsat.shared.claims import Claims
from solver.cpsat.shared.contacts import contacts
from solver.cpsat.shared.placement import PlacementVars, place_tiles
from solver.limits import Clock
from solver.problem import Problem, Wish
from solver.progress import Reporter

BEYOND_SCORES = 1_000_000
"""A score that no game comes near to; CP-SAT holds no number without end."""


def conflict(position: Position, draw: Draw, wish: Wish, watch: Clock) -> tuple[Law, ...] | None:
    """Return rules that together forbid a wish, or None if it can be fulfilled.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        wish: what is wanted.
        watch: the time.

    Returns:
        The rules by id, empty if the wish is impossible whatever the rules: there is
        nothing to stand on or to double.

    Raises:
        OutOfTimeError: the time is used up.

    """
    if position.game.board.endless:
        turn = plane_turn(position, draw, explain=True)
        table = turn.play.table
        inside = table.instance.held | position.by_cell().keys()
        if wish.cell is not None and wish.cell not in inside:
            return (ADJACENT,)
        if wish.doubled is not None or wish.extra_turns:
            return ()
        _demand(turn.logic, table.instance, table.placement, table.claims, wish)
        return smallest((lambda: turn.logic,), watch)
    if wish.cell is not None and wish.cell not in position.game.board.cells:
        # The model has no variables for what lies outside.
        return (INSIDE,)
    play = castle_turn(position, draw, explain=True).play
    _demand(play.logic, play.instance, play.placement, play.claims, wish)
    _demand_wall_tiles(play, wish)
    return smallest((lambda: play.logic,), watch)


def _demand(
    logic: Logic, instance: Instance, placement: PlacementVars, claims: Claims, wish: Wish
) -> None:
    """Add to the model where the tile is wanted, and on what a follower."""
    kind = instance.kinds[0]
    for (cell, rotation), literal in placement.x[0].items():
        elsewhere = wish.cell is not None and wish.cell != cell
        turned = wish.rotation is not None and kind.shape(rotation) != kind.shape(wish.rotation)
        if elsewhere or turned:
            logic.clause(~literal)
    if wish.follower is not None:
        logic.clause(
            *(claims.on[part.number] for part in instance.new if part.kind is wish.follower)
        )


def _demand_wall_tiles(play: CastlePlay, wish: Wish) -> None:
    """Add to the model what wall tiles are wanted for."""
    if wish.doubled is not None:
        kinds = {one.leader: one.kind for one in play.features}
        play.logic.clause(
            *(
                uses[0]
                for (leader, _), uses in play.doubled.items()
                if kinds[leader] is wish.doubled
            )
        )
    if wish.extra_turns:
        play.logic.clause(*play.turns.extra[0][wish.extra_turns - 1 :][:1])


def unfinished(position: Position, feature: Feature, watch: Clock) -> tuple[Law, ...] | None:
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
    logic = Logic(explain=True, watch=watch)
    if position.game.board.endless:
        farthest = len(position.order + position.bag)
        instance = plane_survey(position, watch, farthest=farthest)[0].of_kind(feature.kind)
    else:
        instance = castle_survey(position, len(position.order)).of_kind(feature.kind)
    placement = place_tiles(logic, instance)
    if feature.kind is Kind.CLOISTER:
        for cell in sorted(needs(position, feature)):
            logic.clause(placement.full(cell, len(instance.kinds) - 1))
    else:
        logic.clause(*_closed(logic, instance, placement, feature))
    return smallest((lambda: logic,), watch)


def _closed(
    logic: Logic, instance: Instance, placement: PlacementVars, feature: Feature
) -> Iterator[Lit]:
    """Yield for every part that may lead the feature whether it does, and is complete.

    What is done with followers and towers changes neither the tiles nor their places.
    """
    if not instance.kinds:
        return
    touching = contacts(logic, instance, placement)
    joined = ByTurn().join(logic, instance, touching, {})
    number = next(part.number for part in instance.old if part.feature == feature)
    walls = None if instance.position.game.board.endless else holes(instance)
    last = len(instance.kinds) - 1
    for leader, members in joined.features(logic):
        if number in members:
            shut = (logic.any_of((no(lit), touching.shut[-1][v])) for v, lit in members.items())
            hole = walls is not None and walls.hole(logic, placement, feature.kind, members, last)
            yield logic.all_of((members[number], members[leader], *shut, no(hole)))


def needs(position: Position, feature: Feature) -> frozenset[Cell]:
    """Return the empty cells that must be filled for a feature to be complete as it is."""
    if position.game.board.endless:
        return missing(feature, position.by_cell())
    return needed(position, feature)


def out_of_reach(
    problem: Problem, value: int, watch: Clock, reporter: Reporter
) -> tuple[Law, ...] | None:
    """Return rules because of which no play is worth so much to the asker, if none is.

    Args:
        problem: players all serve the asker; unknown tiles come as is best for him.
        value: what he would like to have.
        watch: the time and the conflicts allowed.
        reporter: hears in how many orders of the bag it is impossible.

    Returns:
        The rules by id, none of which could be left out; empty if no rule of the model is to
        blame, but what is given alone; None if some play is worth so much.

    Raises:
        OutOfTimeError: the time is used up.

    """
    if problem.position.over:
        return () if problem.worth(*final_scoring(problem.position).scores) < value else None
    least = max(-BEYOND_SCORES, min(value, BEYOND_SCORES))
    return smallest(_Orders(problem=problem, least=least, watch=watch), watch, reporter)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Orders:
    """A model for every order of the bag, in which a problem is worth at least so much."""

    problem: Problem
    least: int
    watch: Clock

    def __iter__(self) -> Iterator[Case]:
        """Yield what builds each model."""
        position = self.problem.position
        for order in orders(position.bag):
            yield partial(self._model, replace(position, order=position.order + order, bag=()))

    def _model(self, position: Position) -> Logic:
        """Return the model of an order."""
        build = plane_model if position.game.board.endless else castle_model
        model = build(replace(self.problem, position=position), ByTurn(), self.watch, explain=True)
        model.logic.model.add(model.value >= self.least)
        return model.logic
