"""The result of an engine, its certificate by the rules engine, and the answer to a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from burgrave.model.engine import Played, play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.features import Features
from burgrave.model.final import final_scoring
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.model.rule import Event
from burgrave.solver.limits import Clock
from burgrave.solver.problem import WITHOUT_OPPONENT, Goal, Play, Problem, TileOrder, the_draw


class Status(StrEnum):
    """The degree of proof of an answer."""

    OPTIMAL = "optimal"
    """The value is proved, and the moves are all that the question asked for."""
    BOUND = "bound"
    """Time ran out: the moves reach the value, and nothing better is excluded up to the bound."""
    UNKNOWN = "unknown"
    """Time ran out before any move was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """Probabilities of the end of a game for the asker; they add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction


def odds(problem: Problem, value: Fraction) -> Odds:
    """Return the probabilities that the value of a problem with the goal ``win`` stands for."""
    # value = decisive * (win - loss) + (win + loss), and decisive * (win - loss) is even.
    whole = value.numerator // value.denominator // 2
    lead = Fraction(2 * whole, problem.decisive)
    decided = value - 2 * whole
    return Odds(win=(decided + lead) / 2, draw=1 - decided, loss=(decided - lead) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class RootMove:
    """A first move with its value and best play after it."""

    move: Move
    value: Fraction
    """Its value for the asker."""
    line: tuple[Move, ...] = ()
    """The move and best play after it to the end, where everything is known."""
    points: tuple[int, ...] = ()
    """Points of each player by the move; only for moves of one turn."""
    events: tuple[Event, ...] = ()
    """The rules engine's events that bring these points, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of an engine for a problem."""

    status: Status
    """``optimal``: value and first moves are proved. ``bound``: time ran out, and the asker has
    at least the value. ``unknown``: time ran out before any result."""
    value: Fraction | None
    """The position's value for the asker; None if it is unknown."""
    first: tuple[RootMove, ...] = ()
    """The best first moves, or each of them with its value, in the order of the rules engine.
    With an unknown first tile, those of every tile that may be drawn."""
    complete: bool = True
    """Whether all equally good first moves are there, and not one of them alone."""
    nodes: int = 0
    """Turns played by the search, or conflicts met by CP-SAT."""
    least: Fraction | None = None
    """The value is no less, as limits without a search say; engines leave it out."""
    most: Fraction | None = None
    """After an early stop: the value is no more, if that much is known."""
    guess: tuple[Move, ...] = ()
    """First moves that no search stands behind; engines leave them out."""
    confirmed: tuple[str, ...] = ()
    """The engine's own statements of its proof, one sentence each."""


NOTHING = Result(status=Status.UNKNOWN, value=None, complete=False)
"""Nothing was found in the time."""


class ScoredMove(NamedTuple):
    """A legal move with its points."""

    move: Move
    points: tuple[int, ...]
    """Points won in the turn, by player."""


def passing(problem: Problem) -> ScoredMove:
    """Return the turn in which no tile is left that has a place."""
    return ScoredMove(
        Move(discards=the_draw(problem).discards), (0,) * len(problem.position.players)
    )


def ranked(problem: Problem, moves: Sequence[ScoredMove]) -> tuple[RootMove, ...]:
    """Return the best moves of a list: as many as wanted, and all that equal the last."""
    worths = [problem.worth(*one.points) for one in moves]
    last = sorted(worths, reverse=True)[min(problem.top, len(moves)) - 1]
    best = [
        RootMove(move=one.move, value=Fraction(worth), points=one.points)
        for one, worth in zip(moves, worths, strict=True)
        if worth >= last
    ]
    return tuple(sorted(best, key=lambda first: -first.value))


def best_listed(problem: Problem, moves: Sequence[ScoredMove] | None, proof: str) -> Result:
    """Return the best of all legal moves; ``NOTHING`` if the time did not suffice to list them.

    ``proof`` is one sentence that says why the list is complete.
    """
    if moves is None:
        return NOTHING
    first = ranked(problem, moves)
    value = first[0].value
    return Result(status=Status.OPTIMAL, value=value, most=value, first=first, confirmed=(proof,))


class CertificateError(Exception):
    """A claim of an engine is wrong: a bug of this program, which no code catches."""


def certified(position: Position, move: Move, before: Features | None = None) -> Played:
    """Play a move of an engine by the rules; ``before`` are the features if they are known.

    Raises:
        CertificateError: the move is illegal.

    """
    try:
        return play(position, move, before)
    except IllegalMoveError as error:
        text = write_move(position, move)
        raise CertificateError(f"{text} is said to be legal, but: {error}") from error


