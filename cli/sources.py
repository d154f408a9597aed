"""Read the subject of a command: a file, standard input, or a shipped item."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

from burgrave.model.errors import BurgraveError, FileError, QuestionError
from burgrave.model.files.lines import LINE_NAME, is_line, line_file
from burgrave.model.files.paths import (
    MANY_BYTES,
    MOST_BYTES,
    PathKind,
    path_kind,
    read_text,
    reason,
)
from burgrave.model.files.positions import (
    Record,
    position_from,
    position_keys,
    read_position,
    read_record,
    write_position,
)
from burgrave.model.files.schema import PlaneBody, PositionBody
from burgrave.model.files.toml import command_for, parse, validate
from burgrave.model.formats.foreign import program, read_foreign
from burgrave.model.formats.imported import Imported
from burgrave.model.formats.lab import is_link
from burgrave.model.geometry import Cell
from burgrave.model.naming import alike, quoted, suggestion, times
from burgrave.model.notation import read_board_line
from burgrave.model.position import Position

if TYPE_CHECKING:
    from burgrave.puzzles.files.sets import ShippedSet
    from burgrave.puzzles.study.puzzle import Puzzle

STANDARD_INPUT = "standard input"
LINK_NAME = "the link"
_WEB = re.compile(r"https?://", re.IGNORECASE)
"""The beginning of an address of the web."""
_CARD = re.compile(r"[A-Za-z]{2}-[0-9]+[A-Za-z]?")
"""Pattern of the ids of rule cards, in any case."""
_ENDINGS = frozenset({".toml", ".json", ".jsonl", ".jcz"})
"""Endings of files that a mistyped name may stand for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text with the name under which errors speak of it."""

    name: str
    text: str

    @property
    def is_puzzle(self) -> bool:
        """Whether it says that it is a puzzle."""
        return parse(self.name, self.text).get("type") == "puzzle"

    @property
    def is_record(self) -> bool:
        """Whether it says that it is a record."""
        return parse(self.name, self.text).get("type") == "record"

    @property
    def program(self) -> str | None:
        """The other program that recorded this game; None for a file of Burgrave."""
        return program(self.name, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A position that may be impossible."""

    position: Position
    lines: tuple[Cell, ...]
    """The cells in the order of the lines of the file's board."""


def source(argument: str, turn: int | None = None) -> Source:
    """Read a position or a puzzle: a file, standard input, or one that is shipped.

    This module alone decides which texts are positions for a command. A file of puzzles
    counts if it holds a single one. A record or a save needs its turn.

    Args:
        argument: a path, ``-``, the id of a position, puzzle or rule card, or a position in one
            line. A file of that name comes before an id.
        turn: the turn of a game before which the position stands, from 1; None if none is named.

    Raises:
        FileError: the file or standard input cannot be read or is empty.
        QuestionError: nothing has that name, or it is no position without a turn.

    """
    read = _found(argument)
    if not _holds_lines(argument) and (read.program or read.is_record):
        return _before_turn(read, argument, turn)
    if turn is not None:
        raise QuestionError(
            f"--at {turn} names a turn of a record or a save: {quoted(argument)} is neither"
        )
    return _only_line(read) if _holds_lines(argument) else read


def _holds_lines(argument: str) -> bool:
    """Tell whether a file holds a puzzle on each line, by its name."""
    return Path(argument).suffix.lower() == ".jsonl"


def _found(argument: str) -> Source:
    """Read the file or id that an argument names."""
    if argument == "-":
        return _nonempty(STANDARD_INPUT, _standard_input())
    if not argument:
        raise QuestionError("a name is empty; name a file, - or what is shipped")
    if is_line(argument):
        return _nonempty(LINE_NAME, argument)
    if is_link(argument):
        return Source(name=LINK_NAME, text=argument)
    path = Path(argument)
    if path_kind(path) is not PathKind.NOTHING:
        return _nonempty(argument, _file_text(path))
    if _CARD.fullmatch(argument):
        return _of_card(argument)
    if path.suffix or len(path.parts) > 1 or argument.endswith("/"):
        raise FileError(argument, [_missing(argument)])
    from burgrave.puzzles.files.library import entries, find  # noqa: PLC0415 -- a file needs no library

    try:
        entry = find(argument)
    except QuestionError:
        files = _nearby(path)
        known = [*(entry.id for entry in entries()), *files]
        if not set(files) & set(alike(argument, known)):
            raise
        # A file that lacks its ending alone is meant, whatever else begins so.
        whole = [name for name in files if Path(name).stem == argument]
        what = f"no file and no shipped position {quoted(argument)}"
        raise QuestionError(f"{what}.{suggestion(argument, whole or known)}") from None
    return Source(name=entry.id, text=entry.text)


