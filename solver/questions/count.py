"""Count lines of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from model.errors import QuestionError
from model.final import final_scoring
from model.position import Position
from solver.limits import NO_LIMIT, Clock, Limits, OutOfTimeError
from solver.problem import Goal, Play, Problem, TileOrder, rivalry
from solver.questions.preconditions import admit, refuse_unknown, refuse_unnamed
from solver.result import TooLargeError
from solver.simulation import ByRules, Table, quick_table
from solver.simulation.simulation import Totals

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


def continuations(position: Position, depth: int, *, budget: Limits = NO_LIMIT) -> Count:
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
        hands = [(*player.wall_tiles, *player.fresh_wall_tiles) for player in position.players]
        refuse_unnamed(number for hand in hands for number in hand)
    clock = budget.start()
    search = Continuations(position, ByRules(position), clock)
    lines: int | None
    try:
        try:
            search = Continuations(position, quick_table(position), clock)
            lines = search.count(depth)
        except TooLargeError:
            search = Continuations(position, ByRules(position), clock)
            lines = search.count(depth)
    except (OutOfTimeError, KeyboardInterrupt):
        lines = None
    return Count(
        lines=lines,
        least=search.counted,
        value=None,
        nodes=clock.nodes,
        seconds=clock.spent(),
    )


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
    problem = Problem(
        position=position,
        asker=position.to_move if asker is None else asker,
        goal=goal,
        play=play,
        order=TileOrder.GIVEN,
    )
    clock = budget.start()
    admit(problem)
    lines: int | None
    value: Fraction | None
    try:
        value, lines = _best(problem, clock)
    except (OutOfTimeError, KeyboardInterrupt):
        value, lines = None, None
    return Count(
        lines=lines,
        # Some line is best, and which ones are is known only in the end.
        least=1 if lines is None else lines,
        value=value,
        nodes=clock.nodes,
        seconds=clock.spent(),
    )


def _best(problem: Problem, clock: Clock) -> tuple[Fraction, int]:
    """Return the value and the number of the best lines; of a game that is over it is one.

    Raises:
        OutOfTimeError: the time or the number of turns is used up.

    """
    position = problem.position
    if position.over:
        return Fraction(problem.worth(*final_scoring(position).scores)), 1
    try:
        return _BestLines(problem, quick_table(position), clock).count()
    except TooLargeError:
        return _BestLines(problem, ByRules(position), clock).count()


class Continuations:
    """Counts legal lines of moves, in the way of the rules engine: every wording once.

    Attributes:
        counted: lines counted so far.

    """

    def __init__(self, position: Position, game: Table, clock: Clock) -> None:
        """Take over a position, the game that begins there, and the time."""
        self.clock = clock
        self.game = game
        self.counted = 0
        self.order = position.order
        self.bag = Counter(position.bag)

    def count(self, depth: int) -> int:
        """Return the number of lines of ``depth`` moves; shorter ones if the game ends.

        With an unknown order the moves of every tile that may be drawn are counted, drawn at
        once, as the rules engine lists them.

        Raises:
            OutOfTimeError: the time or the number of turns is used up; ``counted`` is how far it
                came.

        """
        self._count(depth, self.order, self.bag)
        return self.counted

    def _count(self, depth: int, order: tuple[str, ...], bag: Counter[str]) -> None:
        """Count with the tiles that are left."""
        if depth == 0 or not (order or bag):
            self.counted += 1
            return
        game, stuck = self.game, True
        for turns, rest, left in self._draws(order, bag):
            stuck = False
            if depth == 1 or not (rest or left):
                self.counted += len(turns)
                continue
            for turn in turns:
                self.clock.tick()
                game.play(turn, last=False)
                self._count(depth - 1, rest, left)
                game.undo()
        if stuck:  # no tile is left that has a place, and the game ends
            self.counted += len(game.turns(None, last=True))

    def _draws(
        self, order: tuple[str, ...], bag: Counter[str]
    ) -> Iterator[tuple[Sequence[Any], tuple[str, ...], Counter[str]]]:
        """Yield the turns of every tile that may be drawn, with the tiles left after it."""
        for at, tile in enumerate(order):
            rest = order[at + 1 :]
            if turns := self.game.turns(tile, last=not (rest or bag)):
                yield turns, rest, bag
                return
        for tile in sorted(bag):
            left = bag - Counter({tile: 1})
            if turns := self.game.turns(tile, last=not left):
                yield turns, (), left


class _BestLines:
    """Counts the lines of best play to the end."""

    def __init__(self, problem: Problem, game: Table, clock: Clock) -> None:
        """Take over a problem with known order, no solitaire, the game from it, and the time."""
        self.problem = problem
        self.clock = clock
        self.game = game
        self.order = problem.position.order

    def count(self) -> tuple[Fraction, int]:
        """Return the value of the position for the asker, and the number of best lines.

        Raises:
            OutOfTimeError: the time or the number of turns is used up.

        """
        if self.problem.play is Play.EACH:
            worths, lines = self._each(0)
            return Fraction(worths[0]), lines
        value, lines = self._count(0, -UNBOUNDED, UNBOUNDED)
        return Fraction(value), lines

    def _count(self, at: int, low: int, high: int) -> tuple[int, int]:
        """Return the value from tile ``at`` on and the number of lines that have it.

        Args:
            at: index of the next tile.
            low: lines of a lower value do not count.
            high: lines of a higher value do not count.

        Returns:
            Value and number if the value lies between the limits, both included; otherwise a
            bound beyond one of them, and a number without meaning.

        """
        tally = _Tally(low, high, gains=self.problem.serves(self.game.mover))
        if at == len(self.order) - 1:
            for totals in self._ends(at):
                if tally.closes(self.problem.worth(*totals), 1):
                    break
            return tally.best, tally.lines
        turns = self.game.turns(self.order[at], last=False)
        if not turns:  # The tile leaves, and the same player draws.
            return self._count(at + 1, low, high)
        for turn in turns:
            self._play(turn)
            closed = tally.closes(*self._count(at + 1, tally.low, tally.high))
            self.game.undo()
            if closed:
                break
        return tally.best, tally.lines

    def _each(self, at: int) -> tuple[tuple[int, ...], int]:
        """Return the values if each plays for himself, and the number of best lines."""
        mover = self.game.mover
        found: Counter[tuple[int, ...]] = Counter()
        if at == len(self.order) - 1:
            found.update(self.problem.worths(*totals) for totals in self._ends(at))
        else:
            turns = self.game.turns(self.order[at], last=False)
            if not turns:
                return self._each(at + 1)
            for turn in turns:
                self._play(turn)
                worths, lines = self._each(at + 1)
                found[worths] += lines
                self.game.undo()
        best = max(found, key=lambda worths: self.problem.liking(mover, worths))
        return best, found[best]

    def _ends(self, at: int) -> Iterator[Totals]:
        """Yield the totals after each turn that ends the game, tile ``at`` being the last."""
        game = self.game
        turns = game.turns(self.order[at], last=True) or game.turns(None, last=True)
        for turn in turns:
            self.clock.tick()
            game.play(turn, last=True)
            totals = game.totals()
            game.undo()
            yield totals

    def _play(self, turn: Any) -> None:
        """Play a turn after which tiles are left."""
        self.clock.tick()
        self.game.play(turn, last=False)


class _Tally:
    """The best value among some turns, and the number of lines that reach it.

    Attributes:
        low: lines of a lower value do not count.
        high: lines of a higher value do not count.
        best: the best value so far.
        lines: how many lines have it.

    """

    def __init__(self, low: int, high: int, *, gains: bool) -> None:
        """Begin with limits and nothing counted; ``gains`` if large values are chosen."""
        self.low, self.high, self.gains = low, high, gains
        self.best, self.lines = (-UNBOUNDED if gains else UNBOUNDED), 0

    def closes(self, value: int, lines: int) -> bool:
        """Add the lines after a turn; tell whether no other turn can stay within the limits."""
        if value == self.best:
            self.lines += lines
        elif (value > self.best) is self.gains:
            self.best, self.lines = value, lines
            if self.gains:
                self.low = max(self.low, value)
            else:
                self.high = min(self.high, value)
        return self.low > self.high
