"""A puzzle without the tiles and pieces that its solution does not need.

The rest shows one idea: the same single, certified best move and the same wanted themes. Such a
position is no longer one of a game, but a part of one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from burgrave.model.components import Follower
from burgrave.model.geometry import Cell
from burgrave.model.parts import AnyPart, Parted
from burgrave.model.position import PlayerState, Position
from burgrave.model.problems import problems

Keeps = Callable[[Position], bool]
"""Tells whether a position still is the puzzle that it was."""
AnyParted = TypeVar("AnyParted", bound=Parted)
Take = Callable[[Position], Position]
"""Takes something out of a position, if it is there."""


def simplified(position: Position, keeps: Keeps) -> Position:
    """Return a position from which nothing more can be taken.

    Halves of the board with all that stands there are tried first, then smaller parts, as in
    delta debugging (A. Zeller and R. Hildebrandt, Simplifying and Isolating Failure-Inducing
    Input, 2002), at last piece after piece until none can go.

    Args:
        position: a position that is a puzzle.
        keeps: tells whether the rest is the same puzzle. It is asked as rarely as possible, and
            only about possible positions.

    Returns:
        The position without every piece that could go: without any single piece more it is
        not the puzzle, or cannot arise.

    """
    position = _thinned(bare(position, keeps), list(_manned(position)), keeps)
    # A removal may become possible after another one, so all are tried until none succeeds.
    left, in_vain = deque(pieces(position)), 0
    while in_vain < len(left):
        take = left.popleft()
        smaller = _without(position, (take,), keeps)
        if smaller is position:
            left.append(take)
            in_vain += 1
        else:
            position, in_vain = smaller, 0
    return position


def bare(position: Position, keeps: Keeps) -> Position:
    """Return a position without what stands on no feature and can go: halves, then each piece.

    Args:
        position: a position that is a puzzle.
        keeps: as for ``simplified``.

    """
    position = _thinned(position, list(_loose(position)), keeps)
    for take in list(_loose(position)):
        position = _without(position, (take,), keeps)
    return position


def _thinned(position: Position, takes: Sequence[Take], keeps: Keeps) -> Position:
    """Return a position without the parts of some pieces that can go, halves first."""
    size = len(takes)
    while size > 1:
        for start in range(0, len(takes), size):
            position = _without(position, takes[start : start + size], keeps)
        size = -(-size // 2)
    return position


def _without(position: Position, takes: Sequence[Take], keeps: Keeps) -> Position:
    """Return a position without some pieces if the puzzle stays the same, else unchanged."""
    less = position
    for take in takes:
        less = take(less)
    return less if less != position and not problems(less) and keeps(less) else position


def pieces(position: Position) -> Iterator[Take]:
    """Yield ways to remove one piece from a position, those off the board first."""
    yield from _loose(position)
    for follower in position.followers:
        yield partial(_take_follower, follower)
    for tile in position.tiles:
        yield partial(_take_tile, tile.cell)


def _loose(position: Position) -> Iterator[Take]:
    """Yield ways to take what does not stand on features."""
    if position.spent or position.discarded:
        yield lambda at: replace(at, spent=(), discarded=())
    for entry in position.towers:
        yield partial(_take_wall_tile, entry)
    for part in position.parts:
        yield from (partial(_without_piece, type(part), take) for take in part.takes())
    for player, state in enumerate(position.players):
        for number in (*state.wall_tiles, *state.fresh_wall_tiles):
            yield partial(_take_from_hand, player, number)
        if state.keep:
            yield partial(_change, player, lambda state: replace(state, keep=0))
        for part in state.parts:
            takes = (partial(_without_piece, type(part), take) for take in part.takes())
            yield from (partial(_change, player, take) for take in takes)


def _manned(position: Position) -> Iterator[Take]:
    """Yield ways to take a tile with all that stands on it, side by side."""
    for tile in position.tiles:
        yield partial(_take_all_on, tile.cell)


def _change(player: int, how: Callable[[PlayerState], PlayerState], position: Position) -> Position:
    """Change a player's pieces."""
    players = list(position.players)
    players[player] = how(players[player])
    return replace(position, players=tuple(players))


def _without_piece(
    kind: type[AnyPart], take: Callable[[AnyPart], AnyPart], state: AnyParted
) -> AnyParted:
    """Take a piece out of a part of a player or of a position."""
    return state.with_part(take(state.part(kind)))


def _take_from_hand(player: int, number: int, position: Position) -> Position:
    """Take a wall tile of a player."""
    state = position.players[player]
    hand, fresh = list(state.wall_tiles), list(state.fresh_wall_tiles)
    holding = hand if number in hand else fresh
    if number not in holding:
        return position
    holding.remove(number)
    changed = replace(state, wall_tiles=tuple(hand), fresh_wall_tiles=tuple(fresh))
    return _change(player, lambda _: changed, position)


def _take_wall_tile(entry: tuple[str, int], position: Position) -> Position:
    """Take the wall tile of a corner tower."""
    return replace(position, towers=tuple(one for one in position.towers if one != entry))


def _take_follower(follower: Follower, position: Position) -> Position:
    """Take a follower off the board and out of the game."""
    return replace(position, followers=tuple(f for f in position.followers if f != follower))


def _take_tile(cell: Cell, position: Position) -> Position:
    """Take a tile on which nothing stands."""
    if any(follower.node.cell == cell for follower in position.followers):
        return position
    if position.cleared(cell) != position:
        return position
    return replace(position, tiles=tuple(one for one in position.tiles if one.cell != cell))


def _take_all_on(cell: Cell, position: Position) -> Position:
    """Take a tile with everything on it."""
    followers = tuple(f for f in position.followers if f.node.cell != cell)
    return _take_tile(cell, replace(position, followers=followers).cleared(cell))
