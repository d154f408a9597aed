"""What is told of moves and turns: mistakes by their kind, events in the order of time."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from burgrave.model.engine import judge, play
from burgrave.model.errors import FileError, NotationError
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import read_position
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.puzzles.selfplay.games import new_position

HEAD = 'burgrave = 1\ntype = "position"\n'
KINDS = """
start_spaces = { "6/7" = "path" }
kinds = [
    { id = "Way", count = 4, segments = ["path N S", "court NR E SL", "court SR W NL"] },
    { id = "Tow", count = 4, segments = ["tower N S", "court E", "court W"] },
    { id = "Cap", count = 2, segments = ["tower N", "court E S W"] },
    { id = "K", segments = ["tower N", "path W", "house E S WL WR"] },
    { id = "Mar", count = 4, segments = ["court N E S W market"] },
]
"""


def read(text: str) -> Position:
    """Read a position."""
    return read_position("case", HEAD + text)


def told(position: Position, move: str) -> list[str]:
    """Return the first words of what happens in a turn: who, and what he does."""
    return [event.text for event in play(position, read_move(position, move)).events]


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("tthh@2,0r90", "rotation r90: allowed are r0 to r3"),
        ("tthh@2,0r-1", "rotation r-1: allowed are r0 to r3"),
        ("tthh@5000,0", "coordinates have at most 3 digits"),
        ("tthh@2,0 knight.NE", "'NE' is no segment"),
        ("tthh@2,0 nonsense", "'nonsense' is no part of a move"),
    ],
)
def test_a_wrong_word_is_told_by_its_mistake(word: str, why: str) -> None:
    """The rotation, the cell or the segment that is wrong."""
    with pytest.raises(NotationError, match=why):
        read_move(read('order = ["tthh"]\n'), word)


def test_events_come_in_the_order_of_time() -> None:
    """The wall tile is taken when the path is scored, before the tower is."""
    position = read(
        KINDS + 'order = ["K", "Way"]\ntowers = { "12/13" = 2 }\nwhite = { score = 9 }\n'
        'board = ["Way@0,2r1 white:herald.E", "Mar@0,3", "Tow@1,3 white:knight.N", "Cap@1,4r2"]\n'
    )
    path, take, tower, *_ = told(position, "K@1,2r0 =0,2.E =1,3.N")
    assert path.startswith("White scores the path")
    assert take == "White lands on tower 12/13 and takes wall tile 2"
    assert tower.startswith("White scores the tower")


def test_two_wall_tiles_1_are_two_more_turns() -> None:
    """One is another turn, two are two."""
    position = read(KINDS + 'order = ["Way", "Way", "Way"]\nboard = ["Way@0,2r1"]\n'
                    'white = { wall_tiles = [1, 1] }\n')  # fmt: skip
    assert told(position, "Way@1,2r1 +1") == ["White plays wall tile 1 and takes another turn"]
    assert told(position, "Way@1,2r1 +1 +1") == [
        "White plays 2 wall tiles 1 and takes 2 more turns"
    ]


def test_tokens_that_are_given_back_are_told() -> None:
    """White takes 2 with 7 and 5 in hand: the 12 run out, and each gives 1 back."""
    position = read(
        'game = "castle+falcon"\nboard = ["ctcc@2,0 white:falconer.NR", "ccccm@3,0"]\n'
        'order = ["cchh"]\nwhite = { tokens = 7 }\nblack = { tokens = 5 }\n'
    )
    texts = told(position, "cchh@2,1")
    assert any("they run out and each player gives 1 back, now 7 to 4" in text for text in texts)


def test_a_wall_tile_8_without_a_keep_is_not_used() -> None:
    """It enlarges nothing, so final scoring does not name it."""
    position = read('board = ["ccccm@2,0"]\nwhite = { wall_tiles = [8] }\n')
    assert final_scoring(position).uses == ()
    with_keep = read('board = ["ccccm@2,0"]\nwhite = { wall_tiles = [8], keep = 2 }\n')
    assert [use.wall_tile for use in final_scoring(with_keep).uses] == [8]


@pytest.mark.parametrize(
    ("text", "move"),
    [('board = ["ccccm@2,0"]\norder = ["tthh"]\n', "tthh@2,0"), ('order = ["tthh"]\n', "tthh@9,9")],
)
def test_a_cell_that_takes_no_tile_is_the_only_fault(text: str, move: str) -> None:
    """Whatever else would be wrong there only follows from it."""
    position = read(text)
    found = judge(position, read_move(position, move)).violations
    assert [one.rule for one in found] == ["castle.place.inside"]


@pytest.mark.parametrize(
    ("more", "paying"),
    [("", "1 completed city: 3"), (', "E@1,1r0", "E@1,2r2"', "2 completed cities: 6")],
)
def test_a_farm_is_told_with_its_cities(more: str, paying: str) -> None:
    """One city is one, more are cities."""
    board = f'board = ["D@0,0r0", "E@0,1r2 red:farmer.N"{more}]\n'
    events = final_scoring(read(f'game = "carcassonne"\n{board}')).events
    assert [event.text.partition(", ")[2] for event in events] == [paying]


@pytest.mark.parametrize("key", ["pieces = 3", 'prisoners = ["blue"]'])
def test_a_key_of_a_player_names_the_expansion_that_has_it(key: str) -> None:
    """Where it stands, and which game would read it."""
    with pytest.raises(FileError, match=r"player\.red\..*The Tower"):
        read(f'game = "carcassonne"\nboard = ["D@0,0"]\nplayer.red.{key}\n')


@pytest.mark.parametrize(("players", "each"), [(2, 10), (3, 9), (4, 7), (5, 6), (6, 5)])
def test_tower_pieces_are_dealt_by_the_number_of_players(players: int, each: int) -> None:
    """As the rules of The Tower give them to 2 to 5, and those of Inns & Cathedrals let 6 play."""
    game = shipped_game("carcassonne+inns+tower", players=players)
    at = new_position(game, Random(1))
    assert [state.part(TowerHoldings).pieces for state in at.players] == [each] * players
    one = at.players[0].with_part(TowerHoldings(pieces=each + 1))
    [fault] = problems(replace(at, players=(one, *at.players[1:])))[:1]
    assert f"{each} are dealt" in fault.message
