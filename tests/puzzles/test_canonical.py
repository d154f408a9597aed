"""Positions that are one but for colours, names of tiles, and the way the board lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import chain, product
from typing import Any

import pytest

from burgrave.model.book import book_of
from burgrave.model.components import Aerie, Prisoner, Rank
from burgrave.model.engine import legal_moves
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.geometry import Cell
from burgrave.model.parts import Part
from burgrave.model.position import Move, PlayerState, Position
from burgrave.model.registry import GAMES
from burgrave.model.tiles import TileKind
from burgrave.puzzles.files.library import find, position
from burgrave.puzzles.judging.canonical import Match, digest, form, likeness, named_form, whole_form

PLANE = "whose-field-will-it-be"
CASTLE = "castle-04"
TOWER = "prisoner-of-the-tower"
pytestmark = pytest.mark.every_case


def shipped(name: str) -> Position:
    """Return a shipped position."""
    return position(find(name))


def reflected(kind: TileKind) -> TileKind:
    """Return a kind of tile mirrored east to west."""

    def ports(some: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((2 - port) % 12 for port in some))

    segments = [
        replace(one, ports=ports(one.ports), beside=ports(one.beside)) for one in kind.segments
    ]
    return replace(kind, id=f"m{kind.id}", segments=tuple(segments))


def laid(at: Cell, quarters: int, *, mirrored: bool) -> Cell:
    """Return where a cell lies in ``copied``."""
    at = Cell(-at.x, at.y) if mirrored else at
    for _ in range(quarters):
        at = Cell(at.y, -at.x)
    return Cell(at.x + 3, at.y - 7)


def copied(one: Position, quarters: int, *, mirrored: bool) -> Position:
    """Return a position of a plane with other colours, mirrored, turned clockwise and moved."""
    cell = partial(laid, quarters=quarters, mirrored=mirrored)

    def name(kind: str) -> str:
        return f"m{kind}" if mirrored else kind

    def player(number: int | None) -> Any:
        return None if number is None else 1 - number

    kinds = {k.id: reflected(k) if mirrored else k for k in one.game.tile_set.kinds}
    game = replace(one.game, tile_set=replace(one.game.tile_set, kinds=tuple(kinds.values())))
    tiles = [
        replace(
            t,
            cell=cell(t.cell),
            kind=kinds[t.kind.id],
            rotation=((-t.rotation if mirrored else t.rotation) + quarters) % 4,
        )
        for t in one.tiles
    ]
    followers = [
        f._replace(node=f.node._replace(cell=cell(f.node.cell)), player=player(f.player))
        for f in one.followers
    ]
    built = [t._replace(cell=cell(t.cell), guard=player(t.guard)) for t in one.part(Towers).built]
    return replace(
        one,
        game=game,
        tiles=tuple(sorted(tiles, key=lambda t: t.cell)),
        followers=tuple(sorted(followers)),
        parts=(Towers(built=tuple(sorted(built))),) if built else (),
        players=one.players[::-1],
        to_move=1 - one.to_move,
        order=tuple(map(name, one.order)),
        bag=tuple(sorted(map(name, one.bag))),
        discarded=tuple(map(name, one.discarded)),
    )


@pytest.mark.parametrize("name", [PLANE, "the-corner-of-the-city"])
def test_a_copy_has_the_forms_of_its_position(name: str) -> None:
    """In all eight ways in which it can lie; only an unturned one is called the same."""
    one = shipped(name)
    assert one.followers
    for quarters, mirrored in product(range(4), (False, True)):
        copy = copied(one, quarters, mirrored=mirrored)
        assert whole_form(copy) == whole_form(one)
        assert form(copy) == form(one)
        turned = bool(quarters) or mirrored
        assert likeness(one, copy) is (Match.TURNED if turned else Match.SAME)


def copied_move(move: Move, quarters: int, *, mirrored: bool) -> Move:
    """Return a move in ``copied``."""
    cell = partial(laid, quarters=quarters, mirrored=mirrored)

    def moved(parts: tuple[Any, ...]) -> Any:
        return tuple(part._replace(cell=cell(part.cell)) for part in parts)

    assert move.cell
    assert move.tile
    return replace(
        move,
        tile=f"m{move.tile}" if mirrored else move.tile,
        cell=cell(move.cell),
        rotation=((-move.rotation if mirrored else move.rotation) + quarters) % 4,
        pieces=tuple(map(cell, move.pieces)),
        followers=moved(move.followers),
        captures=moved(move.captures),
        guards=moved(move.guards),
        ransoms=tuple(one._replace(captor=1 - one.captor) for one in move.ransoms),
    )


@pytest.mark.parametrize("name", [PLANE, TOWER, "two-errands-one-man"])
def test_what_a_question_names_has_a_form_in_a_copy(name: str) -> None:
    """Each move and segment has one of its own, and that of no other."""
    one = shipped(name)
    moves = [*legal_moves(one)]
    nodes = [node for feature in position_features(one) for node in feature.nodes]
    forms = [named_form(one, named) for named in (*moves, *nodes)]
    assert len({*forms}) == len(forms)
    for quarters, mirrored in ((0, True), (1, False), (3, True)):
        copy = copied(one, quarters, mirrored=mirrored)
        cell = partial(laid, quarters=quarters, mirrored=mirrored)
        named = [copied_move(move, quarters, mirrored=mirrored) for move in moves]
        there = [node._replace(cell=cell(node.cell)) for node in nodes]
        assert [named_form(copy, each) for each in (*named, *there)] == forms
        assert named_form(copy, copy.order[0]) == named_form(one, one.order[0])


OTHERS: dict[str, Any] = {
    "to_move": 1,
    "order": ("K02", "K02"),
    "bag": ("K04",),
    "towers": (),
    "spent": (3,),
    "discarded": ("K07",),
    "extra_turns": 1,
    "in_extra_turn": True,
    "tiles": (),
    "followers": (),
}
POSSESSIONS: dict[str, Any] = {
    "score": 2,
    "supply": 1,
    "keep": 9,
    "wall_tiles": (9,),
    "fresh_wall_tiles": (9,),
    "fresh_followers": 3,
    "specials": (Rank.KING,),
    "fresh_specials": (Rank.KING,),
    "at_gate": True,
}


PARTS: dict[type[Part], Sequence[Part]] = {
    Aeries: [Aeries(taken_aeries=(Aerie(Cell(1, 1), 0),))],
    Towers: [
        Towers(built=(Tower(Cell(1, 1), 2),)),
        Towers(built=(Tower(Cell(1, 1), 2, closed=True),)),
        Towers(built=(Tower(Cell(1, 1), 2, guard=1),)),
        Towers(built=(Tower(Cell(1, 1), 2, guard=1, rank=Rank.BIG),)),
    ],
    FalconHoldings: [FalconHoldings(tokens=2)],
    TowerHoldings: [TowerHoldings(pieces=2), TowerHoldings(prisoners=(Prisoner(1),))],
}


def test_every_part_of_a_position_counts() -> None:
    """Whoever adds a field to a position or player says here how it changes the form."""
    one, books = shipped(CASTLE), [book_of(shipped_game(game)) for game in GAMES]
    there = {part.name for part in fields(Position) if part.init} - {"game", "players", "parts"}
    assert there == set(OTHERS)
    assert {part.name for part in fields(PlayerState)} - {"parts"} == set(POSSESSIONS)
    kinds = {kind for book in books for kind in (*book.player_parts, *book.position_parts)}
    assert kinds == set(PARTS)
    changed = [replace(one, **{"followers": (), name: value}) for name, value in OTHERS.items()]
    others = [replace(one.players[1], **{name: value}) for name, value in POSSESSIONS.items()]
    for part in chain.from_iterable(PARTS.values()):
        changed.append(one.with_part(part))
        others.append(one.players[1].with_part(part))
    changed += [replace(one, players=(one.players[0], other)) for other in others]
    changed.append(replace(one, game=one.game.with_switches({"return_on_tie": "off"})))
    found = {digest(whole_form(other)) for other in (one, *changed)}
    assert len(found) == 1 + len(changed)
    assert whole_form(one) == whole_form(shipped(CASTLE))


def test_where_a_follower_stands_counts() -> None:
    """On another segment of his tile he is another one, though the look leaves that out."""
    one = shipped(PLANE)
    first, *others = one.followers
    node = first.node._replace(segment=first.node.segment + 1)
    moved = replace(one, followers=(first._replace(node=node), *others))
    assert form(moved) == form(one)
    assert likeness(one, moved) is Match.LOOK
    gone = replace(one, followers=tuple(others))
    assert likeness(one, gone) is None


def test_a_wall_has_no_symmetry() -> None:
    """A castle with other colours is the same, and with another score it only looks alike."""
    one = shipped(CASTLE)
    followers = tuple(sorted(f._replace(player=1 - f.player) for f in one.followers))
    other = replace(one, players=one.players[::-1], to_move=1 - one.to_move, followers=followers)
    assert likeness(one, other) is Match.SAME
    richer = replace(one, players=(replace(one.players[0], score=1), one.players[1]))
    assert likeness(one, richer) is Match.LOOK
