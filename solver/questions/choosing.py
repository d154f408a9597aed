"""The move that the program plays: the strongest that it finds in its time, without its value.

Playouts are cut after some turns, and the learned value judges the position. Near the end they are
whole, and with few tiles to come a search proves the best move. ``evaluate`` tells what a move is
worth, by whole playouts alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.model.draws import stuck
from burgrave.model.position import Move, Position
from burgrave.solver.limits import NO_LIMIT, Limits
from burgrave.solver.questions.evaluation import EFFORT, provable, proved, refuse_unanswerable
from burgrave.solver.questions.samples import Samples
from burgrave.solver.search.playouts import Field

CANDIDATES = 16
"""First moves that are compared at most: the best by the judgement of the policy."""
PER_CANDIDATE = 20
"""Playouts asked for by which one first move is compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A move that the program chose.

    Attributes:
        move: the move.
        playouts: how many games were played for it.
        proved: whether it is proved to be the best.
        seconds: how long it took.

    """

    move: Move
    playouts: int = 0
    proved: bool = False
    seconds: float = 0.0


def choose(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    playouts: int,
    seed: int = 1,
    prove: bool = True,
    cut: bool = True,
    budget: Limits = NO_LIMIT,
) -> Choice:
    """Return the move that the program plays in a position.

    Playouts go where moves are close: the worse half of the moves is dropped in each round, and
    moves that surely lose besides. Where the best one stands apart, few playouts are enough.

    Args:
        position: the position before the turn; its next tile is known and has a place.
        playouts: how many games are played in all at most. The effort for a proof grows with them.
        seed: of all chance; with the same seed the answer is the same for any number of threads.
        prove: whether a proof is tried.
        cut: whether playouts are cut and judged by the learned value.
        budget: the time and the number of threads.

    Raises:
        QuestionError: the game is over, or the compiled search does not know something in it.
        KeyboardInterrupt: Ctrl-C came.

    """
    refuse_unanswerable(position)
    clock, drawn = budget.start(), stuck(position) + 1
    if prove and provable(position):
        exact = proved(position, clock, EFFORT * playouts, seed)
        if exact is not None:
            return Choice(move=exact.moves[0].move, playouts=0, proved=True, seconds=clock.spent())
    field = Field(position, drawn, seed, cut=cut)
    most = max(2, min(CANDIDATES, playouts // PER_CANDIDATE))
    listed, moves, _ = field.first_turns(position.order[:drawn], most, None)
    samples = Samples(field, listed, moves, None, lambda _: None)
    samples.choose(playouts, clock, share=1.0)
    return Choice(
        move=moves[samples.best], playouts=samples.total, proved=False, seconds=clock.spent()
    )
