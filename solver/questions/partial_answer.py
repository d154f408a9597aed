"""Partial answers of a stopped search: limits, and guessed turns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from burgrave.model.book import book_of
from burgrave.model.draws import draws
from burgrave.model.position import Move, Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.solver.engines import Engine
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, OutOfTimeError, Reporter, patience
from burgrave.solver.problem import (
    TWO,
    WITHOUT_OPPONENT,
    Goal,
    Play,
    Problem,
    TileOrder,
    with_numbers,
)
from burgrave.solver.questions.preconditions import all_known
from burgrave.solver.reach import most_ahead
from burgrave.solver.reach.ground import Ground
from burgrave.solver.result import (
    NOTHING,
    CertificateError,
    Result,
    RootMove,
    Status,
    TooLargeError,
    certify_first,
)
from burgrave.solver.simulation import quick_table

GRACE = 1.0
"""Seconds after Ctrl-C in which limits and guesses are looked for."""


class Bounds(NamedTuple):
    """Limits of the value of a problem; None where no limit is known."""

    least: Fraction | None
    most: Fraction | None


def solved(
    engine: Engine, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
) -> Result:
    """Let an engine answer a problem; if it is stopped, add limits and guesses.

    The position has tiles to come. The first Ctrl-C ends the search, and leaves ``GRACE`` seconds
    for the work after it, which the second one ends at once.
    """
    clock = limits.start()
    try:
        found = engine.solve(problem, limits, reporter)
    except (OutOfTimeError, KeyboardInterrupt):
        # The search had not begun; a running engine ends with its own result.
        found = NOTHING
    if found.status is Status.OPTIMAL:
        return replace(found, least=found.value, most=found.value)
    used_up = clock.out or (limits.nodes is not None and found.nodes >= limits.nodes)
    found = replace(found, least=found.value)
    with (
        suppress(TooLargeError, KeyboardInterrupt, OutOfTimeError),
        nullcontext() if used_up else patience(GRACE),
    ):
        for better in known(problem, found):
            found = better
    return found


def _on_kernel(position: Position) -> bool:
    """Tell whether the kernel knows a position, so that many turns can be guessed."""
    from burgrave.solver.kernel.codec import refusal  # noqa: PLC0415 -- loads numba

    return refusal(position) is None


def known(problem: Problem, found: Result) -> Iterator[Result]:
    """Yield the result of a stopped search, with guesses, then with limits too.

    If all choices serve the asker, any line proves a lower bound. The guessed line is reported if
    the search found no better one. Otherwise first moves are guessed if none is known.

    Raises:
        CertificateError: the limits exclude the result: a bug.

    """
    guess: tuple[Move, ...] = ()
    helped = problem.play in WITHOUT_OPPONENT
    settled = helped and problem.order in {TileOrder.GIVEN, TileOrder.CHOOSE}
    if settled and _on_kernel(problem.position):
        better = _line(problem)
        if found.value is None or better.value > found.value:
            first = (better,) if better.line else ()
            found = replace(found, status=Status.BOUND, value=better.value, first=first)
            guess = tuple(one.move for one in first)
    # The turns of a single tile take the rules engine seconds, and those of a bag too long. It
    # scores no end in which a wall tile has no number.
    if not found.first and (all_known(problem.position) or _on_kernel(problem.position)):
        guess = _Greedy(problem).first()
    found = replace(found, least=found.value, guess=guess)
    yield found
    least, most = bounds(problem)
    most = min((one for one in (most, found.most) if one is not None), default=None)
    least = least if found.value is None else found.value
    if least is not None and most is not None and least > most:
        raise CertificateError(f"the value is said to be {least} at least and {most} at most")
    if least is not None and least == most and not problem.every:
        found = replace(found, status=Status.OPTIMAL, value=least)
    yield replace(found, least=least, most=most)


def bounds(problem: Problem) -> Bounds:
    """Return the limits of a problem's value that need no search.

    A limit for the asker holds for what the others can hold him to, and so does one against him
    for what he can make sure of. Only a player who buys a follower back loses points.
    """
    if problem.horizon == 0:
        return Bounds(None, None)
    unwilling = problem.goal is Goal.THEIRS
    if unwilling:
        # What the opponent gets at most if both wanted it, and at least if nobody did.
        problem = replace(problem, asker=1 - problem.asker, goal=Goal.POINTS, play=Play.HELPED)
    position = problem.begin(problem.position)
    left = len(position.order) + len(position.bag)
    tiles = left if problem.horizon is None else min(problem.horizon, left)
    alone, count = problem.play is Play.SOLITAIRE, len(position.players)
    asker, others = problem.asker, [one for one in range(count) if one != problem.asker]
    movers = [asker if alone else (position.to_move + turn) % count for turn in range(tiles)]
    ground = Ground(position, tiles, movers)
    against = problem.play is Play.AGAINST
    price = book_of(position.game).ransom
    # The asker need not pay a ransom, and his opponents do not help him by paying.
    paid, turns = 0 if against else price, [movers.count(player) for player in range(count)]
    theirs = tiles - turns[asker]
    # Opponents who play against him do not help him, but they help each other.
    away = others if against else ()
    shy = (asker,) if against or problem.play is Play.EACH else ()
    mean = problem.order is TileOrder.CHANCE and problem.goal is not Goal.WIN

    def ahead(mine: int | None, other: int | None, away: Collection[int] = ()) -> int:
        if tiles == left:
            # The best of several opponents may have more on the average than each of them has.
            average = mean and (count == TWO or mine == asker)
            return most_ahead(ground, mine, other, away=away, mean=average)
        # The scores on the track are compared; they only grow.
        least = 0 if other is None else position.players[other].score
        return (0 if mine is None else most_ahead(ground, mine, None, away=away)) - least

    if problem.goal is Goal.POINTS:
        most = ahead(asker, None, away) + paid * theirs
        # Whoever wants few points may pay a ransom in each of his turns.
        least = -ahead(None, asker) - price * turns[asker] * unwilling
        return Bounds(Fraction(least), Fraction(most))
    lead = min(ahead(asker, one, away) + paid * (theirs + turns[one]) for one in others)
    lag = max(ahead(one, asker, shy) + price * (theirs - turns[one]) for one in others)
    # All that counts of the totals is the lead.
    ends = [[0] * count, [0] * count]
    ends[0][asker], ends[1][asker] = -lag, lead
    low, high = (Fraction(problem.worth(*totals)) for totals in ends)
    return Bounds(low, high)


class _Greedy:
    """Plays the game of a problem by turns that are each the best if the game ended after it."""

    def __init__(self, problem: Problem) -> None:
        """Take over the position of a problem; who wants to win is taken to want the lead."""
        self.problem = replace(problem, goal=Goal.LEAD) if problem.goal is Goal.WIN else problem
        self.position = problem.begin(problem.position)
        self.walk: Any = quick_table(self.position)

    def first(self) -> tuple[Move, ...]:
        """Return a first move for every tile that may be drawn, in the order of the rules engine.

        If the best turn takes a face-down wall tile, the move begins as that turn does.
        """
        tiles = len(self.position.order) + len(self.position.bag)
        best, moves = cache(self._best), []
        for draw in draws(self.position, lambda _, tile: self.walk.fits(tile)):
            last = len(draw.discards) + (draw.tile is not None) == tiles
            moves.append(self.walk.move(best(draw.tile, last=last), draw.discards))
        return tuple(moves)

    def line(self) -> tuple[tuple[Move, ...], tuple[int, ...]]:
        """Return moves to the end or to the horizon, and each player's total then.

        Tiles of a bag come in the order of their ids. No wall tile may lie face down.
        """
        tiles = [*self.position.order, *sorted(self.position.bag)]
        until = max(0, len(tiles) - (self.problem.horizon or len(tiles)))
        moves = []
        while len(tiles) > until:
            fitting = ((at, tile) for at, tile in enumerate(tiles) if self.walk.fits(tile))
            at, tile = next(fitting, (len(tiles), None))
            gone, tiles = tuple(tiles[:at]), tiles[at + 1 :]
            turn = self._best(tile, last=not tiles)
            moves.append(self.walk.move(turn, gone))
            self.walk.play(turn, last=not tiles)
            if self.problem.play is Play.SOLITAIRE and tiles:
                self.walk.hand_over(self.problem.asker)
        return tuple(moves), self.walk.standing() if tiles else self.walk.totals()

    def _best(self, tile: str | None, *, last: bool) -> Any:
        """Return the best turn with a tile, or without one.

        Of equal ones it is one with a follower if that may help whom the mover plays for.
        """
        mover, walk = self.walk.mover, self.walk
        found = []
        for turn in walk.turns(tile, last=last):
            walk.play(turn, last=last)
            found.append((self.problem.liking(mover, self.problem.worths(*walk.totals())), turn))
            walk.undo()
        top = max(liking for liking, _ in found)
        equal = [turn for liking, turn in found if liking == top]
        gains = mover == self.problem.asker or not self.problem.serves(mover)
        placing = (turn for turn in equal if bool(walk.move(turn).followers) is gains)
        return next(placing, equal[0])


def _line(problem: Problem) -> RootMove:
    """Return a line of guessed turns.

    If face-down wall tiles may be chosen for the asker, the smallest numbers are dealt. The rules
    engine confirms the value of the line. It is no line of the position itself, so it is not
    reported.
    """
    start = problem.begin(problem.position)
    dealt = with_numbers(start, sorted((+unseen(start)).elements()))
    at = replace(problem, position=dealt)
    moves, totals = _Greedy(at).line()
    first = RootMove(move=moves[0], value=Fraction(problem.worth(*totals)), line=moves)
    if dealt.towers == problem.position.towers:
        return first
    # With less to be turned over a win is written as another number.
    certify_first(at, replace(first, value=Fraction(at.worth(*totals))))
    return replace(first, line=())