def _missing(argument: str) -> str:
    """Return in words why nothing can be read that an argument names."""
    if _WEB.match(argument):
        return (
            "of links those of CarcassonneLab alone are read; save a game of another site as a"
            " file, of Board Game Arena the log of its replay"
        )
    return f"cannot be read: {os.strerror(ENOENT)}{_meant(Path(argument))}"


def _file_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        FileError: it cannot be read.
        QuestionError: it is a dataset, which has puzzles in it and is none.

    """
    if path_kind(path) is PathKind.FOLDER:
        from burgrave.puzzles.files.datasets import is_dataset  # noqa: PLC0415 -- a file needs none

        if is_dataset(path):
            raise QuestionError(
                f"{path} is a dataset: run burgrave puzzles {path} [FILTER]... -o FILE.jsonl, and"
                " name that file"
            )
    return read_text(path)


def _of_card(argument: str) -> Source:
    """Return the position of a rule card.

    Raises:
        QuestionError: there is no such card, or it has several cases.

    """
    from burgrave.puzzles.cards.deck import cards  # noqa: PLC0415 -- a file needs no cards

    wanted = argument.upper()[:5] + argument.lower()[5:]
    known = [card.id for card in cards()]
    found = [card for card in cards() if card.id in {wanted, argument.upper()}]
    found = found or [card for card in cards() if card.id.startswith(wanted)]
    if not found:
        helps = suggestion(argument, known, "burgrave verify lists them.")
        raise QuestionError(f"no rule card {quoted(argument)}.{helps}")
    if len(found) > 1:
        raise QuestionError(f"{wanted} has several cases: {', '.join(card.id for card in found)}")
    return Source(name=found[0].id, text=write_position(found[0].position, title=found[0].title))


def _before_turn(read: Source, argument: str, turn: int | None) -> Source:
    """Return the position before a turn of a record or a save.

    Raises:
        FileError: the game cannot be read.
        QuestionError: no turn is named, or the game has no such turn.

    """
    from burgrave.cli.replays import stopped  # noqa: PLC0415 -- games only

    game = _game(read)
    last = len(game.moves) + 1
    if turn is None and last > 1:
        sort = f"game of {read.program}" if read.program else "record"
        command = "import" if read.program else "replay"
        argument = "LINK" if is_link(argument) else argument
        raise QuestionError(
            f"{read.name} is a {sort} of {times(last - 1, 'turn')}, not a position: add --at TURN,"
            f" from 1 to {last}, or run burgrave {command} {argument}"
        )
    text = stopped(read.name, game, turn or 1, unknown=False, as_json=False)
    return Source(name=f"{read.name}, turn {turn or 1}", text=text)


def _game(read: Source) -> Record:
    """Read a record, or a game of another program as one."""
    if read.program is None:
        return read_record(read.name, read.text)
    return read_foreign(read.name, read.text).record


def _only_line(read: Source) -> Source:
    """Return the puzzle of a file of puzzles that holds a single one.

    Raises:
        QuestionError: it holds another number of puzzles.

    """
    lines = [line for line in read.text.split("\n") if line.strip()]
    if len(lines) > 1:
        raise QuestionError(
            f"{read.name} holds {len(lines)} puzzles, not a position: run"
            f" burgrave solve {read.name}, or pass a single line on standard input"
        )
    return Source(name=read.name, text=lines[0])


def _meant(path: Path) -> str:
    """Return a "did you mean" question for a path without a file."""
    from burgrave.puzzles.files.library import entries  # noqa: PLC0415 -- typing errors only

    shipped = [entry.id for entry in entries() if entry.id == path.stem.lower()]
    found = shipped or alike(str(path), _nearby(path))
    return f".{suggestion(found[0], found)}" if found else ""


def _nearby(path: Path) -> list[str]:
    """Return the files of Burgrave in the folder of a path, spelled as the path is."""
    try:
        names = [file.name for file in path.parent.iterdir() if file.suffix.lower() in _ENDINGS]
    except (OSError, ValueError):
        return []
    return sorted(str(path.parent / name) for name in names)


def _nonempty(name: str, text: str) -> Source:
    """Return a text that is not empty; of a position in one line, its file."""
    if not text.strip():
        raise FileError(name, ["is empty"])
    return Source(name=name, text=line_file(text) if is_line(text) else text)


def _standard_input() -> str:
    """Return the text of standard input."""
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


def position(argument: str, turn: int | None = None) -> Position:
    """Read a position: ``source`` says which arguments name one.

    Raises:
        BurgraveError: it cannot be read or cannot arise.

    """
    return position_of(source(argument, turn))


def position_of(read: Source) -> Position:
    """Read the position of a file or puzzle.

    Raises:
        BurgraveError: it cannot be read or cannot arise.

    """
    if read.is_puzzle:
        from burgrave.puzzles.files.puzzle_files import read_puzzle  # noqa: PLC0415 -- loads the solver

        return read_puzzle(read.name, read.text).position
    return read_position(read.name, read.text)


def table(argument: str, turn: int | None = None) -> Position:
    """Read a position that is played on with turns in order, as ``position`` does.

    Raises:
        BurgraveError: it cannot be read or cannot arise, or all turns of its puzzle are one
            player's.

    """
    read = source(argument, turn)
    refuse_turns_in_a_row(read)
    return position_of(read)


def refuse_turns_in_a_row(read: Source) -> None:
    """Refuse a puzzle in which every turn is one player's: nobody can play against him.

    Raises:
        QuestionError: it is such a puzzle.

    """
    data = parse(read.name, read.text)
    if read.is_puzzle and (data.get("question") == "series" or data.get("mode") == "solitaire"):
        who = str(data.get("asker", "one player")).capitalize()
        raise QuestionError(
            f"{read.name}: every turn of this puzzle is {who}'s, so it is no game against an"
            " opponent; run burgrave solve with --ask, or open it under Puzzles on the page"
        )


def draft(argument: str, turn: int | None = None) -> Draft:
    """Read a position as ``position`` does, even if it cannot arise.

    Raises:
        BurgraveError: it cannot be read.

    """
    read = source(argument, turn)
    body, prefix = body_of(read)
    drawn = position_from(read.name, body, check=False, prefix=prefix)
    lines = tuple(read_board_line(drawn.game, line)[0].cell for line in body.board)
    return Draft(position=drawn, lines=lines)


def body_of(read: Source) -> tuple[PositionBody | PlaneBody, str]:
    """Return the keys of a position, also of a puzzle's, and their place in the file.

    Raises:
        FileError: every problem of the file.

    """
    data = parse(read.name, read.text)
    if not read.is_puzzle:
        return position_keys(read.name, data), ""
    from burgrave.puzzles.files.puzzle_files import PuzzleFile  # noqa: PLC0415 -- loads the solver

    return validate(read.name, data, PuzzleFile, "puzzle").position, "position."


def record(argument: str) -> tuple[str, Record]:
    """Read a record, or a game of another program as one.

    Returns:
        Its name for errors, and the record.

    Raises:
        BurgraveError: it cannot be read.

    """
    read = _found(argument)
    return read.name, record_from(read.name, read.text)


def record_from(name: str, text: str) -> Record:
    """Read the text of a record, or of a game of another program as one.

    Args:
        name: what errors call it.
        text: TOML, JSON, or a link.

    Raises:
        BurgraveError: it cannot be read.

    """
    return _game(Source(name=name, text=text))


def game_or_position(argument: str) -> Record | Position:
    """Read a record or a game of another program, or else a position as ``position`` does.

    Raises:
        BurgraveError: it cannot be read, or the position cannot arise.

    """
    read = _found(argument)
    if not _holds_lines(argument) and (read.program or read.is_record):
        return _game(read)
    return position(argument)


def foreign(argument: str) -> Imported:
    """Read a game of another program.

    Raises:
        FileError: it cannot be read or is empty, or it is a file of Burgrave.

    """
    read = _found(argument)
    if read.program is None:
        sort = str(parse(read.name, read.text).get("type"))
        raise FileError(argument, [f"is no game of another program{command_for(sort)}"])
    return read_foreign(read.name, read.text)


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
    """Read a puzzle, a shipped set, or a file ``NAME.jsonl`` with a puzzle on each line.

    Raises:
        BurgraveError: one cannot be read.

    """
    if Path(argument).suffix.lower() != ".jsonl":
        named = shipped_set(argument)
        return [puzzle(argument)] if named is None else [_shipped(one) for one in named.puzzles]
    from burgrave.puzzles.files.puzzle_files import read_puzzles  # noqa: PLC0415 -- loads the solver

    read = _nonempty(argument, read_text(Path(argument), MANY_BYTES))
    return read_puzzles(read.name, read.text)


def shipped_set(argument: str) -> ShippedSet | None:
    """Return the shipped set of a name; None if there is none, or a file of that name."""
    from burgrave.puzzles.files.sets import shipped_sets  # noqa: PLC0415 -- a file needs no sets

    if path_kind(Path(argument)) is not PathKind.NOTHING:
        return None
    return next((one for one in shipped_sets() if one.id == argument), None)


def _shipped(puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle, whatever files there are."""
    from burgrave.puzzles.files import library  # noqa: PLC0415 -- a file needs no library

    return library.puzzle(library.find(puzzle_id))


def puzzle(argument: str) -> Puzzle:
    """Read a puzzle.

    Raises:
        BurgraveError: it cannot be read.

    """
    from burgrave.puzzles.files.puzzle_files import read_puzzle  # noqa: PLC0415 -- loads the solver

    read = _found(argument)
    return read_puzzle(read.name, read.text)
