"""Questions about the rest of a game: forced lead, expected lead, win, or maximum."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from burgrave.model.engine import play
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.base import (
    NO_LIMIT,
    Question,
    Reply,
    coming,
    everybody,
    plain,
    spelled,
)
from burgrave.solver import questions
from burgrave.solver.engines import GAME_ENGINES, every_move
from burgrave.solver.limits import Limits
from burgrave.solver.problem import TWO, Goal, Play
from burgrave.solver.result import Answer, Status


def _facts(position: Position, answer: Answer) -> Facts:
    """Return value, status and best first moves of an answer about the rest of a game."""
    moves = [one.move for one in answer.first if one.value == answer.value]
    return {
        "value": plain(answer.value),
        "status": str(answer.status),
        "moves": sorted(write_move(position, move) for move in moves),
    }


def replied(position: Position, answer: Answer) -> Reply:
    """Return an answer about the rest of a game as a reply."""
    return Reply(
        facts=_facts(position, answer),
        whole=answer.complete,
        line=_told(position, answer.line),
        values={write_move(position, one.move): one.value for one in answer.first},
        engine=answer.engine,
    )


def _told(at: Position, line: Sequence[Move]) -> tuple[str, ...]:
    """Return the moves of a line from a position on in notation."""
    told = list[str]()
    for move in line:
        told.append(write_move(at, move))
        at = play(at, move).position
    return tuple(told)


class _Rest(Question):
    """A question about the rest of a game."""

    __slots__ = ()

    def engines(self, position: Position) -> tuple[str, ...]:  # noqa: ARG002 -- of the base
        """Return the engines for the rest of a game; not all answer every question."""
        return GAME_ENGINES


class _Against(_Rest):
    """The common part of questions about best play to the end of a game."""

    __slots__ = ()

    @abstractmethod
    def ask(
        self,
        position: Position,
        engine: str | None,
        budget: Limits,
        told: int | None = None,
        *,
        every: bool = False,
    ) -> Answer:
        """Ask for the value of a position to the player to move, with some root moves or all."""

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the value and best first moves."""
        return replied(position, self.ask(position, engine, budget))

    def worth(self, position: Position, move: str) -> Fraction | None:
        """Return the value of a first move for the player who makes it."""
        return self.followed(position, move)[0]

    def followed(self, position: Position, move: str) -> tuple[Fraction | None, tuple[str, ...]]:
        """Return the value of a first move for the player who makes it, and best play after it."""
        if len(position.players) > TWO:
            # Each plays for himself, and of equal ends he takes the worst for who moves here.
            every = self.ask(position, None, NO_LIMIT, every=True).first
            wanted = read_move(position, move)
            return next(
                ((one.value, _told(position, one.line)) for one in every if one.move == wanted),
                (None, ()),
            )
        after = play(position, read_move(position, move)).position
        answer = self.ask(after, None, NO_LIMIT, told=1)
        value = answer.value
        if value is not None and not self.same_side(position, after):
            value = -value
        # What is drawn from a bag makes no line.
        known = not (after.over or position.bag)
        return value, (move, *(replied(after, answer).line if known else ()))

    def astray(self, position: Position, line: Sequence[str], value: object) -> str:
        """Play a line out and compare its end; a line of one move stops before the end."""
        asker, at = position.to_move, position
        for move in line:
            at = play(at, read_move(at, move)).position
        if not at.over:
            return "" if len(line) == 1 and position.bag else "the line does not end the game"
        found = self.scored(final_scoring(at).scores, asker)
        return "" if found == value else f"the line ends with {found}"

    def scored(self, totals: tuple[int, ...], asker: int) -> int:
        """Return the value of a finished game for a player: his lead."""
        return totals[asker] - max(totals[:asker] + totals[asker + 1 :])

    def same_side(self, one: Position, other: Position) -> bool:
        """Tell whether the values of two positions count for the same player."""
        return one.to_move == other.to_move

    def line_after(self, position: Position, move: str) -> tuple[str, ...]:
        """Return a first move and best play after it."""
        return self.followed(position, move)[1]

    def values(self, position: Position, budget: Limits = NO_LIMIT) -> Mapping[str, Fraction]:
        """Return the value of every legal first move; none where no fast engine tells."""
        engine = next(iter(every_move(position.game)), None)
        if engine is None:
            return {}
        found = self.ask(position, engine, budget, every=True)
        proved = found.status is Status.OPTIMAL
        return {write_move(position, one.move): one.value for one in found.first if proved}

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:
        """Check that each move of a line keeps the value of the position.

        Of more than two players, who each play for himself, the end alone is compared.
        """
        if len(position.players) > TWO:
            return self.astray(position, line, value)
        at = position
        for number, move in enumerate(line, start=1):
            at = play(at, read_move(at, move)).position
            worth = self.ask(at, None, NO_LIMIT, told=1).value
            found = plain(-worth if worth and not self.same_side(position, at) else worth)
            if found != value:
                return f"after move {number} of the line the position is worth {found}"
        return "" if at.over else "the line does not end the game"


