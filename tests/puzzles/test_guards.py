"""Parts of composers, themes and looks into the past, each asked alone on the smallest board."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from model.components import Follower, Node, Role
from model.files.positions import read_position
from model.geometry import Cell
from model.notation import read_move
from model.position import Position
from puzzles.candidates.adding import _leaving
from puzzles.library import find, puzzle
from puzzles.retracing import _nobody_there
from puzzles.study.study import Step, Study, study
from puzzles.themes import THEMES
from puzzles.themes.scoring import _alike, doubled
from puzzles.themes.theme import alone


def board(*lines: str, game: str = "carcassonne", more: str = "") -> Position:
    """Return a position of some tiles with their followers."""
    shown = "".join(f'    "{line}",\n' for line in lines)
    return read_position(
        "board",
        f'burgrave = 1\ntype = "position"\ngame = "{game}"\nboard = [\n{shown}]\n{more}',
        check=False,
    )


def solution(position: Position, text: str) -> Study:
    """Return a solution of one turn."""
    step = Step.of(position, read_move(position, text))
    return Study(position=position, steps=(step,), value=Fraction(0), others=())


@pytest.mark.parametrize(("other", "by", "found"), [(4, 1, True), (5, 1, False), (4, 2, False)])
def test_a_key_is_alone_if_no_other_turn_comes_near(other: int, by: int, found: bool) -> None:  # noqa: FBT001 -- a column
    """It need not exceed itself; another turn is some points worse."""
    key, rest = SimpleNamespace(worth=5), SimpleNamespace(worth=other)
    looks: Any = [rest, key]
    assert alone(looks[1], looks, by) is found


def test_a_capture_is_an_idea_if_the_captured_follower_led() -> None:
    """A road that another follower loses by the tile alone is no capture."""
    tower, mine = "TW02@0,0r0", "U@1,0r1 blue:thief.N"
    joined = ("U@-1,-1r1 blue:thief.N", "U@-2,0r0 red:thief.W")
    more = 'order = ["V"]\nplayer.red = { pieces = 3 }\n'
    key = "V@-1,0r0 ^0,0 x1,0.N"
    detect = THEMES["tower-capture"].detect
    led = board(tower, mine, *joined, game="carcassonne+tower", more=more)
    assert detect(solution(led, key))
    level = board(tower, mine, "U@1,1r1 red:thief.N", *joined, game="carcassonne+tower", more=more)
    assert not detect(solution(level, key))


def test_a_wall_tile_is_timed_if_the_key_without_it_is_a_try() -> None:
    """Another try without a wall tile lays the tile elsewhere, and says nothing of its moment."""
    played = study(puzzle(find("path-house-and-tower")))
    assert played is not None
    detect = THEMES["wall-tile-timing"].detect
    assert detect(played)
    assert doubled(played.key)
    elsewhere = tuple(one for one in played.others if not _alike(one.step, played.key))
    bare = [one for one in elsewhere if not doubled(one.step)]
    assert bare
    assert not detect(replace(played, others=elsewhere))


def test_a_composer_keeps_the_followers_whom_a_tile_sends_home() -> None:
    """The tile with two cities completes both; the monk would stay, and is taken off."""
    at = board("D@0,0r0 red:knight.N", "E@1,1r3 blue:knight.W", "B@0,-1r0 red:monk.#0")
    left = _leaving(at, ["I"], Random(1))
    assert {follower.node.cell for follower in left.followers} == {Cell(0, 0), Cell(1, 1)}
    assert left.tiles == at.tiles


def test_who_may_have_been_busy_is_the_captor_alone() -> None:
    """A later turn of the other player says nothing about the captor's."""
    order = (Cell(0, 1), Cell(-1, 1), Cell(-1, 0))
    at = board(
        "D@0,0r0",
        "C@0,1r0 red:knight.N",
        "TW09@-1,1r1",
        "K@-1,0r3 red:knight.W",
        game="carcassonne+tower",
        more='to_move = "blue"\nbuilt = ["-1,1:1"]\nplayer.blue = { prisoners = ["red"] }\n',
    )
    told = _nobody_there(at, order, 1, 0)
    assert told.startswith("in Blue's first turn Red had nobody on the board but the knight on 0,1")
    assert "Blue used his later turn" not in told
    mine = (*at.followers, Follower(player=1, node=Node(Cell(1, 0), 0), role=Role.FARMER))
    longer = (*order, Cell(1, 0))
    tiles = (*at.tiles, replace(at.tiles[0], cell=Cell(1, 0)))
    busy = _nobody_there(replace(at, tiles=tiles, followers=mine, to_move=0), longer, 1, 0)
    assert busy.startswith("Blue used his later turn for the farmer on 1,0, and in Blue's first")
