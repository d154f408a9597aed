"""A game reviewed turn by turn: luck, the value of each move, and its loss.

The books of a turn hold: the lead before the draw, luck and the gain of the move add up to the lead
after it. In a game of two players this is the lead before the next draw, so that all turns add up
to the final lead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import canonical, judge, play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.final import final_scoring
from burgrave.model.position import Move, Position
from burgrave.puzzles.study.study import Step, Study
from burgrave.puzzles.themes import themes_in
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from burgrave.solver.problem import TWO
from burgrave.solver.questions import PROVABLE, evaluate
from burgrave.solver.result import Evaluation

Mark = Literal["", "!", "?!", "?", "??"]
THRESHOLDS: tuple[tuple[Mark, float, float], ...] = (
    ("??", 10.0, 0.20),
    ("?", 5.0, 0.10),
    ("?!", 2.5, 0.05),
)
"""Marks of mistakes, each from so many points of lead or so much of the chance to win on."""
SURPRISING = 3.0
"""Points of lead by which a best move beats the one that the policy plays at sight to get a !."""
PLAYOUTS = 1200
"""Playouts of a turn by default."""
MARKED = 1.3
"""Half intervals of 95 % by which a difference exceeds 0 to be marked: a chance of 1 in 100."""
SURE = 1.0
"""Points of lead whose proved loss makes a mistake, marked or not."""
TOGETHER = 5
"""Turns of a stretch. The lead before its first turn is estimated once more, a fifth of a turn."""
BEFORE = 0.2
"""The share of the playouts that tells the lead before the draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedTurn:
    """A turn of a game with its value. All leads are those of the player to move.

    Attributes:
        number: of the turn, from 1.
        player: the player to move.
        played: the move.
        best: the best move.
        before: his lead before the draw.
        luck: what the draw was worth, in points: the tile, and wall tiles that the move revealed.
        gain: how much better the move was than the one that ``before`` counts with, in points. In
            an estimate that is the move at sight, and a better move has a gain above 0. In a proof
            it is the best move, so that the gain is 0 or less.
        after: his lead after the move: ``before + luck + gain``. In a game of two players it is
            known at the next draw, and at the end of the game it is exact.
        loss: points of lead that the move lost against ``best``. In an estimate it may be below 0.
        loss_low: lower end of its interval of 95 %.
        loss_high: the upper end.
        win_loss: how much of the chance to win it lost, -1 to 1; 0 if the chances are unknown.
        mark: ``??``, ``?``, ``?!``, ``!`` or nothing.
        proved: whether the values of the moves are exact.
        missed: names of the themes that the best move shows, after a mistake.

    """

    number: int
    player: int
    played: Move
    best: Move
    before: float
    luck: float
    gain: float
    after: float
    loss: float
    loss_low: float
    loss_high: float
    win_loss: float
    mark: Mark
    proved: bool
    missed: tuple[str, ...]

    def __str__(self) -> str:
        """Return number, move, mark and loss in one line."""
        sort = "proved" if self.proved else "estimate"
        return f"{self.number}. {self.played}{self.mark}, loss {self.loss:.1f} ({sort})"

    @property
    def mistake(self) -> bool:
        """Whether the move is marked as a mistake, or surely lost a point."""
        return self.mark.startswith("?") or (self.proved and self.loss >= SURE)


