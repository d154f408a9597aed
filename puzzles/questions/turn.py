"""The question which move brings most in this turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from burgrave.model.engine import play
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Position
from burgrave.puzzles.questions.base import NO_LIMIT, Question, Reply, laid_next, plain
from burgrave.puzzles.selfplay.look import Look
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.solver import questions
from burgrave.solver.engines import engines_of
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Best(Question):
    """Which move brings most in this turn?"""

    goal: Goal = Goal.POINTS
    name: str = "best"
    turn_only: ClassVar[bool] = True

    @property
    def by_points(self) -> bool:
        """Whether points of this turn count, and not the lead."""
        return self.goal is Goal.POINTS

    def data(self, position: Position) -> dict[str, Any]:  # noqa: ARG002 -- the same for all
        """Return its keys in a file."""
        return {"objective": str(self.goal)}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        gain = "most points" if self.goal is Goal.POINTS else "the largest gain in lead"
        mover = position.game.name(position.to_move)
        tile = laid_next(position) if position.order else "the tile drawn"
        return f"{mover} to lay {tile}: which move brings {gain} in this turn?"

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines of a turn."""
        return engines_of(position.game)

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the best moves."""
        answer = questions.best(position, goal=self.goal, engine=engine, budget=budget)
        moves = [write_move(position, choice.move) for choice in answer.first]
        return Reply(
            facts={
                "value": plain(answer.value),
                "status": str(answer.status),
                "moves": sorted(moves),
            },
            line=tuple(moves[:1]),
            engine=answer.engine,
        )

    def worth(self, position: Position, move: str) -> Fraction:
        """Return the gain of a move in its turn."""
        after = play(position, read_move(position, move)).position
        pairs = zip(position.players, after.players, strict=True)
        gains = tuple(late.score - early.score for early, late in pairs)
        return Fraction(questions.turn_problem(position, None, goal=self.goal).worth(*gains))

    def values(self, position: Position, budget: Limits = NO_LIMIT) -> Mapping[str, Fraction]:  # noqa: ARG002 -- seen at a glance
        """Return the gain of every legal move in its turn."""
        walk = Rehearsal(position)
        looks = walk.looks()
        return {
            write_move(position, walk.move(look)): Fraction(won(look, self.goal)) for look in looks
        }

    def line_after(self, position: Position, move: str) -> tuple[str, ...]:  # noqa: ARG002 -- one turn
        """Return the move alone: the question looks no further."""
        return (move,)

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:
        """Check the one move of the line."""
        if len(line) != 1:
            return "the line is not one move"
        found = plain(self.worth(position, line[0]))
        return "" if found == value else f"the line is worth {found}"


def won(look: Look, goal: Goal) -> int:
    """Return the gain of a turn by itself."""
    return look.points if goal is Goal.POINTS else look.gain
