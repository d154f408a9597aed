"""The incremental state as an engine of answers about one turn of Carcassonne and The Tower."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.position import Position
from solver.engines import Found, Result, Search, from_list
from solver.states import plane_state


class PlaneStateEngine:
    """Lists moves with ``solver.plane.state``."""

    name = "state"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        board = plane_state(position).board
        yield from draws(position, lambda _, tile: board.fits(board.kind_index[tile]))

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out."""
        state, draw = plane_state(search.position), search.draw
        kind = None if draw.tile is None else state.board.kind_index[draw.tile]
        before = tuple(state.score)
        found = []
        for turn in state.passes() if kind is None else state.turns(kind):
            mark = state.mark()
            state.play(turn)
            gains = tuple(now - old for now, old in zip(state.score, before, strict=True))
            state.undo(mark)
            found.append(Found(move=state.move(turn, draw.discards), gains=gains))
        return None if search.watch.out else tuple(found)

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw."""
        return from_list(
            search, self.moves(search), "the incremental state listed and scored every legal turn"
        )
