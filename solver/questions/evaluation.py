"""The value of a position and of its first moves at any moment, proved or estimated.

Two first moves meet the same tiles in their playouts, so their difference is more precise than
either value. The known draws make means more precise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from burgrave.model.draws import stuck
from burgrave.model.engine import canonical
from burgrave.model.errors import QuestionError
from burgrave.model.position import Move, Position
from burgrave.solver.engines import SEARCH
from burgrave.solver.limits import NO_LIMIT, SILENT, Clock, Limits, Reporter
from burgrave.solver.problem import TileOrder, has_unknowns
from burgrave.solver.questions.game import expected, forced, winning
from burgrave.solver.questions.preconditions import refuse_unnamed
from burgrave.solver.questions.samples import Samples
from burgrave.solver.result import Answer, Estimated, Evaluation, Loss, RootMove, Status
from burgrave.solver.search.playouts import Field
from burgrave.solver.simulation.policy import mistakes

PROVABLE = 5
"""Tiles to come, that of this turn included, up to which a proof is tried."""
IN_ORDER = 7
"""The same if everything to come is known."""
EFFORT = 1000
"""Turns that a search may play for a proof for each playout: both take about as long."""
QUICK = 300_000
"""Turns of a first try, after which a first estimate is told."""
PROVING = 0.5
"""Share of the time in which a proof is tried, if the time is limited."""
PLAYOUTS = 4000
"""Playouts of a position by default."""
SENSIBLE = 24
"""First moves that are compared at most: the best by the judgement of the policy."""
FEW_LEFT, WIDE = 6, 96
"""Tiles left after the turn, and below so many how many first moves are compared at most. Playouts
cost little there, and the policy's judgement is less reliable."""
PER_FIRST_MOVE, PER_WIDE = 60, 40
"""Playouts asked for by which one first move is compared: of fewer each would tell little. The
second is for few tiles left."""


