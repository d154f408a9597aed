"""The incremental state as an engine of answers about one turn of Carcassonne and The Tower."""

from __future__ import annotations

from collections.abc import Iterator

from model.draws import Draw, draws
from model.position import Position
from solver.listing import ScoredMove, best_listed, the_draw
from solver.outlook import Finding, Task
from solver.states import plane_state


class PlaneStateEngine:
    """Lists moves with ``solver.plane.state``."""

    name = "state"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: one turn."""
        return task.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        board = plane_state(position).board
        yield from draws(position, lambda _, tile: board.fits(board.kind_index[tile]))

    def moves(self, task: Task) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        state, draw = plane_state(task.position), the_draw(task)
        kind = None if draw.tile is None else state.board.kind_index[draw.tile]
        before = tuple(state.score)
        found = []
        for turn in state.passes() if kind is None else state.turns(kind):
            mark = state.mark()
            state.play(turn)
            gains = tuple(now - old for now, old in zip(state.score, before, strict=True))
            state.undo(mark)
            found.append(ScoredMove(state.move(turn, draw.discards), gains))
        return None if task.watch.out else tuple(found)

    def solve(self, task: Task) -> Finding:
        """Return the best moves of a turn."""
        return best_listed(
            task, self.moves(task), "the incremental state listed and scored every legal turn"
        )
