"""Max^n: more than two players, each of whom plays best for himself.

After C. A. Luckhardt and K. B. Irani, "An algorithmic solution of N-person games", AAAI 1986. A
position is worth something to each player, and who moves takes what he likes best
(``Task.liking``). What one of three can have is no bound for what another gives him, so nothing
is cut off; but of the last turns that come to the same scores one is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.outlook import Task
from solver.plane.ending import final_scores
from solver.plane.root import Line, stock_of
from solver.plane.state import PlaneState, Turn
from solver.search.chance import Draw, Stock

Worths = tuple[int, ...]
"""What something is worth to each player, the asker first, times a scale."""


class EachSearch:
    """A search of a game in which each plays for himself; see ``FirstTurns``.

    Attributes:
        state: the position of the task.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        self.task = task
        self.state = PlaneState(task.position)
        left = stock_of(self.state, task.position).size
        self.until = max(0, left - (task.horizon or left))
        self._known: dict[tuple[int, ...], Worths] = {}
        self._lines: dict[Turn, Line | None] = {}

    def first(self, draw: Draw) -> Iterator[Sequence[Turn]]:
        """Yield the first turns with a tile."""
        yield from ([turn] for turn in self.state.turns(draw.kind))

    def value(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:  # noqa: ARG002
        """Return what a first turn is worth to the asker, whatever the window."""
        worths, self._lines[turn] = self._after(draw, turn, scale)
        return worths[0]

    def line(self, draw: Draw, turn: Turn, worth: int) -> Line | None:  # noqa: ARG002
        """Return what follows a first turn."""
        return self._lines[turn]

    def _after(self, draw: Draw, turn: Turn, scale: int) -> tuple[Worths, Line | None]:
        """Return what is reached by a turn, and a line to it if all is known."""
        self.task.watch.tick()
        mark = self.state.mark()
        self.state.play(turn)
        try:
            return self._worths(draw.left, scale)
        finally:
            self.state.undo(mark)

    def _worths(self, stock: Stock, scale: int) -> tuple[Worths, Line | None]:
        """Return what a position is worth."""
        if not stock.size:
            return self._ended(final_scores(self.state), scale), None
        if stock.size <= self.until:
            return self._ended(tuple(self.state.score), scale), None
        draws = list(stock.draws(self.state.board.fits))
        if len(draws) == 1:
            return self._drawn(draws[0], scale)
        cases = [
            [draw.ways * worth for worth in self._drawn(draw, scale // draw.out_of)[0]]
            for draw in draws
        ]
        return tuple(map(sum, zip(*cases, strict=True))), None

    def _ended(self, totals: tuple[int, ...], scale: int) -> Worths:
        """Return what an end is worth."""
        found = self._known.get(totals)
        if found is None:
            found = self._known[totals] = self.task.worths(*totals)
        return tuple(worth * scale for worth in found)

    def _drawn(self, draw: Draw, scale: int) -> tuple[Worths, Line | None]:
        """Return what a position is worth where a tile has been drawn."""
        found: dict[Worths, Line] = {}
        for turn, worths, rest in self._turns(draw, scale):
            if worths not in found:
                found[worths] = Line(draw.gone, turn, rest)
        mover = self.state.turn[0]
        best = max(found, key=lambda worths: self.task.liking(mover, worths))
        return best, found[best]

    def _turns(self, draw: Draw, scale: int) -> Iterator[tuple[Turn, Worths, Line | None]]:
        """Yield every turn with what is reached by it."""
        state = self.state
        if draw.left.size and draw.kind >= 0:
            for turn in state.turns(draw.kind, alike=False):
                yield turn, *self._after(draw, turn, scale)
            return
        self.task.watch.tick()
        places = state.laid(draw.kind, alike=False) if draw.kind >= 0 else [(state.passes(), [])]
        for turns, done in places:
            for turn in turns:
                mark = state.mark()
                state.finish(turn, done)
                yield turn, self._ended(final_scores(state), scale), None
                state.undo(mark)
