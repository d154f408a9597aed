"""Broken files and texts: one error that names file and place, never another exception.

The first table holds files with one fault each, the fuzzers make more of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from burgrave.model.errors import FileError, NotationError
from burgrave.model.files.paths import MOST_BYTES
from burgrave.model.files.positions import (
    load_position,
    read_position,
)
from burgrave.model.files.tilesets import load_tile_set
from burgrave.model.files.toml import to_json, to_toml
from burgrave.model.notation import read_move
from tests.model.good_files import POSITION, READERS, Data


class Broken(NamedTuple):
    """A file with one fault."""

    kind: str
    """Which reader it is handed to."""
    place: str
    """How the message begins after the file's name: the place of the fault."""
    change: Callable[[Data], object]
    """Puts the fault into a good file."""
    says: str
    """Words of the message."""


def put(*path: str | int, value: object) -> Callable[[Data], None]:
    """Return a change that puts a value at a place."""

    def change(data: Data) -> None:
        here: Any = data
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value

    return change


def drop(*path: str) -> Callable[[Data], None]:
    """Return a change that takes a key away."""

    def change(data: Data) -> None:
        here: Any = data
        for step in path[:-1]:
            here = here[step]
        del here[path[-1]]

    return change


def tile(*segments: str, **more: object) -> Callable[[Data], None]:
    """Return a change that puts a broken kind of tile into a position."""
    return put("kinds", 2, value={"id": "Tower", "segments": list(segments), **more})


def board(line: str) -> Callable[[Data], None]:
    """Return a change that adds a line to the board."""
    return lambda data: data["board"].append(line)


