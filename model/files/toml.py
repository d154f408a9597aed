"""Text in and out: TOML or JSON to plain values, and whole files written at once."""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import tomli_w
from pydantic import BaseModel, ValidationError  # noqa: TID253 -- files only

from model.errors import FileError
from model.files.schema import TAG, CastleId, PlaneId

FORMAT = 1
"""The version of the file formats that this release reads and writes."""
MOST_BYTES = 4_000_000
"""The largest file that is read; the longest record of a game has some 10,000 bytes."""
MANY_BYTES = 100 * MOST_BYTES
"""The largest file of puzzles, each a line."""

M = TypeVar("M", bound=BaseModel)


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file.

    Args:
        path: the file.
        most: bytes that it may have.

    Raises:
        FileError: it is not there, cannot be read, is too large or is not UTF-8.

    """
    try:
        with path.open("rb") as file:
            # One byte more than allowed: a device has no size that could be asked for.
            data = file.read(most + 1)
        if len(data) > most:
            raise FileError(str(path), [f"larger than {most} bytes: not a file of this kind"])
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(str(path), [f"byte {error.start} is not UTF-8 text"]) from error
    except OSError as error:
        raise FileError(str(path), [f"cannot be read: {error.strerror}"]) from error


def parse(name: str, text: str) -> dict[str, Any]:
    """Parse TOML, or JSON if the text begins with a brace.

    Args:
        name: the file as the user named it, for errors.
        text: its text.

    Raises:
        FileError: the text is neither, with line and column.

    """
    if len(text) > MOST_BYTES:
        raise FileError(name, [f"larger than {MOST_BYTES} bytes: not a file of this kind"])
    try:
        if text.lstrip("\ufeff \t\r\n").startswith("{"):
            data = json.loads(text.lstrip("\ufeff"))
            # Half a surrogate pair, which JSON can spell, could be neither shown nor written.
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        else:
            data = tomllib.loads(text.lstrip("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise FileError(name, [f"is not TOML: {error}"]) from error
    except json.JSONDecodeError as error:
        raise FileError(name, [f"is not JSON: {error}"]) from error
    except (RecursionError, ValueError) as error:
        raise FileError(name, [f"cannot be parsed: {error}"]) from error
    if not isinstance(data, dict):
        raise FileError(name, ["must hold a table at the top"])
    return data


def validate(name: str, data: Mapping[str, Any], model: type[M], kind: str) -> M:
    """Check plain values against a file model.

    Args:
        name: the file as the user named it, for errors.
        data: what the file holds.
        model: the pydantic model of this kind of file.
        kind: the value that ``type`` must have.

    Raises:
        FileError: every problem, each with its place in the file.

    """
    version = data.get("burgrave")
    if version != FORMAT or isinstance(version, bool):
        found = "is missing" if version is None else f"is {_shown(version)}"
        raise FileError(name, [f"burgrave: the file version {found}; this release reads {FORMAT}"])
    if data.get("type") != kind:
        raise FileError(name, [f"type: found {_shown(data.get('type'))}, expected {kind!r}"])
    return checked(name, data, model)


def checked(name: str, data: Mapping[str, Any], model: type[M]) -> M:
    """Check plain values against the keys of a model alone.

    Raises:
        FileError: every problem, each with its place in the file.

    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        parts = error.errors(include_url=False)
        # Which keys there are depends on the game: without one nothing can be said of them.
        if any(_unknown_game(part) for part in parts):
            parts = [part for part in parts if part["type"] not in {"extra_forbidden", "missing"}]
        raise FileError(name, [_problem(part) for part in parts]) from error


def _unknown_game(error: Mapping[str, Any]) -> bool:
    """Tell whether a pydantic error says that there is no such game."""
    return bool(error["type"] == "literal_error" and error["loc"][-1] == "game")


def _problem(error: Mapping[str, Any]) -> str:
    """Put one pydantic error into words: place, what is wrong, what was found."""
    place = ""
    for part in error["loc"]:
        if str(part).startswith(TAG):
            continue
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else str(part)
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        return f"{place}: no such key"
    if error["type"] == "missing":
        return f"{place}: is missing"
    if _unknown_game(error):
        # Which keys a file has depends on its game, so pydantic names half of the games.
        message = f"there are {', '.join((*get_args(CastleId), *get_args(PlaneId)))}"
    if not place:
        # What is wrong lies between several keys; the message names them.
        return message
    return f"{place}: {message[:1].lower() + message[1:]}, found {_shown(error['input'])}"


def _shown(value: object) -> str:
    """Return the beginning of a value as people write it."""
    try:
        return repr(value)[:60]
    except (RecursionError, ValueError):
        # Python writes no number of thousands of digits and no nesting without end.
        return "something too large to show"


def probe(folder: Path) -> None:
    """Refuse a folder in which no file can be made; nothing is left there.

    Raises:
        FileError: it is not there, is no folder, or may not be written to.

    """
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(str(folder), [f"no file can be made there: {error.strerror}"]) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that no reader ever sees half of it.

    Raises:
        FileError: it cannot be written; what was there before is untouched.

    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileError(str(path), [f"cannot be written: {error.strerror}"]) from error


def _umask() -> int:
    """Return the process's umask, so that a replaced file gets ordinary rights."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def to_toml(data: Mapping[str, Any]) -> str:
    """Return values as TOML, one list item a line."""
    return tomli_w.dumps(data, multiline_strings=False)


def to_json(data: object) -> str:
    """Return values as JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
