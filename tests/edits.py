"""Edits of what a puzzle file stores of its answer: changed, emptied, gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

OTHER = {"themes": "extra-turn", "rules": "castle.setup.tiles", "engines": "nobody"}
"""What does not belong into a list of a puzzle."""
Edit = tuple[str, dict[str, Any]]


def edits(data: dict[str, Any]) -> Iterator[Edit]:
    """Yield what a file becomes by each edit of what bears on its answer, with a name."""
    for key in data["answer"]:
        yield from _of_key(data, ("answer", key), data["answer"][key])
    for index, one in enumerate(data.get("refutation", ())):
        for key in ("move", "value"):
            yield from _of_key(data, ("refutation", index, key), one[key])
        yield f"refutation {index} is gone", _with(data, ("refutation", index))
    for key in ("refutation", "themes", "rules", "difficulty", "certification"):
        if key in data:
            yield f"{key} is gone", _with(data, (key,))
    for key in ("themes", "rules", "difficulty", "explanation"):
        yield from _of_key(data, (key,), data.get(key, []))
    yield from _of_key(data, ("certification", "engines"), data["certification"]["engines"])


def _of_key(data: dict[str, Any], path: tuple[str | int, ...], value: Any) -> Iterator[Edit]:
    """Yield what a file becomes by each edit of one value: changed, emptied or gone."""
    name = ".".join(map(str, path))
    if path[-1] in data or len(path) > 1:
        yield f"{name} is gone", _with(data, path)
    if isinstance(value, bool):
        yield f"{name} is turned round", _with(data, path, not value)
    elif isinstance(value, int):
        yield f"{name} is one more", _with(data, path, value + 1)
        yield f"{name} is one less", _with(data, path, value - 1)
    elif isinstance(value, str):
        yield f"{name} is empty", _with(data, path, "")
        yield f"{name} has another figure", _with(data, path, _figure(value))
    else:
        if value:
            yield f"{name} is empty", _with(data, path, [])
        for index in range(len(value)):
            yield f"{name} lacks {index}", _with(data, path, value[:index] + value[index + 1 :])
        more = OTHER.get(str(path[-1])) or (_figure(value[0]) if value else "K01@0,0r0")
        yield f"{name} has one more", _with(data, path, [*value, more])
        if value:
            yield f"{name} has another", _with(data, path, [more, *value[1:]])


def _figure(text: str) -> str:
    """Return a text whose last figure is another."""
    return re.sub(r"\d(?=\D*$)", lambda found: str((int(found[0]) + 1) % 4), text)


def _with(data: dict[str, Any], path: tuple[str | int, ...], value: Any = None) -> dict[str, Any]:
    """Return the keys of a file with another value at a place; without the place if none."""
    edited = deepcopy(data)
    at: Any = edited
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return edited
