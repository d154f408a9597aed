"""The engine ``search``: every question about the rest of a game, on the compiled kernel."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from burgrave.solver.kernel.codec import KERNEL
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from burgrave.solver.problem import WITHOUT_OPPONENT, Play, Problem, TileOrder
from burgrave.solver.result import NOTHING, Result, Status, TooLargeError
from burgrave.solver.search.question import PRUNINGS, bits_of, refusal
from burgrave.solver.search.root import Root
from burgrave.solver.search.spread import Spread

PATIENCE = 40_000
"""Turns that are played on planes before a model is built: bounds often leave few lines there."""


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """Searches the tree of turns, without branches that cannot change the answer.

    Each pruning can be turned off, for comparison with the whole tree.
    """

    name: str = KERNEL
    without: Collection[str] = ()
    """The names of ``PRUNINGS`` that are off."""
    helping: bool = True
    """Whether it answers questions without an opponent."""
    patience: int | None = None
    """Turns after which the question counts as too large; None for no limit. With a limit one best
    first move is named, as by the models of CP-SAT."""

    def answers(self, problem: Problem) -> bool:
        """Tell whether it answers a problem; it refuses switches that it does not know."""
        if not self.helping and problem.play in WITHOUT_OPPONENT:
            return False
        if problem.play is Play.EACH and (
            problem.order not in {TileOrder.GIVEN, TileOrder.CHANCE}
            or problem.asker != problem.position.to_move
        ):
            return False
        return refusal(problem) is None

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Answer a problem; the best first moves come with their lines where all is known.

        Raises:
            TooLargeError: a table of the kernel is full, a number does not fit, or the patience
                is at its end.

        """
        clock = limits.start()
        if clock.out:
            return NOTHING
        if self.patience is None:
            # A limit on turns holds for all in a row, so that they are the same everywhere.
            spread = limits.pool is not None and limits.nodes is None
            return (Spread if spread else Root)(problem, clock, reporter, self.prunings).result()
        most = self.patience if limits.nodes is None else min(self.patience, limits.nodes)
        clock.limits = replace(limits, nodes=most)
        found = Root(replace(problem, told=1), clock, reporter, self.prunings).result()
        if found.status is not Status.OPTIMAL and most == self.patience and not clock.out:
            raise TooLargeError
        return replace(found, first=found.first[:1], complete=len(found.first) == 1)

    @property
    def prunings(self) -> int:
        """The bits of ``solver.kernel.job`` for the prunings that are on."""
        return bits_of(one for one in PRUNINGS if one not in self.without)


def full_engine() -> SearchEngine:
    """Return the search that prunes by windows alone, to confirm the other search.

    Both play on the same kernel, which is compared with the rules engine for itself. A maximum is
    confirmed by the models of CP-SAT instead.
    """
    return SearchEngine(name="full", helping=False, without=PRUNINGS[1:])
