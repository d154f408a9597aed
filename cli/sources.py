"""Reading what a command is asked about: a file, standard input, or something shipped."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from model.errors import BurgraveError, FileError, QuestionError
from model.files.lines import LINE_NAME, is_line, line_file
from model.files.paths import MANY_BYTES, MOST_BYTES, PathKind, path_kind, read_text, reason
from model.files.positions import (
    Record,
    position_from,
    position_keys,
    read_position,
    read_record,
)
from model.files.schema import PlaneBody, PositionBody
from model.files.toml import parse, validate
from model.geometry import Cell
from model.notation import read_board_line
from model.position import Position
from model.problems import require_possible

if TYPE_CHECKING:
    from puzzles.study.puzzle import Puzzle

STANDARD_INPUT = "standard input"
_CARD = re.compile(r"[A-Za-z]{2}-[0-9]{2}[A-Za-z]?")
"""What ids of rule cards look like, in any case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text with the name under which errors speak of it."""

    name: str
    text: str

    @property
    def is_puzzle(self) -> bool:
        """Whether it says that it is a puzzle."""
        return parse(self.name, self.text).get("type") == "puzzle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A position that may be impossible."""

    position: Position
    lines: tuple[Cell, ...]
    """The cells in the order of the lines of the file's board."""


def source(argument: str) -> Source:
    """Read a file, standard input, or a shipped position or puzzle.

    Args:
        argument: a path, ``-``, an id, or a position in one line. A file of that name comes
            before an id.

    Raises:
        FileError: the file or standard input cannot be read or is empty.
        QuestionError: there is neither a file nor anything shipped of that name.

    """
    if argument == "-":
        return _nonempty(STANDARD_INPUT, _standard_input())
    if is_line(argument):
        return _nonempty(LINE_NAME, argument)
    path = Path(argument)
    if path.suffix or len(path.parts) > 1 or path_kind(path) is not PathKind.NOTHING:
        return _nonempty(argument, read_text(path))
    from puzzles.library import find  # noqa: PLC0415 -- a file needs no library

    entry = find(argument)
    return Source(name=entry.id, text=entry.text)


def _nonempty(name: str, text: str) -> Source:
    """Return a text that is not empty; of a position in one line, its file."""
    if not text.strip():
        raise FileError(name, ["is empty"])
    return Source(name=name, text=line_file(text) if is_line(text) else text)


def _standard_input() -> str:
    """Return what comes in from standard input."""
    if sys.stdin is None:
        raise FileError(STANDARD_INPUT, ["is closed"])
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:  # a folder, for one
        raise FileError(STANDARD_INPUT, [f"cannot be read: {reason(error)}"]) from error
    if len(data) > MOST_BYTES:
        raise FileError(STANDARD_INPUT, [f"larger than {MOST_BYTES} bytes: not such a file"])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(STANDARD_INPUT, [f"byte {error.start} is not UTF-8 text"]) from error


def _of_card(argument: str) -> Position | None:
    """Return the position of a rule card; None if the argument is no id of a card.

    Raises:
        QuestionError: there is no such card, or it has several cases.

    """
    if not _CARD.fullmatch(argument) or Path(argument).exists():
        return None
    from puzzles.cards.deck import cards  # noqa: PLC0415 -- a file needs no cards

    wanted = argument.upper()[:5] + argument.lower()[5:]
    found = [card for card in cards() if card.id.startswith(wanted)]
    if len(found) == 1:
        return found[0].position
    if not found:
        raise QuestionError(f"there is no rule card {wanted}; burgrave verify lists all")
    raise QuestionError(f"{wanted} has several cases: {', '.join(card.id for card in found)}")


def position(argument: str) -> Position:
    """Read a position, or that of a puzzle or a rule card.

    Raises:
        BurgraveError: it cannot be read or cannot arise.

    """
    if (card := _of_card(argument)) is not None:
        return require_possible(card)
    read = source(argument)
    if read.is_puzzle:
        from puzzles.puzzle_files import read_puzzle  # noqa: PLC0415 -- loads the solver

        return read_puzzle(read.name, read.text).position
    return read_position(read.name, read.text)


def draft(argument: str) -> Draft:
    """Read a position, or that of a puzzle or a rule card, even if it cannot arise.

    Raises:
        BurgraveError: it cannot be read.

    """
    if (card := _of_card(argument)) is not None:
        return Draft(position=card, lines=tuple(tile.cell for tile in card.tiles))
    read = source(argument)
    body, prefix = body_of(read)
    drawn = position_from(read.name, body, check=False, prefix=prefix)
    lines = tuple(read_board_line(drawn.game, line)[0].cell for line in body.board)
    return Draft(position=drawn, lines=lines)


def body_of(read: Source) -> tuple[PositionBody | PlaneBody, str]:
    """Return the keys of a position or of a puzzle's, and where they stand in the file.

    Raises:
        FileError: every problem of the file.

    """
    data = parse(read.name, read.text)
    if not read.is_puzzle:
        return position_keys(read.name, data), ""
    from puzzles.puzzle_files import PuzzleFile  # noqa: PLC0415 -- loads the solver

    return validate(read.name, data, PuzzleFile, "puzzle").position, "position."


def record(argument: str) -> tuple[str, Record]:
    """Read a record.

    Returns:
        Its name for errors, and the record.

    Raises:
        FileError: it cannot be read.

    """
    read = file(argument)
    return read.name, read_record(read.name, read.text)


def file(argument: str) -> Source:
    """Read a file or standard input.

    Raises:
        FileError: it cannot be read or is empty.

    """
    if argument == "-":
        return _nonempty(STANDARD_INPUT, _standard_input())
    return _nonempty(argument, read_text(Path(argument)))


def all_puzzles(arguments: Iterable[str]) -> list[Puzzle]:
    """Read puzzles and files of puzzles.

    Raises:
        BurgraveError: some cannot be read; every problem of each, once.

    """
    read: list[Puzzle] = []
    faults: dict[str, None] = {}
    for argument in arguments:
        try:
            read += puzzles(argument)
        except BurgraveError as error:
            faults[str(error)] = None
    if faults:
        raise BurgraveError("\n".join(faults))
    return read


def puzzles(argument: str) -> list[Puzzle]:
    """Read a puzzle, or a file ``NAME.jsonl`` with a puzzle on each line.

    Raises:
        BurgraveError: one cannot be read.

    """
    if Path(argument).suffix.lower() != ".jsonl":
        return [puzzle(argument)]
    from puzzles.puzzle_files import read_puzzles  # noqa: PLC0415 -- loads the solver

    read = _nonempty(argument, read_text(Path(argument), MANY_BYTES))
    return read_puzzles(read.name, read.text)


def puzzle(argument: str) -> Puzzle:
    """Read a puzzle.

    Raises:
        BurgraveError: it cannot be read.

    """
    from puzzles.puzzle_files import read_puzzle  # noqa: PLC0415 -- loads the solver

    read = source(argument)
    return read_puzzle(read.name, read.text)