BROKEN = {
    "no version": Broken("position", "burgrave", drop("burgrave"), "is missing"),
    "another version": Broken("position", "burgrave", put("burgrave", value=2), "reads 1"),
    "version as text": Broken("position", "burgrave", put("burgrave", value="1"), "'1'"),
    "no type": Broken("position", "type", drop("type"), "expected 'position'"),
    "another type": Broken("position", "type", put("type", value="tiles"), "found 'tiles'"),
    "unknown key": Broken("position", "bord", put("bord", value=[]), "no such key"),
    "unknown player key": Broken(
        "position", "white.points", put("white", "points", value=3), "no such key"
    ),
    "unknown game": Broken("position", "game", put("game", value="chess"), "'chess'"),
    "unknown tile set": Broken("position", "tiles", put("tiles", value="river"), "castle"),
    "tile set as number": Broken("position", "tiles", put("tiles", value=3), "found 3"),
    "unknown player to move": Broken(
        "position", "to_move", put("to_move", value="red"), "white, black"
    ),
    "unknown switch": Broken(
        "position",
        "switches.double_onse",
        put("switches", "double_onse", value="on"),
        "no such switch. Did you mean double_once?",
    ),
    "unknown value of a switch": Broken(
        "position", "switches.double_once", put("switches", "double_once", value="twice"), "on, off"
    ),
    "switch as boolean": Broken(
        "position", "switches.double_once", put("switches", "double_once", value=True), "True"
    ),
    "unknown start space": Broken(
        "position", "start_spaces.1/2", put("start_spaces", "1/2", value="path"), "6/7"
    ),
    "unknown picture": Broken(
        "position", "start_spaces.18/19", put("start_spaces", "18/19", value="moat"), "tower"
    ),
    "board as text": Broken("position", "board", put("board", value="Way@0,2"), "list"),
    "empty board line": Broken("position", "board[3]", board(""), "begins with a tile"),
    "board line without a cell": Broken("position", "board[3]", board("Court"), "like K01@3,4r1"),
    "unknown tile on the board": Broken("position", "board[3]", board("Moat@1,1"), "no tile Moat"),
    "rotation out of range": Broken("position", "board[3]", board("Court@1,1r4"), "r0 to r3"),
    "no such segment": Broken(
        "position", "board[3]", board("Court@1,1 white:merchant.#7"), "no segment #7"
    ),
    "nothing at the port": Broken("position", "board[3]", board("Way@1,1 white:herald.X"), "X"),
    "follower of nobody": Broken(
        "position", "board[3]", board("Court@1,1 red:merchant.N"), "no player red"
    ),
    "unknown role": Broken(
        "position", "board[3]", board("Court@1,1 white:bishop.N"), "no follower 'bishop'"
    ),
    "two tiles on a cell": Broken(
        "position", "board[3]", board("Court@0,2"), "castle.place.inside"
    ),
    "tile outside the wall": Broken(
        "position", "board[3]", board("Court@-1,2"), "castle.place.inside"
    ),
    "tile apart from all": Broken(
        "position", "board[3]", board("Court@5,8"), "castle.place.adjacent"
    ),
    "path against a court": Broken(
        "position", "board[3]", board("Court@2,2"), "castle.place.path"
    ),
    "start path not continued": Broken(
        "position", "board[3]", board("Court@6,4"), "castle.place.start-path"
    ),
    "knight on a court": Broken(
        "position", "board[3]", board("Court@1,4 white:knight.N"), "castle.follower.role"
    ),
    "two followers on a segment": Broken(
        "position",
        "board[3]",
        board("Court@0,3 white:merchant.N black:merchant.E"),
        "castle.follower.free",
    ),
    "seven followers": Broken(
        "position", "white.supply", put("white", "supply", value=6), "castle.setup.followers"
    ),
    "more tiles than there are": Broken(
        "position", "board", put("bag", value={"Tower": 1}), "castle.setup.tiles"
    ),
    "unknown tile in the order": Broken(
        "position", "order[1]", put("order", 1, value="Moat"), "no tile Moat"
    ),
    "unknown tile in the bag": Broken(
        "position", "bag.Moat", put("bag", "Moat", value=1), "no tile Moat"
    ),
    "none of a tile in the bag": Broken(
        "position", "bag.Court", put("bag", "Court", value=0), "found 0, expected 1 or more"
    ),
    "discarded tile as number": Broken(
        "position", "discarded[0]", put("discarded", 0, value=5), "found 5"
    ),
    "unknown tower": Broken("position", "towers.1/2", put("towers", "1/2", value=3), "12/13"),
    "wall tile on tower 0/1": Broken(
        "position", "towers.0/1", put("towers", "0/1", value=3), "castle.setup.wall-tiles"
    ),
    "wall tile 10": Broken("position", "towers.12/13", put("towers", "12/13", value=10), "9"),
    "three wall tiles of a number": Broken(
        "position", "wall_tiles", put("spent", value=[9, 9]), "there are two"
    ),
    "negative score": Broken(
        "position", "white.score", put("white", "score", value=-1), "points [castle.setup.track]"
    ),
    "three players": Broken(
        "position", "players", put("players", value=["white", "black", "red"]), "setup.players"
    ),
    "score as text": Broken(
        "position", "white.score", put("white", "score", value="12"), "found '12'"
    ),
    "score as fraction": Broken(
        "position", "white.score", put("white", "score", value=1.5), "found 1.5"
    ),
    "score not a number": Broken(
        "position", "white.score", put("white", "score", value=float("nan")), "found nan"
    ),
    "player as list": Broken("position", "black", put("black", value=[]), "found []"),
    "three extra turns": Broken(
        "position", "extra_turns", put("extra_turns", value=3), "found 3, expected 2 or less"
    ),
    "segment of no kind": Broken(
        "position", "kinds[2]", tile("moat N", "court E S W"), "no kind of segment"
    ),
    "empty segment": Broken("position", "kinds[2]", tile("", "court E S W"), "no kind of segment"),
    "unknown side": Broken("position", "kinds[2]", tile("tower Q", "court E S W"), "'Q'"),
    "side twice": Broken("position", "kinds[2]", tile("tower N N", "court E S W"), "twice"),
    "side of two segments": Broken(
        "position", "kinds[2]", tile("tower N", "court N E S W"), "two segments lie at N"
    ),
    "side of nothing": Broken("position", "kinds[2]", tile("court E S W"), "nothing lies at N"),
    "fountain on a court": Broken(
        "position", "kinds[2]", tile("court N E S W fountain"), "stands on a path"
    ),
    "path that ends nowhere": Broken(
        "position", "kinds[2]", tile("path N", "court NL NR E S W"), "ends nowhere"
    ),
    "square of a court": Broken(
        "position", "kinds[2]", tile("court N E S W", squares=[[0]]), "square [0]"
    ),
    "square of nothing": Broken(
        "position", "kinds[2]", tile("court N E S W", squares=[[]]), "square []"
    ),
    "square of a segment that is not there": Broken(
        "position", "kinds[2]", tile("court N E S W", squares=[[-1, 9]]), "square [-1, 9]"
    ),
    "two kinds of a name": Broken(
        "position", "kinds[2].id", put("kinds", 2, "id", value="COURT"), "there already"
    ),
    "kind with a blank in its name": Broken(
        "position", "kinds[2].id", put("kinds", 2, "id", value="my tower"), "'my tower'"
    ),
    "tile set without a title": Broken("tiles", "title", drop("title"), "is missing"),
    "tile set without tiles": Broken("tiles", "tile", drop("tile"), "there is none"),
    "no tile of a kind": Broken(
        "tiles", "tile[0].count", put("tile", 0, "count", value=0), "found 0, expected 1 or more"
    ),
    "tile without segments": Broken("tiles", "tile[1].segments", put("tile", 1, value={"id": "A"}),
        "is missing"),
    "broken tile of a set": Broken(
        "tiles", "tile[1]", put("tile", 1, "segments", value=["path N S"]), "nothing lies at NL"
    ),
    "record without a position": Broken("record", "position", drop("position"), "is missing"),
    "move as number": Broken("record", "moves[0]", put("moves", 0, value=7), "found 7"),
    "result as text": Broken("record", "result", put("result", value="12:30"), "list"),
    "fault in a record's position": Broken(
        "record", "position.to_move", put("position", "to_move", value="red"), "white, black"
    ),
    "impossible position in a record": Broken(
        "record",
        "position.white.supply",
        put("position", "white", "supply", value=9),
        "castle.setup.followers",
    ),
}  # fmt: skip