def review(  # noqa: PLR0913 -- a question with its means
    game: Iterable[tuple[Position, Move]],
    *,
    playouts: int = PLAYOUTS,
    seed: int = 1,
    skip: int = 0,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Iterator[ReviewedTurn]:
    """Yield the turns of a game with their values.

    Every turn is judged with the eyes of its player: by what he knew when he moved. Tiles that
    came later, and numbers of wall tiles that lay face down, do not count for or against him.

    Args:
        game: each position with the move that was played in it.
        playouts: for each turn whose values are not proved.
        seed: of all chance.
        skip: turns that are known already.
        budget: the time of each turn, and the threads.
        reporter: hears about progress.

    Raises:
        QuestionError: the compiled search does not know something in the game.
        IllegalMoveError: a move breaks a rule.

    """
    means = Means(playouts, seed, budget)
    before: float | None = None
    for number, (position, move) in enumerate(game, start=1):
        judged = judge(position, move)
        if not judged.legal:
            raise IllegalMoveError(judged.violations)
        if number > skip:
            reporter.stage(f"turn {number}")
            turn, before = _reviewed(number, position, move, before, means)
            yield turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Turns of a game that are reviewed apart from the others, for instance by another process.

    Attributes:
        game: the index of the game, for whoever puts stretches together.
        before: the number of turns before the first one.
        turns: each position with the move played in it.

    """

    game: int
    before: int
    turns: tuple[tuple[Position, Move], ...]


def stretches(
    game: int, turns: Sequence[tuple[Position, Move]], skip: int = 0
) -> Iterator[Stretch]:
    """Yield the turns of a game in stretches that take some seconds each.

    The turns near the end come first, as one stretch: each tries a proof, and takes as long as
    several others. The others take less and less. So whoever shares them waits for none at last.

    Args:
        game: the index of the game.
        turns: each position with the move played in it.
        skip: turns that are known already.

    """
    left = [len(position.order) + len(position.bag) for position, _ in turns]
    end = sum(one > PROVABLE + 1 for one in left)  # each turn values the next draw too
    parts = [(max(skip, end), len(turns))]
    parts += [(at, min(at + TOGETHER, end)) for at in range(skip, end, TOGETHER)]
    for at, to in parts:
        if at < to:
            yield Stretch(game=game, before=at, turns=tuple(turns[at:to]))


def review_stretch(
    stretch: Stretch, *, playouts: int, seed: int, budget: Limits = NO_LIMIT
) -> list[ReviewedTurn]:
    """Return the turns of a stretch with their values, which are those in the whole game.

    Args:
        stretch: the turns.
        playouts: for each turn whose values are not proved.
        seed: of all chance.
        budget: the time of each turn, and the threads.

    Raises:
        QuestionError: the compiled search does not know something in the game.
        IllegalMoveError: a move breaks a rule.

    """
    found = review(stretch.turns, playouts=playouts, seed=seed, budget=budget)
    return [replace(turn, number=turn.number + stretch.before) for turn in found]


def as_reviewed(position: Position, move: Move) -> Move:
    """Return a move as a reviewed turn has it: canonical, without what it reveals.

    A game may write it in another of the rotations that look alike.
    """
    return replace(canonical(position, move), reveals=())


class Means(NamedTuple):
    """The means of a review."""

    playouts: int
    """For each turn."""
    seed: int
    budget: Limits
    """Of each question."""


def _reviewed(
    number: int, position: Position, move: Move, known: float | None, means: Means
) -> tuple[ReviewedTurn, float | None]:
    """Return one turn with its value, and the lead of the next player before his draw.

    Args:
        number: of the turn.
        position: before it.
        move: the move that was played.
        known: the lead before the draw; None if nobody measured it yet.
        means: the playouts, the seed and the budget.

    """
    seen, played = as_seen(position), as_reviewed(position, move)
    before = _lead_before(position, means) if known is None else known
    after_it = play(position, move).position
    found = None
    if stuck(seen) < len(seen.order):
        found = evaluate(
            seen, playouts=means.playouts, seed=means.seed, played=played, budget=means.budget
        )
    after, following = _lead_after(after_it, position.to_move, found, before, means)
    if found is None:
        # No known tile has a place: all that happens is chance.
        none = ReviewedTurn(
            number=number,
            player=position.to_move,
            played=played,
            best=played,
            before=before,
            luck=after - before,
            gain=0.0,
            after=after,
            loss=0.0,
            loss_low=0.0,
            loss_high=0.0,
            win_loss=0.0,
            mark="",
            proved=True,
            missed=(),
        )
        return none, following
    assert found.played is not None
    assert found.natural is not None
    lost, best = found.played.behind, found.moves[0].move
    gain = (0.0 if found.proved else found.natural.behind.points) - lost.points
    mark = _mark(found)
    turn = ReviewedTurn(
        number=number,
        player=position.to_move,
        played=played,
        best=best,
        before=before,
        luck=after - before - gain,
        gain=gain,
        after=after,
        loss=lost.points,
        loss_low=lost.low,
        loss_high=lost.high,
        win_loss=lost.win,
        mark=mark,
        proved=found.proved,
        missed=_missed(seen, best, found) if mark.startswith("?") else (),
    )
    return turn, following


def _lead_before(position: Position, means: Means) -> float:
    """Return the lead of the player to move before he draws, as he knows the game."""
    seen = as_seen(position)
    unseen = replace(seen, order=(), bag=tuple(sorted((*seen.order, *seen.bag))))
    # A proof needs its effort, and playouts are cheap where one is tried.
    share = 1.0 if len(unseen.bag) <= PROVABLE else BEFORE
    playouts = max(1, int(share * means.playouts))
    return evaluate(unseen, playouts=playouts, seed=means.seed, budget=means.budget).value


def _lead_after(
    position: Position, player: int, found: Evaluation | None, before: float, means: Means
) -> tuple[float, float | None]:
    """Return a player's lead after his move, and that of the next player before his draw.

    Args:
        position: after the move.
        player: who moved.
        found: the values of his moves; None if there was no choice.
        before: his lead before the move.
        means: the playouts, the seed and the budget.

    """
    if position.over:
        return _lead(final_scoring(position).scores, player), None
    if len(position.players) > TWO:
        # The lead over the best of several opponents says nothing about theirs.
        return before if found is None or found.played is None else found.played.value, None
    following = _lead_before(position, means)
    return following if position.to_move == player else -following, following


def _lead(totals: Sequence[int], player: int) -> float:
    """Return a player's lead over the best opponent; without opponents, his points."""
    others = [total for other, total in enumerate(totals) if other != player]
    return float(totals[player] - max(others, default=0))


def _mark(found: Evaluation) -> Mark:
    """Return the mark of the move played: a mistake is marked only where it is sure to be one."""
    played, natural = found.played, found.natural
    if played is None or natural is None or found.legal <= 1:
        return ""
    lost, gained = played.behind, natural.behind
    if played == found.moves[0]:
        stands = _stands(gained.points, gained.low)
        return "!" if stands and gained.points >= SURPRISING else ""
    if not _stands(lost.points, lost.low):
        return ""
    for mark, points, win in THRESHOLDS:
        if lost.points >= points or (lost.win >= win and _stands(lost.win, lost.win_low)):
            return mark
    return ""


def _stands(value: float, low: float) -> bool:
    """Tell whether a difference stands apart from its error; ``low`` ends its interval of 95 %."""
    return value > MARKED * (value - low)


def _missed(position: Position, best: Move, found: Evaluation) -> tuple[str, ...]:
    """Return the names of the themes that a best move shows by itself."""
    shown = Study(
        position=position,
        steps=(Step.of(position, best),),
        value=Fraction(found.value).limit_denominator(1000),
        others=(),
    )
    return themes_in(shown)
