"""The incremental state as an engine of answers: list every turn without building positions."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.position import Position
from solver.engines import Found, Result, Search, from_list, passing
from solver.states import game_state


class StateEngine:
    """Lists moves with ``solver.game_state``."""

    name = "state"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        state = game_state(position)

        def has_place(_: Position, tile: str) -> bool:
            return any(True for _ in state.board.places(state.board.kind_index[tile]))

        yield from draws(position, has_place)

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out."""
        if search.draw.tile is None:
            return (passing(search),)
        position, draw = search.position, search.draw
        state = game_state(position)
        left = len(position.order) + len(position.bag) - len(draw.discards) - 1
        turns = state.turns(state.board.kind_index[search.draw.tile], last=left == 0)
        if search.watch.out:
            return None
        found = []
        for turn in turns:
            gains = tuple(
                after - before for after, before in zip(turn.plan.scores, state.score, strict=True)
            )
            found.append(Found(move=state.move(turn, draw.discards), gains=gains))
        return tuple(found)

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw."""
        return from_list(
            search, self.moves(search), "the incremental state listed and scored every legal turn"
        )