BROKEN_TEXTS = {
    "empty file": ("", "burgrave: the file version is missing"),
    "no TOML": ("board = [", "is not TOML"),
    "key twice": ("burgrave = 1\nburgrave = 1", "is not TOML"),
    "no JSON": ('{"burgrave": 1,', "is not JSON"),
    "text after JSON": ('{"burgrave": 1} {}', "is not JSON"),
    "control character": ('burgrave = 1\ntitle = "\x01"', "is not TOML"),
    "deep nesting": ('{"a":' + "[" * 200_000, "cannot be parsed"),
    "deep nesting in TOML": ("a = " + "[" * 200_000, "cannot be parsed"),
    "endless key": ("\na = 1\n" + "b . " * 16 + "c = 1", r"more than 16 parts \(at line 3\)"),
    "endless key in quotes": ("[" + r'"\"".' * 16 + "c]", "more than 16 parts"),
    "endless number": ("burgrave = " + "1" * 10_000, "cannot be parsed"),
    "half a surrogate pair": ('{"burgrave": 1, "title": "\\ud800"}', "cannot be parsed"),
    "too large": ("#" * (MOST_BYTES + 1), "larger than"),
    "picture of another program": ("\x89PNG\r\n", "is not TOML"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("as_json", [False, True], ids=["toml", "json"])
def test_a_broken_file_is_refused_with_its_place(name: str, *, as_json: bool) -> None:
    """The error names the file, the place of the fault, and what is wrong or allowed there."""
    kind, place, change, says = BROKEN[name]
    good, read = READERS[kind]
    data = copy.deepcopy(good)
    change(data)
    with pytest.raises(FileError) as caught:
        read("my file.toml", to_json(data) if as_json else to_toml(data))
    fitting = [p for p in caught.value.problems if p.startswith(f"{place}: ") and says in p]
    assert fitting, caught.value.problems
    assert all(line.startswith("my file.toml: ") for line in str(caught.value).splitlines())


@pytest.mark.parametrize("name", BROKEN_TEXTS)
@pytest.mark.parametrize("kind", READERS)
def test_a_text_that_is_no_file_is_refused(name: str, kind: str) -> None:
    """What cannot be parsed is one error with the file's name and the reason."""
    text, says = BROKEN_TEXTS[name]
    with pytest.raises(FileError, match=says) as caught:
        READERS[kind][1]("my file.toml", text)
    assert caught.value.name == "my file.toml"
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("as_json", [False, True], ids=["toml", "json"])
def test_the_good_files_are_good(kind: str, *, as_json: bool) -> None:
    """What the tables break is whole before."""
    data, read = READERS[kind]
    assert read("file", to_json(data) if as_json else to_toml(data)) is not None


def test_every_fault_of_a_file_is_listed() -> None:
    """Two faults of a file are two problems, each with its place."""
    data = copy.deepcopy(POSITION)
    board("Court@5,8")(data)
    put("white", "supply", value=6)(data)
    with pytest.raises(FileError) as caught:
        read_position("file", to_toml(data))
    places = {problem.partition(":")[0] for problem in caught.value.problems}
    assert places == {"white.supply", "board[3]"}


def test_a_board_of_very_many_lines_is_refused_at_once() -> None:
    """With their number alone; a few lines too many are judged one by one."""
    data = copy.deepcopy(POSITION)
    lines = list(data["board"])
    data["board"] = lines * 10_000
    with pytest.raises(FileError) as caught:
        read_position("file", to_toml(data))
    (problem,) = caught.value.problems
    assert problem.startswith(f"board: {len(lines) * 10_000} lines; a board has ")
    data["board"] = lines * 2
    with pytest.raises(FileError) as caught:
        read_position("file", to_toml(data))
    assert len(caught.value.problems) >= len(lines)


def test_an_error_disturbs_no_terminal() -> None:
    """Control characters of a file or a text are escaped; the pointer stays below its character."""
    data = copy.deepcopy(POSITION)
    put("bag", "a\x1b[31m\nb", value=1)(data)
    with pytest.raises(FileError) as caught:
        read_position("my\x07file", to_toml(data))
    assert all(letter.isprintable() or letter == "\n" for letter in str(caught.value))
    with pytest.raises(NotationError) as misread:
        read_move(read_position("file", to_toml(POSITION)), "Court@2,6\n\x1b[31m")
    assert str(misread.value).splitlines()[1:] == [
        r"  Court@2,6\n\x1b[31m",
        "             ^ character 11",
    ]


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """No file, a folder, bytes that are no text, a huge file: one error with the name."""
    for broken in ("missing.toml", "folder", "bytes.toml", "huge.toml"):
        path = tmp_path / broken
        if broken == "folder":
            path.mkdir()
        elif broken == "bytes.toml":
            path.write_bytes(b"burgrave = 1\xff")
        elif broken == "huge.toml":
            path.write_bytes(b"#" * (MOST_BYTES + 1))
        for load in (load_position, load_tile_set):
            with pytest.raises(FileError) as caught:
                load(path)
            assert caught.value.name == str(path)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Files as Windows editors write them are read: a mark at the head, carriage returns."""
    path = tmp_path / "position.toml"
    text = to_toml(POSITION).replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load_position(path) == read_position("file", to_toml(POSITION))


# Fuzzing
