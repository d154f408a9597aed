"""Answers from the model of a turn: every legal move, and the best ones with their proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from model.draws import Draw, draws
from model.position import Position
from solver.answers import Status
from solver.certify import CertificateError
from solver.cpsat.board import survey
from solver.cpsat.legality import lying
from solver.cpsat.logic import Logic
from solver.cpsat.placement import Solution, TurnModel, in_order, moves, read_solution, turn_model
from solver.cpsat.run import Listed, Proof, Reading, between, every, maximise, possible
from solver.engines import UNKNOWN, Found, Result, Search, passing, ranked


class CpsatEngine:
    """Finds moves with CP-SAT."""

    name = "cpsat"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        yield from draws(position, placeable)

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out."""
        if search.draw.tile is None:
            return (passing(search),)
        turn = turn_model(search.position, search.draw)
        listed = _listed(search, turn, None, None)
        return None if listed.proof is Proof.STOPPED else tuple(moves(turn, listed.rows))

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw.

        The optimum is a maximisation that CP-SAT closes; that nothing is better is proved
        once more with presolve off; then all solutions of that value are listed.
        """
        if search.draw.tile is None:
            proof = "no tile left has a place, by two solves, one with presolve off"
            return Result(
                status=Status.OPTIMAL,
                value=0,
                bound=0,
                found=(passing(search),),
                confirmed=(proof,),
            )
        search.reporter.stage(f"laying {search.draw.tile}")
        turn = turn_model(search.position, search.draw)
        value = turn.value(search.objective)
        top = maximise(turn.logic.model, value, _reader(turn), search.watch.left())
        if top.proof is Proof.NONE:
            raise CertificateError(f"tile {search.draw.tile} has a place, but no move")
        if top.value is None or top.row is None:
            return UNKNOWN
        search.reporter.found(top.value)
        one = (in_order(turn, top.row),)
        unproved = Result(status=Status.BOUND, value=top.value, bound=top.bound, found=one)
        try:
            if top.proof is not Proof.DONE or not _confirmed(search, turn, top.value):
                return unproved
            found, complete = _all_best(search, turn, top.value)
        except KeyboardInterrupt:  # Ctrl-C: what is known so far is the answer
            return unproved
        proof = f"no move is worth more than {top.value}: two solves, one with presolve off"
        return Result(
            status=Status.OPTIMAL if complete else Status.BOUND,
            value=top.value,
            bound=top.value,
            found=ranked(search, found) if found else one,
            confirmed=(proof,),
        )


def placeable(position: Position, tile: str) -> bool:
    """Tell whether a tile can lie anywhere; that it cannot is proved twice."""
    logic = Logic()
    lying(logic, survey(position, position.game.tile_set.kind(tile)))
    if possible(logic.model, None):
        return True
    if possible(logic.model, None, presolve=False):
        raise CertificateError(f"tile {tile} has a place with presolve off and none with it")
    return False


def _confirmed(search: Search, turn: TurnModel, value: int) -> bool:
    """Tell whether a second solve, with presolve off, proves that nothing is better."""
    search.reporter.stage(f"proving {value} again")
    better = between(turn.logic.model, turn.value(search.objective), value + 1, None)
    answer = possible(better, search.watch.left(), presolve=False)
    if answer:
        raise CertificateError(f"{value} was proved best, but with presolve off there is better")
    return answer is not None


def _all_best(search: Search, turn: TurnModel, best: int) -> tuple[list[Found], bool]:
    """Return all moves of the best value, and of lower ones until there are enough.

    Also whether these are all: they are not if time ran out.
    """
    if turn.track.stops:
        # Orders of one plan differ in points, and how a move is named depends on all of them.
        search.reporter.stage("listing moves")
        listed = _listed(search, turn, None, None)
        return ([], False) if listed.proof is Proof.STOPPED else (moves(turn, listed.rows), True)
    value = turn.value(search.objective)
    found: list[Found] = []
    level: int | None = best
    while level is not None and len(found) < search.top:
        search.reporter.stage(f"listing moves worth {level}")
        listed = _listed(search, turn, level, level)
        if listed.proof is Proof.STOPPED:
            return found, False
        found += moves(turn, listed.rows)
        search.reporter.listed(len(found))
        if len(found) < search.top:
            lower = between(turn.logic.model, value, None, level - 1)
            below = maximise(lower, value, _reader(turn), search.watch.left())
            if below.proof is Proof.STOPPED:
                return found, False
            level = below.value
    return found, True


def _listed(
    search: Search, turn: TurnModel, least: int | None, most: int | None
) -> Listed[Solution]:
    """Return the solutions with a value between two limits."""
    model = between(turn.logic.model, turn.value(search.objective), least, most)
    return every(model, _reader(turn), search.watch.left())


def _reader(turn: TurnModel) -> Callable[[Reading], Solution]:
    """Return a function that reads solutions of a turn."""
    return partial(read_solution, turn)
