"""Questions as numbers for the kernel, those that do not fit, and many small ones in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import factorial, perm
from typing import Any, NamedTuple

from burgrave.model.errors import QuestionError
from burgrave.model.position import Move, Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.solver.kernel import codec
from burgrave.solver.kernel import job as kernel
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import turns
from burgrave.solver.kernel.job import RUNNING, STOPPED
from burgrave.solver.kernel.records import record
from burgrave.solver.kernel.search import first_value
from burgrave.solver.limits import OutOfTimeError
from burgrave.solver.problem import Goal, Play, Problem, TileOrder, face_down, pose
from burgrave.solver.result import TooLargeError
from burgrave.solver.simulation.walk import Walk, check_room

INFINITY = 1 << 61
"""Beyond every value times its scale."""
MARGIN = 1 << 16
"""More points than a player can win or lose in a game. About a hundred tiles score a few times
each, with some dozen points a tile."""
LINES = 600_000
"""Lines that are played before a model is built."""
ROOM_FOR_SCALE = 1 << 56
"""Twice the largest value times its scale stays below this, so that no sum overflows."""
PRUNINGS = (
    "windows",  # alpha-beta windows
    "killers",  # turns that were good elsewhere are tried first
    "merged",  # of turns that lead to the same position one is played
    "star",  # limits of chance nodes (Star2)
    "last",  # last turns are valued without playing each
    "hopeless",  # last turns that bring too little are left out
    "answered",  # turns to which a known reply is an answer are not played
    "bound",  # on planes without an opponent, positions that cannot bring more are left out
    "transpositions",  # limits of positions that other lines led to are remembered
)
"""The options of the search that prune, each with a bit in ``solver.kernel.job``."""
_OF_A_GAIN = kernel.HOPELESS | kernel.ANSWERED
"""Prunings that rest on a limit of the mover's gain: they need a mover who wants points."""
_MADE = {"out", "hints", "known_key", "known_low", "known_high"}
_COPIED = tuple(name for name in kernel.JOB.names or () if name not in _MADE)
"""The fields of a job that hold more than what a search lists and remembers."""


def bits_of(prunings: Iterable[str]) -> int:
    """Return the bits of ``solver.kernel.job`` for some of ``PRUNINGS``."""
    return sum(getattr(kernel, one.upper()) for one in prunings)


def limit_of(problem: Problem) -> int:
    """Return a number greater than the absolute value of every end."""
    if problem.goal is Goal.WIN:
        return problem.decisive + 2
    return sum(abs(player.score) for player in problem.position.players) + MARGIN


def scale_of(problem: Problem) -> int | None:
    """Return the scale of values, which all chances divide; None if too large.

    The chance of drawing ``k`` of ``n`` tiles in a row is a multiple of ``1 / perm(n, k)``.
    Tiles without a place make ``k`` larger than the horizon, so ``k`` is as large as fits. The
    same holds for unseen wall tiles, of which those face down on towers can be turned over.
    Few turns take that many, so the scale may allow for fewer.
    """
    if problem.order is not TileOrder.CHANCE:
        return 1
    position = problem.position
    size = len(position.bag)
    most = ROOM_FOR_SCALE // (2 * limit_of(problem))
    known = len(position.order)
    wanted = size if problem.horizon is None else max(0, min(size, problem.horizon - known))
    hidden, pool = face_down(position), unseen(position).total()
    for shown in range(hidden, min(hidden, 1) - 1, -1):
        for drawn in range(size, wanted - 1, -1):
            if perm(size, drawn) * perm(pool, shown) <= most:
                return perm(size, drawn) * perm(pool, shown)
    return None


def refusal(problem: Problem) -> str | None:
    """Return the reason why the kernel does not answer a problem; None if it does."""
    position = problem.position
    tiles = len(position.order) + len(position.bag)
    if position.over or not tiles or problem.horizon == 0:
        return "no tile is to come"
    if len(position.order) > kernel.ORDERED:
        return f"{len(position.order)} tiles in known order"
    hidden = face_down(position)
    if scale_of(problem) is None:
        towers = f" and {hidden} face-down wall tiles" if hidden else ""
        return f"{len(position.bag)} tiles in the bag{towers}"
    if hidden and (problem.order is TileOrder.GIVEN or problem.play is Play.EACH):
        return f"{hidden} face-down wall tiles where all is known or each plays for himself"
    return codec.refusal(position)


