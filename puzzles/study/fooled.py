"""Players of limited foresight, and the share of them that a puzzle fools.

Each player names the first moves that seem best to him. He solves a puzzle in the share of these
moves that are right, as if he drew one of them by lot.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from model.errors import QuestionError
from model.places import placeable
from model.position import Move, Position
from puzzles.selfplay.rehearsal import Rehearsal
from puzzles.study.puzzle import Solved
from solver.limits import Limits
from solver.questions import evaluate, expected, forced
from solver.result import Status

AHEAD = 2
"""Turns that the third player sees."""
PLAYOUTS = 240
"""Games that the fourth player plays out."""
LIMIT = Limits(nodes=400_000)
"""Turns that the third player may search; he solves nothing that takes more."""


def share(favourites: Collection[Move], right: Collection[Move]) -> Fraction:
    """Return the share of a player's favourites that are right; 0 if he has none."""
    return Fraction(sum(move in right for move in favourites), len(favourites) or 1)


def solved(position: Position, right: Collection[Move]) -> Solved:
    """Return the share in which each player solves a puzzle.

    Args:
        position: its position, with a tile that has a place.
        right: its best first moves.

    """
    points, now = at_a_glance(position)
    seen = share(now, right) if _tiles(position) == 1 else share(ahead(position), right)
    return Solved(
        share(points, right), share(now, right), seen, share(_played_out(position), right)
    )


def at_a_glance(position: Position) -> tuple[set[Move], set[Move]]:
    """Return the moves with most points in their turn, and those with the largest lead after it.

    The first set is empty if no move wins points: such a player would guess.
    """
    walk = Rehearsal(position)
    looks = walk.looks()
    points = max((look.points for look in looks), default=0)
    lead = max((look.lead for look in looks), default=0)
    return (
        {walk.move(look) for look in looks if look.points == points > 0},
        {walk.move(look) for look in looks if look.lead == lead},
    )


def ahead(position: Position) -> set[Move]:
    """Return the moves that are best if the game ended after the opponent's reply.

    A bag is seen whole or not at all: if the reply would be drawn from it, every draw counts.
    """
    position = _short(position)
    ask = expected if position.bag else forced
    answer = ask(position, budget=LIMIT)
    if answer.status is not Status.OPTIMAL:
        return set()
    return {one.move for one in answer.first if one.value == answer.value}


def seen_ahead(position: Position, nodes: int) -> set[Move]:
    """Return what ``ahead`` returns, at speed, of a position whose tiles to come are known.

    Args:
        position: the position.
        nodes: turns that the player may search.

    Raises:
        QuestionError: the kernel does not search the position.
        OutOfTimeError: the turns are used up.
        TooLargeError: the search is too large for the kernel.

    """
    from solver.search.ending import Ending  # noqa: PLC0415 -- numba loads late

    ending = Ending(_short(position), nodes)
    return {ending.move(turn) for turn in ending.best().turns}


def _short(position: Position) -> Position:
    """Return the position with the tiles of the next turns alone, if they are known."""
    fit = [at for at, tile in enumerate(position.order) if placeable(position, tile)]
    if len(fit) < AHEAD:
        return position
    return replace(position, order=position.order[: fit[AHEAD - 1] + 1], bag=())


def _tiles(position: Position) -> int:
    """Return the number of tiles to come."""
    return len(position.order) + len(position.bag)


def _played_out(position: Position) -> set[Move]:
    """Return the moves that playouts rate best; none if playouts do not support the game."""
    try:
        found = evaluate(position, prove=False, foresight=False, playouts=PLAYOUTS).moves
    except QuestionError:
        return set()
    best = max((one.value for one in found), default=0.0)
    return {one.move for one in found if one.value == best}
