"""The engine ``search``: every question about the rest of a game, on the compiled kernel."""

from __future__ import annotations

from dataclasses import dataclass

from solver.engines import plays
from solver.limits import NO_LIMIT, Limits
from solver.problem import Play, Problem, TileOrder
from solver.progress import SILENT, Reporter
from solver.result import NOTHING, Result

SEARCH = "search"
"""Its name, by which it is chosen and by which switches name who knows them."""
FEW, SOME = 2, 5
"""Tiles to come of which all lines are few; tiles of which they may be."""
LINES = 600_000
"""Lines that are played before a model is built."""


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """Searches the tree of turns, without branches that cannot change the answer.

    Each pruning can be turned off, for comparison with the whole tree.
    """

    name: str = SEARCH
    windows: bool = True
    """Alpha-beta windows."""
    killers: bool = True
    """Turns that were good elsewhere are tried first."""
    merged: bool = True
    """Of turns that lead to the same position one is played."""
    star: bool = True
    """Limits of chance nodes (Star2)."""
    last: bool = True
    """Last turns are valued without playing each."""
    hopeless: bool = True
    """Last turns that bring too little are left out."""
    answered: bool = True
    """Turns to which a known reply is an answer are not played."""
    bound: bool = True
    """On planes, where nobody plays against the asker, positions that cannot bring more are left
    out."""
    helping: bool = True
    """Whether it answers questions without an opponent."""

    def answers(self, problem: Problem) -> bool:
        """Tell whether it answers a problem; it refuses switches that it does not know."""
        if not plays(SEARCH, problem.position.game):
            return False
        if not self.helping and problem.play in {Play.HELPED, Play.SOLITAIRE}:
            return False
        from solver.search.question import refusal  # noqa: PLC0415 -- numba loads late

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
            TooLargeError: a table of the kernel is full, or a number does not fit.

        """
        from solver.search.root import Root  # noqa: PLC0415 -- numba loads late

        clock = limits.start()
        if clock.out:
            return NOTHING
        return Root(problem, clock, reporter, self.prunings).result()

    @property
    def prunings(self) -> int:
        """The bits of ``solver.kernel.job`` for the prunings that are on."""
        from solver.kernel import job  # noqa: PLC0415 -- numba loads late

        options = (
            (self.windows, job.WINDOWS),
            (self.killers, job.KILLERS),
            (self.merged, job.MERGED),
            (self.star, job.STAR),
            (self.last, job.LAST),
            (self.hopeless, job.HOPELESS),
            (self.answered, job.ANSWERED),
            (self.bound, job.BOUND),
        )
        return sum(bit for wanted, bit in options if wanted)


def is_short(problem: Problem) -> bool:
    """Tell whether every line of a problem can be played in some tenths of a second."""
    tiles = len(problem.position.order) + len(problem.position.bag)
    if tiles <= FEW:
        return True
    if tiles > SOME or not SearchEngine().answers(problem):
        return False
    from solver.search.question import lines_of  # noqa: PLC0415 -- numba loads late

    return lines_of(problem) <= LINES


def full_engine() -> SearchEngine:
    """Return the search that prunes by windows alone, to confirm the other search.

    Both play on the same kernel, which is compared with the rules engine for itself. A maximum is
    confirmed by the models of CP-SAT instead.
    """
    return SearchEngine(
        name="full",
        killers=False,
        merged=False,
        star=False,
        last=False,
        hopeless=False,
        answered=False,
        bound=False,
        helping=False,
    )
