"""Smallest sets of rules that forbid something."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from burgrave.model.errors import QuestionError
from burgrave.model.geometry import Cell
from burgrave.model.tiles import Kind
from burgrave.solver.problem import Wish
from burgrave.solver.questions import why_not
from tests.solver.positions import position

FULL = tuple(
    f"{'PP' if cell in {(3, 8), (3, 10)} else 'CC'}@{cell}r0"
    for cell in position((), "CC").game.board.cells
    if cell != (3, 9)
)
TOWER = ("TT@2,0r0 white:knight.N",)


class Case(NamedTuple):
    """A wish and the rules that forbid it together."""

    board: tuple[str, ...]
    tile: str
    wish: Wish
    rules: tuple[str, ...] | None
    more: str = ""


CASES = {
    "a court between paths goes nowhere": Case(
        FULL, "CC", Wish(), ("castle.place.inside", "castle.place.path")
    ),
    "a path between paths goes there": Case(FULL, "PP", Wish(), None),
    "outside": Case(TOWER, "CC", Wish(cell=Cell(9, 9)), ("castle.place.inside",)),
    "on a tile": Case(TOWER, "CC", Wish(cell=Cell(2, 0)), ("castle.place.inside",)),
    "far from tiles": Case(TOWER, "CC", Wish(cell=Cell(4, 4)), ("castle.place.adjacent",)),
    "far from start spaces": Case((), "CC", Wish(cell=Cell(4, 3)), ("castle.place.first",)),
    "against a path on a start space": Case(
        TOWER, "CC", Wish(cell=Cell(0, 2)), ("castle.place.start-path",)
    ),
    "a path turned away from a path": Case(
        ("PQ@3,2r0",), "PP", Wish(cell=Cell(3, 3), rotation=1), ("castle.place.path",)
    ),
    "turned by half, which looks the same": Case(
        ("PQ@3,2r0",), "PP", Wish(cell=Cell(3, 3), rotation=2), None
    ),
    "a knight beside a knight": Case(
        TOWER,
        "T2",
        Wish(cell=Cell(2, 1), rotation=0, follower=Kind.TOWER),
        ("castle.follower.free",),
    ),
    "a knight without supply": Case(
        TOWER,
        "TT",
        Wish(follower=Kind.TOWER),
        ("castle.follower.supply",),
        "[white]\nsupply = 0\n",
    ),
    "a knight where no tower is": Case(TOWER, "CC", Wish(follower=Kind.TOWER), ()),
    "a tower doubled by nothing": Case(
        TOWER, "TT", Wish(doubled=Kind.TOWER), ("castle.wall.when",)
    ),
    "a tower doubled": Case(
        TOWER, "TT", Wish(doubled=Kind.TOWER), None, "[white]\nsupply = 5\nwall_tiles = [2]\n"
    ),
    "a house doubled where none is": Case(TOWER, "TT", Wish(doubled=Kind.HOUSE), ()),
    "an extra turn without a tile 1": Case(TOWER, "TT", Wish(extra_turns=1), ("castle.wall.when",)),
    "a second extra turn in a row": Case(
        TOWER,
        "TT",
        Wish(extra_turns=2),
        ("castle.wall.1",),
        "[white]\nwall_tiles = [1, 1]\n[switches]\nwall_1_chain = 'off'\n",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_rules_that_forbid(case: Case) -> None:
    """The rules named are those that forbid the wish, and none that could be left out."""
    laws = why_not(position(case.board, case.tile, case.more), case.wish)
    assert (None if laws is None else tuple(law.id for law in laws)) == case.rules


def test_any_tile_may_be_asked_about() -> None:
    """Another tile than the next may be named, in any case of letters."""
    before = position(FULL, "PP")
    assert why_not(before, Wish()) is None
    assert [law.id for law in why_not(before, Wish(), tile="cc") or ()] == [
        "castle.place.inside",
        "castle.place.path",
    ]


@pytest.mark.parametrize(
    ("tile", "more", "message"),
    [
        ("", "[bag]\nCC = 1\nPP = 1\n", "name it: possible are CC, PP"),
        ("", "", "the game is over"),
    ],
)
def test_questions_without_a_tile(tile: str, more: str, message: str) -> None:
    """Without a known tile there is no question."""
    with pytest.raises(QuestionError, match=message):
        why_not(position(TOWER, tile, more), Wish())
