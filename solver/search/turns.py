"""The kernel as an engine of answers: list every turn without building positions."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.errors import QuestionError
from model.position import Position
from solver.kernel.codec import refusal
from solver.limits import NO_LIMIT, Limits
from solver.problem import Problem, the_draw
from solver.progress import SILENT, Reporter
from solver.result import Result, ScoredMove, TooLargeError, best_listed, passing
from solver.simulation.walk import Walk


class StateEngine:
    """Lists moves with the kernel."""

    name = "state"

    def answers(self, problem: Problem) -> bool:
        """Tell whether it answers a problem: one turn."""
        return problem.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield the possible draws of this turn."""
        walk = _walk(position, Reporter())
        yield from draws(position, lambda _, tile: walk.fits(tile))

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out.

        Raises:
            QuestionError: the kernel does not know something of the game, or has no room.

        """
        clock = limits.start()
        position, draw = problem.position, the_draw(problem)
        if draw.tile is None and not position.game.board.endless:
            return (passing(problem),)
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

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Return the best moves of a turn."""
        return best_listed(
            problem,
            self.moves(problem, limits, reporter),
            "the kernel listed and scored every turn",
        )


def _walk(position: Position, reporter: Reporter) -> Walk:
    """Return a position opened for the kernel.

    Raises:
        QuestionError: its game has something that the kernel does not know.

    """
    if (what := refusal(position)) is not None:
        raise QuestionError(f"the engine {StateEngine.name} does not know {what}")
    return Walk(position, reporter)
