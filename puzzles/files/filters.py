"""Filters of puzzles: words whose sort is found, and values whose sort is named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from burgrave.model.errors import QuestionError
from burgrave.model.naming import quoted, suggestion
from burgrave.puzzles.study.difficulty import levels, span

Chosen = Mapping[str, Collection[str]]
"""By sort (``id``, ``set``, ``game``, ``question``, ``theme``, ``difficulty``) the values of which
a puzzle must have one; a sort that is left out allows all."""


def chosen(
    words: Iterable[str],
    named: Mapping[str, str | None],
    known: Mapping[str, Collection[str]],
    lists: str,
) -> Chosen:
    """Return which puzzles filters leave.

    Args:
        words: each the value of some sort, or a difficulty or a range of it.
        named: by sort values with commas, or None where none are named.
        known: by sort all values that puzzles have. A word is a value of the first sort that
            knows it.
        lists: a sentence on where all values are listed.

    Raises:
        QuestionError: no puzzle has such a value.

    """
    found: dict[str, dict[str, None]] = {}  # in the order in which they were given
    for word in words:
        sort, values = _sorted(word.lower(), known, lists)
        found.setdefault(sort, {}).update(dict.fromkeys(values))
    for sort, listed in named.items():
        if listed is not None:
            values = _named(sort, listed.lower(), known, lists)
            found.setdefault(sort, {}).update(dict.fromkeys(values))
    return found


def _sorted(
    word: str, known: Mapping[str, Collection[str]], lists: str
) -> tuple[str, Iterable[str]]:
    """Return the sort of a word, and the values that it stands for."""
    if (difficulties := span(word)) is not None:
        return "difficulty", map(str, difficulties)
    for sort, values in known.items():
        if word in values:
            return sort, (word,)
    every = sorted({name for values in known.values() for name in values})
    helps = suggestion(word, every, lists)
    more = "nor is it a set or" if "set" in known else "nor is it"
    raise QuestionError(
        f"no puzzle has the id, game, theme or question {quoted(word)}, {more} a difficulty like"
        f" 2-4.{helps}"
    )


def _named(
    sort: str, values: str, known: Mapping[str, Collection[str]], lists: str
) -> Iterable[str]:
    """Return the values of an option."""
    if sort == "difficulty":
        return map(str, levels(values))
    listed = values.split(",")
    for value in listed:
        if value not in known[sort]:
            helps = suggestion(value, sorted(known[sort]), lists)
            raise QuestionError(f"no puzzle has the {sort} {quoted(value)}.{helps}")
    return listed
