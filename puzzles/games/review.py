"""A game reviewed turn by turn: the value of each move, its loss, and luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import canonical, judge
from burgrave.model.errors import IllegalMoveError
from burgrave.model.position import Move, Position
from burgrave.puzzles.study.study import Step, Study
from burgrave.puzzles.themes import themes_in
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from burgrave.solver.questions import evaluate
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
PLAYOUTS = 1500
"""Playouts of a turn by default."""
SURE = 1.0
"""Points of lead whose proved loss makes a mistake, marked or not."""
BEFORE = 0.25
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
        after: his lead after his move.
        luck: how much the tile drawn is worth more than the mean of the bag, in points.
        loss: points of lead that the move lost.
        loss_low: lower end of the interval of 95 %.
        win_loss: how much of the chance to win it lost, -1 to 1; 0 if the chances are unknown.
        mark: ``??``, ``?``, ``?!``, ``!`` or nothing.
        proved: whether the values are exact.
        missed: names of the themes that the best move shows, after a mistake.

    """

    number: int
    player: int
    played: Move
    best: Move
    before: float
    after: float
    luck: float
    loss: float
    loss_low: float
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
    for number, (position, move) in enumerate(game, start=1):
        judged = judge(position, move)
        if not judged.legal:
            raise IllegalMoveError(judged.violations)
        if number > skip:
            reporter.stage(f"turn {number}")
            yield _reviewed(number, position, move, playouts, seed, budget)


def _reviewed(  # noqa: PLR0913, PLR0917 -- of one turn
    number: int, position: Position, move: Move, playouts: int, seed: int, budget: Limits
) -> ReviewedTurn:
    """Return one turn with its value."""
    seen, played = as_seen(position), canonical(position, move)
    unseen = replace(seen, order=(), bag=tuple(sorted((*seen.order, *seen.bag))))
    drawn = stuck(seen) < len(seen.order)
    before = evaluate(unseen, playouts=max(1, int(BEFORE * playouts)), seed=seed, budget=budget)
    if not drawn:
        return ReviewedTurn(
            number=number,
            player=position.to_move,
            played=played,
            best=played,
            before=before.value,
            after=before.value,
            luck=0.0,
            loss=0.0,
            loss_low=0.0,
            win_loss=0.0,
            mark="",
            proved=before.proved,
            missed=(),
        )
    found = evaluate(seen, playouts=playouts, seed=seed, played=played, budget=budget)
    assert found.loss is not None
    after = next((one.value for one in found.moves if one.move == played), found.value)
    mark = _mark(found, played)
    best = found.moves[0].move
    wrong = mark.startswith("?")
    return ReviewedTurn(
        number=number,
        player=position.to_move,
        played=played,
        best=best,
        before=before.value,
        after=after,
        luck=(found.value if found.proved else found.natural) - before.value,
        loss=found.loss.points,
        loss_low=found.loss.low,
        win_loss=found.loss.win,
        mark=mark,
        proved=found.proved,
        missed=_missed(seen, best, found) if wrong else (),
    )


def _mark(found: Evaluation, played: Move) -> Mark:
    """Return the mark of a move: a mistake is marked only where it is sure to be one."""
    loss = found.loss
    if loss is None or found.legal <= 1:
        return ""
    if found.moves[0].move == played:
        return "!" if found.value - found.natural >= SURPRISING else ""
    if loss.low <= 0:
        return ""
    none: Mark = ""
    marks = (mark for mark, points, win in THRESHOLDS if loss.points >= points or loss.win >= win)
    return next(marks, none)


def _missed(position: Position, best: Move, found: Evaluation) -> tuple[str, ...]:
    """Return the names of the themes that a best move shows by itself."""
    shown = Study(
        position=position,
        steps=(Step.of(position, best),),
        value=Fraction(found.value).limit_denominator(1000),
        others=(),
        to_the_end=False,
    )
    return themes_in(shown)
