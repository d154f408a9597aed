"""Questions about one move: whether it is legal, and who scores by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from burgrave.model.engine import judge, play
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.rule import Event
from burgrave.puzzles.cards.questions import Check, Facts, Play
from burgrave.puzzles.questions.base import NO_LIMIT, Question, Reply
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.puzzles.questions.wording import turn
from burgrave.solver.engines import REFERENCE, quick_first
from burgrave.solver.limits import Limits

if TYPE_CHECKING:
    from burgrave.puzzles.cards.files import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneMove(Question):
    """A question about one move, answered like a rule card."""

    move: str

    @property
    def about(self) -> str:
        """The move that it is about, in notation."""
        return self.move

    def shown(self, position: Position, line: Sequence[str], moves: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 -- one move
        """Return the move, if it is legal."""
        return (self.move,) if judge(position, read_move(position, self.move)).legal else ()

    def _able(self, card: Card) -> tuple[str, ...]:
        """Return the engines that answer a card, quick ones first."""
        from burgrave.puzzles.cards.deck import engines_for  # noqa: PLC0415 -- loads the models of cards

        return quick_first(engines_for(card))

    def _run(self, card: Card, engine: str) -> Facts:
        """Return an engine's answer to a card."""
        from burgrave.puzzles.cards.deck import run  # noqa: PLC0415 -- loads the models of cards

        return dict(run(card, engine).got)

    def _card(self, position: Position, question: Check | Play, told: Mapping[str, Any]) -> Card:
        """Return the card that asks the same, with the verdict of the reference."""
        from burgrave.puzzles.cards.files import Card  # noqa: PLC0415 -- loads the models of cards

        return Card(
            id="puzzle",
            title="",
            rules=(),
            source="",
            position=position,
            question=question,
            expected=told,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Legal(_OneMove):
    """Is a move legal, and which rules does it break?"""

    name: str = "legal"
    must: ClassVar[frozenset[str]] = frozenset({"legal"})
    may: ClassVar[frozenset[str]] = frozenset({"breaks"})

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- of a move
        """Return what a stored answer claims: whether the move is legal, and what it breaks."""
        return {"legal": answer.legal, "breaks": sorted(answer.breaks)}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        mover = position.game.name(position.to_move)
        told = turn(position, read_move(position, self.move), self.move)
        return f"{mover} {told}: is this legal?"

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that list legal moves, the reference first."""
        told = Check(move=self.move).answer(position)
        return self._able(self._card(position, Check(move=self.move), told))

    def reply(
        self,
        position: Position,
        engine: str | None = None,
        budget: Limits = NO_LIMIT,  # noqa: ARG002 -- one turn is quickly judged
    ) -> Reply:
        """Return whether it is legal; the reference tells the rules too."""
        question = Check(move=self.move)
        told = question.answer(position)
        name = engine or REFERENCE
        keys = ("legal", "breaks")
        card = self._card(position, question, {key: told[key] for key in keys})
        return Reply(facts=self._run(card, name), engine=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores(_OneMove):
    """Who scores what by a move?"""

    name: str = "scores"
    must: ClassVar[frozenset[str]] = frozenset({"points"})
    may: ClassVar[frozenset[str]] = frozenset()

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:
        """Return what a stored answer claims: each score, and the totals that they make."""
        players = position.game.players
        totals = {name: one.score for name, one in zip(players, position.players, strict=True)}
        for entry in answer.points:
            name, points = entry.split()
            totals[name] += int(points)
        return {"points": list(answer.points), "scores": [totals[name] for name in players]}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        mover = position.game.name(position.to_move)
        told = turn(position, read_move(position, self.move), self.move)
        return f"{mover} {told}: who scores how many points?"

    def events(self, position: Position) -> tuple[Event, ...]:
        """Return what players score by the move."""
        events = play(position, read_move(position, self.move)).events
        return tuple(one for one in events if one.player is not None)

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that list moves with their points, the reference first."""
        told = Play(moves=(self.move,)).answer(position)
        return self._able(self._card(position, Play(moves=(self.move,)), told))

    def reply(
        self,
        position: Position,
        engine: str | None = None,
        budget: Limits = NO_LIMIT,  # noqa: ARG002 -- one turn is quickly judged
    ) -> Reply:
        """Return the totals after the move; the reference tells each score too."""
        question = Play(moves=(self.move,))
        told = question.answer(position)
        name = engine or REFERENCE
        keys = ("legal", "scores", "points")
        card = self._card(position, question, {key: told.get(key) for key in keys})
        facts = self._run(card, name)
        return Reply(facts={key: facts[key] for key in facts if key != "legal"}, engine=name)
