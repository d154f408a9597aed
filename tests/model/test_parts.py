"""What an expansion adds to a state goes its way by what the expansion says of it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from operator import methodcaller
from typing import Any, ClassVar, Self

import pytest

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.errors import CallError
from burgrave.model.files.planes import with_plane
from burgrave.model.files.positions import position_data, read_position
from burgrave.model.files.schema import PlaneBody, PlaneEntry
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.parts import Form, Part, View
from burgrave.model.position import PlayerState, Position
from burgrave.model.problems import in_form, problems
from burgrave.puzzles.judging.canonical import form, whole_form
from burgrave.puzzles.study.simplify import pieces, simplified


@dataclass(frozen=True, slots=True, kw_only=True)
class Gems(Part):
    """Gems of a player: a part of counts."""

    gems: int = 0

    @classmethod
    def fresh(cls, game: Game) -> Self:
        return cls(gems=len(game.players))


@dataclass(frozen=True, slots=True, kw_only=True)
class Camps(Part):
    """Tents on the board: a part with cells and followers."""

    camps: tuple[tuple[Cell, int], ...] = ()

    place: ClassVar[str] = "in tents"

    @classmethod
    def read(cls, keys: Any, game: Game, faults: list[str]) -> Self:
        found = []
        for line in keys.camps:
            x, y, name = line.split()
            if name in game.players:
                found.append((Cell(int(x), int(y)), game.players.index(name)))
            else:
                faults.append(f"camps: no player {name}")
        return cls(camps=tuple(found))

    def data(self, game: Game) -> dict[str, Any]:
        return {"camps": [f"{at.x} {at.y} {game.players[owner]}" for at, owner in self.camps]}

    def followers(self) -> Iterator[tuple[int, Rank]]:
        yield from ((owner, Rank.FOLLOWER) for _, owner in self.camps)

    def in_form(self, game: Game) -> Self:
        return type(self)(camps=tuple(sorted(self.camps)))

    def without(self, cell: Cell) -> Self:
        return type(self)(camps=tuple(one for one in self.camps if one[0] != cell))

    def takes(self) -> Iterator[Callable[[Self], Self]]:
        yield from (methodcaller("without", at) for at, _ in self.camps)

    def form(self, view: View) -> Form:
        return tuple(sorted((view.cell(at), view.player(owner)) for at, owner in self.camps))


class Entry(PlaneEntry):
    """The keys of a player with gems."""

    gems: int = 0


class Body(PlaneBody):
    """The keys of a position with tents."""

    camps: list[str]
    player: dict[str, Entry]


def camped(*camps: tuple[Cell, int], east: int = 0) -> Position:
    """Return two tiles with tents, some cells to the east, in a game with both parts."""
    text = f'board = ["D@{east},0r0", "E@{east + 1},0r1 red:knight.W"]\norder = ["U"]'
    head = 'burgrave = 1\ntype = "position"\ngame = "carcassonne"\n'
    at = read_position("test", head + text, check=False)
    book = replace(book_of(at.game), player_parts=(Gems,), position_parts=(Camps,))
    at = replace(at, game=replace(at.game, rules=book))
    players = (replace(at.players[0], supply=5), at.players[1].with_part(Gems(gems=3)))
    return replace(at, players=players).with_part(Camps(camps=camps))


FIRST, SECOND = (Cell(0, 0), 0), (Cell(1, 0), 0)


def test_a_part_goes_through_files() -> None:
    """Its keys are written and read; followers in it are not in the supply; faults are told."""
    at = camped(FIRST, SECOND)
    data = position_data(at)
    assert data["camps"] == ["0 0 red", "1 0 red"]
    assert (data["player"]["red"].get("gems"), data["player"]["blue"]["gems"]) == (None, 3)
    del data["player"]["red"]["supply"]
    faults: list[str] = []
    bare = replace(at, players=(), parts=())
    red, blue = at.players
    found = with_plane(bare, Body.model_validate(data), faults)
    assert (found, faults) == (replace(at, players=(replace(red, supply=4), blue)), [])
    with_plane(bare, Body.model_validate({**data, "camps": ["0 0 pink"]}), faults)
    assert faults == ["camps: no player pink"]


def test_followers_in_a_part_are_counted() -> None:
    """One follower too many is told with the places where they all are."""
    (found,) = (one for one in problems(camped(FIRST, SECOND)) if "followers" in one.message)
    assert "8 followers (5 in the supply, 1 on the board, 2 in tents)" in found.message


def test_a_part_counts_in_canonical_forms() -> None:
    """A copy on other cells is the same; with another part it is another one of the same look."""
    one = camped(FIRST)
    moved = [(Cell(at.x + 4, at.y), owner) for at, owner in (FIRST,)]
    assert whole_form(camped(*moved, east=4)) == whole_form(one)
    others = [camped(SECOND), camped(FIRST, SECOND), replace(one, parts=())]
    others.append(replace(one, players=tuple(replace(s, parts=()) for s in one.players)))
    assert len({whole_form(each) for each in (one, *others)}) == 1 + len(others)
    assert {form(each) for each in others} == {form(one)}


def test_a_part_goes_where_a_puzzle_does_not_need_it() -> None:
    """Each tent can go; a tile on which one stands cannot, or goes with it."""
    at = camped(FIRST, SECOND)
    assert [take(at) for take in pieces(at)][:2] == [camped(SECOND), camped(FIRST)]
    assert not simplified(at, lambda less: True).parts
    tents = camped(FIRST, SECOND).part(Camps)
    assert simplified(at, lambda less: less.part(Camps) == tents).tiles == at.tiles


def test_a_part_is_put_in_form() -> None:
    """Tuples are sorted, neutral parts go, and what cannot be is refused with its place."""
    wild = camped(SECOND, FIRST)
    wild = replace(wild, parts=(*wild.parts, Gems()))
    assert in_form(wild) == in_form(camped(FIRST, SECOND))
    with pytest.raises(CallError, match=r"players\[1\].gems = -1: give a number from 0 on"):
        in_form(replace(wild, players=(wild.players[0], PlayerState().with_part(Gems(gems=-1)))))
    with pytest.raises(CallError, match="no player 7"):
        in_form(camped((Cell(0, 0), 7)))
    with pytest.raises(CallError, match="parts: Camps stands there 2 times"):
        in_form(replace(wild, parts=(*wild.parts, Camps(camps=(FIRST,)))))
    with pytest.raises(CallError, match="parts: Carcassonne has no Gems here"):
        in_form(wild.with_part(Gems(gems=1)))


def test_a_state_has_one_part_of_a_kind() -> None:
    """Without one it has the neutral one, and equal states are equal values."""
    game = camped().game
    fresh = book_of(game).fresh(game)
    assert (fresh.part(Gems), PlayerState().part(Gems)) == (Gems(gems=2), Gems())
    assert PlayerState().with_part(Gems(gems=1)).with_part(Gems()) == PlayerState()
    state = PlayerState()
    ways = [(Gems(gems=1), Camps(camps=(FIRST,))), (Camps(camps=(FIRST,)), Gems(gems=1))]
    first, second = (state.with_part(a).with_part(b) for a, b in ways)
    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize("wrong", [3, int, "Gems", Gems(gems=2)])
def test_a_part_is_asked_by_its_class(wrong: Any) -> None:
    """Anything else was a TypeError, or a part of its own."""
    with pytest.raises(CallError, match="by its class"):
        PlayerState(parts=(Gems(gems=1),)).part(wrong)


def test_what_is_no_part_is_not_added() -> None:
    wrong: Any = 3
    with pytest.raises(CallError, match="by its class"):
        PlayerState().with_part(wrong)
