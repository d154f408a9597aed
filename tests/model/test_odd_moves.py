"""Moves that nobody means: what they say of wall tiles is judged, and their canonical form."""

from __future__ import annotations

import pytest

from burgrave.model.engine import canonical, judge, legal_moves, play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.files.positions import read_position
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_final, read_move, write_move
from burgrave.model.position import Position

KINDS = """
burgrave = 1
type = "position"
kinds = [
    { id = "Court", count = 60, segments = ["court N E S W"] },
    { id = "Spire", count = 9, segments = ["tower W", "court N E S"] },
    { id = "Bridge", count = 9, segments = ["tower E", "tower W", "court N S"] },
    { id = "Three", squares = [[3]], segments = [
        "tower E", "tower W", "house S", "path", "court N",
    ] },
    { id = "Way", segments = [
        "path N E S W", "court NR EL", "court ER SL", "court SR WL", "court WR NL",
    ] },
]
"""
GAP = """
board = [
    "Court@2,6", "Spire@3,6r2 white:knight.E", "Spire@5,6r0 white:knight.W",
    "Court@3,5", "Court@2,5", "Court@4,5", "Court@5,5",
]
order = ["Bridge", "Court"]
start_spaces = { "18/19" = "tower" }
"""
"""A tile on 4,6 completes two towers of 2 tiles."""
GATE_STOP = 'game = "castle+falcon"\nswitches = { gate_stop = "on" }\n'
STUCK = """
board = ["Court@2,6"]
order = ["Way"]
switches = { start_space_paths_bind = "both" }
[start_spaces]
"6/7" = "bare"
"18/19" = "tower"
"40/41" = "bare"
"50/51" = "bare"
"62/63" = "bare"
"74/75" = "bare"
"94/95" = "bare"
"""


def gap(more: str) -> Position:
    """Return the position with two towers to be completed."""
    return read_position("gap", KINDS + GAP + more)


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("=3,6.E*2", []),
        ("=3,6.E*1", ["castle.wall.1"]),
        ("=3,6.E*0", ["castle.wall.when"]),
        ("!0", ["castle.wall.when"]),
        ("?32/33:5", []),
        ("?32/33:5 ?32/33:6", ["castle.wall.hidden"]),
        ("?32/33:0", ["castle.wall.hidden"]),
    ],
)
def test_wall_tiles_do_only_what_they_can(words: str, rules: list[str]) -> None:
    """Tiles 2 and 3 alone double, 0 is no number, and a tile has one number."""
    here = gap('white = { score = 29, wall_tiles = [0, 1, 2] }\ntowers = { "32/33" = 0 }\n')
    words = words if "*" in words else f"{words} =3,6.E =5,6.W"
    move = read_move(here, f"Bridge@4,6r0 {words}" + " =5,6.W" * ("*" in words))
    assert [fault.rule for fault in judge(here, move).violations] == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("pass", []),
        ("pass !2", []),
        ("pass !3", ["castle.wall.when"]),
        ("pass ?32/33:5", ["castle.wall.hidden"]),
    ],
)
def test_a_turn_without_a_placement_takes_no_wall_tile(text: str, rules: list[str]) -> None:
    """No marker moves in it, and only a wall tile in hand can be declared before it."""
    stuck = 'white = { score = 31, wall_tiles = [2] }\ntowers = { "32/33" = 0 }\n'
    here = read_position("stuck", KINDS + stuck + STUCK)
    assert [fault.rule for fault in judge(here, read_move(here, text)).violations] == rules


@pytest.mark.parametrize(
    ("order", "rules"), [('"Bridge"', []), ('"Bridge", "Court"', ["castle.turn.must"])]
)
def test_an_extra_turn_need_not_be_taken_when_no_tile_is_left(order: str, rules: list[str]) -> None:
    """Where wall tiles must be played, wall tile 1 is while a tile is left to draw."""
    more = 'white = { wall_tiles = [1] }\nswitches = { wall_tiles_optional = "off" }\n'
    here = read_position("last", KINDS + GAP.replace('"Bridge", "Court"', order) + more)
    kept = read_move(here, "Bridge@4,6r0 =3,6.E =5,6.W")
    assert [fault.rule for fault in judge(here, kept).violations] == rules


@pytest.mark.parametrize("number", [8, 9])
def test_wall_tiles_8_and_9_are_used_on_no_feature(number: int) -> None:
    """They are refused there, whatever the feature is."""
    over = read_position(
        "end", KINDS + GAP.replace("order", "discarded") + f"white.wall_tiles = [{number}]\n"
    )
    with pytest.raises(IllegalMoveError, match=f"wall tile {number} is used on no feature"):
        final_scoring(over, read_final(over, f"white {number}@3,6.E"))


@pytest.mark.parametrize("order", ["", "=3,6.E =5,6.W", "=5,6.W =3,6.E", "=5,6.W"])
def test_points_lost_at_a_gate_make_no_other_move(order: str) -> None:
    """Of two towers of one size either may lose points; both orders have one canonical form."""
    here = read_position("gate", f"{KINDS}{GAP}{GATE_STOP}white.score = 25\n")
    move = read_move(here, f"Bridge@4,6r0 {order}")
    assert [player.score for player in play(here, move).position.players] == [31, 0]
    assert write_move(here, canonical(here, move)) == "Bridge@4,6r0"
    assert canonical(here, move) in set(legal_moves(here))


@pytest.mark.parametrize("name", ["3,6.E", "4,6.W"])
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('white = { score = 21, wall_tiles = [2] }\ntowers = { "32/33" = 5 }\n', "taken (2"),
        (f"{GATE_STOP}white = {{ score = 19, wall_tiles = [2] }}\n", "lost at a gate (3"),
    ],
)
def test_an_order_left_open_is_told_by_what_it_decides(name: str, more: str, told: str) -> None:
    """By any name of a doubled feature the same outcomes are counted."""
    here = read_position("three", KINDS + GAP.replace("Bridge", "Three") + more)
    move = read_move(here, f"Three@4,6r0 squire.S ={name}*2")
    [fault] = judge(here, move).violations
    assert fault.rule == "castle.score.order"
    assert f"{told} outcomes)" in fault.message
