"""Types of ``--json`` of commands about rules, puzzles, pictures and tile sets."""

from __future__ import annotations

from typing import Any, Literal

from burgrave.cli.render.json_types import Base, ByRules


class SwitchValues(Base):
    """A switch of a rule."""

    name: str
    values: list[str]
    default: str
    why: str


class Rule(Base):
    """A rule, as ``rules`` lists it."""

    id: str
    sentence: str
    text: str
    source: str
    switches: list[SwitchValues]
    file: str
    """The file that enforces it."""
    line: int
    cards: list[str]


class Switch(SwitchValues):
    """A switch, as ``switches`` lists it."""

    rules: list[str]
    """The rules that depend on it."""
    only_by: dict[str, list[str]]
    """Values that not every engine knows, with the engines that do."""
    cards: list[str]
    """The cards that give it another value than the default."""


class Verdict(Base):
    """A card or puzzle answered again, as ``verify`` and ``solve`` list it."""

    id: str
    title: str
    rules: list[str]
    passed: bool
    expected: dict[str, Any]
    """The stored answer, by key."""
    got: dict[str, Any]
    """The answer found, by key."""
    engine: str
    engines: list[str]


class Unanswered(Base):
    """A puzzle that no engine answered."""

    id: str
    passed: bool


class Shipped(Base):
    """Something shipped, as ``positions`` lists it."""

    id: str
    kind: str
    """``position`` or ``puzzle``."""
    title: str


class PuzzleHead(ByRules):
    """The entry of a puzzle in a list."""

    id: str
    title: str
    game: str
    question: str
    themes: list[str]
    difficulty: int | None
    """From 1, easy, to 5, hard."""


class ShippedPuzzle(PuzzleHead):
    """A shipped puzzle, as ``puzzles`` lists it."""

    file: str


class LikePuzzle(PuzzleHead):
    """A puzzle whose position is like another one, as ``puzzles --like`` lists it."""

    match: Literal["same", "turned", "look"]
    """``look``: board, followers and next tile alone are the same."""


class Double(Base):
    """A puzzle that a dataset had already."""

    id: str
    stands_as: str
    """The id of the puzzle with the same position and question in the dataset."""


class AddedPuzzles(Base):
    """What became of puzzles that were added to a dataset."""

    dataset: str
    added: int
    present: int
    """Puzzles that the dataset had already, or that came twice."""
    doubles: list[Double]
    """The first 100 of them."""
    renamed: int
    """Puzzles that got another id, since another puzzle has theirs."""
    puzzles: int
    """All puzzles of the dataset."""


class WrittenPuzzles(Base):
    """Puzzles that were written to a file."""

    file: str
    puzzles: int
    """Their number."""


class ShippedSet(Base):
    """A shipped set, as ``puzzles --sets`` lists it."""

    id: str
    title: str
    story: str
    """What it teaches."""
    puzzles: list[str]
    """Ids of shipped puzzles, from the easiest to the hardest."""


class QuizQuestion(Base):
    """A question of ``quiz`` with its answer."""

    id: str
    question: str
    """``legal``, ``scores`` or ``final``."""
    words: str
    """The question as a sentence."""
    legal: bool | None
    """For ``legal``."""
    breaks: list[str]
    """Rules that an illegal move breaks."""
    points: list[str]
    """What is scored, in order, or the totals at the end."""
    explanation: str
    rules: list[str]
    engines: list[str]
    """The engines that proved the answer."""


class MadePuzzle(Base):
    """A puzzle that ``generate`` made."""

    id: str
    themes: list[str]
    difficulty: int | None
    title: str


class Try(Base):
    """A strong wrong move."""

    move: str
    value: int | str
    margin: int | str
    """Points by which it is worse than the key."""
    reply: str | None
    """The best reply; null if the question knows none."""
    line: list[str]
    """The move and best play after it; may be empty."""


class IdlePiece(Base):
    """A piece that could go."""

    kind: str
    """``tile``, ``follower``, ``tower``, ``wall tile``, ``hand``, ``keep``, ``tokens``,
    ``prisoners`` or ``history``."""
    text: str


class Composition(ByRules):
    """The answer of ``compose``."""

    question: str
    words: str
    """The question as a sentence."""
    sound: bool
    whole: bool
    """Whether the examination came to its end."""
    faults: list[str]
    """Reasons why the puzzle is unsound."""
    proved: bool
    value: int | str | None
    key: str
    cooks: list[str]
    """Other moves that are as good as the key."""
    line: list[str]
    """Best play."""
    engines: list[str]
    makes: list[str]
    """What these engines compute with, each once."""
    tries: list[Try]
    idle: list[IdlePiece] | None
    """Pieces that could go, each by itself; null if they were not looked for."""
    themes: list[str]
    difficulty: int | None
    quality: dict[str, Any] | None
    """As files of puzzles hold it."""
    file: str | None
    """The file that was written."""


class Booklet(Base):
    """The answer of ``booklet``."""

    file: str
    puzzles: list[str]


class PublishedSite(Base):
    """The answer of ``publish``."""

    folder: str
    puzzles: list[str]
    """Their ids."""
    files: int
    bytes: int
    """The size of all files."""
    unjudged: list[str]
    """Puzzles with moves that the site cannot judge."""
    boards: list[str]
    """The names in addresses of the positions and games that it shows."""


class Drawn(Base):
    """A picture for the terminal."""

    lines: list[str]


class Written(Base):
    """A picture that was written to a file."""

    file: str


class OneLine(Base):
    """A position as one line of text."""

    line: str


class Linked(Base):
    """A position or a game in a link to a published site."""

    link: str


class Exported(Base):
    """The answer of ``export``."""

    program: str
    text: str


class Page(Base):
    """The answer of ``serve``."""

    url: str


class TileSet(Base):
    """A set of tiles."""

    id: str
    title: str
    kinds: int
    tiles: int
    segments: dict[str, int]
    """Number of each kind that the tiles show."""


class ValidTileSet(TileSet):
    """The answer of ``tiles check``."""

    valid: Literal[True]


class TileSheet(TileSet):
    """The answer of ``tiles show`` on a terminal."""

    note: str
    codes: dict[str, str]
    """Quarter code by id, of the kinds that have one."""
    lines: list[str]


class TileSheetFile(TileSet, Written):
    """The answer of ``tiles show`` with a file."""


class Warmed(Base):
    """The compiled code, as ``warm`` tells it."""

    folder: str
    """The folder on the disk that holds it."""
    seconds: float
