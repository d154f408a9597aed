"""The kernel as an engine of answers: list every turn without building positions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from model.draws import Draw, draws
from model.position import Position
from solver.engines import Found, Result, Search, from_list, passing
from solver.kernel.codec import Opened
from solver.kernel.game import placeable, play, standing, turns, undo
from solver.repertoire import refuse_unknown
from solver.search.warm_up import compiling

NONE = -1
"""The kind of no tile."""
LISTED = 1 << 16
"""Turns with one tile for which there is room."""


class StateEngine:
    """Lists moves with the kernel."""

    name = "state"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        opened = _opened(position)

        def has_place(_: Position, tile: str) -> bool:
            return bool(placeable(opened.state, opened.tables, opened.kind(tile)))

        yield from draws(position, has_place)

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out."""
        position, draw = search.position, search.draw
        if draw.tile is None and not position.game.board.endless:
            return (passing(search),)
        opened = _opened(position)
        left = len(position.order) + len(position.bag) - len(draw.discards) - 1
        with compiling("turns", position.game, search.reporter):
            listed = _listed(opened, NONE if draw.tile is None else opened.kind(draw.tile), left)
        if search.watch.out:
            return None
        return tuple(
            Found(move=opened.move(opened.state, turn, draw.discards), gains=gains)
            for turn, gains in listed
        )

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw."""
        return from_list(search, self.moves(search), "the kernel listed and scored every turn")


def _opened(position: Position) -> Opened:
    """Return a position opened for the kernel.

    Raises:
        QuestionError: its game has a value of a switch that the kernel does not know.

    """
    refuse_unknown(StateEngine.name, position.game)
    return Opened(position)


def _listed(opened: Opened, kind: int, left: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return every turn with a kind of tile, and the points that it wins each player.

    Args:
        opened: the position.
        kind: of the tile, or -1 for none.
        left: tiles after it.

    """
    state, tables = opened.state, opened.tables
    out, hints = np.zeros(LISTED, np.int64), np.zeros(LISTED, np.int64)
    end = turns(state, tables, kind, left <= 0, True, out, hints, 0)
    scores = np.zeros((2, len(opened.position.players)), np.int64)
    standing(state, tables, scores[0])
    found = []
    for turn in out[:end]:
        play(state, tables, turn, left <= 0)
        standing(state, tables, scores[1])
        undo(state, tables)
        found.append((int(turn), tuple(int(one) for one in scores[1] - scores[0])))
    return found
