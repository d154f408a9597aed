"""A position as one line of text, a move and a position as words, and back."""

from __future__ import annotations

import json
import random
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.components import Rank, Role
from burgrave.model.engine import legal_moves
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.lines import is_line, line_file, read_line, write_line
from burgrave.model.files.positions import own_kinds_of, write_position
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.position import Capture, Deployment, Move, Node, Position, Ransom, ScoreStep
from burgrave.puzzles.files.library import Entry, entries, find
from burgrave.puzzles.files.library import position as position_of
from tests.planes import EDITIONS, rich_plane
from tests.strategies import (
    FALCON_SWITCH_VALUES,
    SEEDS,
    after,
    castle_positions,
    falcon_opening,
    hall_game,
    opening,
)

NAMES = {
    each.__name__: each
    for each in (Move, Cell, Deployment, Node, Ransom, ScoreStep, Capture, Role, Rank)
}


def same(position: Position) -> None:
    """Compare a position with the one that its line holds; the line fits into an address."""
    line = write_line(position)
    assert is_line(line)
    assert read_line(line) == position
    assert write_line(read_line(line)) == line
    assert quote(line, safe=":") == line


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.id)
def test_a_shipped_position_survives_its_line(entry: Entry) -> None:
    """Every position and puzzle that is shipped has a line of at most 1,000 characters.

    Kinds of its own take more.
    """
    position = position_of(entry)
    same(position)
    assert len(write_line(position)) <= (2000 if own_kinds_of(position.game) else 1000)


@given(castle_positions())
@settings(max_examples=4)
def test_a_castle_survives_its_line(position: Position) -> None:
    """Random kinds, switches, wall tiles, keeps and followers that rest are in the line."""
    same(position)


@given(SEEDS, FALCON_SWITCH_VALUES, st.integers(min_value=0, max_value=40))
@settings(max_examples=3)
def test_a_falcon_survives_its_line(seed: int, switches: dict[str, str], turns: int) -> None:
    """Kings, falconers, tokens, taken aeries and markers on gates are in the line."""
    rng = random.Random(seed)
    same(
        after(
            falcon_opening(shipped_game("castle+falcon").with_switches(switches), rng), rng, turns
        )
    )


@given(SEEDS, st.sampled_from(EDITIONS))
@settings(max_examples=8)
def test_a_plane_survives_its_line(seed: int, edition: str) -> None:
    """Two to six players, editions, switches, towers, guards and prisoners are in the line."""
    same(rich_plane(seed, edition))


def castle() -> Position:
    """Return a shipped position."""
    return position_of(find("path-house-and-tower"))


def test_a_line_begins_with_what_people_want_to_know() -> None:
    """Version, game, turn, scores and number of tiles to come stand at its head."""
    assert write_line(castle()).startswith("burgrave:1:castle:black:48-91:1:eN")


def test_a_line_may_be_broken_over_several_lines() -> None:
    """Mail and chat break long lines; letters of the sign may be large."""
    line = write_line(castle())
    broken = "\n  ".join(re.findall(".{1,60}", line)).replace("burgrave", "Burgrave", 1)
    assert read_line(f" {broken}\n") == castle()


def tail(data: Any) -> str:
    """Return a last part that holds any values."""
    return urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


LINE = write_line(castle())
HEAD, _, TAIL = LINE.rpartition(":")
HELD = json.loads(zlib.decompress(urlsafe_b64decode(TAIL + "=" * (-len(TAIL) % 4))))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("burgrave:", "found 2 parts between colons, expected 7"),
        (f"{LINE}:", "found 8 parts between colons, expected 7"),
        (LINE.replace(":1:", ":2:", 1), "version 2 of the line; this release reads 1"),
        (LINE[:-8], "its last part is cut off, or too large; copy the whole line"),
        (f"{HEAD}:{TAIL[:40]}xx{TAIL[42:]}", "its last part is damaged; copy the whole line"),
        (f"{HEAD}:ä€", "its last part is damaged"),
        (f"{HEAD}:", "its last part is cut off"),
        (f"{HEAD}:{tail('text')}", "its last part holds no position"),
        (f"{HEAD}:{tail({'game': 'castle'})}", "its last part holds no position"),
        (f"{HEAD}:{tail({**HELD, 'white': 3})}", "its last part holds no position"),
        (f"{HEAD}:{tail({**HELD, 'game': 'chess'})}", "its last part holds no position"),
        (f"{HEAD}:{tail({**HELD, 'note': 'x' * 5_000_000})}", "cut off, or too large"),
        (f"{HEAD}:{tail({**HELD, 'shipped': '00000000'})}", "a release with other tiles"),
        (f"{HEAD}:{tail({**HELD, 'boards': []})}", "boards: no such key"),
        (LINE.replace(":48-", ":49-", 1), "it begins with castle:black:49-91:1, but its last part"),
    ],
)
def test_what_is_no_line_gives_one_clear_message(line: str, problem: str) -> None:
    """Each fault is one line that names what is wrong and what to do."""
    with pytest.raises(FileError) as caught:
        read_line(line)
    assert str(caught.value).startswith("the line: ")
    assert problem in str(caught.value)
    assert len(caught.value.problems) == 1


