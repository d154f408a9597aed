"""Engines that list every turn: the rules engine itself, and the kernel without positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from model.draws import Draw, draws
from model.engine import legal_moves, play
from model.errors import QuestionError
from model.features import position_features
from model.position import Position
from solver.engines import Lister
from solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from solver.problem import Problem, the_draw
from solver.result import Result, ScoredMove, TooLargeError, best_listed

if TYPE_CHECKING:
    from solver.simulation.walk import Walk


class ListingEngine(Lister, Protocol):
    """An engine that answers questions about one turn by the list of its moves.

    The kernel refuses some games, with a ``QuestionError``, and moves for which it has no room.
    """

    proof: str
    """One sentence that says why the list is complete."""

    def answers(self, problem: Problem) -> bool:
        """Tell whether it answers a problem: one turn."""
        return problem.gains

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Return the best moves of a turn."""
        return best_listed(problem, self.moves(problem, limits, reporter), self.proof)


class ReferenceEngine(ListingEngine):
    """Lists moves with ``model.engine.legal_moves``."""

    name = "reference"
    proof = "the rules engine listed and played every legal move"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield the possible draws of this turn."""
        yield from draws(position)

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        clock, found = limits.start(), list[ScoredMove]()
        position, before = problem.position, position_features(problem.position)
        for move in legal_moves(position, the_draw(problem).tile):
            if clock.out:
                return None
            after = play(position, move, before).position
            pairs = zip(position.players, after.players, strict=True)
            found.append(ScoredMove(move, tuple(now.score - old.score for old, now in pairs)))
            reporter.listed(len(found))
        return tuple(found)


class StateEngine(ListingEngine):
    """Lists moves with the kernel."""

    name = "state"
    proof = "the kernel listed and scored every turn"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield the possible draws of this turn."""
        walk = _walk(position, SILENT)
        yield from draws(position, lambda _, tile: walk.fits(tile))

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        clock = limits.start()
        position, draw = problem.position, the_draw(problem)
        walk = _walk(position, reporter)
        left = len(position.order) + len(position.bag) - len(draw.discards) - 1
        before, found = walk.standing(), []
        try:
            for turn in walk.turns(draw.tile, last=left <= 0):
                move = walk.move(turn, draw.discards)
                walk.play(turn, last=left <= 0)
                gains = (now - old for now, old in zip(walk.standing(), before, strict=True))
                found.append(ScoredMove(move, tuple(gains)))
                walk.undo()
        except TooLargeError as error:
            raise QuestionError("the turns do not fit into the tables of the kernel") from error
        return None if clock.out else tuple(found)


def _walk(position: Position, reporter: Reporter) -> Walk:
    """Return a game on the kernel; refuse by a ``QuestionError`` what the kernel does not know."""
    from solver.kernel.codec import refusal  # noqa: PLC0415 -- numba loads late
    from solver.simulation.walk import Walk  # noqa: PLC0415 -- numba loads late

    if (what := refusal(position)) is not None:
        raise QuestionError(f"the engine {StateEngine.name} does not know {what}")
    return Walk(position, reporter)
