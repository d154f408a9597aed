"""A turn of Carcassonne as a constraint model: the same moves, points and proofs as the rules."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import pytest

from burgrave.model.engine import legal_moves
from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import read_position
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.tiles import Kind
from burgrave.solver.cpsat.engine import CpsatEngine
from burgrave.solver.problem import Goal, Wish
from burgrave.solver.questions import best, why_not
from burgrave.solver.result import Status
from burgrave.solver.search.turns import ReferenceEngine
from tests.planes import EDITIONS, OTHERS, rich_plane
from tests.solver.test_agreement import listed


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("others", [(), *((name,) for name in OTHERS)], ids="+".join)
@pytest.mark.parametrize("seed", range(3))
def test_the_model_lists_what_the_rules_list(
    seed: int, edition: str, others: tuple[str, ...]
) -> None:
    """Every legal turn with its points, in the reference's order, for 2 to 6 players."""
    position = rich_plane(seed, edition, others=others)
    assert listed(CpsatEngine(), position) == listed(ReferenceEngine(), position)


@pytest.mark.parametrize("goal", [Goal.POINTS, Goal.LEAD])
@pytest.mark.parametrize("seed", range(100, 103))
def test_the_best_turns_are_those_of_the_rules(seed: int, goal: Goal) -> None:
    """The proved optimum and all its moves; with more moves wanted, the next best too."""
    position = rich_plane(seed, "car")
    tile = next(iter(legal_moves(position))).tile
    for top in (1, 9):
        proved, counted = (
            best(position, goal=goal, tile=tile, top=top, engine=engine)
            for engine in ("cpsat", "reference")
        )
        assert proved.status is Status.OPTIMAL
        assert (proved.value, proved.first) == (counted.value, counted.first)
        assert any("one with presolve off" in said for said in proved.confirmed)


def plane(board: tuple[str, ...], tile: str, more: str = "", game: str = "+tower") -> Position:
    """Return a position of Carcassonne with one tile to come."""
    text = f"""
    burgrave = 1
    type = "position"
    game = "carcassonne{game}"
    board = {list(board)}
    order = {[tile] if tile else []}
    """
    return read_position("test", text + more)


class Turn(NamedTuple):
    """A turn and the points of both players."""

    board: tuple[str, ...]
    move: str
    gains: tuple[int, int] | None
    more: str = ""
    game: str = "+tower"


