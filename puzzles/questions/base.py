"""What a puzzle asks: a question as a value, and what an engine says to it.

An answer is a dictionary of plain values, so that it can be laid beside the stored one:
``value`` and ``moves``, or ``legal`` and ``breaks``, or ``points``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from model.engine import canonical, judge
from model.notation import read_move, write_move
from model.position import Position
from puzzles.card_questions import Facts
from solver.budget import Budget

NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an engine says to a question."""

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

    @abstractmethod
    def words(self, position: Position) -> str:
        """Return the question as a sentence."""

    @abstractmethod
    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that may be asked, preferred ones first."""

    @abstractmethod
    def reply(
        self, position: Position, engine: str | None = None, budget: Budget = NO_LIMIT
    ) -> Reply:
        """Answer the question.

        Args:
            position: what is asked about.
            engine: who answers; None for the one that suits best.
            budget: the time and effort allowed.

        Raises:
            QuestionError: the engine does not answer this question.

        """

    def worth(self, position: Position, move: str) -> Fraction | None:  # noqa: ARG002 -- see below
        """Return what a legal first move is worth to who asks; None where moves have no value."""
        return None

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:  # noqa: ARG002 -- see below
        """Return what is wrong with a line that is said to be best play; empty if nothing.

        Where nothing else is said there is no best play to show.
        """
        return "a question of this kind has no line" if line else ""


def plain(value: Fraction | None) -> int | str | None:
    """Return a value as files hold it: a whole number, or a fraction as text."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else str(value)


def spelled(position: Position, move: str) -> str:
    """Return a move as the engines list it; one that is illegal as it is."""
    read = read_move(position, move)
    return write_move(position, canonical(position, read) if judge(position, read).legal else read)


def coming(position: Position) -> str:
    """Return in words whose turn it is and what comes after it."""
    name = position.game.name(position.to_move)
    if not position.order:
        return f"{name} to draw from a bag of {len(position.bag)}"
    first, *rest = position.order
    text = f"{name} to lay {first}"
    if rest:
        text += f", then come {', '.join(rest)}"
    if position.bag:
        text += f", with {len(position.bag)} more in the bag"
    return text