def evaluate(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 1,
    prove: bool = True,
    foresight: bool = True,
    played: Move | None = None,
    partial: bool = False,
    patient: bool = False,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Evaluation:
    """Return the value of a position, and its sensible first moves if the tile is known.

    With few tiles to come a search proves the values. Else they are estimated by playouts. One set
    of them chooses the best move, and another one tells the values: the largest of several means
    is too large on the playouts that made it the largest. All moves meet the same tiles. A
    regression removes the effect of lucky draws.

    Args:
        position: the position before the turn.
        playouts: how many games are played in all at most, and fewer where the best move stands
            apart. The effort for a proof grows with them.
        seed: of all chance; with the same seed the answer is the same for any number of threads.
        prove: whether a proof is tried.
        foresight: whether near the end more first moves are compared, and the policy looks at the
            turns after its own. Without it playouts are those of a player of limited sight.
        played: a legal canonical move whose value is told in any case, sensible or not. Numbers
            of wall tiles that it reveals are left out. Without a known tile it is left aside.
        partial: whether Ctrl-C ends an estimate like the end of the time, with what was played.
        patient: whether a proof may take half of the time, if that is limited, whatever its effort.
        budget: the time and the number of threads.
        reporter: hears about progress.

    Raises:
        QuestionError: the game is over, or the compiled search does not know something in it. Or a
            wall tile in hand has no number, or ``played`` is not among the legal moves.
        KeyboardInterrupt: Ctrl-C came in a proof, before any playout, or without ``partial``.

    """
    if playouts < 1:
        raise QuestionError(f"{playouts} playouts: give 1 or more")
    refuse_unanswerable(position)
    clock = budget.start()
    drawn = stuck(position) + 1
    # Without a known tile the game before the turn is played on.
    known = drawn <= len(position.order)
    wanted = replace(played, reveals=()) if known and played is not None else None
    tiles = len(position.order) + len(position.bag)
    effort = None if patient and budget.seconds is not None else EFFORT * playouts
    if prove := prove and provable(position):
        quick = QUICK if effort is None else min(QUICK, effort)
        if (exact := proved(position, clock, quick, seed, wanted)) is not None:
            return exact
    field = Field(position, drawn if known else 0, seed, foresight=foresight)
    listed: list[int | None] = [None]
    moves: list[Move] = []
    legal = 0
    if known:
        wide = foresight and tiles <= FEW_LEFT
        most, each = (WIDE, PER_WIDE) if wide else (SENSIBLE, PER_FIRST_MOVE)
        if foresight:
            most = max(2, min(most, playouts // each))
        listed, moves, legal = field.first_turns(position.order[:drawn], most, wanted)
    samples = Samples(field, listed, moves, wanted, reporter.sketched)
    try:
        samples.choose(playouts, clock)
        if prove and (effort is None or effort > QUICK):
            exact = proved(position, clock, effort, seed, wanted)
            if exact is not None:
                return exact
        samples.value(playouts, clock)
    except KeyboardInterrupt:
        if not (partial and samples.total):
            raise
    return samples.evaluation(clock, mistakes(position.game.id, tiles - 1), legal)


def at_sight(position: Position, seed: int = 1, *, greedy: bool = False) -> Move:
    """Return the move that the policy of the playouts plays at sight.

    Args:
        position: the position before the turn; its next tile is known and has a place.
        seed: of the lot that face-down wall tiles get.
        greedy: whether to return the move instead that leads by most if the game ended after it.

    Raises:
        QuestionError: the compiled search does not know something in the game.

    """
    refuse_unanswerable(position)
    drawn = stuck(position) + 1
    field = Field(position, drawn, seed)
    _, moves, _ = field.first_turns(position.order[:drawn], 1, None, greedy=greedy)
    return moves[0]


def refuse_unanswerable(position: Position) -> None:
    """Refuse a position that has no moves to be valued."""
    if position.over:
        raise QuestionError("the game is over; score tells the totals")
    refuse_unnamed(position)


def provable(position: Position) -> bool:
    """Tell whether so few tiles are to come that a proof is tried."""
    few = PROVABLE if has_unknowns(position) else IN_ORDER
    return len(position.order) + len(position.bag) <= few


def proved(
    position: Position, clock: Clock, effort: int | None, seed: int, played: Move | None = None
) -> Evaluation | None:
    """Return exact values, or None if a proof takes too long.

    Args:
        position: the position before the turn.
        clock: the time.
        effort: how many turns each search may play; None for as many as the time allows.
        seed: of the move at sight.
        played: a move that must be among the values.

    """
    answer = _exact(expected if has_unknowns(position) else forced, position, clock, effort)
    if answer is None or answer.value is None:
        return None
    wins = _chances(position, clock, effort, answer)
    ranked = sorted(answer.first, key=lambda one: -one.value)
    known = len({(one.move.discards, one.move.tile) for one in ranked}) == 1
    top = ranked[0] if known else RootMove(move=Move(), value=answer.value)
    moves = [_exactly(one, top, wins) for one in ranked]
    best = moves[0] if known else _exactly(top, top, {})
    sight = None
    if known and stuck(position) < len(position.order):
        seen = at_sight(position, seed)
        # Whether to take another turn is decided once a wall tile is turned over.
        sight = _among(position, moves, seen, replace(seen, extra_turns=0))
        if sight is None:
            return None
    found = None if played is None else _among(position, moves, played)
    if played is not None and found is None:
        return None
    return Evaluation(
        position=position,
        player=position.to_move,
        tiles=len(position.order) + len(position.bag),
        proved=True,
        value=best.value,
        low=best.low,
        high=best.high,
        win=best.win,
        moves=tuple(moves) if known else (),
        equal=sum(one.value == best.value for one in moves) if known else 0,
        natural=sight,
        played=found,
        legal=len(moves),
        playouts=0,
        seed=seed,
        policy=answer.engine,
        seconds=clock.spent(),
    )


def _among(position: Position, moves: Sequence[Estimated], *wanted: Move) -> Estimated | None:
    """Return the first of some canonical moves that a proof has; None if it has none of them.

    Moves of a proof that reveal wall tiles name numbers that nobody knows, and an order of scoring
    that may matter by such a number.
    """
    by_move = {replace(one.move, reveals=()): one for one in moves}
    for move in wanted:
        if move in by_move:
            return by_move[move]
    # Of orders that are alike to the rules the best one counts, which stands first.
    canonically = {canonical(position, move): one for move, one in reversed(by_move.items())}
    return next((canonically[move] for move in wanted if move in canonically), None)


def _exactly(one: RootMove, best: RootMove, wins: Mapping[Move, float]) -> Estimated:
    """Return a first move with its proved value."""
    exact, lost = float(one.value), float(best.value - one.value)
    win, most = wins.get(one.move), wins.get(best.move)
    fewer = 0.0 if win is None or most is None else most - win
    return Estimated(
        move=one.move,
        value=exact,
        low=exact,
        high=exact,
        win=win,
        playouts=0,
        behind=Loss(points=lost, low=lost, high=lost, win=fewer, win_low=fewer),
    )


def _chances(
    position: Position, clock: Clock, effort: int | None, leads: Answer
) -> dict[Move, float]:
    """Return by first move the proved chance to win, a draw counted half; empty if a proof fails.

    After the move all play for the win and not for the lead.
    """
    if leads.order is TileOrder.GIVEN and len(position.players) == 2:  # noqa: PLR2004 -- a duel
        # Who is sure of a lead is sure to win.
        return {one.move: ((one.value > 0) - (one.value < 0) + 1) / 2 for one in leads.first}
    found = _exact(winning, position, clock, effort)
    return {one.move: float(one.value + 1) / 2 for one in found.first} if found else {}


def _exact(
    ask: Callable[..., Answer], position: Position, clock: Clock, effort: int | None
) -> Answer | None:
    """Return the proved answer to a question, with every move; None if a proof takes too long."""
    left = clock.left()
    budget = Limits(seconds=None if left is None else PROVING * left, nodes=effort)
    mine = budget.start()
    try:
        answer = ask(position, every=True, engine=SEARCH, budget=budget)
    except QuestionError:
        return None
    if answer.status is Status.OPTIMAL:
        return answer
    if not mine.out and (effort is None or answer.nodes < effort):
        raise KeyboardInterrupt  # which the search took for its end
    return None