HELD = "\n[player.red]\nscore = {}\nsupply = 5\npieces = 5\n[player.blue]\nprisoners = ['red']\n"
TOWN = ("D@0,0r0 blue:knight.N", "TW02@0,-1r0")
BOTH_HELD = "\n[player.red]\npieces = 3\n[player.blue]\nprisoners = ['red', 'red:big']\n"
CASES = {
    "a city is joined and completed": Turn(("D@0,0r0 red:knight.N",), "E@0,1r2", (4, 0)),
    "a small city is worth 2 by the switch": Turn(
        ("D@0,0r0 red:knight.N",), "E@0,1r2", (2, 0), "\n[switches]\nsmall_city = '2'\n"
    ),
    "the knight of a city that is completed is taken first": Turn(
        TOWN, "E@0,1r2 ^0,-1 x0,0.N", (0, 0), "[player.red]\npieces = 3\n"
    ),
    "a ransom is paid of what is won": Turn(
        ("D@0,0r0 red:knight.N",),
        "E@0,1r2 ransom:blue:late",
        (1, 3),
        HELD.format(1),
    ),
    "a road with two inns is worth 2 a tile": Turn(
        ("A@0,1r0", "IC15@0,0r1 red:thief.N", "IC16@0,-1r1"), "A@-1,-1r3", (8, 0), game="+inns"
    ),
    "a road with an inn that does not count": Turn(
        ("A@0,1r0", "IC15@0,0r1 red:thief.N", "IC16@0,-1r1"),
        "A@-1,-1r3",
        (4, 0),
        "\n[switches]\ninns = 'off'\n",
        "+inns",
    ),
    "a big follower comes home for an ordinary one": Turn(
        TOWN, "E@0,1r2 ^0,-1 x0,0.N:big", (0, 0), BOTH_HELD, "+inns+tower"
    ),
    "who comes home has to be named": Turn(
        TOWN, "E@0,1r2 ^0,-1 x0,0.N", None, BOTH_HELD, "+inns+tower"
    ),
    "a ransom is not paid of too little": Turn(
        ("D@0,0r0 red:knight.N",),
        "E@0,1r2 ransom:blue:late",
        None,
        "\n[switches]\nsmall_city = '2'\n" + HELD.format(0),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_turn_by_hand(case: Turn) -> None:
    """The points of a turn written by hand; None if it is illegal."""
    position = plane(case.board, case.move.partition("@")[0], case.more, case.game)
    rows = chain.from_iterable([listed(CpsatEngine(), position)])
    found = {read_move(position, text): gains for text, gains in rows}
    assert found.get(read_move(position, case.move)) == case.gains


class Reason(NamedTuple):
    """A wish and the rules that forbid it together."""

    board: tuple[str, ...]
    tile: str
    wish: Wish
    rules: tuple[str, ...] | None
    more: str = ""


START = ("D@0,0r0 red:knight.N",)
PLACES = ("carcassonne.place.adjacent", "carcassonne.place.edge", "carcassonne.place.empty")
REASONS = {
    "no place for a city of four sides": Reason(("B@0,0r0",), "C", Wish(), PLACES),
    "a place": Reason(START, "E", Wish(), None),
    "far away": Reason(START, "E", Wish(cell=Cell(4, 4)), PLACES[:1]),
    "on a tile": Reason(("B@0,0r0",), "B", Wish(cell=Cell(0, 0)), PLACES[2:]),
    "a road against a city": Reason(START, "U", Wish(cell=Cell(0, 1), rotation=1), PLACES[1:2]),
    "a second knight": Reason(
        START,
        "E",
        Wish(cell=Cell(0, 1), rotation=2, follower=Kind.CITY),
        ("carcassonne.follower.free",),
    ),
    "a knight without supply": Reason(
        START,
        "E",
        Wish(cell=Cell(0, -1), rotation=2, follower=Kind.CITY),
        ("carcassonne.follower.supply",),
        "\n[player.red]\nsupply = 0\n",
    ),
    "a farmer where there are none": Reason(
        START,
        "E",
        Wish(follower=Kind.FIELD),
        ("carcassonne.follower.role",),
        "\n[switches]\nfarmers = 'off'\n",
    ),
    "a monk where no cloister is": Reason(START, "E", Wish(follower=Kind.CLOISTER), ()),
}


@pytest.mark.parametrize("case", REASONS.values(), ids=REASONS)
def test_rules_that_forbid_a_turn(case: Reason) -> None:
    """The rules named are those that forbid the wish, and none that could be left out."""
    laws = why_not(plane(case.board, case.tile, case.more, game=""), case.wish)
    assert (None if laws is None else tuple(law.id for law in laws)) == case.rules


def test_no_city_is_doubled() -> None:
    """There are no wall tiles outside castles: no rule forbids what the game does not have."""
    with pytest.raises(QuestionError, match="carcassonne has no wall tiles"):
        why_not(plane(START, "E", game=""), Wish(doubled=Kind.CITY))


def test_a_turn_without_a_tile_that_has_a_place() -> None:
    """By the switch there is an action all the same: a piece or a guard on the tower."""
    more = "built = ['0,1:1']\n[player.red]\npieces = 3\n[switches]\naction_without_tile = 'on'\n"
    position = plane(("B@0,0r0", "TW02@0,1r0"), "C", more)
    rows = listed(CpsatEngine(), position)
    assert rows == listed(ReferenceEngine(), position)
    assert [text for text, _ in rows] == ["-C pass", "-C pass ^0,1", "-C pass guard@0,1"]


def test_nothing_is_asked_of_a_game_that_is_over() -> None:
    """The refusal is that of all engines."""
    with pytest.raises(QuestionError, match="the game is over"):
        best(plane(START, ""), engine="cpsat")
