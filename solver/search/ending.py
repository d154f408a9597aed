"""An ending on the kernel that answers many small questions in a row.

``Root`` shares one large question among threads, and its answer has moves and lines that the rules
engine replays. Here is the bare value, for programs that compare thousands of positions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from model.errors import QuestionError
from model.position import Move, Position
from solver.engines import refuse_unknown
from solver.kernel.codec import Opened
from solver.kernel.game import mover, placeable, play, turns, undo
from solver.kernel.job import NONE, RUNNING, STOPPED
from solver.kernel.search import first_value
from solver.limits import OutOfTimeError
from solver.problem import Goal, Play, Problem, TileOrder
from solver.progress import SILENT
from solver.result import TooLargeError
from solver.search.engine import SearchEngine
from solver.search.question import INFINITY, job_of, refusal
from solver.simulation.walk import check_room, compiling


class BestTurns(NamedTuple):
    """Best play of the player to move."""

    value: int
    """The lead that he forces to the end of the game, or the value to him of points forced."""
    turns: tuple[int, ...]
    """His best turns, as numbers of the kernel, in the order of the rules engine."""
    listed: int
    """The number of his legal turns."""


class Ending:
    """The rest of a game of two players whose tiles to come are known, played on and taken back."""

    def __init__(
        self, position: Position, nodes: int | None = None, forcing: int | None = None
    ) -> None:
        """Open a position.

        Args:
            position: a position with a tile to come.
            nodes: turns that each question may play; None for no limit.
            forcing: the player who forces points on the other; None if each plays for his lead.

        Raises:
            QuestionError: the kernel does not answer questions about the position.

        """
        refuse_unknown("search", position.game)
        problem = Problem(
            position=position,
            asker=position.to_move if forcing is None else forcing,
            goal=Goal.LEAD if forcing is None else Goal.THEIRS,
            play=Play.AGAINST,
            order=TileOrder.GIVEN,
        )
        if reason := refusal(problem):
            raise QuestionError(f"the kernel does not search this ending: {reason}")
        self._forcing = forcing
        self._opened = Opened(position, shown=True)
        self._state, self._tables = self._opened.state, self._opened.tables
        self._job: Any = job_of(problem, self._opened, SearchEngine().prunings, nodes)
        self._drawn: list[int] = []
        self._kinds = [self._opened.kind(tile) for tile in position.order]
        with compiling("search", position.game, SILENT):
            self.mover = int(mover(self._state))

    @property
    def left(self) -> int:
        """The number of tiles to come."""
        return len(self._kinds) - int(self._job.at)

    def best(self) -> BestTurns:
        """Return best play of the player to move; at least one tile is to come.

        Raises:
            OutOfTimeError: the turns allowed are used up.
            TooLargeError: a table of the kernel is full.

        """
        begun, (listed, hints, last) = int(self._job.at), self._listed()
        values: dict[int, int] = {}
        best: int | None = None
        try:
            for row in sorted(range(len(listed)), key=lambda i: -hints[i]):
                turn = listed[row]
                if best is not None and self._after(turn, last, best - 1, best) < best:
                    continue
                low = -INFINITY if best is None else best - 1
                values[row] = best = self._after(turn, last, low, INFINITY)
        finally:
            self._job.at = begun
        assert best is not None
        found = tuple(listed[row] for row in sorted(values) if values[row] == best)
        return BestTurns(value=best, turns=found, listed=len(listed))

    def values(self) -> dict[int, int]:
        """Return the value of each legal turn to the mover; errors are those of ``best``."""
        begun, (listed, _, last) = int(self._job.at), self._listed()
        try:
            return {turn: self._after(turn, last, -INFINITY, INFINITY) for turn in listed}
        finally:
            self._job.at = begun

    def _listed(self) -> tuple[list[int], list[int], bool]:
        """Draw the next tile; return the turns with it, their hints, and whether it is the last."""
        job = self._job
        job.nodes, job.asker = 0, self.mover if self._forcing is None else self._forcing
        drawn = self._next()
        kind = self._kinds[drawn] if drawn < len(self._kinds) else NONE
        job.at = min(drawn + 1, len(self._kinds))
        last = bool(job.at == len(self._kinds))
        end = int(turns(self._state, self._tables, kind, last, True, job.out, job.hints, 0))
        return job.out[:end].tolist(), job.hints[:end].tolist(), last

    def move(self, turn: int) -> Move:
        """Return a turn, legal now, as the move that the rules engine lists."""
        begun, ids = int(self._job.at), self._opened.ids
        gone = tuple(ids[kind] for kind in self._kinds[begun : self._next()])
        return self._opened.move(self._state, turn, gone)

    def play(self, turn: int) -> None:
        """Play a turn that is legal now."""
        self._drawn.append(int(self._job.at))
        self._job.at = min(self._next() + 1, len(self._kinds))
        play(self._state, self._tables, turn, not self.left)
        self.mover = int(mover(self._state))

    def undo(self) -> None:
        """Take the last turn back."""
        undo(self._state, self._tables)
        self._job.at = self._drawn.pop()
        self.mover = int(mover(self._state))

    def _next(self) -> int:
        """Return the index of the next tile that has a place; the number of tiles if none has."""
        for at in range(int(self._job.at), len(self._kinds)):
            if placeable(self._state, self._tables, self._kinds[at]):
                return at
        return len(self._kinds)

    def _after(self, turn: int, last: bool, low: int, high: int) -> int:  # noqa: FBT001 -- as the kernel
        """Return the value after a turn to the mover, exact within a window."""
        job = self._job
        # Whom points are forced on keeps the value low.
        turned = self._forcing not in {None, self.mover}
        low, high = (-high, -low) if turned else (low, high)
        found = int(first_value(self._state, self._tables, job, turn, last, 1, low, high))
        check_room(self._state)
        if job.state != RUNNING:
            stopped, job.state = job.state == STOPPED, RUNNING
            raise OutOfTimeError if stopped else TooLargeError
        return -found if turned else found
