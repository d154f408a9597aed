"""Files and moves changed at random: refused with their place, or good."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.errors import FileError, NotationError
from burgrave.model.files.positions import (
    load_position,
    position_data,
    read_position,
    write_position,
)
from burgrave.model.files.toml import to_json, to_toml
from burgrave.model.notation import read_board_line, read_final, read_move
from burgrave.model.position import Position
from burgrave.model.problems import problems
from tests.model.good_files import POSITION, READERS, Data

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-1, max_value=12),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["Court", "Way@0,2r1", "white", "6/7", "12/13", "on", "castle", "tower N"]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def places(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every value in nested data."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key)
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield (*path, index)
            yield from places(value, (*path, index))


@st.composite
def changed_files(draw: st.DrawFn) -> tuple[str, str]:
    """Good files with some values put elsewhere, replaced or taken away, as JSON."""
    kind = draw(st.sampled_from(sorted(READERS)))
    data = copy.deepcopy(READERS[kind][0])
    for _ in range(draw(st.integers(min_value=1, max_value=3))):
        path = draw(st.sampled_from(sorted(places(data), key=str)))
        here: Any = data
        for step in path[:-1]:
            here = here[step]
        match draw(st.sampled_from(["value", "drop", "key", "again"])):
            case "value":
                here[path[-1]] = draw(VALUES)
            case "drop":
                del here[path[-1]]
            case "key" if isinstance(here, dict):
                here[draw(st.text(max_size=5))] = draw(VALUES)
            case _ if isinstance(here, list):
                here.append(draw(VALUES))
            case _:
                here[path[-1]] = [here[path[-1]]]
        if not data:
            break
    return kind, json.dumps(data)


def refusal(kind: str, text: str) -> FileError | None:
    """Read a file; return the error if it is refused. Any other exception is a failure."""
    try:
        value = READERS[kind][1]("my file", text)
    except FileError as error:
        return error
    if isinstance(value, Position):
        assert problems(value) == ()
        assert read_position("again", write_position(value)) == value
    return None


def assert_refused_or_good(kind: str, text: str) -> None:
    """Assert that a text is read, or refused with an error that names file and problem."""
    error = refusal(kind, text)
    if error is not None:
        assert error.problems
        assert str(error).startswith("my file: ")
        assert all(letter.isprintable() or letter == "\n" for letter in str(error))


@given(changed_files())
@settings(max_examples=250)
def test_changed_values_are_refused_or_good(file: tuple[str, str]) -> None:
    """A file with values changed is refused with a FileError, or a position that can arise."""
    assert_refused_or_good(*file)


@given(
    st.sampled_from(sorted(READERS)),
    st.sampled_from([to_json, to_toml]),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 3), st.text(max_size=3)), min_size=1, max_size=4
    ),
)
@settings(max_examples=200)
def test_changed_characters_are_refused_or_good(
    kind: str, write: Callable[[Data], str], cuts: list[tuple[float, int, str]]
) -> None:
    """A file with characters changed is refused with a FileError, or is good."""
    data = READERS[kind][0]
    text = write(data)
    for where, length, new in cuts:
        at = int(where * len(text))
        text = text[:at] + new + text[at + length :]
    assert_refused_or_good(kind, text)


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_bytes_are_refused_or_good(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    """Any bytes in a file are refused with a FileError."""
    path = tmp_path_factory.mktemp("raw") / "file.toml"
    path.write_bytes(raw)
    with pytest.raises(FileError):
        load_position(path)


GOOD = read_position("file", to_toml(POSITION))

WORDS = st.one_of(
    st.sampled_from(
        ["Court@2,6r0", "Court@0,0r9", "Way@2,6", "pass", "-Way", "+1", "+2", "!2", "=0,2.E*2",
         "=9,9.N", "herald.E", "knight@0,2.E", "k.#1", "?16/17:5", "?1/2:0", "r2", "@", "=",
         "final", "white", "4@1,3.N", "9", "8@0,0.N", "white:herald.E"]
    ),
    st.text(max_size=6),
    st.from_regex(r"[A-Za-z]{1,3}@-?\d{1,4},-?\d{1,4}(r\d)?", fullmatch=True),
)  # fmt: skip


def misread(read: Callable[[], object]) -> NotationError | None:
    """Read a text; return the error if it cannot be read. Any other exception is a failure."""
    try:
        read()
    except NotationError as error:
        return error
    return None


@given(st.lists(WORDS, max_size=5), st.sampled_from([" ", "  ", "\t"]))
@settings(max_examples=300)
def test_a_text_is_a_move_or_the_error_points_into_it(words: list[str], between: str) -> None:
    """Moves, lines of the board and final scoring are read, or the error points at a character.

    The character is one of the text, or the place right behind it.
    """
    text = between.join(words)
    for error in (
        misread(lambda: read_move(GOOD, text)),
        misread(lambda: read_final(GOOD, text)),
        misread(lambda: read_board_line(GOOD.game, text)),
    ):
        if error is not None:
            assert error.text == text
            assert 0 <= error.at <= len(text)
            assert error.problem
            assert str(error).startswith(error.problem)


BROKEN_MOVES = {
    "": (0, "names a tile and a cell"),
    "herald.N": (0, "no tile to look for"),
    "Court@2,6 Court@2,5": (10, "one tile"),
    "Moat@2,6": (0, "no tile Moat"),
    "Court@2,6 -Moat": (11, "no tile Moat"),
    "Court@2,6r5": (0, "r0 to r3"),
    "r1 Court@2,6": (0, "follows the tile"),
    "Court@2,6 knight.X": (10, "'X' is no segment"),
    "Court@2,6 bishop.N": (10, "no follower 'bishop'"),
    "Court@2,6 merchant.#9": (10, "no segment #9"),
    "Court@2,6 =5,5.N": (10, "no tile to look for"),
    "Court@2,6 +2": (10, "only wall tile 1"),
    "pass +1": (0, "without a placement"),
    "Court@2,6 nonsense": (10, "is no part of a move"),
}


@pytest.mark.parametrize("text", BROKEN_MOVES)
def test_a_broken_move_points_at_the_character(text: str) -> None:
    """The error points at the word that is wrong and says what would be right."""
    at, says = BROKEN_MOVES[text]
    with pytest.raises(NotationError) as caught:
        read_move(GOOD, text)
    assert (caught.value.at, says in caught.value.problem) == (at, True), caught.value.problem


def test_the_data_of_a_position_are_what_the_file_said() -> None:
    """Reading and writing keeps every key of the file; only the supply is written out."""
    read = position_data(read_position("file", to_toml(POSITION)))
    expected = copy.deepcopy({**POSITION, "game": "castle", "tiles": "castle"})
    expected["black"]["supply"] = 5
    del expected["burgrave"], expected["type"]
    assert read == expected
