"""Searches of Carcassonne and The Tower as engines for questions about the rest of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.games import CARCASSONNE
from solver.budget import OutOfTimeError
from solver.outlook import NOTHING, Finding, Goal, Order, Play, Task
from solver.plane.duel import DuelSearch
from solver.plane.each import EachSearch
from solver.plane.game import PlaneGame
from solver.plane.page import Option
from solver.plane.root import Line, Root
from solver.plane.search import Search
from solver.plane.state import PlaneState, Turn
from solver.search.chance import Draw, Expectimax
from solver.search.star import Star2

TWO = 2
"""Players of whom one loses what the other gains."""


class LedgerEngine:
    """Answers questions about the rest of a game of Carcassonne without The Tower."""

    name = "ledger"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: to the end of a game, all playing for or against one."""
        position = task.position
        left = len(position.order) + len(position.bag)
        return (
            position.game.id == CARCASSONNE
            and not position.over
            and task.play is not Play.EACH
            and (task.horizon is None or task.horizon >= left)
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task; Ctrl-C ends it like the end of the time."""
        return NOTHING if task.watch.out else Root(task, _ByLedger(task)).finding()


class PlaneEngine:
    """Answers questions about Carcassonne and The Tower by playing turns on the flat state."""

    name = "plane"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: a tile is to come, and all playing for or against one."""
        return not task.position.over and task.horizon != 0 and task.play is not Play.EACH

    def solve(self, task: Task) -> Finding:
        """Answer a task; Ctrl-C ends it like the end of the time."""
        return NOTHING if task.watch.out else Root(task, _ByPlaying(task)).finding()


class MaxnEngine:
    """Answers for players who each play best for themselves: more than two, or two for the lead."""

    name = "maxn"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: the player to move asks, and chance at most decides."""
        # What one of two gains on the other he loses to him: each plays for himself.
        two = task.play is Play.AGAINST and len(task.position.players) == TWO
        return (
            (task.play is Play.EACH or (two and task.goal is not Goal.POINTS))
            and task.asker == task.position.to_move
            and task.order in {Order.GIVEN, Order.CHANCE}
            and not task.position.over
            and task.horizon != 0
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task; Ctrl-C ends it like the end of the time."""
        if task.watch.out:
            return NOTHING
        search = EachSearch(task) if task.play is Play.EACH else DuelSearch(task)
        return Root(task, search).finding()


class _ByLedger:
    """First turns valued with the ledger."""

    def __init__(self, task: Task) -> None:
        """Begin a search."""
        self.search = Search(task)
        self.state: PlaneState = self.search.state
        self._options: dict[Turn, Option] = {}
        self._lines: dict[Turn, Line | None] = {}

    def first(self, draw: Draw) -> Iterator[Sequence[Turn]]:
        """Yield the first turns with a tile; see ``FirstTurns``."""
        search = self.search
        search.root.page.prepare(draw.left, search.mover)
        for option in search.ordered(search.root, draw.kind):
            turn = option.turn(draw.kind)
            self._options[turn] = option
            yield [turn._replace(segment=segment) for segment in option.alike()]

    def value(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:
        """Return what a first turn is worth; see ``FirstTurns``."""
        node = self.search.root._replace(scale=scale)
        if draw.kind < 0:
            return self.search.yard.worth(node.total) * scale
        worth, self._lines[turn] = self.search.after(node, draw, self._options[turn], low, high)
        return worth

    def line(self, draw: Draw, turn: Turn, worth: int) -> Line | None:  # noqa: ARG002
        """Return what follows a first turn; see ``FirstTurns``."""
        return self._lines.get(turn)


class _ByPlaying:
    """First turns valued by playing all that follow."""

    def __init__(self, task: Task) -> None:
        """Begin a search."""
        self.task = task
        self.game = PlaneGame(task)
        self.state = self.game.state
        left = len(task.position.order) + len(task.position.bag)
        until = max(0, left - (task.horizon or left))
        self.star: Star2[Turn] = Star2(self.game, until, task.watch)
        self.plain: Expectimax[Turn] = Expectimax(self.game, task.order, until, task.watch)
        self.by_star = task.order in {Order.GIVEN, Order.CHANCE}
        self._told = False

    def first(self, draw: Draw) -> Iterator[Sequence[Turn]]:
        """Yield the first turns with a tile; see ``FirstTurns``."""
        turns = self.game.turns(draw.kind, last=not draw.left.size)
        ordered = sorted(turns, key=self.game.promise, reverse=True)
        alike = [t for t in self.state.turns(draw.kind) if t not in turns]
        yield from ([turn] for turn in (*ordered, *alike))

    def value(self, draw: Draw, turn: Turn, scale: int, low: int, high: int) -> int:
        """Return what a first turn is worth; see ``FirstTurns``."""
        if self.by_star:
            return self.star.after(turn, draw, scale, low, high)
        return self.plain.after(turn, draw, scale)

    def line(self, draw: Draw, turn: Turn, worth: int) -> Line | None:
        """Return what follows the first turn that is asked for, by searching it again.

        For the others that would take too long; their lines are not told.
        """
        if self._told:
            return None
        self._told = True
        mark = self.state.mark()
        self.game.play(turn, last=not draw.left.size)
        try:
            return self._best_line(draw, worth)
        except (OutOfTimeError, KeyboardInterrupt):
            return None
        finally:
            self.state.undo(mark)

    def _best_line(self, before: Draw, worth: int) -> Line | None:
        """Return a line from a position that is worth so much."""
        stock = before.left
        if stock.size <= self.star.until:
            return None
        (draw,) = stock.draws(self.state.board.fits)
        if draw.kind < 0:
            return Line(draw.gone, self.game.best_pass(), None)
        mark = self.state.mark()
        for turn in self.game.turns(draw.kind, last=not draw.left.size):
            if self.star.after(turn, draw, 1, worth - 1, worth + 1) == worth:
                self.game.play(turn, last=not draw.left.size)
                rest = self._best_line(draw, worth)
                self.state.undo(mark)
                return Line(draw.gone, turn, rest)
        raise AssertionError("a position that is worth so much has a turn to it")
