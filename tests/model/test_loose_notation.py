"""Moves as people type them."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache

import pytest

from burgrave.model.engine import judge
from burgrave.model.errors import NotationError
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Position
from burgrave.puzzles.files.library import find, position
from burgrave.solver.questions import legal

FORMS = {
    "K35@3,4r1 knight.E": "K35@3,4r1 knight.E",
    "K35 3,4 r1 knight E": "K35@3,4r1 knight.E",
    "k35 (3, 4) R1 K e": "K35@3,4r1 knight.E",
    "K35 at 3,4 1 knight.E": "K35@3,4r1 knight.E",
    "K35, 3,4, r1, knight on E": "K35@3,4r1 knight.E",
    "3,4 r1 knight E": "K35@3,4r1 knight.E",
    "knight E K35 r1 3,4": "K35@3,4r1 knight.E",
    "K35 3,4 r1 knight 3,4 E": "K35@3,4r1 knight.E",
    "K35@3,4 r1 = 3,4 E + 1": "K35@3,4r1 =3,4.E +1",
    "K35 3,4 r1 E": "K35@3,4r1 herald.E",
    "pass": "pass",
}
"""Texts for castle-04, where K35 comes next, in notation; most are illegal there."""


@cache
def shipped(name: str) -> Position:
    """Return a shipped position."""
    return position(find(name))


@pytest.mark.parametrize("text", FORMS)
def test_a_move_is_read_in_every_form(text: str) -> None:
    """Words may stand apart, in any order and case."""
    start = shipped("castle-04")
    assert write_move(start, read_typed(start, text)) == FORMS[text]


POSITIONS = (
    "castle-04",
    "market-day",
    "falcon-02",
    "the-corner-of-the-city",
    "prisoner-of-the-tower",
)


@pytest.mark.parametrize("name", POSITIONS)
def test_every_legal_move_is_read_with_its_parts_apart(name: str) -> None:
    """Also those of The Falcon and The Tower: cells, rotations, ports and players stand alone."""
    start = shipped(name)
    for move in legal(start):
        text = write_move(start, move)
        apart = re.sub(r"([\w)])[@.:](?=[\w#-])|(?<=\d)(?=r\d)", r"\1 ", text)
        assert read_typed(start, apart) == read_typed(start, text) == read_move(start, text), apart


@pytest.mark.parametrize("name", POSITIONS)
def test_what_is_left_out_is_the_one_legal_way_or_is_asked_for(name: str) -> None:
    """Without its rotation a move is read back, or is among the candidates that are listed."""
    start = shipped(name)
    seen = set()
    for move in legal(start):
        if move.tile is None:
            continue
        text = write_move(start, move)
        ways = []
        for rotation in start.game.tile_set.kind(move.tile).rotations():
            with suppress(NotationError):
                ways.append(read_move(start, re.sub(r"(?<=\d)r\d", f"r{rotation}", text, count=1)))
        fit = {write_move(start, way) for way in ways if judge(start, way).legal}
        short = re.sub(r"(?<=\d)r\d", "", text, count=1)
        seen.add(len(fit) > 1)
        if len(fit) == 1:
            assert read_typed(start, short) == move
        else:
            with pytest.raises(NotationError, match="several legal moves fit") as caught:
                read_typed(start, short)
            assert all(way in caught.value.problem for way in fit)
    assert seen


def test_what_no_rotation_makes_legal_is_judged_at_its_best() -> None:
    """K35 fits nowhere on 0,0; the reading breaks as few rules as any."""
    start = shipped("castle-04")
    ways = [read_move(start, f"K35@0,0r{rotation}") for rotation in range(4)]
    faults = [len(judge(start, way).violations) for way in ways]
    assert min(faults) > 0
    assert len(judge(start, read_typed(start, "K35 0,0")).violations) == min(faults)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("K35 3,4 r1 knigth E", "'knigth' is no part of a move. Did you mean knight?"),
        ("K355 3,4", "'K355' is no part of a move. Did you mean K35?"),
        ("K35 3,4 r1 5,5", "'5,5' is no part of a move"),
        ("K35 3,4 r9", "rotation 9"),
        ("K35", "is no part of a move"),
        ("", "a move names a tile and a cell"),
        ("K35@3,4r1 bishop.N", "there is no follower 'bishop'"),
    ],
)
def test_what_is_no_move_is_refused_with_what_was_meant(text: str, words: str) -> None:
    """A mistyped word is met with the likely one."""
    with pytest.raises(NotationError) as caught:
        read_typed(shipped("castle-04"), text)
    assert words in caught.value.problem
