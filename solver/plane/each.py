"""Max^n: more than two players, each of whom plays best for himself.

After C. A. Luckhardt and K. B. Irani, "An algorithmic solution of N-person games", AAAI 1986. A
position is worth something to each player, and who moves takes what he likes best
(``Task.liking``). What one of three can have is no bound for what another gives him, so nothing
is cut off; but of the last turns that come to the same scores one is looked at, and in games
without The Tower they are looked up in the ledger. Of two, ``solver.plane.duel`` cuts off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from solver.outlook import Task
from solver.plane.ending import final_scores, last_turns
from solver.plane.ledger import Ledger
from solver.plane.page import Option, Page, options
from solver.plane.root import Line, stock_of
from solver.plane.state import Turn
from solver.plane.towers import TowerState
from solver.plane.yard import Yardstick
from solver.search.chance import Draw, Stock
from solver.states import plane_state

Worths = tuple[int, ...]
"""What something is worth to each player, the asker first, times a scale."""
_Reached = tuple[Turn, Worths, Line | None]
"""A turn, what is reached by it, and a line to it if all is known."""


class _Sheet(NamedTuple):
    """What the ledger says of a position."""

    page: Page
    total: int
    """The scores of all players, were the game over."""


class EachSearch:
    """A search of a game in which each plays for himself; see ``FirstTurns``.

    Attributes:
        state: the position of the task.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        self.task = task
        self.state = plane_state(task.position)
        left = stock_of(self.state, task.position).size
        self.until = max(0, left - (task.horizon or left))
        self.yard = Yardstick(task)
        self.ledger = Ledger(self.state, self.yard.weights)
        looks_up = not isinstance(self.state, TowerState) and not self.until
        self._root = _Sheet(Page(self.ledger), self.ledger.total()) if looks_up else None
        self._known: dict[tuple[int, ...], Worths] = {}
        self._options: dict[Turn, Option] = {}
        self._lines: dict[Turn, Line | None] = {}

    def first(self, draw: Draw) -> Iterator[Sequence[Turn]]:
        """Yield the first turns with a tile, those together that lead to the same."""
        if self._root is None:
            yield from ([turn] for turn in self.state.turns(draw.kind))
            return
        self._root.page.prepare(draw.left, self._mover)
        for option in self._looked_up(draw, self._root):
            turn = option.turn(draw.kind)
            self._options[turn] = option
            yield [turn._replace(segment=segment) for segment in option.alike()]

    def value(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:  # noqa: ARG002
        """Return what a first turn is worth to the asker, whatever the window."""
        sheet = None
        if self._root is not None:
            sheet = self._next(self._root, self._options.get(turn))
        worths, self._lines[turn] = self._after(draw, turn, scale, sheet)
        return worths[0]

    def line(self, draw: Draw, turn: Turn, worth: int) -> Line | None:  # noqa: ARG002
        """Return what follows a first turn."""
        return self._lines[turn]

    def _mover(self, ahead: int) -> int:
        """Return who lays a tile so many turns later, if each has a place."""
        return (self.state.turn[0] + ahead) % self.state.players

    def _next(self, sheet: _Sheet, option: Option | None) -> _Sheet:
        """Return the sheet of the position after a turn, or after none."""
        if option is None:
            return sheet
        return _Sheet(Page(self.ledger, sheet.page, option), sheet.total + option.change)

    def _after(
        self, draw: Draw, turn: Turn, scale: int, sheet: _Sheet | None
    ) -> tuple[Worths, Line | None]:
        """Return what is reached by a turn, and a line to it if all is known."""
        self.task.watch.tick()
        mark = self.state.mark()
        self.state.play(turn)
        try:
            return self._worths(draw.left, scale, sheet)
        finally:
            self.state.undo(mark)

    def _worths(self, stock: Stock, scale: int, sheet: _Sheet | None) -> tuple[Worths, Line | None]:
        """Return what a position is worth."""
        if not stock.size:
            totals = final_scores(self.state) if sheet is None else self.yard.scores(sheet.total)
            return self._ended(totals, scale), None
        if stock.size <= self.until:
            return self._ended(tuple(self.state.score), scale), None
        draws = list(stock.draws(self.state.board.fits))
        if len(draws) == 1:
            return self._drawn(draws[0], scale, sheet)
        cases = [
            [draw.ways * worth for worth in self._drawn(draw, scale // draw.out_of, sheet)[0]]
            for draw in draws
        ]
        return tuple(map(sum, zip(*cases, strict=True))), None

    def _ended(self, totals: tuple[int, ...], scale: int) -> Worths:
        """Return what an end is worth."""
        found = self._known.get(totals)
        if found is None:
            found = self._known[totals] = self.task.worths(*totals)
        return tuple(worth * scale for worth in found)

    def _drawn(self, draw: Draw, scale: int, sheet: _Sheet | None) -> tuple[Worths, Line | None]:
        """Return what a position is worth where a tile has been drawn."""
        found: dict[Worths, Line] = {}
        turns = (
            self._played(draw, scale)
            if sheet is None or draw.kind < 0
            else self._entered(draw, scale, sheet)
        )
        for turn, worths, rest in turns:
            if worths not in found:
                found[worths] = Line(draw.gone, turn, rest)
        mover = self.state.turn[0]
        best = max(found, key=lambda worths: self.task.liking(mover, worths))
        return best, found[best]

    def _entered(self, draw: Draw, scale: int, sheet: _Sheet) -> Iterator[_Reached]:
        """Yield the turns with a tile with what is reached by each, by the ledger."""
        found = self._looked_up(draw, sheet)
        if draw.left.size:
            sheet.page.prepare(draw.left, self._mover)
            for option in found:
                turn = option.turn(draw.kind)
                yield turn, *self._after(draw, turn, scale, self._next(sheet, option))
            return
        self.task.watch.tick()
        for change, option in {option.change: option for option in found}.items():
            totals = self.yard.scores(sheet.total + change)
            yield option.turn(draw.kind), self._ended(totals, scale), None

    def _looked_up(self, draw: Draw, sheet: _Sheet) -> list[Option]:
        """Return the turns with a tile, with what they change."""
        mover = self.state.turn[0]
        able = self.state.supply[mover] > 0
        table = sheet.page.table(draw.kind, mover)
        return [option for entry in table for option in options(entry, able=able)]

    def _played(self, draw: Draw, scale: int) -> Iterator[_Reached]:
        """Yield the turns with a tile, or without one, with what is reached by playing each."""
        state = self.state
        if draw.left.size and draw.kind >= 0:
            for turn in state.turns(draw.kind, alike=False):
                yield turn, *self._after(draw, turn, scale, None)
            return
        self.task.watch.tick()
        places = state.laid(draw.kind, alike=False) if draw.kind >= 0 else [(state.passes(), [])]
        for turns, done in places:
            for turn, totals in last_turns(state, turns, done, partial(final_scores, state)):
                yield turn, self._ended(totals, scale), None
