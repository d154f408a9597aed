"""Lines of turns, and what begins one: shared by the searches of best play of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.position import Move
from solver.game_state import GameState, Turn

INFINITY = 1 << 20
"""More than any lead."""


@dataclass(frozen=True, slots=True)
class Line:
    """Turns from a node to the end of the game, as a linked list."""

    at: int
    """Index of the tile in the order."""
    turn: Turn
    rest: Line | None


def moves_of(state: GameState, order: Sequence[str], line: Line, end: int) -> tuple[Move, ...]:
    """Return a line as moves of the reference engine.

    Args:
        state: the state before the line.
        order: ids of the tiles to come.
        line: the line; tiles of the order that it leaves out had no place.
        end: no turn begins after so many tiles.

    """
    moves = []
    mark = state.mark()
    after, here = 0, line
    while True:
        moves.append(state.move(here.turn, tuple(order[after : here.at])))
        # Who moves, and what he has to declare, is known to the state alone.
        state.play(here.turn, last=here.at == len(order) - 1)
        after = here.at + 1
        if here.rest is None:
            break
        here = here.rest
    state.undo(mark)
    if after < min(end, len(order)):
        moves.append(Move(discards=tuple(order[after:])))
    return tuple(moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A first turn with its value under best play."""

    turn: Turn
    value: int
    line: Line


def first_turns(state: GameState, order: list[int]) -> tuple[int, list[Turn]]:
    """Return the first tile that has a place, as index in the order, with its turns."""
    for at, kind in enumerate(order):
        if turns := state.turns(kind, last=at == len(order) - 1):
            return at, turns
    return len(order), []
