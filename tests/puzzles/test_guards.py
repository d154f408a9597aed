"""Parts of composers, themes and looks into the past, each asked alone on the smallest board."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from burgrave.model.components import Follower, Node, Role
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.files.positions import read_position
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.places import places as model_places
from burgrave.model.position import Position
from burgrave.puzzles.candidates.adding import _leaving, still_asks
from burgrave.puzzles.files.library import find, puzzle, puzzle_entries
from burgrave.puzzles.questions import Add, Aim
from burgrave.puzzles.study.simplify import pieces
from burgrave.puzzles.study.study import Other, Step, Study, study
from burgrave.puzzles.themes import THEMES
from burgrave.puzzles.themes.scoring import _alike, doubled
from burgrave.puzzles.themes.theme import alone
from burgrave.puzzles.words.last_tile import _no_tower, _nobody_there


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


def detects(theme: str, position: Position, *moves: str, tries: tuple[str, ...] = ()) -> bool:
    """Tell whether a line of moves with refuted first moves shows a theme."""
    at, steps = position, []
    for text in moves:
        steps.append(Step.of(at, read_move(at, text)))
        at = steps[-1].after
    others = (Step.of(position, read_move(position, text)) for text in tries)
    shown = Study(
        position=position,
        steps=tuple(steps),
        value=Fraction(0),
        others=tuple(Other(step=step, value=Fraction(0)) for step in others),
    )
    return THEMES[theme].detect(shown)


SHOWN = {
    theme: next(entry.id for entry in puzzle_entries() if theme in entry.themes) for theme in THEMES
}


@pytest.mark.parametrize("theme", SHOWN)
def test_a_theme_is_found_in_a_puzzle_that_shows_it(theme: str) -> None:
    """The first shipped puzzle of each."""
    played = study(puzzle(find(SHOWN[theme])))
    assert played is not None
    assert THEMES[theme].detect(played)


def test_what_nobody_leads_is_not_stolen() -> None:
    """An empty city is free to enter, and one that both score is not Red's alone."""
    empty = board("D@0,0r0", more='order = ["E"]\n')
    assert not detects("steal-a-majority", empty, "E@0,1r2 knight.S")
    level = board("D@0,0r0 blue:knight.N", "E@1,1r3 red:knight.W", more='order = ["N"]\n')
    assert not detects("steal-a-majority", level, "N@0,1r2")
    led = board("D@0,0r0 blue:knight.N", "G@1,1r0 red:knight.W", "E@2,1r3 red:knight.W")
    assert detects("steal-a-majority", replace(led, order=("N",)), "N@0,1r2")


def test_patience_gives_up_points() -> None:
    """A try that wins as much is no temptation, and then the key does not win the most."""
    at = board("D@0,0r0 red:knight.N", more='order = ["E"]\n')
    done, alike, less = "E@0,1r2", "E@0,1r2 farmer.N", "E@0,-1r1"
    assert not detects("patience", at, done, tries=(alike,))
    assert detects("patience", at, less, tries=(done,))
    assert not detects("complete-for-most", at, done, tries=(alike,))
    assert detects("complete-for-most", at, done, tries=(less,))


def test_an_extra_turn_is_one_that_is_played() -> None:
    """A wall tile 1 in the last turn of the solution brings no move any more."""
    more = 'order = ["tthh", "ttcc"]\nto_move = "black"\nblack = { wall_tiles = [1] }\n'
    at = board("cccc-ew@0,2", "cccc-nw@1,2", game="castle", more=more)
    assert not detects("extra-turn", at, "tthh@2,2 +1")


def test_a_guard_is_a_follower_who_comes_home_in_time() -> None:
    """Red has one follower, closes the tower with him, and places the knight who came home."""
    more = 'built = ["0,-1:1"]\norder = ["E", "U", "U"]\nplayer.red = { supply = 1 }\n'
    at = board("D@0,0r0 red:knight.N", "TW02@0,-1r0", game="carcassonne+tower", more=more)
    line = ("E@0,1r2 guard@0,-1", "U@1,0r0", "U@2,0r0 thief.W")
    assert detects("return-in-time", at, *line)
    assert not detects("return-in-time", at, "E@0,1r2", *line[1:])


@pytest.mark.parametrize(
    ("standing", "found"),
    [
        ("U@0,1r1 red:thief.N", True),
        ("U@0,1r1 blue:thief.N", False),
        ("U@0,1r1", False),
    ],
)
def test_a_guard_protects_whom_one_piece_more_would_reach(standing: str, found: bool) -> None:  # noqa: FBT001 -- a column
    """The tower of one piece does not reach him yet; he is the player's own."""
    more = 'built = ["0,-1:1"]\norder = ["B"]\nplayer.blue = { pieces = 1 }\n'
    at = board("TW02@0,-1r0", "U@0,0r1", standing, game="carcassonne+tower", more=more)
    assert detects("guard-protects", at, "B@1,0r0 guard@0,-1") is found


def test_a_tile_on_which_somebody_stands_is_not_taken_alone() -> None:
    """Neither below a follower nor below a tower; prisoners go by themselves."""
    more = 'built = ["0,-1:1"]\nplayer.red = { prisoners = ["blue"] }\n'
    at = board(
        "D@0,0r0 red:knight.N", "TW02@0,-1r0", "U@1,0r0", game="carcassonne+tower", more=more
    )
    found = [take(at) for take in pieces(at)]
    assert {len(less.tiles) for less in found} == {2, 3}
    gone = [less for less in found if len(less.tiles) < len(at.tiles)]
    assert [
        {tile.kind.id for tile in at.tiles} - {t.kind.id for t in one.tiles} for one in gone
    ] == [{"U"}]
    assert (
        sum(
            one.players[0].part(TowerHoldings).prisoners
            != at.players[0].part(TowerHoldings).prisoners
            for one in found
        )
        == 1
    )


def test_two_cells_are_a_choice() -> None:
    """A tile with two places may be shut out; with one alone nothing is to be found."""
    question = Add(aim=Aim.BLOCKED, tile="X")
    two = board("U@0,0r0")
    places = {(laid.cell) for laid in model_places(two, "X")}
    assert len(places) == 2
    assert still_asks(question, two)
    one = board("U@0,0r0", "B@2,0r0", "B@1,1r0")
    assert len({laid.cell for laid in model_places(one, "X")}) == 1
    assert not still_asks(question, one)


def test_two_features_are_a_task() -> None:
    """To send everybody home, or to complete both, asks for two followers on two features."""
    two = board("D@0,0r0 red:knight.N", "U@0,-1r0 blue:thief.E")
    one = board("D@0,0r0 red:knight.N", "U@0,-1r0")
    for aim in (Aim.HOME, Aim.BOTH):
        assert still_asks(Add(aim=aim), two)
        assert not still_asks(Add(aim=aim), one)


def test_a_tower_that_stood_in_his_turn_could_take_somebody() -> None:
    """So nothing is ruled out if the tower's tile is the captor's own of that very turn."""
    more = 'to_move = "blue"\nbuilt = ["-1,1:1"]\n'
    at = board("D@0,0r0", "C@0,1r0", "TW09@-1,1r1", "K@-1,0r3", game="carcassonne+tower", more=more)
    order = (Cell(0, 1), Cell(-1, 1), Cell(-1, 0))
    assert _no_tower(at, order, 1, 0) == ""
    later = (Cell(0, 1), Cell(-1, 0), Cell(-1, 1))
    told = _no_tower(at, later, 1, 0)
    assert told == "there was no tower on -1,1 yet when Blue took his prisoner."
