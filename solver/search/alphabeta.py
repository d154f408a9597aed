"""Alpha-beta through the rules engine: a proof of best play that does not rest on the kernel.

Every turn is listed, played and scored by the rules engine; windows leave out turns that cannot
change the answer (D. Knuth and R. Moore, An analysis of alpha-beta pruning, 1975). Of ``b`` turns
in each position about ``b ** (d / 2)`` lines remain if the best turn comes first. The kernel
proposes which turn that is. A wrong proposal costs time and changes no value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from model.book import book_of
from model.errors import QuestionError
from model.final import final_scoring
from model.position import Move, Position
from solver.limits import NO_LIMIT, Clock, Limits, OutOfTimeError
from solver.problem import TWO, Play, Problem, TileOrder
from solver.progress import SILENT, Reporter
from solver.result import NOTHING, Result, RootMove, Status, TooLargeError
from solver.search.exhaustive import Drawn, draws, placements

BEYOND_VALUES = 1 << 61
"""Beyond every value."""
PROPOSING = 100_000
"""Turns that the kernel may search for a proposal."""

Line = tuple[Move, ...]
"""Turns in a row."""


class AlphabetaEngine:
    """Answers what a player forces to the end if all tiles to come are known."""

    name = "alphabeta"

    def answers(self, problem: Problem) -> bool:
        """Tell whether nothing is hidden and two players play against each other."""
        position = problem.position
        return (
            problem.play is Play.AGAINST
            and problem.order is TileOrder.GIVEN
            and problem.horizon is None
            and len(position.players) == TWO
            and not position.bag
            and all(number for _, number in position.towers)
        )

    def solve(
        self,
        problem: Problem,
        limits: Limits = NO_LIMIT,
        reporter: Reporter = SILENT,
    ) -> Result:
        """Answer a problem; out of time it tells nothing."""
        search = _Tree(problem, limits.start(), reporter)
        try:
            first = search.root(problem.position)
        except (OutOfTimeError, KeyboardInterrupt):
            return replace(NOTHING, nodes=search.clock.nodes)
        choose = max if problem.serves(problem.position.to_move) else min
        value = choose(one.value for one in first)
        kept = tuple(one for one in first if problem.every or one.value == value)
        return Result(status=Status.OPTIMAL, value=value, first=kept, nodes=search.clock.nodes)


class _Tree:
    """One search."""

    def __init__(self, problem: Problem, clock: Clock, reporter: Reporter) -> None:
        """Remember the problem, and the clock that counts the turns."""
        self.problem, self.clock, self.reporter = problem, clock, reporter
        self._killers: dict[int, Move] = {}

    def root(self, at: Position) -> list[RootMove]:
        """Return the first moves that are not worse than the best, or every one, with lines."""
        serving, found = self.problem.serves(at.to_move), list[RootMove]()
        best: int | None = None
        for move, after in self._turns(at):
            # The windows let moves through that are as good as the best.
            low = -BEYOND_VALUES if best is None or not serving or self.problem.every else best - 1
            high = BEYOND_VALUES if best is None or serving or self.problem.every else best + 1
            value, line = self._value(after, low, high)
            if not low < value < high:
                continue
            found.append(RootMove(move=move, value=Fraction(value), line=(move, *line)))
            if best is None or (value > best if serving else value < best):
                best = value
                self.reporter.found(Fraction(value))
        return self._in_order(at, found)

    def _in_order(self, at: Position, found: list[RootMove]) -> list[RootMove]:
        """Return first moves in the order of the rules engine."""
        known = {one.move: one for one in found}
        return [known[move] for move, _ in self._listed(at, next(draws(at))) if move in known]

    def _value(self, at: Position, low: int, high: int) -> tuple[int, Line]:
        """Return the value of a position, exact within a window, and best play from it."""
        if at.over:
            return self.problem.worth(*final_scoring(at).scores), ()
        serving, best, line = self.problem.serves(at.to_move), 0, None
        for move, after in self._turns(at):
            value, rest = self._value(after, low, high)
            if line is None or (value > best if serving else value < best):
                best, line = value, (move, *rest)
            if serving:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                self._killers[len(at.order)] = move
                break
        return best, line or ()

    def _turns(self, at: Position) -> Iterator[tuple[Move, Position]]:
        """Yield the legal turns with the positions after them, likely refutations first."""
        draw, tried = next(draws(at)), set[Move]()
        killer = self._killers.get(len(at.order))
        if killer is not None:
            for pair in self._like(at, draw, killer):
                tried.add(pair[0])
                yield pair
        # Only now, since a killer that refutes saves the proposal.
        proposed = self._proposed(at)
        if proposed is not None and proposed not in tried:
            for pair in self._like(at, draw, proposed):
                tried.add(pair[0])
                yield pair
        yield from (pair for pair in self._listed(at, draw) if pair[0] not in tried)

    def _proposed(self, at: Position) -> Move | None:
        """Return the turn that the kernel holds for best; None if it has no answer."""
        from solver.search.ending import Ending  # noqa: PLC0415 -- numba loads late

        try:
            ending = Ending(at, PROPOSING)
            return ending.move(ending.best().turns[0])
        except (QuestionError, OutOfTimeError, TooLargeError):
            return None

    def _like(self, at: Position, draw: Drawn, wanted: Move) -> Iterator[tuple[Move, Position]]:
        """Yield the turn of a move if it is legal here."""
        if wanted.cell is not None and wanted.tile == draw.tile:
            yield from (pair for pair in self._listed(at, draw, wanted) if pair[0] == wanted)

    def _listed(
        self, at: Position, draw: Drawn, like: Move | None = None
    ) -> Iterator[tuple[Move, Position]]:
        """Yield the legal turns, or those that lay the tile like a move, in the rules' order.

        The position after a turn is found when the caller asks for it, and is counted then.
        """
        conduct = book_of(at.game).conduct
        if draw.tile is None:
            for move in conduct.passes(at, draw.discards):
                self.clock.tick()
                yield move, conduct.pass_turn(at, move).position
            return
        for placement in placements(at, draw, like):
            for move in conduct.turns(placement, draw.discards):
                if like is None or move == like:
                    self.clock.tick()
                    yield move, conduct.resolve(placement, move).position
