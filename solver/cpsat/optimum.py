"""Answers from the model of a turn: every legal move, and the best ones with their proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Protocol

from model.draws import Draw, draws
from model.position import Position
from solver.answers import Status
from solver.certify import CertificateError
from solver.cpsat import board, legality
from solver.cpsat.logic import Logic
from solver.cpsat.placement import turn_model
from solver.cpsat.plane import board as plane_board
from solver.cpsat.plane import legality as plane_legality
from solver.cpsat.plane.placement import plane_turn
from solver.cpsat.run import (
    Expression,
    Listed,
    Proof,
    Reading,
    between,
    every,
    maximise,
    possible,
)
from solver.listing import ScoredMove, best_listed, passing, ranked, the_draw
from solver.outlook import NOTHING, Finding, Goal, Task


class Turn(Protocol):
    """A turn as a model, in any family of games; a solution is what ``read`` makes of one."""

    @property
    def logic(self) -> Logic:
        """The model."""

    @property
    def entangled(self) -> bool:
        """Whether how a move is named depends on moves of other values."""

    def value(self, goal: Goal) -> Expression:
        """Return what the turn is worth to the mover."""

    def read(self, reading: Reading) -> Any:
        """Read a solution off the variables."""

    def found(self, solutions: Iterable[Any]) -> list[ScoredMove]:
        """Return the moves that solutions stand for, in the order of the reference engine."""

    def shown(self, solution: Any) -> ScoredMove:
        """Return one solution as a move, whatever the others are."""


def _turn(task: Task) -> Turn | None:
    """Return the model of a turn; None if there is nothing to decide in it."""
    if task.position.game.board.endless:
        return plane_turn(task.position, the_draw(task))
    return None if the_draw(task).tile is None else turn_model(task.position, the_draw(task))


class CpsatEngine:
    """Finds moves with CP-SAT."""

    name = "cpsat"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: one turn."""
        return task.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        yield from draws(position, placeable)

    def moves(self, task: Task) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        turn = _turn(task)
        if turn is None:
            return (passing(task),)
        listed = _listed(task, turn, None, None)
        return None if listed.proof is Proof.STOPPED else tuple(turn.found(listed.rows))

    def solve(self, task: Task) -> Finding:
        """Return the best moves of a turn.

        The optimum is a maximisation that CP-SAT closes; that nothing is better is proved
        once more with presolve off; then all solutions of that value are listed.
        """
        turn = _turn(task)
        if turn is None:
            proof = "no tile left has a place, by two solves, one with presolve off"
            return best_listed(task, (passing(task),), proof)
        task.reporter.stage(f"laying {the_draw(task).tile or 'nothing'}")
        value = turn.value(task.goal)
        top = maximise(turn.logic.model, value, turn.read, task.watch.left())
        if top.proof is Proof.NONE:
            raise CertificateError(f"there is no turn with tile {the_draw(task).tile}")
        if top.value is None or top.row is None:
            return NOTHING
        task.reporter.found(top.value)
        one = ranked(task, (turn.shown(top.row),))
        worth = Fraction(top.value)
        most = None if top.bound is None else Fraction(top.bound)
        unproved = Finding(status=Status.BOUND, value=worth, most=most, first=one, complete=False)
        try:
            if top.proof is not Proof.DONE or not _confirmed(task, turn, top.value):
                return unproved
            found, complete = _all_best(task, turn, top.value)
        except KeyboardInterrupt:  # Ctrl-C: what is known so far is the answer
            return unproved
        proof = f"no move is worth more than {top.value}: two solves, one with presolve off"
        return Finding(
            status=Status.OPTIMAL if complete else Status.BOUND,
            value=worth,
            most=worth,
            first=ranked(task, found) if found else one,
            complete=complete,
            confirmed=(proof,),
        )


def placeable(position: Position, tile: str) -> bool:
    """Tell whether a tile can lie anywhere; that it cannot is proved twice."""
    logic = Logic()
    kind = position.game.tile_set.kind(tile)
    if position.game.board.endless:
        plane_legality.lying(logic, plane_board.survey(position, kind))
    else:
        legality.lying(logic, board.survey(position, kind))
    if possible(logic.model, None):
        return True
    if possible(logic.model, None, presolve=False):
        raise CertificateError(f"tile {tile} has a place with presolve off and none with it")
    return False


def _confirmed(task: Task, turn: Turn, value: int) -> bool:
    """Tell whether a second solve, with presolve off, proves that nothing is better."""
    task.reporter.stage(f"proving {value} again")
    better = between(turn.logic.model, turn.value(task.goal), value + 1, None)
    answer = possible(better, task.watch.left(), presolve=False)
    if answer:
        raise CertificateError(f"{value} was proved best, but with presolve off there is better")
    return answer is not None


def _all_best(task: Task, turn: Turn, best: int) -> tuple[list[ScoredMove], bool]:
    """Return all moves of the best value, and of lower ones until there are enough.

    Also whether these are all: they are not if time ran out.
    """
    if turn.entangled:
        task.reporter.stage("listing moves")
        listed = _listed(task, turn, None, None)
        return ([], False) if listed.proof is Proof.STOPPED else (turn.found(listed.rows), True)
    value = turn.value(task.goal)
    found: list[ScoredMove] = []
    level: int | None = best
    while level is not None and len(found) < task.top:
        task.reporter.stage(f"listing moves worth {level}")
        listed = _listed(task, turn, level, level)
        if listed.proof is Proof.STOPPED:
            return found, False
        found += turn.found(listed.rows)
        task.reporter.listed(len(found))
        if len(found) < task.top:
            lower = between(turn.logic.model, value, None, level - 1)
            below = maximise(lower, value, turn.read, task.watch.left())
            if below.proof is Proof.STOPPED:
                return found, False
            level = below.value
    return found, True


def _listed(task: Task, turn: Turn, least: int | None, most: int | None) -> Listed[Any]:
    """Return the solutions with a value between two limits."""
    model = between(turn.logic.model, turn.value(task.goal), least, most)
    return every(model, turn.read, task.watch.left())