def certify_first(
    problem: Problem, first: RootMove, before: Features | None = None
) -> tuple[int, ...] | None:
    """Replay a first move with its line, and compare the end with the claimed value.

    ``before`` are the features of the position as the asker meets it, if they are known.

    Returns:
        The scores at the end of the line, by player; None if the line is the move alone.

    Raises:
        CertificateError: a move is illegal, or the line ends with another value.

    """
    position = problem.begin(problem.position)
    for move in first.line or (first.move,):
        position = problem.begin(certified(position, move, before).position)
        before = None
    if not first.line:
        return None
    scores = tuple(player.score for player in position.players)
    if position.over:
        scores = final_scoring(position).scores
    elif problem.horizon is None:
        raise CertificateError(f"a line is said to end the game; {len(position.order)} tiles left")
    if problem.worth(*scores) != first.value:
        raise CertificateError(f"a line is said to be worth {first.value}; it ends {scores}")
    return scores


def certify_turn(problem: Problem, first: RootMove, before: Features | None = None) -> RootMove:
    """Replay a move of a question about one turn, and compare its points with the promised ones.

    Returns:
        The move with its value and the events that bring points.

    Raises:
        CertificateError: the move is illegal, or brings other points.

    """
    position = problem.position
    text = write_move(position, first.move)
    played = certified(position, first.move, before)
    pairs = zip(position.players, played.position.players, strict=True)
    points = tuple(after.score - before.score for before, after in pairs)
    events = tuple(event for event in played.events if event.points)
    told: Counter[int | None] = Counter()
    for event in events:
        told[event.player] += event.points
    if points != first.points or points != tuple(told[p] for p in range(len(points))):
        raise CertificateError(
            f"{text} is said to bring {first.points}; it brings {points}, told as {dict(told)}"
        )
    if (worth := problem.worth(*points)) != first.value:
        raise CertificateError(f"{text} is said to be worth {first.value}; it is worth {worth}")
    return replace(first, events=events)


class TooLargeError(Exception):
    """A question does not fit into the tables of an engine: another engine must answer it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a question about one turn or the rest of a game."""

    position: Position
    """The position that was asked about."""
    gains: bool
    """Whether it is about the points of one turn, as in ``Problem``."""
    asker: int
    """The player for whom values are counted."""
    goal: Goal
    play: Play
    order: TileOrder
    tiles: int
    """Tiles looked ahead, to the end of the game or to the horizon."""
    value: Fraction | None
    """The position's value for the asker, in points or points of lead; None if it is unknown.
    For the goal ``win``, the probability of winning less that of losing."""
    odds: Odds | None
    """Win, draw, loss, for the goal ``win``."""
    status: Status
    first: tuple[RootMove, ...]
    """First moves with their values, in the order of the rules engine."""
    complete: bool
    """Whether all equally good first moves are among them."""
    line: tuple[Move, ...]
    """Best play to the end from the first of the best of them, where everything is known."""
    scores: tuple[int, ...] | None
    """The totals at the end of that line, by player."""
    engine: str
    nodes: int
    """Turns played by the search, or conflicts met by CP-SAT."""
    seconds: float
    """Wall-clock time from question to answer."""
    least: Fraction | None = None
    """The value is no less; it is the value once that is proved. None if no limit is known."""
    most: Fraction | None = None
    """The value is no more; it is the value once that is proved. None if no limit is known."""
    guess: tuple[Move, ...] = ()
    """After an early stop: a guessed first move for each tile that may be drawn. It is the
    mover's best move if the game ended after it."""
    floor: Fraction | None = None
    """The asker's value if all others play against him; None unless each of more than two players
    plays for himself."""
    confirmed: tuple[str, ...]
    """The confirmations with their means, one sentence each."""

    @property
    def best(self) -> RootMove | None:
        """The first of the best first moves; None if there is none, or its tile is not known."""
        helps = self.play in WITHOUT_OPPONENT or self.position.to_move == self.asker
        return _best_of(self.first, helps=helps)

    def __str__(self) -> str:
        """Return value, status and best move in one line, ``Black: points 18, optimal: K26@…``."""
        told = "none" if self.value is None else str(self.value)
        best = "" if self.best is None else f": {write_move(self.position, self.best.move)}"
        return f"{self.position.game.name(self.asker)}: {self.goal} {told}, {self.status}{best}"

    def __repr__(self) -> str:
        """Return one short line: with all moves an answer would fill pages."""
        return f"<Answer {self}>"

    def _repr_svg_(self) -> str:
        """Return the position with the best move, as notebooks show it."""
        return _picture(self.position, None if self.best is None else self.best.move)


