"""Count lines of play."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from model.errors import QuestionError
from model.position import Position
from solver.limits import NO_LIMIT, Clock, Limits, OutOfTimeError
from solver.problem import Goal, Play, Problem, TileOrder, rivalry
from solver.progress import SILENT
from solver.questions.preconditions import admit, refuse_unknown, refuse_unnamed
from solver.result import TooLargeError
from solver.search.counting import BestLines, ByTheRules, Continuations


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
    from solver.kernel.codec import refusal  # noqa: PLC0415 -- loads numba
    from solver.search.walk import Walk  # noqa: PLC0415

    problem = _problem(position, position.to_move, Goal.LEAD, Play.AGAINST)
    clock = budget.start()
    search: Continuations | ByTheRules = ByTheRules(problem, clock)
    lines: int | None
    try:
        if refusal(position) is None:
            search = Continuations(problem, Walk(position, SILENT), clock)
        try:
            lines = search.count(depth)
        except TooLargeError:
            search = ByTheRules(problem, clock)
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
    problem = _problem(position, position.to_move if asker is None else asker, goal, play)
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
    from solver.kernel.codec import refusal  # noqa: PLC0415 -- loads numba
    from solver.search.walk import Walk  # noqa: PLC0415

    if not problem.position.over and refusal(problem.position) is None:
        with suppress(TooLargeError):
            return BestLines(problem, Walk(problem.position, SILENT), clock).count()
    return ByTheRules(problem, clock).best()


def _problem(position: Position, asker: int, goal: Goal, play: Play) -> Problem:
    """Return the problem whose lines are counted."""
    return Problem(
        position=position,
        asker=asker,
        goal=goal,
        play=play,
        order=TileOrder.GIVEN,
    )