def has_few_lines(problem: Problem) -> bool:
    """Tell whether every line of a problem without an opponent is played in tenths of a second.

    The number of lines is estimated: the product of the turns with each tile as if it came next,
    times the orders of the bag.
    """
    if refusal(problem) is not None:
        return False
    opened = Opened(problem.begin(problem.position))
    q = job_of(problem, opened, 0)
    position = problem.position
    lines = factorial(len(position.bag))
    for tile in (*position.order, *position.bag):
        end = turns(opened.state, opened.tables, opened.kind(tile), False, True, q.out, q.hints, 0)
        lines *= max(1, end)
    return lines <= LINES


def job_of(problem: Problem, opened: Opened, prunings: int, nodes: int | None = None) -> Any:
    """Return a problem, which ``refusal`` accepts, as a record of the kernel.

    ``prunings`` are bits of ``solver.kernel.job``; ``nodes`` limits the turns that may be played.
    """
    position = problem.position
    scale = scale_of(problem)
    assert scale is not None
    q = record(kernel.JOB)
    tiles = len(position.order) + len(position.bag)
    q.asker = problem.asker
    q.players = len(position.players)
    # The kernel's numbers have the names of the members.
    q.goal = getattr(kernel, problem.goal.name)
    q.play = getattr(kernel, problem.play.name)
    q.tile_order = getattr(kernel, problem.order.name)
    q.decisive = problem.decisive if problem.goal is Goal.WIN else 0
    q.until = 0 if problem.horizon is None else max(0, tiles - problem.horizon)
    q.limit, q.scale = limit_of(problem), scale
    q.prunings = prunings & ~_OF_A_GAIN if problem.goal is Goal.THEIRS else prunings
    for at, tile in enumerate(position.order):
        q.order[at] = opened.kind(tile)
    q.ordered = len(position.order)
    for tile in position.bag:
        q.bag[opened.kind(tile)] += 1
    q.bag_size = len(position.bag)
    q.kinds = len(opened.ids)
    q.node_limit = INFINITY if nodes is None else min(max(0, nodes), INFINITY)
    q.kept[:] = q.answer[:] = kernel.NONE
    return q


def copy_of(job: Any) -> Any:
    """Return a copy of a job without the turns listed and the positions remembered on it."""
    copy = record(kernel.JOB)
    for name in _COPIED:
        copy[name] = job[name]
    return copy


@dataclass(slots=True, kw_only=True)
class FirstDraw:
    """A tile that may be drawn first, with the first turns that lay it."""

    job: Any
    """The job after the draw; each search works on a copy."""
    scale: int
    """The scale of values."""
    ways: int
    """Its chance is this over the question's scale divided by ``scale``."""
    turns: tuple[int, ...]
    """Every first turn, in the order of the rules engine."""
    discards: tuple[str, ...]
    """Ids of the tiles that had no place and leave before it."""
    tried: tuple[int, ...]
    """Indices of the turns, those that promise most first."""
    most: tuple[int, ...]
    """Index of a turn → upper bound of its value; empty where none is known."""
    values: dict[int, int] = field(default_factory=dict)
    """Index of a turn → its value times ``scale``; turns found worse than the best are missing."""
    best: int | None = None
    """The best value so far for the player to move, times ``scale``."""

    @property
    def left(self) -> int:
        """The number of tiles to come after it."""
        return int(self.job.ordered - self.job.at + self.job.bag_size)


class BestTurns(NamedTuple):
    """Best play of the player to move."""

    value: int
    """The lead that he forces to the end of the game, or the value to him of points forced."""
    turns: tuple[int, ...]
    """His best turns, as numbers of the kernel, in the order of the rules engine."""
    listed: int
    """The number of his legal turns."""


