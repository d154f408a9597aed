"""Legal moves: the list, the verdicts and the rulebook agree.

Three ways must agree: the list of the engine, the verdict of the rules, and the independent
reading of the rulebook in ``tests.brute``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.book import book_of
from burgrave.model.components import Rank, Role
from burgrave.model.draws import draws
from burgrave.model.engine import canonical, legal_moves, play, violations
from burgrave.model.position import Deployment, Move, Position
from burgrave.model.rules.castle.scoring import ORDER
from burgrave.model.tiles import PlacedTile, TileKind
from tests import brute
from tests.strategies import SEEDS, castle_positions, falcon_hall_positions, hall_positions


def every_turn(position: Position, kind: TileKind, discards: tuple[str, ...]) -> Iterator[Move]:
    """Yield every cell inside, rotation and follower for a tile, wall tiles apart."""
    for cell in position.game.board.cells:
        for rotation in range(4):
            move = Move(discards=discards, tile=kind.id, cell=cell, rotation=rotation)
            yield move
            for index, segment in enumerate(kind.segments):
                for rank in (Rank.FOLLOWER, *position.game.specials):
                    follower = Deployment(
                        cell, index, book_of(position.game).roles[segment.kind], rank
                    )
                    yield replace(move, followers=(follower,))


def bare(move: Move) -> Move:
    """Return a move without its order of scoring and wall tiles."""
    return replace(move, scoring=(), extra_turns=0, declared=())


def allowed(position: Position, move: Move) -> bool:
    """Tell whether nothing but an unsaid order of scoring speaks against a move."""
    return {finding.rule for finding in violations(position, move)} <= {ORDER.id}


def looks(position: Position, move: Move) -> tuple[object, ...]:
    """Return what a move puts on the board, whatever rotation and segments are called."""
    if move.tile is None or move.cell is None:
        return (move.discards,)
    kind = position.game.tile_set.kind(move.tile)
    shape = kind.shape(move.rotation)
    standing = [(d.rank, kind.turned(d.segment, move.rotation), d.segment) for d in move.followers]
    # A segment that reaches a side is known by its ports; one inside the tile by its number.
    followers = [(r, p, None if p else s) for r, p, s in standing]
    return move.tile, move.cell, frozenset(shape[0].items()), *shape[1:], tuple(followers)


def assert_listed_moves_are_all(position: Position) -> None:
    """Assert that the list is what is left of every turn when the rules have spoken."""
    for draw in draws(position):
        listed = [m for m in legal_moves(position, draw.tile) if m.tile == draw.tile]
        if draw.tile is None:
            assert listed == [Move(discards=draw.discards)]
            continue
        kind = position.game.tile_set.kind(draw.tile)
        found = {looks(position, move) for move in listed}
        by_rules, by_book = set(), set()
        for move in every_turn(position, kind, draw.discards):
            if allowed(position, move):
                by_rules.add(looks(position, move))
            if plays_by_the_book(position, move.laid(kind), move):
                by_book.add(looks(position, move))
        # With compulsory wall tiles a bare turn can be forbidden, so the list may hold more.
        assert by_rules <= found
        assert found == by_book
        assert len(set(listed)) == len(listed)


def plays_by_the_book(position: Position, tile: PlacedTile, move: Move) -> bool:
    """Tell whether the rulebook allows a cell, a rotation and a follower."""
    if not brute.fits(position, tile):
        return False
    laid = {**position.laid(), tile.cell: tile}
    return all(brute.may_stand(position, laid, deployment) for deployment in move.followers)


@pytest.mark.slow
@given(hall_positions())
@settings(max_examples=6)
def test_the_list_is_every_turn_that_the_rulebook_allows(position: Position) -> None:
    """Listed moves = brute force over cells, rotations and followers, in a small hall."""
    assert_listed_moves_are_all(position)


@pytest.mark.long
@given(falcon_hall_positions())
@settings(max_examples=6)
def test_the_list_is_every_turn_that_the_rules_of_the_falcon_allow(position: Position) -> None:
    """The same with gates, chapels, kings and falconers."""
    assert_listed_moves_are_all(position)


@given(st.one_of(hall_positions(), falcon_hall_positions()), SEEDS)
@settings(max_examples=12)
def test_listed_moves_are_legal_and_canonical(position: Position, seed: int) -> None:
    """Listed moves break no rule, are their own canonical form, and are listed once."""
    moves = list(legal_moves(position))
    assert len(moves) == len(set(moves))
    rng = random.Random(seed)
    for move in rng.sample(moves, min(20, len(moves))):
        assert violations(position, move) == ()
    for move in rng.sample(moves, min(3, len(moves))):
        assert canonical(position, move) == move


@pytest.mark.slow
@given(castle_positions(), SEEDS)
@settings(max_examples=3)
def test_listed_moves_of_the_castle_are_legal(position: Position, seed: int) -> None:
    """A sample of the moves listed in the castle breaks no rule and is canonical."""
    if position.over:
        return
    moves = list(legal_moves(position))
    for move in random.Random(seed).sample(moves, min(3, len(moves))):
        assert violations(position, move) == ()
        assert canonical(position, move) == move


def changed(position: Position, move: Move, rng: random.Random) -> Iterator[Move]:
    """Yield moves that differ from a legal one in one thing."""
    kind = position.game.tile_set.kind(move.tile or "")
    cells = [*position.game.board.cells, *(s.outside for s in position.game.board.starts)]
    index = rng.randrange(len(kind.segments))
    yield replace(move, cell=rng.choice(cells))
    yield replace(move, rotation=rng.randrange(4))
    yield replace(move, tile=rng.choice(position.game.tile_set.kinds).id)
    for cell in (move.cell, rng.choice(cells)):
        assert cell is not None
        yield replace(move, followers=(Deployment(cell, index, rng.choice(list(Role))),))
        role = book_of(position.game).roles[kind.segments[index].kind]
        yield replace(move, followers=(Deployment(cell, index, role, rng.choice(list(Rank))),))
    yield replace(move, followers=move.followers * 2)
    yield replace(move, scoring=())
    for order in permutations(move.scoring):
        yield replace(move, scoring=order)
    yield replace(move, extra_turns=move.extra_turns + 1)
    yield replace(move, discards=(*move.discards, rng.choice(position.game.tile_set.kinds).id))
    yield replace(move, reveals=((rng.choice(position.game.board.towers).name, rng.randint(1, 9)),))


def seen(position: Position) -> tuple[object, ...]:
    """Return a position as it looks: equal-looking rotations of a tile are one."""
    tiles = {tile.cell: tile.kind.shape(tile.rotation) for tile in position.tiles}
    board = position.by_cell()
    followers = [
        (f.node.cell, kind.turned(f.node.segment, board[f.node.cell].rotation), f.player, f.rank)
        for f in position.followers
        for kind in (board[f.node.cell].kind,)
    ]
    return replace(position, tiles=(), followers=()), tiles, sorted(followers)


@given(st.one_of(hall_positions(), falcon_hall_positions()), SEEDS)
@settings(max_examples=12)
def test_a_changed_move_is_forbidden_or_listed(position: Position, seed: int) -> None:
    """A legal move changed in one thing breaks a rule, or its canonical form is listed.

    The mover writes down tiles without a place, declarations and numbers of face-down wall tiles.
    So the list holds the move without them.
    """
    rng = random.Random(seed)
    listed = set(legal_moves(position))
    moves = sorted((move for move in listed if move.tile is not None), key=str)
    for move in rng.sample(moves, min(2, len(moves))):
        for other in changed(position, move, rng):
            if violations(position, other):
                continue
            written = canonical(position, other)
            plain = replace(written, reveals=(), discards=move.discards, declared=())
            assert plain in {replace(m, declared=()) for m in listed}
            assert seen(play(position, other).position) == seen(play(position, written).position)


@given(hall_positions())
def test_equal_looking_rotations_are_listed_once(position: Position) -> None:
    """No two listed rotations of a kind look the same, and each rotation looks like one."""
    for kind in position.game.tile_set.kinds:
        shapes = [kind.shape(rotation) for rotation in kind.rotations()]
        assert all(a != b for i, a in enumerate(shapes) for b in shapes[:i])
        for rotation in range(4):
            assert kind.shape(rotation) in shapes
            assert kind.rotations()[shapes.index(kind.shape(rotation))] <= rotation
