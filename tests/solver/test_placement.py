"""The model of a turn, part by part, on positions written by hand."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from burgrave.model.draws import Draw
from burgrave.model.engine import canonical, play, violations
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.solver.cpsat.base.cp import every
from burgrave.solver.cpsat.engine import CpsatEngine, turn_model
from burgrave.solver.engines import Lister
from burgrave.solver.questions import turn_problem
from burgrave.solver.search.turns import ReferenceEngine
from tests.solver.brute import BruteEngine
from tests.solver.positions import position, rich_position

TOWER = ("TT@2,0r0 white:knight.N",)
TWO_TOWERS = ("TT@2,0r0 white:knight.N", "TT@3,1r3 white:knight.W")
OWN_AND_OTHER = ("TT@2,0r0 white:knight.N", "TT@3,1r3 black:knight.W")
RING = (
    "TL@2,2r0 white:knight.N",
    "T2@3,2r1",
    "TL@4,2r3",
    "T2@2,3r0",
    "T2@4,3r0",
    "TL@2,4r1",
    "TL@4,4r2",
)
AT_29 = "[towers]\n'32/33' = 5\n[white]\nscore = 29\nsupply = 3\n"


def hand(*tiles: int, player: str = "white") -> str:
    """Return the keys of a player with wall tiles in hand."""
    return f"[{player}]\nsupply = 3\nwall_tiles = {list(tiles)}\n"


def switch(name: str, value: str) -> str:
    """Return the keys of one switch."""
    return f"[switches]\n{name} = '{value}'\n"


class Case(NamedTuple):
    """A move and its points."""

    board: tuple[str, ...]
    move: str
    gains: tuple[int, int] | None
    """Points for White and Black; None if the move is not legal."""
    more: str = ""


CASES = {
    "a tower is joined and completed": Case(TOWER, "TT@2,1r2", (4, 0)),
    "a tower is closed by a court": Case(TOWER, "CC@2,1r0", (2, 0)),
    "an open tower is not scored": Case(TOWER, "T2@2,1r0", (0, 0)),
    "a follower claims what his tile completes": Case(("TT@2,0r0",), "TT@2,1r2 knight.S", (4, 0)),
    "a feature with a follower is not free": Case(TOWER, "T2@2,1r0 knight.N", None),
    "a separate segment of the tile is free": Case(TOWER, "T2@2,1r0 merchant.E", (0, 0)),
    "no follower without supply": Case(
        ("TT@2,0r0",), "TT@2,1r2 knight.S", None, "[white]\nsupply = 0\n"
    ),
    "a tie is scored by nobody": Case(
        ("TT@2,0r0 white:knight.N", "TT@2,2r2 black:knight.S"), "T2@2,1r0", (0, 0)
    ),
    "two against one take all": Case((*TWO_TOWERS, "TT@2,2r2 black:knight.S"), "T3@2,1r0", (8, 0)),
    "the opponent wins what I complete": Case(("TT@2,0r0 black:knight.N",), "TT@2,1r2", (0, 4)),
    "a tile with two segments of a house counts once": Case(
        ("HU@2,0r0 white:squire.N", "HL@2,1r0", "HL@3,0r2"), "HL@3,1r1", (4, 0)
    ),
    "two segments of the new tile become one feature": Case(
        ("HL@2,2r0 white:squire.E", "HL@3,1r2", "HL@3,2r1"), "HU@2,1r0", (4, 0)
    ),
    "the joined house is not free on its other segment": Case(
        ("HL@2,2r0 white:squire.E", "HL@3,1r2", "HL@3,2r1"), "HU@2,1r0 squire.E", None
    ),
    "a house inside its tile": Case(("CC@2,1r0",), "HC@2,2r0 squire.#1", (1, 0)),
    "a path with fountain and start space": Case(("PF@0,2r1 white:herald.E",), "PQ@1,2r3", (6, 0)),
    "a fountain on the new tile doubles": Case(("PQ@1,2r3 white:herald.W",), "PF@0,2r1", (6, 0)),
    "arms of a square are separate": Case(
        ("PQ@3,2r0 white:herald.N",), "PX@3,3r0 herald.N", (2, 0)
    ),
    "a path must meet a path": Case(("PQ@3,2r0",), "CC@3,3r0", None),
    "a path on a start space binds": Case(("CC@2,1r0",), "CC@0,2r0", None),
    "a path on a start space need not bind": Case(
        ("CC@2,1r0",), "CC@0,2r0", (0, 0), switch("start_space_paths_bind", "off")
    ),
    "a path may end at a start space": Case(("CC@2,1r0",), "PP@6,4r1", (0, 0)),
    "a path may not end there if both are bound": Case(
        ("CC@2,1r0",), "PP@6,4r1", None, switch("start_space_paths_bind", "both")
    ),
    "an unknown start space may forbid": Case(
        ("CC@2,1r0",),
        "CC@6,4r0",
        None,
        "[start_spaces]\n'74/75' = 'unknown'\n" + switch("start_space_unknown", "forbid"),
    ),
    "the first tile lies at a start space": Case((), "CC@2,1r0", None),
    "a later tile lies beside a tile": Case(("CC@2,1r0",), "CC@4,4r0", None),
    "no tile on a tile": Case(("CC@2,1r0",), "CC@2,1r0", None),
    "a ring of towers with a hole": Case(RING, "T2@3,4r1", (16, 0)),
    "a hole keeps the ring open by the switch": Case(
        RING, "T2@3,4r1", (0, 0), switch("enclosed_hole_blocks", "on")
    ),
    "filling the hole completes the ring": Case(
        (*RING, "T2@3,4r1"), "CC@3,3r0", (16, 0), switch("enclosed_hole_blocks", "on")
    ),
    "a tower is doubled": Case(TOWER, "TT@2,1r2 =2,0.N*2", (8, 0), hand(2)),
    "a tile of the opponent does not double mine": Case(
        TOWER, "TT@2,1r2 =2,0.N*2", None, hand(2, player="black")
    ),
    "a house tile does not double a tower": Case(TOWER, "TT@2,1r2 =2,0.N*3", None, hand(3)),
    "a feature is doubled once": Case(TOWER, "TT@2,1r2 =2,0.N*2*2", None, hand(2, 2)),
    "a feature is doubled twice by the switch": Case(
        TOWER, "TT@2,1r2 =2,0.N*2*2", (16, 0), hand(2, 2) + switch("double_once", "off")
    ),
    "one tile doubles one of two towers": Case(TWO_TOWERS, "TTT@2,1r1 =2,1.E*2", (12, 0), hand(2)),
    "two tiles double two towers": Case(
        TWO_TOWERS, "TTT@2,1r1 =2,0.N*2 =2,1.E*2", (16, 0), hand(2, 2)
    ),
    "the opponent's tile waits for his turn": Case(
        OWN_AND_OTHER, "TTT@2,1r1 =2,1.E*2", None, hand(2, player="black")
    ),
    "the opponent's tile works on my turn by the switch": Case(
        OWN_AND_OTHER,
        "TTT@2,1r1 =2,1.E*2",
        (4, 8),
        hand(2, player="black") + switch("wall_own_turn_only", "off"),
    ),
    "the opponent's tile need not be declared by me": Case(
        OWN_AND_OTHER,
        "TTT@2,1r1 =2,1.E*2",
        (4, 8),
        hand(2, player="black")
        + "[switches]\nwall_own_turn_only = 'off'\nwall_double_declare = 'before_draw'\n",
    ),
    "the mover's doubled feature is named first": Case(
        ("TT@2,0r0 black:knight.N", "TT@3,1r3 white:knight.W"),
        "TTT@2,1r1 =2,1.E*2 =2,0.N*2",
        (8, 8),
        "[white]\nsupply = 3\nwall_tiles = [2]\n[black]\nwall_tiles = [2]\n"
        + switch("wall_own_turn_only", "off"),
    ),
    "a wall tile may be kept": Case(TOWER, "TT@2,1r2", (4, 0), hand(2)),
    "a wall tile must be used by the switch": Case(
        TOWER, "TT@2,1r2", None, hand(2) + switch("wall_tiles_optional", "off")
    ),
    "a doubling is declared before the draw": Case(
        TOWER,
        "!2 TT@2,1r2 =2,0.N*2",
        (8, 0),
        hand(2) + switch("wall_double_declare", "before_draw"),
    ),
    "a doubling declared too late": Case(
        TOWER,
        "TT@2,1r2 =2,0.N*2",
        None,
        hand(2) + switch("wall_double_declare", "before_draw"),
    ),
    "an extra turn is declared before the draw": Case(
        TOWER, "!1 T2@2,1r0 +1", (0, 0), hand(1) + switch("wall_1_declare", "before_draw")
    ),
    "an extra turn declared too late": Case(
        TOWER, "T2@2,1r0 +1", None, hand(1) + switch("wall_1_declare", "before_draw")
    ),
    "two extra turns": Case(TOWER, "T2@2,1r0 +1 +1", (0, 0), hand(1, 1)),
    "one extra turn in a row by the switch": Case(
        TOWER, "T2@2,1r0 +1 +1", None, hand(1, 1) + switch("wall_1_chain", "off")
    ),
    "no extra turn in an extra turn by the switch": Case(
        TOWER,
        "T2@2,1r0 +1",
        None,
        "in_extra_turn = true\n" + hand(1) + switch("wall_1_chain", "off"),
    ),
    "an extra turn must be taken by the switch": Case(
        TOWER, "T2@2,1r0", None, hand(1) + switch("wall_tiles_optional", "off")
    ),
    "tower first lands on 33": Case(TOWER, "TQ@2,1r0 herald.#2 =2,0.N =2,1.#2", (5, 0), AT_29),
    "path first passes 33": Case(TOWER, "TQ@2,1r0 herald.#2 =2,1.#2 =2,0.N", (5, 0), AT_29),
    "an order that matters must be named": Case(TOWER, "TQ@2,1r0 herald.#2", None, AT_29),
    "no order matters at the end of the turn": Case(
        TOWER,
        "TQ@2,1r0 herald.#2",
        (5, 0),
        AT_29 + switch("wall_take_moment", "end_of_turn"),
    ),
    "no order matters without a tile on the tower": Case(TOWER, "TQ@2,1r0 herald.#2", (5, 0)),
    "the mover scores first": Case(
        OWN_AND_OTHER,
        "TTT@2,1r1 =2,1.E =2,0.N",
        None,
        "[towers]\n'32/33' = 5\n[white]\nscore = 29\n[black]\nscore = 29\n",
    ),
}


def gains(engine: Lister, before: Position, text: str) -> tuple[int, ...] | None:
    """Return a canonical move's points by an engine's list; None if it is not listed."""
    move = read_move(before, text)
    draw = next(engine.draws(before))
    problem = turn_problem(before, draw)
    found = {one.move: one.points for one in engine.moves(problem) or ()}
    return found.get(move)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_move(case: Case) -> None:
    """The model lists the move exactly if it is legal, with the points that it brings."""
    tile = case.move.removeprefix("!1 ").removeprefix("!2 ").split("@")[0]
    before = position(case.board, f"{tile} CC", case.more)
    assert gains(CpsatEngine(), before, case.move) == case.gains


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_rules_say_the_same(case: Case) -> None:
    """The rules engine does what these cases expect of the model."""
    tile = case.move.removeprefix("!1 ").removeprefix("!2 ").split("@")[0]
    before = position(case.board, f"{tile} CC", case.more)
    move = read_move(before, case.move)
    if violations(before, move):
        assert case.gains is None
    else:
        after = play(before, move).position
        assert case.gains == tuple(
            new.score - old.score for old, new in zip(before.players, after.players, strict=True)
        )


FULL = tuple(f"PP@{cell}r0" for cell in position((), "CC").game.board.cells if cell != (3, 9))


@pytest.mark.parametrize(
    ("tiles", "draw"),
    [
        ("CC PP CC", Draw(("CC",), "PP")),
        ("PP CC", Draw((), "PP")),
        ("CC TT", Draw(("CC", "TT"), None)),
    ],
)
def test_tiles_without_a_place_are_drawn_first(tiles: str, draw: Draw) -> None:
    """In each engine a tile that has no place leaves the game, and the next is drawn."""
    before = position(FULL, tiles)
    for engine in (CpsatEngine(), ReferenceEngine(), BruteEngine()):
        assert list(engine.draws(before)) == [draw]


def test_listed_moves_are_canonical() -> None:
    """Doubling the one or the other of two equal towers stays two moves."""
    before = position(TWO_TOWERS, "TTT CC", hand(2))
    draw = next(CpsatEngine().draws(before))
    problem = turn_problem(before, draw)
    doubled = [one.move for one in CpsatEngine().moves(problem) or () if one.move.scoring]
    assert {move.scoring[0].node.cell for move in doubled} >= {(2, 0), (2, 1)}
    assert [canonical(before, move) for move in doubled] == doubled


@pytest.mark.parametrize("seed", [2, 4, 5, 7])
def test_solutions_are_decisions(seed: int) -> None:
    """Each turn is one solution: nothing in the model is left undecided by the decisions."""
    before = rich_position(seed)
    turn = turn_model(before, next(CpsatEngine().draws(before)))
    model = turn.logic.model
    names = [variable.name for variable in model.proto.variables]
    # The order of scoring is the one decision that a step does not tell.
    order = [model.get_bool_var_from_proto_index(names.index(n)) for n in names if "place" in n]
    rows = every(model, lambda reading: (turn.read(reading), *map(reading, order)), None)
    assert rows
    assert len(set(rows)) == len(rows)
