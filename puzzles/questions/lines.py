"""Questions whose answer is a whole line of play that nothing else equals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from burgrave.model.engine import play
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.base import NO_LIMIT, Reply, coming, everybody
from burgrave.puzzles.questions.rest import Most
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.solver.engines import BY_RULES, GAME_ENGINES, every_move, plays
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.result import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class _WholeLine(Most):
    """A maximum with one line to it: after each of its turns one turn alone keeps the maximum."""

    must: ClassVar[frozenset[str]] = frozenset({"value", "moves", "line"})
    may: ClassVar[frozenset[str]] = frozenset()
    leadless: ClassVar[bool] = True
    unopposed: ClassVar[bool] = True

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:
        """Return what a stored answer claims: a value, the first move, all turns."""
        return {**Most.claimed(self, position, answer), "turns": list(answer.line)}

    def data(self, position: Position) -> dict[str, Any]:
        """Return its keys in a file; the name says who plays."""
        return {"objective": str(self.goal), "asker": position.game.players[self.asker]}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        who = position.game.name(self.asker)
        what = "score" if self.goal is Goal.POINTS else "lead"
        if self.alone:
            return (
                f"{coming(position)}, and every turn is {who}'s: which turns give him the largest"
                f" final {what}?"
            )
        return (
            f"{coming(position)}: which line of play gives {who} the largest final {what} if"
            f" {everybody(position)} players help him?"
        )

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that tell every best first move."""
        by_rules = (one for one in GAME_ENGINES if one in BY_RULES)
        return (*every_move(position.game), *(e for e in by_rules if plays(e, position.game)))

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the most and the line to it.

        If several lines reach it, ``turns`` is empty, and the line ends before the turn that has
        several best moves. All turns share the time; the answer is proved if each of them is.
        """
        name, clock = self.engines(position)[0] if engine is None else engine, budget.start()
        whole = Most.reply(self, position, name, budget)
        line: list[str] = []
        at, here = position, whole
        while len(here.facts["moves"]) == 1 and here.facts["status"] == str(Status.OPTIMAL):
            line += here.facts["moves"]
            at = self.met(play(at, read_move(at, line[-1])).position)
            if at.over:
                break
            here = Most.reply(self, at, name, clock.remaining())
        sole, status = line if at.over else [], here.facts["status"]
        facts = {**whole.facts, "status": status, "turns": sole}
        return replace(whole, facts=facts, line=tuple(line))

    def line_after(self, position: Position, move: str) -> tuple[str, ...]:
        """Return a first move and the turns after it that reach the most; of equals the first."""
        line, at = [move], self.met(play(position, read_move(position, move)).position)
        while not at.over:
            line.append(min(Most.reply(self, at, self.engines(at)[0]).facts["moves"]))
            at = self.met(play(at, read_move(at, line[-1])).position)
        return tuple(line)

    def met(self, position: Position) -> Position:
        """Return a position as the next turn meets it: in a series every turn is the asker's."""
        sides = Play.SOLITAIRE if self.alone else Play.HELPED
        return Problem(
            position=position,
            asker=self.asker,
            goal=self.goal,
            play=sides,
            order=TileOrder.GIVEN,
        ).begin(position)

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:
        """Check that a line ends the game with the value."""
        at = position
        for move in line:
            at = self.met(play(at, read_move(at, move)).position)
        return self.misses(at, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(_WholeLine):
    """By which line, and no other, does a player end with most if both help him?"""

    name: str = "help"


@dataclass(frozen=True, slots=True, kw_only=True)
class Series(_WholeLine):
    """By which turns in a row, and no others, does a player end with most?"""

    alone: bool = True
    name: str = "series"
