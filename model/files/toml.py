"""TOML or JSON to plain values and back."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeVar

import tomli_w
from pydantic import BaseModel, ValidationError  # noqa: TID253 -- files only

from burgrave.model.errors import FileError
from burgrave.model.files.faults import fault, shown
from burgrave.model.files.paths import MOST_BYTES
from burgrave.model.files.schema import TAG
from burgrave.model.files.slips import mended
from burgrave.model.naming import alike
from burgrave.model.registry import GAMES

FORMAT = 1
"""The version of the file formats that this release reads and writes."""
M = TypeVar("M", bound=BaseModel)
_LONG_KEY = re.compile(
    r"""
    (?<![\w-]) (?: (?: [\w-]++ | "(?: [^"\\\n] | \\. )*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){16}
    """,
    re.VERBOSE,
)
"""A dotted key of more than 16 parts: tomllib needs their square in time and memory."""

_JSON = re.compile(r"[\ufeff \t\r\n]*(?:\{|\[[ \t\r\n]*\{)")
"""The beginning of JSON. No TOML begins so: a brace is no key, and none follows a bracket."""


def parse(name: str, text: str) -> dict[str, Any]:
    """Parse TOML, or JSON if the text begins with a brace or is a list of objects.

    A list alone is what a log of Board Game Arena may be cut down to; it comes under ``data``.

    Args:
        name: the file as the user named it, for errors.
        text: its text.

    Raises:
        FileError: the text is neither, with line and column.

    """
    if len(text) > MOST_BYTES:
        raise FileError(name, [f"larger than {MOST_BYTES} bytes: not a file of this kind"])
    text = text.lstrip("\ufeff")
    try:
        if _JSON.match(text):
            data = json.loads(text)
            data = {"data": data} if isinstance(data, list) else data
            # Half a surrogate pair, which JSON can spell, could be neither shown nor written.
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        else:
            if long := _LONG_KEY.search(text):
                line = text.count("\n", 0, long.start()) + 1
                raise FileError(name, [f"has a dotted key of more than 16 parts (at line {line})"])
            text = text.replace("\r\n", "\n")
            data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem = f"is not TOML: {error}. {mended(text, str(error))}"
        raise FileError(name, [problem.rstrip(". ")]) from error
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
    if version is None and "appVersion" in data:
        raise FileError(name, ["is a save of JCloisterZone; burgrave import reads it"])
    if version != FORMAT or isinstance(version, bool):
        found = "is missing" if version is None else f"is {shown(version)}"
        raise FileError(name, [f"burgrave: the file version {found}; this release reads {FORMAT}"])
    if data.get("type") != kind:
        there = data.get("type")
        helps = command_for(str(there))
        raise FileError(name, [f"type: found {shown(there)}, expected {kind!r}{helps}"])
    return checked(name, data, model)


_READ_BY = {
    "position": "check",
    "puzzle": "solve",
    "record": "replay",
    "tiles": "tiles check",
    "dataset": "puzzles",
}
"""By type of file the command that reads it."""


_RENAMED = {"profile": "edition", "followers": "supply"}
"""By a key of older releases, or one that is often tried, its name."""
_TABLES = {"kinds": '{ id = "Way", quarters = "cccc-ns" }', "bag": "{ K01 = 2 }"}
"""By the key of a table an example of its value."""


def command_for(kind: str) -> str:
    """Return which command reads a type of file, to end a message; empty if none does."""
    return f"; burgrave {_READ_BY[kind]} reads it" if kind in _READ_BY else ""


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
        keys = {*_keys(model.model_json_schema())}
        raise FileError(name, [_problem(part, keys) for part in parts]) from error


def _unknown_game(error: Mapping[str, Any]) -> bool:
    """Tell whether a pydantic error says that there is no such game."""
    return bool(error["type"] == "literal_error" and error["loc"][-1] == "game")


def _keys(schema: object) -> Iterator[str]:
    """Yield all keys that a schema names."""
    for name, value in schema.items() if isinstance(schema, dict) else ():
        if name == "properties":
            yield from value
        yield from _keys(value)


def _problem(error: Mapping[str, Any], keys: Collection[str]) -> str:
    """Put one pydantic error into words: place, fault and value found.

    Args:
        error: an entry of ``ValidationError.errors()``.
        keys: all keys of the model.

    """
    place = ""
    for part in error["loc"]:
        if str(part).startswith(TAG):
            continue
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else str(part)
    if error["type"] == "extra_forbidden":
        now = _RENAMED.get(str(error["loc"][-1]))
        meant = alike(str(error["loc"][-1]), keys)
        helps = f". Did you mean {' or '.join(meant)}?" if meant else ""
        return f"{place}: no such key" + (f"; it is called {now}" if now else helps)
    if error["type"] == "missing":
        return f"{place}: is missing"
    if _unknown_game(error):
        # Which keys a file has depends on its game, so pydantic names half of the games.
        games = ", ".join(GAMES)
        return f"{place}: found {shown(error['input'])}, expected {games}"
    if not place:
        # The fault lies between several keys; the message names them.
        return str(error["msg"]).removeprefix("Value error, ")
    like = (
        _TABLES.get(str(error["loc"][0]))
        if error["type"].endswith(("model_type", "dict_type"))
        else None
    )
    return f"{place}: {fault(error)}" + (f" like {like}" if like else "")


def to_toml(data: Mapping[str, Any]) -> str:
    """Return values as TOML, one list item a line."""
    return tomli_w.dumps(data, multiline_strings=False)


def to_json(data: object) -> str:
    """Return values as JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
