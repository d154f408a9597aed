"""The outputs of the program: standard output, standard error, JSON, colour, files."""

from __future__ import annotations

import json
import os
import re
import sys
from enum import StrEnum
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import typer

from burgrave.cli.render.editions import ruled, rules_text
from burgrave.cli.render.width import columns
from burgrave.model.errors import QuestionError, printable

if TYPE_CHECKING:
    from burgrave.cli.render.glyphs import Glyphs
    from burgrave.model.games import Game


class Colour(StrEnum):
    """Whether pictures are coloured."""

    AUTO = "auto"
    """On a terminal, unless NO_COLOR is set or TERM is dumb."""
    ALWAYS = "always"
    NEVER = "never"


_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")
"""The colours of a picture, the only control characters of an answer."""
_GAP = re.compile(r"(?:^| ) +")
"""The text before a column of a table."""
_UNPRINTABLE = re.compile(r"[^\n -~]")
"""Characters that may be unprintable: all but ASCII."""


def _folded(text: str) -> str:
    """Return a text with its long lines folded, if it is read on a terminal.

    A program that reads the text gets its lines whole, unless ``COLUMNS`` is set for it.
    """
    if not _limited():
        return text
    wide = columns()
    return "\n".join(_fold(line, wide) for line in text.split("\n"))


def _limited() -> bool:
    """Tell whether lines have a limit: on a terminal, and where ``COLUMNS`` is set."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def _fold(line: str, wide: int) -> str:
    """Return a line folded at its words; later lines are indented to its last column."""
    if len(line) <= wide:
        return line
    start = max((gap.end() for gap in _GAP.finditer(line[: wide // 2])), default=2)
    lead = line[: len(line) - len(line.lstrip())]
    return fill(
        line.strip(),
        width=wide,
        initial_indent=lead,
        subsequent_indent=" " * start,
        break_long_words=False,
        break_on_hyphens=False,
    )


def say(text: str, *, picture: bool = False) -> None:
    """Print an answer with its colours.

    A title or note of a file can hold characters that would disturb a terminal: they are escaped.

    Args:
        text: the answer.
        picture: whether its lines must stay whole.

    """
    parts = _COLOUR.split(text if picture else _folded(text))
    parts[::2] = map(printable, parts[::2])
    typer.echo("".join(parts), color=True)
    lines = "".join(parts[::2]).split("\n")
    if picture and len(lines) > 1 and _limited() and max(map(len, lines)) > columns():
        _advise(max(map(len, lines)), columns())


@cache
def _advise(wide: int, room: int) -> None:
    """Tell once what to do about a picture that is wider than the terminal, in columns."""
    note(
        f"The picture has {wide} columns, the terminal {room}: widen it, or write the picture"
        " to a file with burgrave draw -o board.svg."
    )


def note(text: str) -> None:
    """Tell something beside the answer, on standard error."""
    typer.echo(printable(text), err=True)


def show(
    data: Any, text: str, *, as_json: bool, picture: bool = False, game: Game | None = None
) -> None:
    """Print an answer, as JSON or in words.

    Args:
        data: the answer as JSON; with a game its keys.
        text: the answer in words.
        as_json: whether JSON is printed.
        picture: whether the lines of the text must stay whole.
        game: the game whose rules the answer rests on. If its rules have several editions, the
            answer names the one.

    """
    if game is not None:
        data, text = ruled(data, game), "\n".join([text, *rules_text(game)])
    if as_json:
        typer.echo(_safe(json.dumps(data, indent=2, ensure_ascii=False)))
    else:
        say(text, picture=picture)


def compact(data: Any) -> str:
    """Return values as JSON in one line."""
    return _safe(json.dumps(data, ensure_ascii=False))


def _safe(text: str) -> str:
    """Return JSON without characters that could disturb a terminal; ASCII's are escaped already."""
    return _UNPRINTABLE.sub(_escaped, text)


def _escaped(character: re.Match[str]) -> str:
    """Return a character as JSON spells it in ASCII, if it cannot be printed."""
    return character[0] if character[0].isprintable() else json.dumps(character[0])[1:-1]


def coloured(choice: Colour) -> bool:
    """Tell whether to print colours; ``NO_COLOR`` (https://no-color.org) speaks for auto."""
    if choice is Colour.AUTO:
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return wanted and sys.stdout.isatty()
    return choice is Colour.ALWAYS


def glyphs(*, plain: bool) -> Glyphs:
    """Return the characters for pictures: box drawing where standard output can show it."""
    from burgrave.cli.render.glyphs import ASCII, UNICODE  # noqa: PLC0415 -- pictures only

    try:
        f"{UNICODE.paths}{UNICODE.wall}{UNICODE.square}".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ASCII
    return ASCII if plain else UNICODE


def writable(path: Path | None, *, force: bool) -> None:
    """Refuse a place at which a file must not be written, before any work is done.

    Raises:
        QuestionError: something is there that may not be replaced, or there is no such folder.
        FileError: no file can be made in the folder.

    """
    if path is None:
        return
    from burgrave.model.files.paths import PathKind, path_kind, probe  # noqa: PLC0415 -- writing only

    there = path_kind(path)
    if there is PathKind.FOLDER:
        raise QuestionError(f"{path}: this is a folder; name a file in it")
    if there is PathKind.OTHER:
        # A file would take its place: an administrator would lose his /dev/null.
        raise QuestionError(f"{path}: this is a device or a pipe; name a file")
    if there is not PathKind.NOTHING and not force:
        raise QuestionError(f"{path}: the file exists; add --force to replace it")
    if path_kind(path.parent) is not PathKind.FOLDER:
        raise QuestionError(f"{path}: there is no folder {path.parent}")
    probe(path.parent)


def save(path: Path | None, content: str | bytes) -> None:
    """Write a file at once, or print it if no file is named.

    Raises:
        FileError: it cannot be written.

    """
    if path is None:
        typer.echo(content, nl=False)
        return
    from burgrave.model.files.paths import write_whole  # noqa: PLC0415 -- writing only

    write_whole(path, content)
    note(f"wrote {path}")


def as_json_file(path: Path | None) -> bool:
    """Tell whether a file's ending asks for JSON."""
    return path is not None and path.suffix.lower() == ".json"
