"""Positions that cannot arise under a switch: what ``check`` says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burgrave.model.components import Aerie
from burgrave.model.expansions.falcon.parts import Aeries
from burgrave.model.files.positions import read_position
from burgrave.model.position import Position
from burgrave.model.problems import problems

FOUND = Path(__file__).parents[1] / "data" / "found"
KINDS = """
[start_spaces]
"6/7" = "bare"
[[kinds]]
id = "TN"
count = 4
segments = ["tower N", "court E S W"]
[[kinds]]
id = "CC"
count = 4
segments = ["court N E S W"]
"""
MORE = """
[[kinds]]
id = "AE"
count = 2
segments = ["path N S", "court NR E SL", "court SR W NL"]
aeries = [[0]]
[[kinds]]
id = "CH"
count = 2
segments = ["chapel N", "court E S W"]
"""


def read(head: str, **switches: str) -> Position:
    """Read a position of a few tiles, possible or not."""
    changed = "".join(f'{name} = "{value}"\n' for name, value in switches.items())
    kinds = KINDS + MORE if "falcon" in head else KINDS
    text = f'burgrave = 1\ntype = "position"\n{head}\n[switches]\n{changed}{kinds}'
    return read_position("test", text, check=False)


def rules(position: Position) -> list[str]:
    """Return the ids of the rules that a position breaks."""
    return [finding.rule for finding in problems(position)]


def both(head: str, switch: str, allowed: str, forbidden: str) -> tuple[list[str], list[str]]:
    """Return the broken rules with two values of a switch."""
    return rules(read(head, **{switch: allowed})), rules(read(head, **{switch: forbidden}))


def test_one_follower_alone_never_stays_on_a_completed_feature() -> None:
    """Without return on a tie tied followers stay, and no others."""
    text = (FOUND / "impossible-untied-on-completed.toml").read_text()
    assert rules(read_position("found", text, check=False)) == ["castle.return"]


@pytest.mark.parametrize(
    ("lower", "upper", "off"),
    [
        ("white:knight.N", "black:knight.S", 0),
        ("white:knight.N", "white:knight.S", 2),
        ("", "black:knight.S", 1),
    ],
)
def test_tied_followers_stay_by_the_switch(lower: str, upper: str, off: int) -> None:
    """As many followers are wrong as stand where they cannot."""
    head = f'board = ["TN@0,2r0 {lower}", "TN@0,3r2 {upper}"]'
    there = rules(read(head, return_on_tie="on"))
    assert there == ["castle.return"] * (bool(lower) + bool(upper))
    assert rules(read(head, return_on_tie="off")) == ["castle.return"] * off


def test_a_chapel_goes_on_as_a_chapel_by_the_switch() -> None:
    """With chapel_is_building off a chapel beside a court cannot have been laid."""
    head = 'game = "castle+falcon"\nboard = ["CH@0,2r0", "CC@0,3r0"]'
    on, off = both(head, "chapel_is_building", "on", "off")
    assert (on, off) == ([], ["falcon.chapel.place"])


def test_aeries_are_taken_by_the_switch() -> None:
    """An aerie that brings a token to every feature is never taken."""
    head = 'game = "castle+falcon"\nboard = ["AE@0,2r0"]'
    for value, broken in (("first", []), ("each", ["falcon.tiles"])):
        at = read(head, aerie_shared=value)
        taken = Aerie(at.tiles[0].cell, 0)
        assert rules(at.with_part(Aeries(taken_aeries=(taken,)))) == broken


def test_one_extra_turn_in_a_row_by_the_switch() -> None:
    """Without a chain no extra turn is to come after this one."""
    head = 'board = ["CC@0,2r0"]\nextra_turns = 1\nin_extra_turn = true\norder = ["CC", "CC"]'
    on, off = both(head, "wall_1_chain", "on", "off")
    assert (on, off) == ([], ["castle.wall.1"])


def test_a_keep_counts_start_spaces_by_the_switch() -> None:
    """Without them no keep is larger than the castle."""
    at = read('board = ["CC@0,2r0"]')
    most = len(at.game.board.cells)
    players = (replace(at.players[0], keep=most + 1), at.players[1])
    off = at.game.with_switches({"start_space_in_keep": "off"})
    assert rules(replace(at, players=players)) == []
    assert rules(replace(at, players=players, game=off)) == ["castle.setup.keep"]


@pytest.mark.parametrize(
    ("built", "prisoner", "message"),
    [
        ('"0,0:0"', "blue", "the tower on 0,0 has 0 pieces; it needs at least 1"),
        (
            '"0,0:1", "0,0:2"',
            "blue",
            "a second tower stands on 0,0; a place has room for one",
        ),
        ('"0,0:1"', "red", "Red holds a follower of his own prisoner"),
    ],
)
def test_each_fault_of_towers_and_prisoners_has_words_of_its_own(
    built: str, prisoner: str, message: str
) -> None:
    """The one message is the true reason."""
    head = f'game = "carcassonne+tower"\nboard = ["TW02@0,0r0"]\nbuilt = [{built}]'
    text = f'burgrave = 1\ntype = "position"\n{head}\nplayer.red.prisoners = ["{prisoner}"]\n'
    found = problems(read_position("test", text, check=False))
    assert [finding.message for finding in found] == [message]


def test_the_castle_is_for_white_and_black() -> None:
    """Neither for three players nor for two others."""
    at = read_position("two", 'burgrave = 1\ntype = "position"\norder = ["tthh"]\n')
    for names in (("white", "black", "red"), ("red", "blue"), ("black", "white")):
        states = at.players[:1] * len(names)
        wrong = replace(at, game=replace(at.game, players=names), players=states)
        assert "castle.setup.players" in {fault.rule for fault in problems(wrong)}
    assert not problems(at)
