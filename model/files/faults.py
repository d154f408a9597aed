"""The errors of pydantic in words of this program, for files and for the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "string": "text",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a table",
    "model": "a table",
    "path": "a path",
}
"""By the beginning of an error's type what is expected."""
_LIMITS = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "{} or less"),
    "less_than": ("lt", "less than {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
    "string_too_long": ("max_length", "at most {} characters"),
    "string_too_short": ("min_length", "at least {} characters"),
    "literal_error": ("expected", "{}"),
    "enum": ("expected", "{}"),
}
"""By an error's type the limit in its context, and what is expected."""
_LENGTHS = {"too_long": ("max_length", "at most"), "too_short": ("min_length", "at least")}
_FORMS = {
    r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,31}$": "1 to 32 letters, digits, _ or -",
    r"^[a-z][a-z0-9_]{0,15}$": "a name of 1 to 16 small letters, digits or _",
    r"^[a-z][a-z0-9_]{0,15}(:[a-z]{1,16})?$": "a player like blue, or blue:big",
    r"^[a-z]{1,16}$": "a word of 1 to 16 small letters",
    r"^-?\d{1,3},-?\d{1,3}\.\d{1,2}$": "an aerie like 3,4.0",
    r"^-?\d+/[1-9]\d*$": "a fraction like 17/4",
    r"^[a-z][a-z0-9_]* \d+$": "a player and his points like white 4",
    r"^(-?\d+,-?\d+)?$": "a cell like 3,4",
    r"^[^0-9]*$": "words without digits",
    r"^[A-Z]{2}-[0-9]{2}[a-z]?$": "the id of a card like CA-36",
    r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$": "small words joined by hyphens",
    r"^[2-6]$": "a number of players from 2 to 6",
    r"^\d{4}-\d{2}-\d{2}$": "a date like 2026-01-31",
}
"""By the pattern of a text what it looks like."""


def fault(error: Mapping[str, Any]) -> str:
    """Return the fault of a value, ``found 7, expected 6 or less``.

    Args:
        error: an entry of ``ValidationError.errors()``.

    """
    sort, context = str(error["type"]), error.get("ctx", {})
    found = shown(error["input"])
    if sort in _LIMITS:
        key, words = _LIMITS[sort]
        return f"found {found}, expected {words.format(context[key])}"
    if sort in _LENGTHS:
        key, words = _LENGTHS[sort]
        return f"{context['actual_length']} entries, expected {words} {context[key]}"
    if sort == "string_pattern_mismatch":
        pattern = context["pattern"]
        return f"found {found}, expected {_FORMS.get(pattern, f'text of the form {pattern}')}"
    expected = next((words for kind, words in _KINDS.items() if sort.startswith(f"{kind}_")), None)
    if expected is not None:
        return f"found {found}, expected {expected}"
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{message[:1].lower()}{message[1:]}, found {found}"


def shown(value: object) -> str:
    """Return the beginning of a value as people write it."""
    try:
        return repr(value)[:60]
    except (RecursionError, ValueError):
        # Python writes no number of thousands of digits and no nesting without end.
        return "something too large to show"
