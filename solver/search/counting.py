"""How many lines there are: legal ones to a depth, and best ones to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from solver.game_state import GameState, Turn
from solver.outlook import Task
from solver.states import game_state

INFINITY = 1 << 62
"""More than any end is worth."""


class Continuations:
    """Counts legal lines of moves, in the way of the rules engine: every wording once.

    Attributes:
        state: the position; it is as before once a count has ended.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        self.watch = task.watch
        self.position = task.position
        self.state = game_state(task.position)
        kind = self.state.board.kind_index
        self.order = tuple(kind[tile] for tile in task.position.order)
        self.bag = Counter(kind[tile] for tile in task.position.bag)

    def count(self, depth: int) -> int:
        """Return the number of lines of ``depth`` moves; shorter ones if the game ends.

        With an unknown order the moves of every tile that may be drawn are counted, drawn at
        once, as the rules engine lists them.

        Raises:
            OutOfTimeError: the time or the number of turns is used up.

        """
        return self._count(depth, self.order, self.bag)

    def _count(self, depth: int, order: tuple[int, ...], bag: Counter[int]) -> int:
        """Count with the tiles that are left."""
        if depth == 0 or not (order or bag):
            return 1
        found = 0
        for turns, rest, left in _draws(self.state, order, bag):
            last = not (rest or left)
            if depth == 1 or last:
                found += len(turns)
                continue
            for turn in turns:
                self.watch.tick()
                mark = self.state.mark()
                self.state.play(turn, last=last)
                found += self._count(depth - 1, rest, left)
                self.state.undo(mark)
        # With no tile left that has a place the game ends with one way to pass.
        return found or 1


def _draws(
    state: GameState, order: tuple[int, ...], bag: Counter[int]
) -> Iterator[tuple[list[Turn], tuple[int, ...], Counter[int]]]:
    """Yield the turns of every tile that may be drawn, with what is left after it."""
    for at, kind in enumerate(order):
        last = at == len(order) - 1 and not bag
        if turns := state.turns(kind, last=last):
            yield turns, order[at + 1 :], bag
            return
    for kind in sorted(bag):
        left = bag - Counter({kind: 1})
        if turns := state.turns(kind, last=not left):
            yield turns, (), left


class BestLines:
    """Counts the lines to the end in which nobody gives anything away.

    Attributes:
        state: the position; it is as before once a count has ended.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task whose order is known, helped or against."""
        self.task = task
        self.state = game_state(task.position)
        kind = self.state.board.kind_index
        self.order = [kind[tile] for tile in task.position.order]

    def count(self) -> tuple[Fraction, int]:
        """Return what the position is worth to the asker, and the number of best lines.

        Raises:
            OutOfTimeError: the time or the number of turns is used up.

        """
        value, lines = self._count(0, -INFINITY, INFINITY)
        return Fraction(value), lines

    def _count(self, at: int, low: int, high: int) -> tuple[int, int]:
        """Return the value from tile ``at`` on and the number of lines that have it.

        Args:
            at: index of the next tile.
            low: lines worth less do not count.
            high: lines worth more do not count.

        Returns:
            Value and number if the value lies between the limits, both included; otherwise a
            bound beyond one of them, and a number without meaning.

        """
        state, task = self.state, self.task
        if at == len(self.order):
            return task.worth(*state.totals()), 1
        last = at == len(self.order) - 1
        turns = state.turns(self.order[at], last=last)
        if not turns:
            return self._without_place(at, low, high)
        gains = task.serves(state.turn[0])
        best, lines = (-INFINITY, 0) if gains else (INFINITY, 0)
        for turn in turns:
            value, found = self._after(at, turn, low, high, last=last)
            if value == best:
                lines += found
            elif (value > best) is gains:
                best, lines = value, found
                low, high = (max(low, best), high) if gains else (low, min(high, best))
                if low > high:
                    break
        return best, lines

    def _after(self, at: int, turn: Turn, low: int, high: int, *, last: bool) -> tuple[int, int]:
        """Count what follows a turn."""
        self.task.watch.tick()
        state = self.state
        mark = state.mark()
        state.play(turn, last=last)
        try:
            return self._count(at + 1, low, high)
        finally:
            state.undo(mark)

    def _without_place(self, at: int, low: int, high: int) -> tuple[int, int]:
        """Count where tile ``at`` has no place: it leaves, the same player draws."""
        if at < len(self.order) - 1:
            return self._count(at + 1, low, high)
        mark = self.state.mark()
        self.state.pass_turn()
        found = self._count(at + 1, low, high)
        self.state.undo(mark)
        return found
