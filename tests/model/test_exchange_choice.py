"""Who says which of several prisoners comes home: each value of ``exchange_choice``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burgrave.model.components import Prisoner, Rank
from burgrave.model.engine import canonical, legal_moves, play, violations
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.files.lines import read_line, write_line
from burgrave.model.files.positions import read_position, write_position
from burgrave.model.notation import read_move
from burgrave.model.pictures import board_svg
from burgrave.model.position import Position
from burgrave.model.problems import in_form
from burgrave.puzzles.judging.canonical import whole_form

BIG_FIRST, BIG_LAST = ["red:big", "red"], ["red", "red:big"]
FREE = "V@-1,0r0 ^0,0 x1,0.N"
"""Red takes the big follower of Blue, and names nobody who comes home."""


IN_REACH = """
burgrave = 1
type = "position"
game = "carcassonne+inns+tower"
to_move = "blue"
order = ["V", "V", "V", "V", "V"]
board = ["TW02@0,0r0", "U@1,0r1 red:big.N", "U@-1,0r1 red:thief.N", "U@2,0r1 blue:thief.N"]
player.red = { pieces = 3 }
player.blue = { pieces = 3 }
switches = { exchange_choice = "oldest" }
"""


def before(value: str, held: list[str], more: str = "") -> Position:
    """Return a position in which Red may take the big follower of Blue, who holds prisoners."""
    return read_position(
        "test",
        f"""
burgrave = 1
type = "position"
game = "carcassonne+inns+tower"
players = ["red", "blue", "green"]
order = ["V", "V", "V", "V"]
board = ["TW02@0,0r0", "U@1,0r1 blue:big.N"]
player.red = {{ pieces = 3 }}
player.blue = {{ pieces = 3, prisoners = {held} }}
[switches]
exchange_choice = "{value}"
{more}
""",
    )


def held(position: Position, player: int = 1) -> list[str]:
    """Return the prisoners of a player as files write them."""
    prisoners = position.players[player].part(TowerHoldings).prisoners
    return [position.game.owned(one) for one in prisoners]


@pytest.mark.parametrize("first", ["red", "red:big"])
def test_the_one_taken_first_comes_home(first: str) -> None:
    """Blue takes two followers of Red, in either order; then Red takes one of Blue."""
    at = read_position("test", IN_REACH)
    cells = {"red:big": "1,0", "red": "-1,0"}
    second = next(one for one in cells if one != first)
    for move, there in (
        (f"V@0,1r1 ^0,0 x{cells[first]}.N", [first]),
        ("V@0,-1r0", [first]),
        (f"V@3,0r2 ^0,0 x{cells[second]}.N", [first, second]),
        ("V@-2,0r0 ^0,0 x2,0.N", [second]),
    ):
        at = play(at, read_move(at, move)).position
        assert held(at) == there
    assert at.players[0].specials == ((Rank.BIG,) if first == "red:big" else ())


@pytest.mark.parametrize("prisoners", [BIG_LAST, BIG_FIRST])
def test_files_lines_and_forms_keep_the_order(prisoners: list[str]) -> None:
    """The order of one owner's prisoners is part of the position; other values have none."""
    at = before("oldest", prisoners)
    other = before("oldest", prisoners[::-1])
    assert (held(at), in_form(at)) == (prisoners, at)
    for as_json in (False, True):
        assert read_position("a", write_position(at, as_json=as_json)) == at
    assert read_line(write_line(at)) == at
    assert at != other
    assert whole_form(at) != whole_form(other)
    assert board_svg(at) != board_svg(other)
    for value, more in (
        ("owner", ""),
        ("captor", ""),
        ("oldest", 'exchange_sizes = "same"'),
        ("oldest", 'exchange_ratio = "all"'),
    ):
        assert before(value, prisoners, more) == before(value, prisoners[::-1], more)


def test_the_order_among_several_owners_means_nothing() -> None:
    """Prisoners stand by owner, those of one owner in the order in which they were taken."""
    mixed = ["green:big", *BIG_LAST, "green"]
    at = before("oldest", mixed)
    assert held(at) == [*BIG_LAST, "green:big", "green"]
    blue = at.players[1]
    loose = [one.partition(":") for one in mixed]
    loose = tuple(
        Prisoner(2 * (who == "green"), Rank(what or "follower")) for who, _, what in loose
    )
    state = blue.with_part(replace(blue.part(TowerHoldings), prisoners=loose))
    assert in_form(replace(at, players=(at.players[0], state, at.players[2]))) == at


@pytest.mark.parametrize("prisoners", [BIG_LAST, BIG_FIRST])
def test_to_name_the_one_taken_first_is_the_same_move(prisoners: list[str]) -> None:
    """His name is left out of the canonical move; the name of another one breaks the rule."""
    at = before("oldest", prisoners)
    right, wrong = (one.partition(":")[2] or "follower" for one in prisoners)
    free = read_move(at, FREE)
    assert canonical(at, read_move(at, f"{FREE}:{right}")) == free
    taking = [move for move in legal_moves(at) if move.captures]
    assert free in taking
    assert all(move.captures[0].back is None for move in taking)
    (fault,) = violations(at, read_move(at, f"{FREE}:{wrong}"))
    assert fault.rule == "tower.exchange.choice"
    assert fault.message.endswith("comes home by this exchange: the one taken first does")


def test_the_refusal_says_who_has_the_choice() -> None:
    """It is the owner of the prisoners, or the player who holds them."""
    for value, said in (
        ("owner", "several ranks among the prisoners: name the one that comes home, :big or "),
        ("captor", ": Blue, who holds them, says which one comes home; name it, :big or :follower"),
    ):
        at = before(value, BIG_LAST)
        (fault,) = violations(at, read_move(at, FREE))
        assert said in fault.message
        taking = [move for move in legal_moves(at) if move.captures]
        assert {move.captures[0].back for move in taking} == {Rank.BIG, Rank.FOLLOWER}
        for move in taking:
            assert held(play(at, move).position) == (
                ["red"] if move.captures[0].back is Rank.BIG else ["red:big"]
            )
