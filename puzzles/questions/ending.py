"""The question with how many points a game ends whose last tile is laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from burgrave.model.book import book_of
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Position
from burgrave.model.rule import Event
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.base import NO_LIMIT, Question, Reply, plain, spelled
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.puzzles.questions.wording import turn
from burgrave.solver import questions
from burgrave.solver.engines import REFERENCE, every_move
from burgrave.solver.limits import Limits
from burgrave.solver.result import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Question):
    """With how many points does the game end after its last move?"""

    move: str
    name: str = "final"
    must: ClassVar[frozenset[str]] = frozenset({"value", "points"})
    may: ClassVar[frozenset[str]] = frozenset({"tokens"})

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- of the end
        """Return what a stored answer claims: the mover's lead, totals, tokens."""
        return {
            "value": answer.value,
            "status": str(Status.OPTIMAL),
            "points": list(answer.points),
            "tokens": list(answer.tokens),
        }

    @property
    def about(self) -> str:
        """The move that it is about, in notation."""
        return self.move

    def shown(self, position: Position, line: Sequence[str], moves: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 -- one move
        """Return the last move."""
        return (self.move,)

    def events(self, position: Position) -> tuple[Event, ...]:
        """Return what players score by the move, and at the end."""
        last = play(position, read_move(position, self.move))
        events = (*last.events, *final_scoring(last.position).events)
        return tuple(one for one in events if one.player is not None)

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        mover = position.game.name(position.to_move)
        told = turn(position, read_move(position, self.move), self.move)
        return f"{mover} {told} as the last move: with how many points does the game end?"

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the reference, and the engines that tell the lead after each move."""
        return (REFERENCE, *every_move(position.game))

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the totals and tokens by the reference; others tell the mover's lead alone.

        Raises:
            QuestionError: the move does not end the game, or the engine does not tell its value.

        """
        if engine in {None, REFERENCE}:
            return self._by_reference(position)
        if len(position.order) != 1 or position.bag:
            raise QuestionError(f"{engine} tells the values of last moves alone")
        # With one tile in the bag nothing is left to chance.
        last = replace(position, order=(), bag=position.order)
        answer = questions.expected(last, engine=engine, budget=budget)
        wanted = spelled(position, self.move)
        for one in answer.first:
            if write_move(position, one.move) == wanted:
                facts = {"value": plain(one.value), "status": str(answer.status)}
                return Reply(facts=facts, engine=answer.engine)
        raise QuestionError(f"{answer.engine} does not tell what {self.move} is worth")

    def _by_reference(self, position: Position) -> Reply:
        """Play the move and score the end."""
        final = final_scoring(play(position, read_move(position, self.move)).position)
        others = [score for p, score in enumerate(final.scores) if p != position.to_move]
        lead = final.scores[position.to_move] - max(others, default=0)
        names = position.game.players
        totals = [f"{name} {score}" for name, score in zip(names, final.scores, strict=True)]
        tokens = list(final.tokens) if book_of(position.game).token_end else []
        facts = {
            "value": lead,
            "status": str(Status.OPTIMAL),
            "points": totals,
            "tokens": tokens,
        }
        return Reply(facts=facts, engine=REFERENCE)
