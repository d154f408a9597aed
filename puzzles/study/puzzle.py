"""A puzzle: a position, a question, the stored answer and why it is the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from burgrave.model.position import Position
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions import Question, plain
from burgrave.puzzles.questions.stored import Answer

THEME = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
"""Pattern of the names of themes: ``merge-to-tie``."""
FOOLED = (5, 15, 15, 5)
"""Points of quality for each player who is fooled, in the order of ``Solved``."""
DEEP = (0, 15, 20)
"""Points of quality for one, two, and three or more own turns to be found."""
LONGEST = 32
"""Characters of an id that is made of a text."""


def slug(text: str) -> str:
    """Return a text as the id of a puzzle; what is too long is cut off after a whole word.

    >>> slug("Eight points for Red, four for us both")
    'eight-points-for-red-four-for-us'
    """
    words = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-")
    short = words[: LONGEST + 1].rpartition("-")[0] if len(words) > LONGEST else words
    return short or words[:LONGEST] or "puzzle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The author's words for one position, without figures; all empty where none are given."""

    hint: str = ""
    """The second hint; of a question that no move answers the first one."""
    notice: str = ""
    """What to see first."""
    trap: str = ""
    """Why the natural move fails, beside its refutation."""
    key: str = ""
    """Why the key works."""
    maxim: str = ""
    """What to remember."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refutation:
    """A move that looks good and is not."""

    move: str
    value: int | str
    """Its value for the asker."""
    why: str = ""
    """The reason why it is worse, in a sentence."""
    line: tuple[str, ...] = ()
    """The move and best play after it, in notation; empty if the move alone is stored."""


class Solved(NamedTuple):
    """The share of each player's favourite first moves that solve a puzzle, 0 to 1.

    The players stand in the order of their strength; ``puzzles.study.fooled`` plays them.
    """

    points: Fraction
    """Of the moves that win the player most points in their turn."""
    now: Fraction
    """Of the moves with the largest lead if the game ended after them, final scoring included."""
    ahead: Fraction
    """Of the moves with the largest lead if the game ended after the opponent's best reply."""
    playouts: Fraction
    """Of the moves that playouts by ``solver.simulation.policy`` rate best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures of quality; ``puzzles.judging.quality`` computes them."""

    solved: Solved
    margin: Fraction
    """Points by which the strongest wrong move is worse."""
    natural: Fraction
    """Points by which the most natural wrong move is worse."""
    near: int
    """Tries that fail by one point, or to a single best reply."""
    depth: int
    """Own turns that must be found, each unique against every best defence."""
    idle: int
    """Pieces that could go, each by itself."""
    purity: Fraction
    """Share of the tries that do not show the idea of the solution."""
    surprises: tuple[str, ...] = ()
    """What makes the key hard to believe: ``sacrifice``, ``quiet``, ``refusal``, ``gift``."""

    @property
    def data(self) -> Facts:
        """The measures with the quality that they make, as files hold them."""
        return {
            **{name: plain(share) for name, share in self.solved._asdict().items()},
            "margin": plain(self.margin),
            "natural": plain(self.natural),
            "near": self.near,
            "depth": self.depth,
            "idle": self.idle,
            "purity": plain(self.purity),
            "surprises": list(self.surprises),
            "score": self.score,
        }

    @property
    def score(self) -> int:
        """The quality, 0 to 100, by the formula of ``docs/explanation/quality.md``."""
        points = sum(
            (weight * (1 - share) for weight, share in zip(FOOLED, self.solved, strict=True)),
            start=Fraction(0),
        )
        points += DEEP[min(self.depth, len(DEEP)) - 1]
        points += 2 * min(self.natural, Fraction(5))
        points += Fraction(5, 2) * min(self.near, 2)
        points += max(0, 10 - 2 * self.idle)
        points += 5 * self.purity
        points += 5 * min(len(self.surprises), 2)
        return int(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Which run of the generator made a puzzle."""

    theme: str
    seed: int
    index: int
    """Number of the candidate in its run."""
    version: str
    """Of the program."""
    options: str = ""
    """Everything else that was wished for, as on the command line."""

    @property
    def words(self) -> str:
        """All of it but the number, for messages."""
        options = f", {self.options}" if self.options else ""
        release = f", release {self.version}" if self.version else ""
        return f"{self.theme}, --seed {self.seed}{options}{release}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Certification:
    """The engines that proved the answer, and the date."""

    engines: tuple[str, ...]
    date: str = ""
    """``2026-11-21``; empty if a run of the generator must be repeatable byte by byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A puzzle as a value."""

    id: str
    title: str
    position: Position
    question: Question
    answer: Answer
    refutations: tuple[Refutation, ...] = ()
    themes: tuple[str, ...] = ()
    """The themes detected in the solution."""
    rules: tuple[str, ...] = ()
    """Ids of the rules that the answer rests on."""
    difficulty: int | None = None
    """1 (easy) to 5 (hard); None if it was not measured."""
    measures: Measures | None = None
    """The measures of its quality; None if it is no question about a move of this turn."""
    explanation: str
    lesson: Lesson = Lesson()
    """The author's part of the explanation."""
    provenance: str = ""
    """The origin of the position, in words."""
    origin: Origin | None = None
    """The run of the generator, if one made it."""
    certification: Certification | None = None

    @property
    def words(self) -> str:
        """The question as a sentence, and how many answers it has if they are several moves."""
        asked = self.question.words(self.position)
        many = len(self.answer.moves)
        return f"{asked} ({many} moves are best; any of them will do.)" if many > 1 else asked

    @property
    def facts(self) -> Facts:
        """The stored answer by the keys of a reply, moves as the engines list them."""
        return self.question.claimed(self.position, self.answer)
