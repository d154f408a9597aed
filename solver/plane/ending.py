"""Final scoring of Carcassonne on the incremental state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from solver.plane.tables import FIELD, MAN, MEN

if TYPE_CHECKING:
    from solver.plane.board import PlaneBoard
    from solver.plane.state import PlaneState, Turn

T = TypeVar("T")
EACH_CITY_FIRST = 4
"""Points of a city by the first way of scoring farms."""
EACH_CITY = 3
"""Points of a city by the later ways."""
Share = tuple[int, int]
"""Followers, four bits a player, and the points that their leaders take."""


def final_scores(state: PlaneState) -> tuple[int, ...]:
    """Return the totals after final scoring.

    Args:
        state: a state with no tile left to draw.

    """
    totals = list(state.score)
    for men, points in shares(state):
        for player in state.board.tables.leaders(men):
            totals[player] += points
    return tuple(totals)


def last_turns(
    state: PlaneState, turns: Iterable[Turn], done: list[int], end: Callable[[], T]
) -> Iterator[tuple[Turn, T]]:
    """Yield turns after which the game is over, each with what the end is.

    Tower pieces and guards bring nothing at the end, so turns that differ in them alone come to
    the same.

    Args:
        state: a state, the tile of the turns lying on its place; as it was once all are yielded.
        turns: turns with that tile, or all without one.
        done: the roots of the features that the tile completes.
        end: tells what the end is, the turn being played.

    """
    known: dict[tuple[int, ...], T] = {}
    for turn in turns:
        scoring = (turn.segment, turn.taken, turn.captor)
        if scoring not in known:
            mark = state.mark()
            state.finish(turn, done)
            known[scoring] = end()
            state.undo(mark)
        yield turn, known[scoring]


def shares(state: PlaneState) -> Iterator[Share]:
    """Yield what final scoring brings to whom."""
    board = state.board
    roots = {board.find(node) for node in state.posts if node >= 0}
    fields = []
    for root in roots:
        if board.what[root] == FIELD:
            fields.append((board.men[root], board.near[root]))
        else:
            yield board.men[root], board.unfinished(root)
    yield from harvest(board, fields)


def harvest(board: PlaneBoard, fields: Iterable[Share]) -> Iterator[Share]:
    """Yield what farms bring.

    Args:
        board: its completed cities pay.
        fields: the followers on each field on which somebody stands, and the nodes of the
            cities that it borders, as bits.

    """
    t = board.tables
    if t.farms == "field3":
        for men, near in fields:
            yield men, EACH_CITY * sum(1 for city in board.walled if city & near)
        return
    for city in board.walled:
        round_it = [men for men, near in fields if city & near]
        if t.farms == "city4":
            yield sum(round_it), EACH_CITY_FIRST
            continue
        most = [0] * len(t.game.players)
        for men in round_it:
            for player in t.leaders(men):
                most[player] = max(most[player], men >> MAN * player & MEN)
        if t.once_each:
            yield from ((1 << MAN * player, EACH_CITY) for player, n in enumerate(most) if n)
        else:
            yield sum(n << MAN * player for player, n in enumerate(most)), EACH_CITY
