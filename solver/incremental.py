"""The incremental state as an engine of answers: list every turn without building positions."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.position import Position
from solver.listing import ScoredMove, best_listed, passing, the_draw
from solver.outlook import Finding, Task
from solver.states import game_state


class StateEngine:
    """Lists moves with ``solver.game_state``."""

    name = "state"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: one turn."""
        return task.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        state = game_state(position)

        def has_place(_: Position, tile: str) -> bool:
            return any(True for _ in state.board.places(state.board.kind_index[tile]))

        yield from draws(position, has_place)

    def moves(self, task: Task) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        position, draw = task.position, the_draw(task)
        if draw.tile is None:
            return (passing(task),)
        state = game_state(position)
        left = len(position.order) + len(position.bag) - len(draw.discards) - 1
        turns = state.turns(state.board.kind_index[draw.tile], last=left == 0)
        if task.watch.out:
            return None
        found = []
        for turn in turns:
            gains = tuple(
                after - before for after, before in zip(turn.plan.scores, state.score, strict=True)
            )
            found.append(ScoredMove(state.move(turn, draw.discards), gains))
        return tuple(found)

    def solve(self, task: Task) -> Finding:
        """Return the best moves of a turn."""
        return best_listed(
            task, self.moves(task), "the incremental state listed and scored every legal turn"
        )
