"""Count lines of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from burgrave.model.errors import QuestionError
from burgrave.model.position import Position
from burgrave.solver.limits import NO_LIMIT, Clock, Limits, OutOfTimeError
from burgrave.solver.problem import Goal, Play, Problem, TileOrder, pose, rivalry
from burgrave.solver.questions.preconditions import admit, refuse_unknown, refuse_unnamed
from burgrave.solver.result import TooLargeError
from burgrave.solver.simulation import ByRules, Table, quick_table

UNBOUNDED = 1 << 62
"""More than the value of any end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A number of lines."""

    lines: int | None
    """None if time ran out."""
    least: int
    """Lower bound of the number: the lines counted in the time."""
    value: Fraction | None
    """Value of the best lines for the asker, in points or points of lead; None for a count
    of legal lines."""
    nodes: int
    """Turns played by the search."""
    seconds: float
    """Wall-clock time from question to answer."""

    def __str__(self) -> str:
        """Return the number of lines, or its lower bound."""
        return f"at least {self.least}" if self.lines is None else str(self.lines)


def continuations(position: Position, depth: int = 1, *, budget: Limits = NO_LIMIT) -> Count:
    """Count the legal lines of a number of moves; those that end the game earlier too.

    Moves are counted as the rules engine lists them. With an unknown order the moves of every
    tile that may be drawn are counted.

    Args:
        position: the position before the first of them.
        depth: moves of a line, 0 or more.
        budget: the time and the turns allowed.

    Raises:
        QuestionError: ``depth`` is negative; a wall tile in hand has no number.

    """
    if depth < 0:
        raise QuestionError(f"lines of {depth} moves: give 0 or more")
    if depth:
        refuse_unnamed(position)
    clock, least, bag = budget.start(), 0, Counter(position.bag)
    lines: int | None = None

    def count(game: Table) -> int:
        nonlocal least
        least = 0
        for number in legal_lines(game, depth, position.order, bag, clock):
            least += number
        return least

    with suppress(OutOfTimeError, KeyboardInterrupt):
        lines = _on_table(position, count)
    return Count(lines=lines, least=least, value=None, nodes=clock.nodes, seconds=clock.spent())


def best_lines(
    position: Position,
    *,
    asker: int | None = None,
    goal: Goal = Goal.LEAD,
    play: Play = Play.AGAINST,
    budget: Limits = NO_LIMIT,
) -> Count:
    """Count the lines to the end of the game in which no move gives anything away.

    Args:
        position: a position whose tiles to come are all in known order.
        asker: the player whose result counts; the one to move by default.
        goal: his final score, or his lead; against an opponent the lead or the win.
        play: best play of both, of more than two each for himself, or all for the asker.
        budget: the time and the turns allowed.

    Raises:
        QuestionError: the order of the tiles or a wall tile is not known; a solitaire.

    """
    if play is Play.AGAINST and rivalry(position) is not Play.AGAINST:
        play = Play.EACH
    if play is Play.SOLITAIRE:
        raise QuestionError("best lines are counted for play against the opponent or with help")
    refuse_unknown(position)
    problem = pose(position, goal, play, TileOrder.GIVEN, asker)
    clock = budget.start()
    admit(problem)
    value: Fraction | None = None
    lines: int | None = None
    with suppress(OutOfTimeError, KeyboardInterrupt):
        value, lines = _on_table(position, lambda game: _BestLines(problem, game, clock).count())
    # Some line is best, and which ones are is known only in the end.
    least = 1 if lines is None else lines
    return Count(lines=lines, least=least, value=value, nodes=clock.nodes, seconds=clock.spent())


Counted = TypeVar("Counted")


def _on_table(position: Position, count: Callable[[Table], Counted]) -> Counted:
    """Return what is counted on the kernel, or by the rules if the kernel has no room for it."""
    try:
        return count(quick_table(position))
    except TooLargeError:
        return count(ByRules(position))


def legal_lines(
    game: Table, depth: int, order: tuple[str, ...], bag: Counter[str], clock: Clock
) -> Iterator[int]:
    """Yield numbers that add up to that of the legal lines of ``depth`` moves, each wording once.

    The tiles to come are those of the order, then the bag.

    Raises:
        OutOfTimeError: the time or the number of turns is used up.

    """
    if depth == 0 or not (order or bag):
        yield 1
        return
    for turns, rest, left in _draws(game, order, bag):
        if depth == 1 or not (rest or left):
            yield len(turns)
            continue
        for turn in turns:
            clock.tick()
            game.play(turn, last=False)
            yield from legal_lines(game, depth - 1, rest, left, clock)
            game.undo()


def _draws(
    game: Table, order: tuple[str, ...], bag: Counter[str]
) -> Iterator[tuple[Sequence[Any], tuple[str, ...], Counter[str]]]:
    """Yield the turns of every tile that may be drawn, with the tiles left after it.

    If no tile is left that has a place, they are the turns that end the game.
    """
    for at, tile in enumerate(order):
        rest = order[at + 1 :]
        if turns := [*game.turns(tile, last=not (rest or bag))]:
            yield turns, rest, bag
            return
    stuck = True
    for tile in sorted(bag):
        left = bag - Counter({tile: 1})
        if turns := [*game.turns(tile, last=not left)]:
            stuck = False
            yield turns, (), left
    if stuck:
        yield [*game.turns(None, last=True)], (), Counter()


class _BestLines:
    """Counts the lines of best play to the end."""

    def __init__(self, problem: Problem, game: Table, clock: Clock) -> None:
        """Take over a problem with known order, no solitaire, the game from it, and the time."""
        self.problem, self.game, self.clock = problem, game, clock

    def count(self) -> tuple[Fraction, int]:
        """Return the value of the position for the asker, and the number of best lines."""
        order = self.problem.position.order
        if self.problem.play is Play.EACH:
            worths, lines = self._each(order)
            return Fraction(worths[0]), lines
        value, lines = self._count(order, -UNBOUNDED, UNBOUNDED)
        return Fraction(value), lines

    def _count(self, order: tuple[str, ...], low: int, high: int) -> tuple[int, int]:
        """Return the value with tiles to come and the number of lines that have it.

        Lines of a value below ``low`` or above ``high`` do not count. If the value is not between
        them, both included, a bound beyond one of them and a number without meaning come back.
        """
        if not order:
            return self.problem.worth(*self.game.totals()), 1
        gains = self.problem.serves(self.game.mover)
        best, lines = -UNBOUNDED if gains else UNBOUNDED, 0
        for rest in self._played(order):
            value, number = self._count(rest, low, high)
            self.game.undo()
            if value == best:
                lines += number
            elif (value > best) is gains:
                best, lines = value, number
                low, high = (max(low, best), high) if gains else (low, min(high, best))
            if low > high:
                break
        return best, lines

    def _each(self, order: tuple[str, ...]) -> tuple[tuple[int, ...], int]:
        """Return the values if each plays for himself, and the number of best lines."""
        if not order:
            return self.problem.worths(*self.game.totals()), 1
        mover = self.game.mover
        found: Counter[tuple[int, ...]] = Counter()
        for rest in self._played(order):
            worths, lines = self._each(rest)
            self.game.undo()
            found[worths] += lines
        best = max(found, key=lambda worths: self.problem.liking(mover, worths))
        return best, found[best]

    def _played(self, order: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Play each turn with the next tile, and yield the tiles after it; the caller undoes it."""
        turns, rest, _ = next(_draws(self.game, order, Counter()))
        for turn in turns:
            self.clock.tick()
            self.game.play(turn, last=not rest)
            yield rest
