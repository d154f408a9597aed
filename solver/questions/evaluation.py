"""The value of a position and of its first moves at any moment, proved or estimated."""

from __future__ import annotations

import math

from model.draws import stuck
from model.errors import QuestionError
from model.position import Move, Position
from solver.engines import refuse_unknown
from solver.kernel import codec
from solver.limits import NO_LIMIT, SILENT, Clock, Limits, Reporter
from solver.problem import TileOrder
from solver.questions.game import expected, forced, winning
from solver.result import Answer, Estimated, Evaluation, Loss, Status
from solver.search.playouts import Field, Samples
from solver.simulation import policy

PROVABLE = 4
"""Tiles to come, that of this turn included, up to which a proof is tried first."""
IN_ORDER = 7
"""The same if everything to come is known."""
EFFORT = 300_000
"""Turns that a search may play for a proof before playouts take over."""
PLAYOUTS = 4000
"""Playouts of a position by default."""
SENSIBLE = 24
"""First moves that are compared at most: the best by the judgement of the policy."""
FEW_LEFT, WIDE = 6, 96
"""Tiles left after the turn, and below so many how many first moves are compared at most. Playouts
cost little there, and the policy's judgement is less reliable."""
PER_FIRST_MOVE = 20
"""Playouts asked for by which one first move is compared: each stage takes chunks of 10."""


def evaluate(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 1,
    prove: bool = True,
    foresight: bool = True,
    played: Move | None = None,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Evaluation:
    """Return the value of a position, and its sensible first moves if the tile is known.

    With few tiles to come a search proves the values. Else they are estimated by playouts. These
    are shared among first moves by sequential halving (Karnin, Koren, Somekh 2013). All moves
    meet the same tiles. A regression removes the effect of lucky draws.

    Args:
        position: the position before the turn.
        playouts: how many games are played in all.
        seed: of all chance; with the same seed the answer is the same for any number of threads.
        prove: whether a proof is tried.
        foresight: whether near the end more first moves are compared, and the policy looks at the
            turns after its own. Without it playouts are those of a player of limited sight.
        played: a legal canonical move that is compared to the end, sensible or not.
        budget: the time and the number of threads.
        reporter: hears about progress.

    Raises:
        QuestionError: the game is over, or the compiled search does not know something in it.

    """
    if playouts < 1:
        raise QuestionError(f"{playouts} playouts: give 1 or more")
    _refuse(position)
    clock = budget.start()
    tiles = len(position.order) + len(position.bag)
    if (
        prove
        and tiles <= (PROVABLE if _unknown(position) else IN_ORDER)
        and (exact := _proved(position, clock, seed, played)) is not None
    ):
        return exact
    return _estimated(position, playouts, clock, seed, played, reporter, foresight=foresight)


def at_sight(position: Position, seed: int = 1) -> Move:
    """Return the move that the policy of the playouts plays at sight.

    Args:
        position: a position with a known next tile that has a place.
        seed: of the lot that face-down wall tiles get.

    Raises:
        QuestionError: the compiled search does not know something in the game.

    """
    _refuse(position)
    drawn = stuck(position) + 1
    _, moves, _ = Field(position, drawn, seed).first_turns(position.order[:drawn], 1, None)
    return moves[0]


def _refuse(position: Position) -> None:
    """Refuse a position that has no moves to be valued, or that the kernel does not know."""
    if position.over:
        raise QuestionError("the game is over; score tells the totals")
    refuse_unknown(codec.KERNEL, position.game)
    if (refused := codec.refusal(position)) is not None:
        raise QuestionError(f"no playouts with {refused}")


def _unknown(position: Position) -> bool:
    """Tell whether a tile or a wall tile is still to be drawn by chance."""
    return bool(position.bag) or any(not number for _, number in position.towers)


def _proved(position: Position, clock: Clock, seed: int, played: Move | None) -> Evaluation | None:
    """Return exact values, or None if a proof takes too long."""
    budget = Limits(seconds=clock.left(), nodes=EFFORT, jobs=1)
    ask = expected if _unknown(position) else forced
    try:
        answer = ask(position, every=True, engine=codec.KERNEL, budget=budget)
    except QuestionError:
        return None
    if answer.status is not Status.OPTIMAL or answer.value is None:
        return None
    wins = _chances(position, clock, answer)
    known = len({(one.move.discards, one.move.tile) for one in answer.first}) == 1
    moves = [
        Estimated(
            move=one.move,
            value=float(one.value),
            low=float(one.value),
            high=float(one.value),
            win=wins.get(one.move),
            playouts=0,
        )
        for one in answer.first
    ]
    moves.sort(key=lambda one: -one.value)
    value = float(answer.value)
    loss = None
    if played is not None:
        found = next((one for one in moves if one.move == played), None)
        if found is None:
            return None
        worse, best = value - found.value, moves[0].win
        win = 0.0 if best is None or found.win is None else best - found.win
        loss = Loss(points=worse, low=worse, high=worse, win=win)
    return Evaluation(
        player=position.to_move,
        tiles=len(position.order) + len(position.bag),
        proved=True,
        value=value,
        low=value,
        high=value,
        win=moves[0].win if known else None,
        moves=tuple(moves) if known else (),
        natural=value,
        loss=loss,
        legal=len(moves),
        playouts=0,
        seed=seed,
        policy=answer.engine,
        seconds=clock.spent(),
    )


def _chances(position: Position, clock: Clock, leads: Answer) -> dict[Move, float]:
    """Return by first move the proved chance to win, a draw counted half; empty if a proof fails.

    After the move all play for the win and not for the lead.
    """
    if leads.order is TileOrder.GIVEN and len(position.players) == 2:  # noqa: PLR2004 -- a duel
        # Who is sure of a lead is sure to win.
        return {one.move: ((one.value > 0) - (one.value < 0) + 1) / 2 for one in leads.first}
    try:
        budget = Limits(seconds=clock.left(), nodes=EFFORT, jobs=1)
        found = winning(position, every=True, engine=codec.KERNEL, budget=budget)
    except QuestionError:
        return {}
    if found.status is not Status.OPTIMAL:
        return {}
    return {one.move: float(one.value + 1) / 2 for one in found.first}


def _estimated(  # noqa: PLR0913, PLR0917 -- a question with its means
    position: Position,
    playouts: int,
    clock: Clock,
    seed: int,
    played: Move | None,
    reporter: Reporter,
    *,
    foresight: bool,
) -> Evaluation:
    """Return estimates by playouts."""
    left = len(position.order) + len(position.bag) - 1
    besides = policy.mistakes(position.game.id, left)
    drawn = stuck(position) + 1
    if drawn > len(position.order):
        # Nobody knows which tile comes.
        samples = Samples(position, Field(position, 0, seed, foresight=foresight), 0, [None])
        samples.play(playouts, clock)
        return samples.evaluation(clock, besides, (), 0)
    field = Field(position, drawn, seed, foresight=foresight)
    most = (
        max(2, min(WIDE if left < FEW_LEFT else SENSIBLE, playouts // PER_FIRST_MOVE))
        if foresight
        else SENSIBLE
    )
    listed, moves, legal = field.first_turns(position.order[:drawn], most, played)
    samples = Samples(position, field, 1, listed, moves.index(played) if played else None)
    rounds = max(1, math.ceil(math.log2(len(listed))))
    for _ in range(rounds):
        if not samples.play(max(1, playouts // (rounds * len(samples.alive))), clock):
            break
        samples.halve()
        reporter.stage(f"{samples.total} playouts")
    return samples.evaluation(clock, besides, moves, legal)
