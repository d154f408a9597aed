"""Players of self-play."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from model.book import book_of
from model.draws import Draw, draws
from model.position import Move, Position
from puzzles.selfplay.look import Chosen
from puzzles.selfplay.rehearsal import Rehearsal

Player = Callable[[Position, Random], Move]
"""Picks a legal move in a position with tiles left to draw."""
Walker = Callable[[Rehearsal, Random], Chosen | None]
"""Picks a legal turn in a game that is rehearsed; None if no tile to come has a place."""


def drawn_by(position: Position, rng: Random) -> Draw:
    """Draw a tile: the next of a known order, or any kind in the bag by how many there are."""
    found = list(draws(position))
    weights = [max(1, position.bag.count(draw.tile or "")) for draw in found]
    return rng.choices(found, weights)[0]


def anew(walker: Walker) -> Player:
    """Return a player without memory of earlier turns.

    Args:
        walker: a player in games whose tiles come in known order.

    """

    def pick(position: Position, rng: Random) -> Move:
        walk = Rehearsal(position)
        chosen = walker(walk, rng)
        return passed(position, drawn_by(position, rng)) if chosen is None else walk.move(chosen)

    return pick


def passed(position: Position, draw: Draw) -> Move:
    """Return a turn for which no tile is left that has a place."""
    return next(iter(book_of(position.game).conduct.passes(position, draw.discards)))
