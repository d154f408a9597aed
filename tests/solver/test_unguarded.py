"""Single conditions of rules, limits and models that no other test holds in place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burgrave.model.castle.final_uses import use_worth
from burgrave.model.engine import play
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.features import position_features
from burgrave.model.files.positions import read_position
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.words import read_node
from burgrave.solver.cpsat.base import connectivity
from burgrave.solver.cpsat.base.instance import survey
from burgrave.solver.cpsat.engine import rank_engine, time_engine
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import partial_answer
from burgrave.solver.search.by_rules import AlphabetaEngine, ExhaustiveEngine
from burgrave.solver.search.question import scale_of

HEAD = 'burgrave = 1\ntype = "position"\n'


def read(text: str) -> Position:
    """Read a position."""
    return read_position("case", HEAD + text)


def asked(position: Position, **wanted: object) -> Problem:
    """Return a problem of the player to move, with a known order unless another is wanted."""
    problem = Problem(
        position=position,
        asker=position.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=TileOrder.GIVEN,
    )
    return replace(problem, **wanted)  # type: ignore[arg-type]


def test_a_falconer_works_elsewhere_where_he_does_not_on_courts() -> None:
    """The switch on courts takes no token from a tower."""
    position = read(
        'game = "castle+falcon"\nboard = ["ctcc@2,0 white:falconer.NR", "ccccm@3,0"]\n'
        'order = ["cchh"]\nswitches = { falconer_on_courts = "off" }\n'
    )
    after = play(position, read_move(position, "cchh@2,1")).position
    assert [player.part(FalconHoldings).tokens for player in after.players] == [1, 0]


def test_wall_tile_7_is_worth_what_it_adds_on_a_court_with_a_king() -> None:
    """By the switch a king does not double a court with wall tile 7: it costs 2 points of 6."""
    position = read(
        'game = "castle+falcon"\nboard = ["ccccm@2,0 white:king.N"]\n'
        'start_spaces = { "94/95" = "bare" }\nswitches = { king_with_tile_7 = "off" }\n'
    )
    (court,) = [one for one in position_features(position) if one.inside]
    assert use_worth(position, court, 0, 7) == -2


def test_wall_tile_4_is_worth_the_path_where_kings_do_not_double_courts() -> None:
    """Occasions of courts say nothing about paths: a king doubles the path."""
    position = read(
        'game = "castle+falcon"\nboard = ["cccc-ew@2,0 white:king.E"]\n'
        'switches = { king_doubles_courts = "off", king_with_tile_7 = "off" }\n'
    )
    path = position_features(position).at(read_node(position, "2,0.E"))
    assert use_worth(position, path, 0, 4) == 2


def test_limits_count_named_and_unnamed_wall_tiles_together() -> None:
    """White has a wall tile 9 and an unnamed one, of which the other 9 alone brings points."""
    hand = "white = { wall_tiles = [%s], supply = 0 }\nblack = { supply = 0 }\n"
    spent = "spent = [1, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]\n"
    board = 'board = ["ccccm@2,0"]\norder = ["ttcc"]\n'
    _, most = partial_answer.bounds(asked(read(board + spent + hand % "0, 9"), goal=Goal.POINTS))
    named = asked(read(board + spent + hand % "9, 9"), goal=Goal.POINTS)
    value = ExhaustiveEngine().solve(named, Limits()).value
    assert value == 10
    assert most is not None
    assert most >= value


def test_the_scale_of_chances_leaves_out_the_tiles_in_known_order() -> None:
    """A horizon of 9 tiles, 3 of them known, needs 6 draws from a bag of 60; 12 have no room."""
    kinds = 'kinds = [{ id = "Court", count = 70, segments = ["court N E S W"] }]\n'
    position = read(f'{kinds}board = []\norder = ["Court", "Court", "Court"]\nbag.Court = 60\n')
    scale = scale_of(asked(position, order=TileOrder.CHANCE, horizon=9))
    assert scale is not None
    assert scale % (60 * 59 * 58 * 57 * 56 * 55) == 0


@pytest.mark.parametrize("order", [TileOrder.CHANCE, TileOrder.CHOOSE, TileOrder.ANY])
def test_alphabeta_answers_a_known_order_alone(order: TileOrder) -> None:
    """Whatever is asked about other orders goes to another engine."""
    problem = asked(read('board = ["ccccm@2,0"]\norder = ["ttcc", "tthh"]\n'))
    assert AlphabetaEngine().answers(problem)
    assert not AlphabetaEngine().answers(replace(problem, order=order))


def test_walls_round_a_hole_may_have_tiles_that_lie_there() -> None:
    """Only empty cells of a wall are filled by tiles to come; the others are there already."""
    ring = [Cell(x, y) for x in (1, 2, 3) for y in (1, 2, 3) if (x, y) != (2, 2)]
    kinds = (
        "kinds = [\n"
        '    { id = "Tower", count = 9, segments = ["tower N E S W"] },\n'
        '    { id = "Court", count = 9, segments = ["court N E S W"] },\n'
        "]\n"
    )
    lines = ", ".join(f'"Tower@{cell}"' for cell in ring if cell != Cell(3, 3))
    position = read(
        f'{kinds}board = ["Court@2,0", {lines}]\norder = ["Tower"]\n'
        'switches = { enclosed_hole_blocks = "on" }\n'
    )
    walls = connectivity.holes(survey(position, 1))
    found = [wall for some in walls.values() for cell, wall in some if cell == Cell(2, 2)]
    sides = frozenset({Cell(1, 2), Cell(3, 2), Cell(2, 1), Cell(2, 3)})
    assert sides in found


@pytest.mark.parametrize("engine", [time_engine(), rank_engine()], ids=lambda one: one.name)
def test_each_field_pays_its_farmers_where_farms_pay_field_by_field(engine: object) -> None:
    """Blue's field borders the city too; that Red's has more farmers takes nothing from him."""
    position = read(
        'game = "carcassonne"\nto_move = "blue"\norder = ["V"]\n'
        'board = ["D@0,0r0 red:farmer.EL", "E@0,1r2 blue:farmer.N", "U@1,0r0 red:farmer.N"]\n'
        'switches = { farms = "field3", field3_once_scope = "city" }\n'
    )
    problem = asked(position, goal=Goal.POINTS, play=Play.HELPED)
    value = ExhaustiveEngine().solve(problem, Limits()).value
    assert value is not None
    assert value >= 3
    assert engine.solve(problem, Limits()).value == value  # type: ignore[attr-defined]
