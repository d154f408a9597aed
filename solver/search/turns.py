"""Engines that list every turn: the rules engine itself, and the kernel without positions."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.draws import Draw, draws
from burgrave.model.errors import QuestionError
from burgrave.model.position import Position
from burgrave.solver.engines import REFERENCE, Lister
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from burgrave.solver.problem import Problem, the_draw
from burgrave.solver.result import Result, ScoredMove, TooLargeError, best_listed
from burgrave.solver.simulation import COMPILED, table


class ListingEngine(Lister):
    """An engine that plays each move of a turn on a table.

    The kernel refuses some games, with a ``QuestionError``, and moves for which it has no room.
    """

    name: str
    """One of ``solver.simulation.PLAYED_BY``."""
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

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield the possible draws of this turn."""
        game = table(position, self.name)
        yield from draws(position, lambda _, tile: game.fits(tile))

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        clock, found = limits.start(), list[ScoredMove]()
        position, draw = problem.position, the_draw(problem)
        game = table(position, self.name)
        last = len(position.order) + len(position.bag) - len(draw.discards) <= 1
        before = game.standing()
        try:
            for turn in game.turns(draw.tile, last=last):
                if clock.out:
                    return None
                move = game.move(turn, draw.discards)
                game.play(turn, last=last)
                gains = (now - old for now, old in zip(game.standing(), before, strict=True))
                found.append(ScoredMove(move, tuple(gains)))
                game.undo()
                reporter.listed(len(found))
        except TooLargeError as error:
            raise QuestionError("the turns do not fit into the tables of the kernel") from error
        return tuple(found)


class ReferenceEngine(ListingEngine):
    """Lists moves with ``model.engine.legal_moves``."""

    name = REFERENCE
    proof = "the rules engine listed and played every legal move"


class StateEngine(ListingEngine):
    """Lists moves with the kernel."""

    name = COMPILED
    proof = "the kernel listed and scored every turn"
