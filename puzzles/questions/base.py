"""The question of a puzzle as a value, and an engine's answer to it.

An answer is a dictionary of plain values, for comparison with the stored one: ``value`` and
``moves``, or ``legal`` and ``breaks``, or ``points``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from burgrave.model.engine import canonical, judge, legal_moves
from burgrave.model.notation import read_move, write_move
from burgrave.model.places import placeable
from burgrave.model.position import Position
from burgrave.model.rule import Event
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.puzzles.questions.wording import listed
from burgrave.solver.limits import Limits
from burgrave.solver.problem import TWO
from burgrave.solver.result import Status

NO_LIMIT = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An engine's answer to a question."""

    facts: Facts
    """The answer, by the keys of the stored one."""
    whole: bool = True
    """Whether ``moves`` are all that are best, and not some of them."""
    line: tuple[str, ...] = ()
    """Best play from the first of the best moves, where everything is known."""
    values: Mapping[str, Fraction] = field(default_factory=dict)
    """Values of first moves, as far as the engine tells them."""
    engine: str


class Question(ABC):
    """A question about a position."""

    __slots__ = ()
    name: str
    """The word by which files name it."""
    must: ClassVar[frozenset[str]] = frozenset({"value", "moves"})
    """The keys that its stored answer has."""
    may: ClassVar[frozenset[str]] = frozenset({"line"})
    """The keys that its stored answer may have besides."""
    leadless: ClassVar[bool] = False
    """Whether it asks for something else than a lead over an opponent. Playouts, which are of games
    for the lead, say nothing about such a question."""
    turn_only: ClassVar[bool] = False
    """Whether it looks no further than this turn."""
    past: ClassVar[bool] = False
    """Whether it is about the turns that led to the position."""
    fought: ClassVar[bool] = False
    """Whether it asks for the most points that one player can force to the end of the game. Each
    turn of his then has a value in points, whatever the other does."""
    unopposed: ClassVar[bool] = False
    """Whether every turn of its line is to be found, since nobody plays against the asker."""
    one_by_one: ClassVar[bool] = False
    """Whether the value of each first move is a question of its own, which may take long."""

    @property
    def about(self) -> str:
        """The move that it is about, in notation; empty if it is about none."""
        return ""

    @property
    def completes(self) -> str:
        """A segment of the feature that is to be completed, ``3,1.N``; empty if none is."""
        return ""

    @property
    def forces(self) -> int | None:
        """The player who forces points on his opponent; None if each plays for himself."""
        return None

    @property
    def by_points(self) -> bool:
        """Whether points of this turn count, and not the lead."""
        return False

    def data(self, position: Position) -> dict[str, Any]:  # noqa: ARG002 -- some have no keys
        """Return its keys in a file besides its name and its move; by default none."""
        return {}

    @abstractmethod
    def words(self, position: Position) -> str:
        """Return the question as a sentence."""

    @abstractmethod
    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that may be asked, preferred ones first."""

    @abstractmethod
    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Answer the question.

        Args:
            position: the position of the question.
            engine: who answers; None for the preferred one.
            budget: the time and effort allowed.

        Raises:
            QuestionError: the engine does not answer this question.

        """

    def shown(self, position: Position, line: Sequence[str], moves: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 -- see below
        """Return the turns that show an answer on the board.

        By default its line, or else the first of its moves.

        Args:
            position: the position of the question.
            line: the line of the answer.
            moves: the best moves of the answer.

        """
        return line or moves[:1]

    def events(self, position: Position) -> tuple[Event, ...]:  # noqa: ARG002 -- see below
        """Return the events that it asks about; by default none."""
        return ()

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- see below
        """Return what a stored answer claims, as an engine would say it.

        By default a value, with the moves that reach it.
        """
        return {
            "value": answer.value,
            "status": str(Status.OPTIMAL),
            "moves": sorted(answer.moves),
        }

    def met(self, position: Position) -> Position:
        """Return a position as the next turn of the question meets it: by default as it is."""
        return position

    def whose(self, position: Position) -> int:
        """Return the player whose value counts: by default the one to move."""
        return position.to_move

    def worth(self, position: Position, move: str) -> Fraction | None:  # noqa: ARG002 -- see below
        """Return the value of a legal first move for the asker; None where moves have no value."""
        return None

    def astray(self, position: Position, line: Sequence[str], value: object) -> str:
        """Return the fault of a line that begins with a wrong move; empty if it ends as it should.

        By default it is a line like another. Questions that search it anew at each turn check its
        end alone: the value of the wrong move is found by itself.
        """
        return self.unsound(position, line, value)

    def line_after(self, position: Position, move: str) -> tuple[str, ...]:  # noqa: ARG002 -- see below
        """Return a legal first move and best play after it, in notation.

        By default none: no line can be told where the draw is unknown.
        """
        return ()

    def followed(self, position: Position, move: str) -> tuple[Fraction | None, tuple[str, ...]]:
        """Return the value of a legal first move for the asker, and the line after it.

        Where both come of one search, this takes half the time of asking for each.
        """
        return self.worth(position, move), self.line_after(position, move)

    def values(self, position: Position, budget: Limits = NO_LIMIT) -> Mapping[str, Fraction]:  # noqa: ARG002 -- see below
        """Return the value of every legal first move for the asker, by notation.

        By default each move is a question of its own, which may take long.

        Args:
            position: a position with a known next tile.
            budget: the time and effort allowed.

        Returns:
            The values of all moves; none if the budget was not enough.

        """
        moves = (write_move(position, move) for move in legal_moves(position))
        worths = {move: self.worth(position, move) for move in moves}
        return {move: worth for move, worth in worths.items() if worth is not None}

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:  # noqa: ARG002 -- see below
        """Return the fault of a stored line of best play; empty if it has none.

        By default there is no best play to show.
        """
        return "a question of this kind has no line" if line else ""


def plain(value: Fraction | None) -> int | str | None:
    """Return a value as files hold it: a whole number, or a fraction as text."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else str(value)


def spelled(position: Position, move: str) -> str:
    """Return a move in the wording of the engines; an illegal move unchanged."""
    read = read_move(position, move)
    return write_move(position, canonical(position, read) if judge(position, read).legal else read)


def coming(position: Position) -> str:
    """Return in words the player to move and the tiles to come."""
    name = position.game.name(position.to_move)
    if not position.order:
        return f"{name} to draw from a bag of {len(position.bag)}"
    at = next((i for i, tile in enumerate(position.order) if placeable(position, tile)), 0)
    text = f"{name} to lay {laid_next(position)}"
    if rest := position.order[at + 1 :]:
        text += f", then {'comes' if len(rest) == 1 else 'come'} {listed(rest)}"
    if position.bag:
        text += f", with {len(position.bag)} more in the bag"
    return text


def everybody(position: Position) -> str:
    """Return ``both`` or ``all``, of the players."""
    return "both" if len(position.players) == TWO else "all"


def laid_next(position: Position) -> str:
    """Return the tile in hand in words, with the tiles before it that have no place.

    Of such tiles alone the first is named: it is in hand.
    """
    for at, tile in enumerate(position.order):
        if placeable(position, tile):
            gone = position.order[:at]
            verb = "have" if len(gone) > 1 else "has"
            return f"{tile}, since {listed(gone)} {verb} no place" if gone else tile
    return f"{position.order[0]}, which has no place"
