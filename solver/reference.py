"""The rules engine as an engine of answers: list every legal move and play it."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.engine import legal_moves, play
from model.features import Features, position_features
from model.position import Move, Position
from solver.limits import NO_LIMIT, Limits
from solver.problem import Problem, the_draw
from solver.progress import SILENT, Reporter
from solver.result import Result, ScoredMove, best_listed


class ReferenceEngine:
    """Lists moves with ``model.engine.legal_moves``."""

    name = "reference"

    def answers(self, problem: Problem) -> bool:
        """Tell whether it answers a problem: one turn."""
        return problem.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield the possible draws of this turn."""
        yield from draws(position)

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        clock, found = limits.start(), list[ScoredMove]()
        before = position_features(problem.position)
        for move in legal_moves(problem.position, the_draw(problem).tile):
            if clock.out:
                return None
            found.append(ScoredMove(move, _gains(problem.position, move, before)))
            reporter.listed(len(found))
        return tuple(found)

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Return the best moves of a turn."""
        return best_listed(
            problem,
            self.moves(problem, limits, reporter),
            "the rules engine listed and played every legal move",
        )


def _gains(position: Position, move: Move, before: Features) -> tuple[int, ...]:
    """Return the points that each player wins by a legal move, given the features before it."""
    after_turn = play(position, move, before).position
    pairs = zip(position.players, after_turn.players, strict=True)
    return tuple(after.score - before.score for before, after in pairs)
