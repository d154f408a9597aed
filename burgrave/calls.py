"""The one place where the arguments of a call by a script are checked.

``Calls.checked`` wraps a public function. It compares each argument with its annotation: text
becomes the member of an enumeration, and a position must be able to arise. So a new public function
is checked without further code.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from operator import index
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from burgrave.model.errors import CallError
from burgrave.model.games import Game
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.model.problems import in_form, require_possible
from burgrave.model.tiles import TileKind

_LONGEST = 60
"""Characters of a wrong value that a message shows."""
_MADE_ELSEWHERE = (Game, TileKind)
"""Values that files make: their fields are not looked at."""
_WORDS: Mapping[Any, str] = {
    NoneType: "None",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    Path: "a path",
}
"""What is expected, in words."""
_REMEMBERED = 64
"""Positions that are remembered as possible: a script asks many questions about one."""


class Calls:
    """Checks calls, and remembers annotations and possible positions.

    Args:
        names: the public names, for annotations whose names are imported for type checkers alone.

    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        """Begin without knowledge."""
        self._names = names
        self._hints: dict[Any, dict[str, Any]] = {}
        self._possible: deque[Position] = deque(maxlen=_REMEMBERED)

    def checked(self, function: Callable[..., Any], name: str, *, drafts: bool) -> Any:
        """Return a function that refuses wrong arguments with a ``BurgraveError``.

        Args:
            function: any function with annotations.
            name: its public name.
            drafts: whether it takes positions that cannot arise.

        """
        shape = signature(function)

        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            hints = self.hints(function)
            given = _bound(shape, [*hints], name, args, named)
            return function(
                **{
                    key: self.fit(value, hints[key], f"{name}: {key}", drafts=drafts)
                    for key, value in given.items()
                }
            )

        call.__module__, call.__qualname__, call.__name__ = __package__, name, name
        return call

    def hints(self, annotated: Any) -> dict[str, Any]:
        """Return the types of a function's arguments or of a class's fields by name.

        A typed dictionary of further arguments is replaced by its keys.
        """
        if annotated not in self._hints:
            known = get_type_hints(annotated, localns=self._names)
            known.pop("return", None)
            for key, hint in [*known.items()]:
                inner = get_args(hint)
                if inner and is_typeddict(inner[0]):
                    del known[key]
                    known |= get_type_hints(inner[0], localns=self._names)
            self._hints[annotated] = known
        return self._hints[annotated]

    def fit(self, value: Any, hint: Any, place: str, *, drafts: bool = False) -> Any:
        """Return a value as an annotation wants it.

        Args:
            value: any value.
            hint: the annotation.
            place: the name of the value in messages.
            drafts: whether a position may be one that cannot arise.

        Raises:
            BurgraveError: the value is another one.

        """
        kind = get_origin(hint) or hint
        if kind in {Union, UnionType}:
            return self._one_of(value, get_args(hint), place, drafts=drafts)
        if kind in {Any, object} or not isinstance(kind, type):
            return value
        if kind in {tuple, list, Sequence, Iterable}:
            return self._several(value, hint, place, drafts=drafts)
        if issubclass(kind, StrEnum):
            return _member(value, kind, place)
        if kind in {int, float}:
            return _number(value, kind, place)
        if kind is Path:
            kind = (Path, str)
        if not isinstance(value, kind):
            raise _wrong(value, hint, place)
        if is_dataclass(value) or hasattr(value, "_fields"):
            value = self._with_fields(value, place)
        return self._usable(value, drafts=drafts) if isinstance(value, Position) else value

    def _one_of(self, value: Any, hints: Sequence[Any], place: str, *, drafts: bool) -> Any:
        """Return a value as one of several annotations wants it; the fault is that of the only."""
        real = [hint for hint in hints if hint is not NoneType]
        if value is None and len(real) < len(hints):
            return None
        able = [hint for hint in real if isinstance(value, get_origin(hint) or hint)]
        if not able and len(real) > 1:
            raise _wrong(value, Union[tuple(hints)], place)  # noqa: UP007 -- of a tuple
        return self.fit(value, (able or real)[0], place, drafts=drafts)

    def _several(self, value: Any, hint: Any, place: str, *, drafts: bool) -> Any:
        """Return a sequence with each item as the annotation wants it."""
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            raise _wrong(value, hint, place)
        inner = get_args(hint)
        if get_origin(hint) is Iterable:
            return self._each(value, inner[0], place, drafts=drafts)
        given = [*value]
        wanted = [inner[0]] * len(given)
        if get_origin(hint) is tuple and inner[-1] is not Ellipsis:
            wanted = [*inner]
            if len(given) != len(wanted):
                raise CallError(f"{place}: {len(given)} values, expected {len(wanted)}")
        found = tuple(
            self.fit(one, hint, f"{place}[{at}]", drafts=drafts)
            for at, (one, hint) in enumerate(zip(given, wanted, strict=True))
        )
        same = isinstance(value, tuple) and all(map(_is, found, value))
        return value if same else found

    def _each(self, values: Iterable[Any], hint: Any, place: str, *, drafts: bool) -> Iterator[Any]:
        """Yield values as an annotation wants them, when they are asked for."""
        for at, one in enumerate(values):
            yield self.fit(one, hint, f"{place}[{at}]", drafts=drafts)

    def _with_fields(self, value: Any, place: str) -> Any:
        """Return a value whose fields are as their annotations want them."""
        if isinstance(value, _MADE_ELSEWHERE) or any(one is value for one in self._possible):
            return value
        names = getattr(value, "_fields", None) or [one.name for one in fields(value) if one.init]
        hints = self.hints(type(value))
        changed = {}
        for name in names:
            old = getattr(value, name)
            new = self.fit(old, hints[name], f"{place}.{name}")
            if new is not old:
                changed[name] = new
        if not changed:
            return value
        return value._replace(**changed) if hasattr(value, "_fields") else replace(value, **changed)

    def _usable(self, position: Position, *, drafts: bool) -> Position:
        """Return a position that has all its parts in their order; a draft may be impossible."""
        if any(one is position for one in self._possible):
            return position
        formed = in_form(position)
        position = position if formed == position else formed
        if not drafts:
            self._possible.append(require_possible(position))
        return position