@given(st.text(max_size=40), st.integers(min_value=0, max_value=len(LINE)))
def test_any_garbage_is_refused_in_words(garbage: str, at: int) -> None:
    """No garbage within a line ends in another error, or in another position."""
    line = LINE[:at] + garbage + LINE[at:]
    try:
        read = read_line(line)
    except FileError:
        return
    assert read == castle()


def test_an_impossible_position_is_refused_with_its_faults() -> None:
    """A line is judged like a file."""
    crowded = replace(castle(), players=tuple(replace(p, supply=9) for p in castle().players))
    with pytest.raises(FileError, match=r"castle\.setup\.followers"):
        read_line(write_line(crowded))


def test_own_tiles_are_in_the_line_and_foreign_sets_are_not() -> None:
    """Kinds of the position's own come with it; a board or set that no file names is refused."""
    hall = opening(hall_game(random.Random(1), {}), random.Random(1))
    walls = replace(hall, game=replace(hall.game, tile_set=shipped_game("castle").tile_set))
    for write in (write_line, write_position):
        with pytest.raises(QuestionError, match="the board hall is not shipped"):
            write(walls)
    own = replace(shipped_game("castle").tile_set, id="mine")
    with pytest.raises(QuestionError, match=r"the tile set mine is not shipped: put its tiles"):
        write_position(replace(castle(), game=replace(shipped_game("castle"), tile_set=own)))
    with pytest.raises(QuestionError, match=r"the tile set mine is not shipped: put its tiles"):
        write_line(replace(castle(), game=shipped_game("castle", tile_set=own)))
    fewer = shipped_game("castle", tile_set=replace(own, id="castle", kinds=own.kinds[1:]))
    with pytest.raises(QuestionError, match="no file can hold"):
        write_line(Position(game=fewer, players=castle().players))


def test_the_file_of_a_line_is_that_of_the_position() -> None:
    """``line_file`` gives what ``read_position`` reads: the keys of the position's file."""
    written = json.loads(write_position(castle(), as_json=True))
    assert json.loads(line_file(LINE)) == written


@pytest.mark.parametrize("name", ["path-house-and-tower", "castle-01", "six-points-or-seven"])
def test_a_move_says_what_it_is(name: str) -> None:
    """``str`` is read back by ``read_move``, and ``repr`` can be pasted into code."""
    position = position_of(find(name))
    for move in legal_moves(position):
        assert read_move(position, str(move)) == move
        assert eval(repr(move), dict(NAMES)) == move
        assert "=()" not in repr(move)


def test_a_move_of_the_tower_is_read_back() -> None:
    """Ransoms, pieces, captures and guards need no position to be written."""
    position = rich_plane(7, "car")
    move = Move(tile="D", cell=Cell(9, 9), ransoms=(Ransom(1, late=True),), pieces=(Cell(0, 1),))
    assert str(move) == "D@9,9r0 ^0,1 ransom:#1:late"
    assert read_move(position, str(move)) == move
    assert str(Move()) == "pass"
    assert repr(Move()) == "Move()"


def test_a_position_says_what_it_is_in_a_line() -> None:
    """Neither ``str`` nor ``repr`` of what a script meets prints pages."""
    position = castle()
    assert str(position) == (
        "Carcassonne: The Castle: White 48, Black 91; Black to move; 5 tiles laid, 1 tile to"
        " come (K04 is next)"
    )
    assert repr(position) == f"<Position {position}>"
    assert repr(position.game) == "<Game castle>"
    assert repr(position.tiles[0]) == "<PlacedTile K26@0,0r2>"
    assert "the game is over; 5 tiles laid, 0 tiles to come" in str(replace(position, order=()))
