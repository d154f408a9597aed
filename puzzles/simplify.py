"""A puzzle without the tiles and pieces that its solution does not need.

What is left shows one idea: the same best move, alone and certified, and the same themes that
were wanted. Such a position is no longer one of a game, but a part of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from model.geometry import Cell
from model.position import Follower, Position
from model.problems import problems

Keeps = Callable[[Position], bool]
"""Tells whether a position still is the puzzle that it was."""
Take = Callable[[Position], Position]
"""Takes something out of a position, if it is there."""


def simplified(position: Position, keeps: Keeps) -> Position:
    """Return a position from which nothing more can be taken.

    Args:
        position: a position that is a puzzle.
        keeps: tells whether what is left of it is the same puzzle.

    Returns:
        The position without every piece that could go, tried one after the other until
        none could; it can arise by the rules.

    """
    while True:
        smaller = _pass(position, keeps)
        if smaller == position:
            return position
        position = smaller


def _pass(position: Position, keeps: Keeps) -> Position:
    """Return a position after each of its pieces was tried once."""
    for take in (*_handfuls(position), *_pieces(position)):
        less = take(position)
        if less != position and not problems(less) and keeps(less):
            position = less
    return position


def _handfuls(position: Position) -> Iterator[Take]:
    """Yield ways to take many pieces at once."""
    yield lambda at: replace(at, spent=(), discarded=())
    yield lambda at: replace(at, towers=())
    for index in range(len(position.players)):
        yield partial(_take_hand, index)


def _pieces(position: Position) -> Iterator[Take]:
    """Yield ways to take one piece that lies in a position."""
    for tower in position.towers:
        yield partial(_take_tower, tower)
    for follower in position.followers:
        yield partial(_take_follower, follower)
    for tile in position.tiles:
        yield partial(_take_tile, tile.cell)


def _take_hand(player: int, position: Position) -> Position:
    """Take all wall tiles of a player."""
    players = list(position.players)
    players[player] = replace(players[player], wall_tiles=(), fresh_wall_tiles=())
    return replace(position, players=tuple(players))


def _take_tower(tower: tuple[str, int], position: Position) -> Position:
    """Take the wall tile of a corner tower."""
    return replace(position, towers=tuple(one for one in position.towers if one != tower))


def _take_follower(follower: Follower, position: Position) -> Position:
    """Take a follower off the board and out of the game."""
    return replace(position, followers=tuple(f for f in position.followers if f != follower))


def _take_tile(cell: Cell, position: Position) -> Position:
    """Take a tile on which nothing stands."""
    standing = {follower.node.cell for follower in position.followers}
    if cell in standing | {tower.cell for tower in position.built}:
        return position
    return replace(position, tiles=tuple(one for one in position.tiles if one.cell != cell))