def answered(
    problem: Problem,
    found: Result,
    engine: str,
    clock: Clock,
    scores: tuple[int, ...] | None = None,
) -> Answer:
    """Return a result, with the first moves that are shown and all confirmations, as the answer.

    ``scores`` are the totals at the end of the line of the best first move, by player.
    """
    left = len(problem.position.order) + len(problem.position.bag)
    won = None if problem.goal is not Goal.WIN else found.value
    best = best_first(problem, found.first)
    value, least, most = (
        None if one is None else in_the_open(problem, one)
        for one in (found.value, found.least, found.most)
    )
    if problem.goal is Goal.WIN and found.status is not Status.OPTIMAL:
        # The limits of a sure win or loss need no mention.
        least = None if value is None and least == -1 else least
        most = None if most == 1 else most
    return Answer(
        position=problem.position,
        gains=problem.gains,
        asker=problem.asker,
        goal=problem.goal,
        play=problem.play,
        order=problem.order,
        tiles=left if problem.horizon is None else min(left, problem.horizon),
        value=value,
        odds=None if won is None else odds(problem, won),
        status=found.status,
        least=least,
        most=most,
        guess=found.guess,
        first=tuple(replace(one, value=in_the_open(problem, one.value)) for one in found.first),
        complete=found.complete,
        line=best.line if best is not None else (),
        scores=scores,
        engine=engine,
        nodes=found.nodes,
        seconds=clock.spent(),
        confirmed=found.confirmed,
    )


def best_first(problem: Problem, first: Sequence[RootMove]) -> RootMove | None:
    """Return the first of the best first moves, if the first tile is known."""
    return _best_of(first, helps=problem.serves(problem.position.to_move))


def _best_of(first: Sequence[RootMove], *, helps: bool) -> RootMove | None:
    """Return the first of the best first moves, if their tile is known; ``helps`` the asker."""
    if len({(one.move.discards, one.move.tile) for one in first}) != 1:
        return None
    return (max if helps else min)(first, key=lambda one: one.value)


def in_the_open(problem: Problem, value: Fraction) -> Fraction:
    """Return a value in its reported form: a win as a difference of odds."""
    if problem.goal is not Goal.WIN:
        return value
    chances = odds(problem, value)
    return chances.win - chances.loss


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """By how much a move is worse than the best, measured on the same tiles."""

    points: float
    """Of lead; below 0 if these playouts speak for the move."""
    low: float
    """Lower end of the interval of 95 %; the loss itself if it is proved."""
    high: float
    """Its upper end."""
    win: float
    """Of the chance to win, -1 to 1; 0 if the chances are not known."""
    win_low: float
    """Lower end of its interval of 95 %."""

    @property
    def apart(self) -> bool:
        """Whether the move is surely worse than the best, by these playouts or by proof."""
        return self.low > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimated:
    """A first move and its estimated value for the player to move."""

    move: Move
    value: float
    """His lead at the end over the best opponent, in points."""
    low: float
    """Lower end of the interval of 95 %; the value itself if it is proved."""
    high: float
    """Its upper end."""
    win: float | None
    """The share of playouts that he wins, a draw counted half; if the value is proved, the proved
    chance if all play for the win after this move; None if that is not known."""
    playouts: int
    """How many were played after this move; 0 if the value is proved."""
    behind: Loss
    """By how much it is worse than the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The value of a position for the player to move."""

    position: Position
    """The position that was valued."""
    player: int
    """The player to move."""
    tiles: int
    """Tiles to come, that of this turn included."""
    proved: bool
    """Whether the values are exact; else they are estimates."""
    value: float
    """His lead at the end over the best opponent, in points, after the best of ``moves``. The
    playouts that estimate it are not those by which that move was chosen."""
    low: float
    """Lower end of the interval of 95 %; the value itself if it is proved."""
    high: float
    """Its upper end."""
    win: float | None
    """The chance to win of the best of ``moves``; None if that is not known."""
    moves: tuple[Estimated, ...]
    """First moves, the best first; none if it is not known which tile comes."""
    equal: int
    """How many of them, the first, cannot be told from the best: 1 if it stands apart."""
    natural: Estimated | None
    """The move that the policy plays at sight; None if it is not known which tile comes."""
    played: Estimated | None
    """The move that was named as played; None if none was."""
    legal: int
    """The number of legal moves, those that lead to the same position once."""
    playouts: int
    """How many were played in all."""
    seed: int
    """The seed of all chance."""
    policy: str
    """By which the games were played."""
    seconds: float
    """By the clock."""

    def __str__(self) -> str:
        """Return lead, proof and best move in one line."""
        sort = "proved" if self.proved else f"estimate, 95 %: {self.low:+.1f} to {self.high:+.1f}"
        best = f": {write_move(self.position, self.moves[0].move)}" if self.moves else ""
        return f"{self.position.game.name(self.player)}: lead {self.value:+.4g} ({sort}){best}"

    def __repr__(self) -> str:
        """Return one short line: with all moves an evaluation would fill pages."""
        return f"<Evaluation {self}>"

    def _repr_svg_(self) -> str:
        """Return the position with the best move, as notebooks show it."""
        return _picture(self.position, self.moves[0].move if self.moves else None)


def _picture(position: Position, move: Move | None) -> str:
    """Return a position with a move as a picture."""
    from burgrave.model.pictures import View, board_svg  # noqa: PLC0415 -- notebooks only

    return board_svg(position, View(move=move))