class Ending:
    """The rest of a game of two players whose tiles to come are known, played on and taken back.

    Its answer is the bare value, for programs that compare thousands of positions. That of the
    engine has moves and lines, which the rules engine replays.
    """

    def __init__(
        self, position: Position, nodes: int | None = None, forcing: int | None = None
    ) -> None:
        """Open a position with a tile to come; ``nodes`` limits the turns of each question.

        ``forcing`` is the player who forces points on the other; without one each plays for his
        lead.

        Raises:
            QuestionError: the kernel does not answer questions about the position.

        """
        goal = Goal.LEAD if forcing is None else Goal.THEIRS
        problem = pose(position, goal, Play.AGAINST, TileOrder.GIVEN, forcing)
        if reason := refusal(problem):
            raise QuestionError(f"the kernel does not search this ending: {reason}")
        self._forcing, self._order = forcing, position.order
        self._walk = Walk(position, shown=True)
        self._job: Any = job_of(problem, self._walk.opened, bits_of(PRUNINGS), nodes)
        self._begun: list[int] = []
        self.mover = self._walk.mover
        """The player to move; the kernel takes as long to tell him as to try a turn."""

    @property
    def left(self) -> int:
        """The number of tiles to come."""
        return len(self._order) - int(self._job.at)

    def best(self) -> BestTurns:
        """Return best play of the player to move; at least one tile is to come.

        Raises:
            OutOfTimeError: the turns allowed are used up.
            TooLargeError: a table of the kernel is full.

        """
        listed, tried = self._listed()
        values: dict[int, int] = {}
        best: int | None = None
        for turn in tried:
            if best is not None and self._after(turn, best - 1, best) < best:
                continue
            values[turn] = best = self._after(
                turn, -INFINITY if best is None else best - 1, INFINITY
            )
        assert best is not None
        found = tuple(turn for turn in listed if values.get(turn) == best)
        return BestTurns(value=best, turns=found, listed=len(listed))

    def alone(self, wanted: Move) -> BestTurns | None:
        """Return best play if one move alone is best; else None, as soon as that is known.

        Errors are those of ``best``.
        """
        listed, tried = self._listed()
        key = next((turn for turn in tried if self.move(turn) == wanted), None)
        if key is None:
            return None
        value = self._after(key, -INFINITY, INFINITY)
        others = (turn for turn in tried if turn != key)
        if any(self._after(turn, value - 1, value) >= value for turn in others):
            return None
        return BestTurns(value=value, turns=(key,), listed=len(listed))

    def values(self) -> dict[int, int]:
        """Return the value of each legal turn to the mover; errors are those of ``best``."""
        return {turn: self._after(turn, -INFINITY, INFINITY) for turn in self._listed()[0]}

    def _listed(self) -> tuple[Sequence[int], list[int]]:
        """Begin a question; return the turns with the next tile, and in order of their promise."""
        job, drawn = self._job, self._next()
        job.nodes, job.asker = 0, self.mover if self._forcing is None else self._forcing
        tile = next(iter(self._order[drawn:]), None)
        listed = self._walk.turns(tile, last=drawn + 1 >= len(self._order))
        hints = self._walk.hints
        return listed, [listed[row] for row in sorted(range(len(listed)), key=lambda i: -hints[i])]

    def move(self, turn: int) -> Move:
        """Return a turn, legal now, as the move that the rules engine lists."""
        return self._walk.move(turn, self._order[int(self._job.at) : self._next()])

    def play(self, turn: int) -> None:
        """Play a turn that is legal now."""
        self._begun.append(int(self._job.at))
        self._job.at = min(self._next() + 1, len(self._order))
        self._walk.play(turn, last=not self.left)
        self.mover = self._walk.mover

    def undo(self) -> None:
        """Take the last turn back."""
        self._walk.undo()
        self._job.at, self.mover = self._begun.pop(), self._walk.mover

    def _next(self) -> int:
        """Return the index of the next tile that has a place; the number of tiles if none has."""
        at = int(self._job.at)
        while at < len(self._order) and not self._walk.fits(self._order[at]):
            at += 1
        return at

    def _after(self, turn: int, low: int, high: int) -> int:
        """Return the value after a turn to the mover, exact within a window."""
        job, begun, opened = self._job, int(self._job.at), self._walk.opened
        # Whom points are forced on keeps the value low.
        turned = self._forcing not in {None, self.mover}
        low, high = (-high, -low) if turned else (low, high)
        job.at = min(self._next() + 1, len(self._order))
        last = not self.left
        found = int(first_value(opened.state, opened.tables, job, turn, last, 1, low, high))
        job.at = begun
        check_room(opened.state)
        if job.state != RUNNING:
            stopped, job.state = job.state == STOPPED, RUNNING
            raise OutOfTimeError if stopped else TooLargeError
        return -found if turned else found
