"""Every switch changes what it is about, and nothing where it is not concerned."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings

from burgrave.model.boards import StartSpace
from burgrave.model.engine import legal_moves, play, violations
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import read_position
from burgrave.model.final import final_scoring
from burgrave.model.geometry import Cell, Side
from burgrave.model.notation import read_move
from burgrave.model.position import PlayerState, Position
from burgrave.model.rule import Switch
from burgrave.model.switches import CASTLE_SWITCHES, START_SPACE_UNKNOWN
from burgrave.model.tiles import TileSet
from tests.strategies import SEEDS, hall, named, random_kind, walk

HEAD = """
burgrave = 1
type = "position"
kinds = [
    { id = "Court", count = 60, segments = ["court N E S W"] },
    { id = "Way", segments = ["path N S", "court NL SR W", "court NR E SL"] },
    { id = "Cross", segments = ["path N", "path S", "court NL SR W NR E SL"], squares = [[0, 1]] },
    { id = "Home", segments = ["house W", "court N E S"] },
    { id = "Spire", count = 9, segments = ["tower W", "court N E S"] },
    { id = "Inner", segments = ["tower", "court N E S W"] },
    { id = "Link", segments = ["tower E W", "court N", "court S"] },
    { id = "Bridge", segments = ["tower E", "tower W", "court N S"] },
    { id = "Straight", count = 9, segments = ["tower E W", "court N", "court S"] },
    { id = "Bend", count = 9, segments = ["tower N E", "court S W"] },
]
"""

TOWER = 'start_spaces = { "18/19" = "tower" }\n'
"""Where the first tile lies there is no path to go on with."""
FLOOR = '"Court@2,5", "Court@3,5", "Court@4,5"'
"""Courts that join the two sides of the gap at 3,6."""
BEGUN = f'"Court@2,6", {FLOOR}'
"""The same with the tile at the start space that begins them."""
LEFT = '"Spire@2,6r2 white:knight.E"'
RIGHT = '"Spire@4,6r0 white:knight.W"'
BLACK_RIGHT = '"Spire@4,6r0 black:knight.W"'
RING = f"""{TOWER}board = [
    "Court@2,6", "Court@2,5", "Bend@2,4r1", "Straight@3,4r0", "Bend@4,4r2", "Straight@4,3r1",
    "Bend@2,2r0 white:knight.N", "Straight@2,3r1", "Straight@3,2r0",
]
"""
"""A ring of towers around 3,3 that lacks its tile on 4,2."""

Case = Callable[[str], object]
"""What is seen in a case: given the line of the file that sets the switch."""


def read(text: str, switches: str) -> Position:
    """Read a position with the tiles of this file."""
    return read_position("case", HEAD + switches + text)


def legal(text: str, *moves: str) -> Case:
    """Return a case that tells of each move whether it is legal."""

    def see(switches: str) -> object:
        here = read(text, switches)
        return [not violations(here, read_move(here, move)) for move in moves]

    return see


def plays(text: str, move: str, seen: Callable[[Position], object]) -> Case:
    """Return a case that plays a move and looks at the position after it."""

    def see(switches: str) -> object:
        here = read(text, switches)
        return seen(play(here, read_move(here, move)).position)

    return see


def ends(text: str) -> Case:
    """Return a case that shows the totals of a finished game."""

    def see(switches: str) -> object:
        return totals(read(text, switches))

    return see


def totals(position: Position) -> tuple[int, ...]:
    """Return the totals after final scoring."""
    return final_scoring(position).scores


def scores(position: Position) -> tuple[int, ...]:
    """Return the scores."""
    return tuple(player.score for player in position.players)


def white(position: Position) -> PlayerState:
    """Return what White has."""
    return position.players[0]


CASES: dict[str, tuple[Case, dict[str, object]]] = {
    # Start space 18/19 shows a path, 6/7 none.
    "start_space_paths_bind": (
        legal('order = ["Way"]\n', "Way@0,2r0", "Way@0,2r1", "Way@2,6r0", "Way@2,6r1"),
        {
            "from_start": [True, True, False, True],
            "off": [True, True, True, True],
            "both": [True, False, False, True],
        },
    ),
    "start_space_unknown": (
        legal('order = ["Court"]\nstart_spaces = { "6/7" = "unknown" }\n', "Court@0,2r0"),
        {"bare": [True], "forbid": [False]},
    ),
    # Start space 50/51 shows a house and a tower; with it the house has two tiles.
    "start_space_in_keep": (
        plays('order = ["Home"]\n', "Home@5,11r1 squire.N", lambda after: white(after).keep),
        {"on": 2, "off": 1},
    ),
    "enclosed_hole_blocks": (
        plays(RING + 'order = ["Bend"]\n', "Bend@4,2r3", scores),
        {"off": (16, 0), "on": (0, 0)},
    ),
    "return_on_tie": (
        plays(
            TOWER + f'board = [{FLOOR}, {LEFT}, {BLACK_RIGHT}]\norder = ["Link"]\n',
            "Link@3,6r0",
            lambda after: len(after.followers),
        ),
        {"on": 0, "off": 2},
    ),
    # Two towers of 4 points lead from 29 by way of 33 to 37.
    "wall_take_moment": (
        plays(
            TOWER + f'board = [{FLOOR}, {LEFT}, {RIGHT}]\norder = ["Bridge"]\n'
            'towers = { "32/33" = 5 }\nwhite = { score = 29 }\n',
            "Bridge@3,6r0",
            lambda after: white(after).wall_tiles,
        ),
        {"each_feature": (5,), "end_of_turn": ()},
    ),
    "wall_own_turn_only": (
        legal(
            TOWER + f'board = [{BEGUN}, {BLACK_RIGHT}]\norder = ["Spire"]\n'
            "black = { wall_tiles = [2] }\n",
            "Spire@3,6r2 =4,6.W*2",
        ),
        {"on": [False], "off": [True]},
    ),
    "wall_double_declare": (
        legal(
            TOWER
            + f'board = [{BEGUN}, {RIGHT}]\norder = ["Spire"]\nwhite = {{ wall_tiles = [2] }}\n',
            "Spire@3,6r2 =4,6.W*2",
            "!2 Spire@3,6r2 =4,6.W*2",
        ),
        {"at_scoring": [True, True], "before_draw": [False, True]},
    ),
    "wall_1_declare": (
        legal(
            TOWER + 'order = ["Court", "Court"]\nwhite = { wall_tiles = [1] }\n',
            "Court@2,6r0 +1",
            "!1 Court@2,6r0 +1",
        ),
        {"end_of_turn": [True, True], "before_draw": [False, True]},
    ),
    "wall_1_chain": (
        legal(
            TOWER + 'order = ["Court", "Court", "Court"]\nwhite = { wall_tiles = [1, 1] }\n',
            "Court@2,6r0 +1",
            "Court@2,6r0 +1 +1",
        ),
        {"on": [True, True], "off": [True, False]},
    ),
    "extra_turn_is_next_turn": (
        plays(
            TOWER + 'order = ["Inner", "Court"]\ntowers = { "32/33" = 5 }\n'
            "white = { score = 31, wall_tiles = [1] }\n",
            "Inner@2,6r0 knight.#0 +1",
            lambda after: (white(after).wall_tiles, white(after).supply),
        ),
        {"on": ((5,), 6), "off": ((), 5)},
    ),
    "double_once": (
        legal(
            TOWER
            + f'board = [{BEGUN}, {RIGHT}]\norder = ["Spire"]\nwhite = {{ wall_tiles = [2, 2] }}\n',
            "Spire@3,6r2 =4,6.W*2",
            "Spire@3,6r2 =4,6.W*2*2",
        ),
        {"on": [True, False], "off": [True, True]},
    ),
    "end_tile_once_per_feature": (
        ends(TOWER + f"board = [{BEGUN}, {RIGHT}]\nwhite = {{ wall_tiles = [5, 5] }}\n"),
        {"on": (2, 0), "off": (4, 0)},
    ),
    "keep_bonus_stacks": (
        ends(
            TOWER + f"board = [{BEGUN}]\n"
            "white = { keep = 1, wall_tiles = [8, 8] }\nblack = { keep = 4 }\n"
        ),
        {"on": (72, 0), "off": (0, 72)},
    ),
    "keep_bonus_needs_keep": (
        ends(TOWER + f"board = [{BEGUN}]\nwhite = {{ wall_tiles = [8] }}\n"),
        {"on": (0, 0), "off": (72, 0)},
    ),
    "last_turn_wall_tiles": (
        plays(
            TOWER + 'order = ["Inner"]\ntowers = { "32/33" = 9 }\nwhite = { score = 31 }\n',
            "Inner@2,6r0 knight.#0",
            totals,
        ),
        {"on": (38, 0), "off": (33, 0)},
    ),
    "wall_tiles_optional": (
        legal(
            TOWER
            + f'board = [{BEGUN}, {RIGHT}]\norder = ["Spire"]\nwhite = {{ wall_tiles = [2] }}\n',
            "Spire@3,6r2",
            "Spire@3,6r2 =4,6.W*2",
        ),
        {"on": [True, True], "off": [False, True]},
    ),
    # 7,11 touches the other empty cells at a corner only.
    "empty_area_adjacency": (
        ends(
            'board = ["Way@5,11r0", "Court@6,11", "Court@7,9", "Court@7,10"]\n'
            "white = { keep = 1 }\n"
        ),
        {"orthogonal": (71, 0), "diagonal": (72, 0)},
    ),
}
"""For each switch a case, and what is seen in it under each value."""


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, (_, seen) in CASES.items() for value in seen]
)
def test_a_switch_changes_what_it_is_about(name: str, value: str) -> None:
    """Each value of each switch gives the verdict or result that the table names."""
    see, expected = CASES[name]
    assert see(f'switches = {{ {name} = "{value}" }}\n') == expected[value]


def test_every_value_of_every_switch_has_a_case() -> None:
    """The table names every value of every switch once, and no two with the same result."""
    assert {name: tuple(seen) for name, (_, seen) in CASES.items()} == {
        switch.name: switch.values for switch in CASTLE_SWITCHES
    }
    for _, seen in CASES.values():
        assert all(list(seen.values()).count(result) == 1 for result in seen.values())


@pytest.mark.parametrize("name", CASES)
def test_the_default_holds_without_the_switch(name: str) -> None:
    """A file that does not name a switch gets its first value."""
    see, expected = CASES[name]
    assert see("") == expected[next(iter(expected))]


def corridor(rng: random.Random, shown: str) -> Position:
    """Return a game in one row of cells that no switch concerns.

    One row has no holes and no corners. It has no squares, no houses on the wall and no wall
    tiles. One player has no followers, so there are no ties.
    """
    castle = shipped_game("castle")
    start = StartSpace(name="2/3", cell=Cell(4, 0), side=Side.N)
    board = replace(hall(9, 1), starts=(start,))
    kinds = tuple(random_kind(rng, f"K{index}", squares=False) for index in range(6))
    tile_set = TileSet(id="random", title="", note="", kinds=kinds)
    game = replace(castle, board=board, tile_set=tile_set, shows=(shown,))
    order = [rng.choice(tile_set.all_tiles()) for _ in range(9)]
    supply = (6, 0)
    players = tuple(PlayerState(supply=each, keep=rng.randrange(3)) for each in supply)
    return Position(game=game, players=players, order=tuple(order))


@pytest.mark.parametrize("switch", CASTLE_SWITCHES, ids=lambda switch: switch.name)
@given(SEEDS)
@settings(max_examples=2)
def test_a_switch_changes_nothing_where_it_is_not_concerned(switch: Switch, seed: int) -> None:
    """Where nothing that a switch is about occurs, its values give the same game."""
    rng = random.Random(seed)
    # An unknown picture binds nothing; a tower is no path, no house, and known.
    begun = corridor(rng, "tower" if switch is START_SPACE_UNKNOWN else "unknown")
    game = list(walk(begun, rng))
    listed = [list(legal_moves(step.before)) for step in game]
    for value in switch.values[1:]:
        other_game = begun.game.with_switches({switch.name: value})
        for step, moves in zip(game, listed, strict=True):
            before = replace(step.before, game=other_game)
            assert list(legal_moves(before)) == moves
            played = play(before, step.move)
            assert played.events == step.played.events
            assert replace(played.position, game=begun.game) == step.played.position
        end = named(game[-1].played.position)
        assert final_scoring(replace(end, game=other_game)) == final_scoring(end)
