"""Errors of pydantic in words: each sort that a file or a command line can meet."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, TypeAdapter, ValidationError  # noqa: TID253 -- its errors are tested

from burgrave.cli.serve.bodies import AskBody
from burgrave.model.files.faults import _FORMS, fault
from burgrave.model.files.schema import FILES
from burgrave.model.formats.save_schema import SaveFile
from burgrave.puzzles.cards.files import CardsFile
from burgrave.puzzles.files.puzzle_files import PuzzleFile
from burgrave.solver.simulation.values_file import ValuesFile

RAW = ("should", "valid", "validation", "parse", "input", "matching")
"""Words of pydantic that no message of this program has."""


@pytest.mark.parametrize(
    ("hint", "value", "words"),
    [
        (int, "many", "found 'many', expected a whole number"),
        (int, 2.5, "found 2.5, expected a whole number"),
        (float, "x", "found 'x', expected a number"),
        (bool, "x", "found 'x', expected true or false"),
        (str, 3, "found 3, expected text"),
        (list[int], 3, "found 3, expected a list"),
        (dict[str, int], 3, "found 3, expected a table"),
        (Annotated[int, Field(ge=1)], 0, "found 0, expected 1 or more"),
        (Annotated[int, Field(gt=1)], 0, "found 0, expected more than 1"),
        (Annotated[int, Field(le=6)], 7, "found 7, expected 6 or less"),
        (Annotated[float, Field(lt=1)], 1, "found 1, expected less than 1.0"),
        (Annotated[int, Field(multiple_of=90)], 7, "found 7, expected a multiple of 90"),
        (Annotated[str, Field(max_length=2)], "xyz", "found 'xyz', expected at most 2 characters"),
        (Annotated[list[int], Field(max_length=1)], [1, 2], "2 entries, expected at most 1"),
        (Annotated[list[int], Field(min_length=1)], [], "0 entries, expected at least 1"),
        (Literal["a", "b"], "c", "found 'c', expected 'a' or 'b'"),
    ],
)
def test_each_sort_of_error_has_words(hint: Any, value: Any, words: str) -> None:
    """What was found comes first, then what would be right."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(hint).validate_python(value)
    assert fault(caught.value.errors()[0]) == words


@pytest.mark.parametrize(
    "model",
    [*FILES.values(), PuzzleFile, CardsFile, SaveFile, AskBody],
    ids=lambda one: one.__name__,
)
def test_no_message_about_a_file_is_raw(model: Any) -> None:
    """Whatever stands under each key."""
    for wrong in (None, 3, -1, 10**6, "", "no such word!", [], [None], {}, {"a": None}, 1.5):
        with pytest.raises(ValidationError) as caught:
            model.model_validate(dict.fromkeys(model.model_fields, wrong))
        for error in caught.value.errors():
            if error["type"] not in {"missing", "extra_forbidden"}:
                told = fault(error).lower().replace("input", "", "input" in str(error["input"]))
                assert not [word for word in RAW if f" {word} " in f" {told} "], told


def patterns(schema: Any) -> set[str]:
    """Return all patterns of texts in a JSON Schema."""
    if isinstance(schema, dict):
        here = {schema["pattern"]} if isinstance(schema.get("pattern"), str) else set()
        return here.union(*map(patterns, schema.values()))
    return set().union(*map(patterns, schema)) if isinstance(schema, list) else set()


def test_each_pattern_of_a_file_has_words() -> None:
    """A pattern of regular expressions helps nobody."""
    files = (*FILES.values(), PuzzleFile, CardsFile, ValuesFile)
    found = set().union(*(patterns(one.model_json_schema()) for one in files))
    assert found
    assert not found - _FORMS.keys()