def _is(one: object, other: object) -> bool:
    """Tell whether two values are the same object."""
    return one is other


def _bound(
    shape: Signature, known: Sequence[str], name: str, args: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call by name.

    Raises:
        CallError: one is missing or surplus.

    """
    for given in named:
        if given not in known:
            raise CallError(f"{name}: no argument {quoted(given)}.{suggestion(given, known)}")
    try:
        bound = shape.bind(*args, **named).arguments
    except TypeError as error:
        raise CallError(f"{name}: {error}; the arguments are {', '.join(known)}") from None
    for one in shape.parameters.values():
        if one.kind is Parameter.VAR_KEYWORD:
            bound |= bound.pop(one.name, {})
    return bound


def _member(value: Any, kind: type[StrEnum], place: str) -> StrEnum:
    """Return the member of an enumeration that a text names."""
    if not isinstance(value, str):
        raise _wrong(value, kind, place)
    with suppress(ValueError):
        return kind(value.lower())
    raise CallError(f"{place}: no {quoted(value)}.{suggestion(value, [*kind])}")


def _number(value: Any, kind: type, place: str) -> Any:
    """Return a number; those of other libraries become Python's."""
    if not isinstance(value, bool):
        with suppress(TypeError):
            return index(value)
        if kind is float and isinstance(value, float) and math.isfinite(value):
            return value
    raise _wrong(value, kind, place)


def _wrong(value: Any, hint: Any, place: str) -> CallError:
    """Return the error that a value has another type than the annotation."""
    shown = repr(value)
    shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
    helps = "; burgrave.load reads one" if hint is Position and isinstance(value, str) else ""
    return CallError(f"{place}: found {shown}, expected {_in_words(hint)}{helps}")


def _in_words(hint: Any) -> str:
    """Return what an annotation wants in words."""
    inner = [one for one in get_args(hint) if one is not Ellipsis]
    if get_origin(hint) in {Union, UnionType}:
        return " or ".join(map(_in_words, inner))
    if inner:
        return f"a sequence of {', '.join(map(_in_words, inner))}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return f"one of {', '.join(hint)}"
    return _WORDS.get(hint, f"a {getattr(hint, '__name__', hint)}")