@dataclass(frozen=True, slots=True, kw_only=True)
class Force(_Against):
    """Which move forces the largest lead at the end of the game?"""

    name: str = "force"
    fought: ClassVar[bool] = True

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        if len(position.players) > TWO:
            return (
                f"{coming(position)}: each player plays for his own lead over the best of the"
                f" others; which move gives {position.game.name(position.to_move)} the largest?"
            )
        name = position.game.name
        replies = len(position.order) + len(position.bag) > 1
        rival = f", whatever {name(1 - position.to_move)} does" if replies else " of the game"
        return (
            f"{coming(position)}: which move secures {name(position.to_move)} the best margin at"
            f" the end{rival}?"
        )

    def ask(
        self,
        position: Position,
        engine: str | None,
        budget: Limits,
        told: int | None = None,
        *,
        every: bool = False,
    ) -> Answer:
        """Ask for the lead that can be forced."""
        return questions.forced(position, every=every, engine=engine, budget=budget, told=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(_Against):
    """Does the player to move win, and how?"""

    name: str = "win"
    one_by_one: ClassVar[bool] = True

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        return f"{coming(position)}: which move wins, or at least does not lose, the game?"

    def scored(self, totals: tuple[int, ...], asker: int) -> int:
        """Return 1 for a win, 0 for a draw, -1 for a loss."""
        lead = _Against.scored(self, totals, asker)
        return (lead > 0) - (lead < 0)

    def ask(
        self,
        position: Position,
        engine: str | None,
        budget: Limits,
        told: int | None = None,
        *,
        every: bool = False,
    ) -> Answer:
        """Ask for the winner: 1 the player to move, 0 a draw, -1 the opponent."""
        return questions.winning(position, every=every, engine=engine, budget=budget, told=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflict(_Against):
    """Which move forces most points on the opponent, who tries to score as few as he can?"""

    asker: int
    """The player who forces."""
    name: str = "inflict"
    leadless: ClassVar[bool] = True
    fought: ClassVar[bool] = True

    def data(self, position: Position) -> dict[str, Any]:
        """Return its keys in a file."""
        return {"asker": position.game.players[self.asker]}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        asker, other = (position.game.name(one) for one in (self.asker, self.whose(position)))
        return (
            f"{coming(position)}: which move of {asker} forces most points on {other}, who tries to"
            " end with as few as he can?"
        )

    @property
    def forces(self) -> int | None:
        """The player who forces."""
        return self.asker

    def whose(self, position: Position) -> int:  # noqa: ARG002 -- of two players the other one
        """Return the player on whom points are forced."""
        return 1 - self.asker

    def scored(self, totals: tuple[int, ...], asker: int) -> int:  # noqa: ARG002 -- always the same
        """Return the opponent's final score."""
        return totals[1 - self.asker]

    def same_side(self, one: Position, other: Position) -> bool:  # noqa: ARG002 -- of any
        """Tell that all values are the opponent's final score."""
        return True

    def ask(
        self,
        position: Position,
        engine: str | None,
        budget: Limits,
        told: int | None = None,
        *,
        every: bool = False,
    ) -> Answer:
        """Ask for the final score that can be forced on the opponent."""
        return questions.inflicted(
            position, asker=self.asker, every=every, engine=engine, budget=budget, told=told
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect(_Rest):
    """Which move has the largest expected lead when the order of the tiles is unknown?"""

    name: str = "expect"

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        who = position.game.name(position.to_move)
        return f"{coming(position)}: which move gives {who} the largest lead at the end on average?"

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the value of every first move; what comes after it hangs on the draw."""
        told = replied(position, questions.expected(position, engine=engine, budget=budget))
        return replace(told, line=())

    def worth(self, position: Position, move: str) -> Fraction | None:
        """Return the value of a first move, from the values of all."""
        return self.values(position).get(spelled(position, move))

    def values(self, position: Position, budget: Limits = NO_LIMIT) -> Mapping[str, Fraction]:
        """Return the expected lead of every legal first move; none without a proof."""
        found = self.reply(position, budget=budget)
        return found.values if found.facts["status"] == str(Status.OPTIMAL) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Most(_Rest):
    """What is the most that a player can end with if both help him?"""

    asker: int
    """The player."""
    goal: Goal = Goal.POINTS
    alone: bool = False
    """Whether every turn to come is his."""
    name: str = "max"
    one_by_one: ClassVar[bool] = True

    def data(self, position: Position) -> dict[str, Any]:
        """Return its keys in a file."""
        mode = "solitaire" if self.alone else "helped"
        asker = position.game.players[self.asker]
        return {"objective": str(self.goal), "asker": asker, "mode": mode}

    def whose(self, position: Position) -> int:  # noqa: ARG002 -- he is named
        """Return the player who is asked about."""
        return self.asker

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        who = position.game.name(self.asker)
        what = "final score" if self.goal is Goal.POINTS else "final lead"
        how = (
            f"every turn is {who}'s" if self.alone else f"{everybody(position)} players help {who}"
        )
        return f"{coming(position)}: what is the largest {what} of {who} if {how}?"

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the most, with a line that reaches it."""
        sides = Play.SOLITAIRE if self.alone else Play.HELPED
        answer = questions.maximum(
            position, asker=self.asker, goal=self.goal, play=sides, engine=engine, budget=budget
        )
        if self.alone:
            return Reply(
                facts=_facts(position, answer), whole=answer.complete, engine=answer.engine
            )
        return replied(position, answer)

    def worth(self, position: Position, move: str) -> Fraction | None:
        """Return the most that can be reached after a first move."""
        after = play(position, read_move(position, move)).position
        sides = Play.SOLITAIRE if self.alone else Play.HELPED
        found = questions.maximum(after, asker=self.asker, goal=self.goal, play=sides, told=1)
        return found.value

    def line_after(self, position: Position, move: str) -> tuple[str, ...]:
        """Return a first move and turns after it that reach the most; none if all turns are his."""
        if self.alone:
            return ()
        after = play(position, read_move(position, move)).position
        return (move, *(() if after.over else self.reply(after).line))

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:
        """Check that a line ends the game with the value; turns of one player make no line."""
        if self.alone:
            return Question.unsound(self, position, line, value)
        at = position
        for move in line:
            at = play(at, read_move(at, move)).position
        return self.misses(at, value)

    def misses(self, at: Position, value: object) -> str:
        """Say why a position is not the end of the game with the value; empty if it is."""
        if not at.over:
            return "the line does not end the game"
        totals = final_scoring(at).scores
        found = totals[self.asker]
        if self.goal is Goal.LEAD:
            found -= max(totals[: self.asker] + totals[self.asker + 1 :])
        return "" if found == value else f"the line ends with {found}"
