"""The value of a position and of its first moves at any moment, proved or estimated.

Two first moves meet the same tiles in their playouts, so their difference is more precise than
either value. The known draws make means more precise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, hypot, log2, sqrt
from typing import Any

import numpy as np

from burgrave.model.draws import stuck
from burgrave.model.errors import QuestionError
from burgrave.model.position import Move, Position
from burgrave.solver.engines import SEARCH
from burgrave.solver.limits import NO_LIMIT, SILENT, Clock, Limits, Reporter
from burgrave.solver.problem import TileOrder, has_unknowns
from burgrave.solver.questions.game import expected, forced, winning
from burgrave.solver.questions.preconditions import refuse_unnamed
from burgrave.solver.result import Answer, Estimated, Evaluation, Loss, Status
from burgrave.solver.search.playouts import CHUNK, POLICY, Field, run
from burgrave.solver.simulation.policy import mistakes

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
PARTS_EACH = 8
"""Chunks of playouts that a thread gets at a time, at least: an early end loses no more."""
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
    partial: bool = False,
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
        played: a legal canonical move that is compared to the end, sensible or not. Without a
            known tile it is left aside.
        partial: whether Ctrl-C ends an estimate like the end of the time, with what was played.
        budget: the time and the number of threads.
        reporter: hears about progress.

    Raises:
        QuestionError: the game is over, or the compiled search does not know something in it. Or a
            wall tile in hand has no number, or ``played`` is not among the legal moves.
        KeyboardInterrupt: Ctrl-C came in a proof, before any playout, or without ``partial``.

    """
    if playouts < 1:
        raise QuestionError(f"{playouts} playouts: give 1 or more")
    _refuse(position)
    clock = budget.start()
    tiles = len(position.order) + len(position.bag)
    few = PROVABLE if has_unknowns(position) else IN_ORDER
    if prove and tiles <= few and (exact := _proved(position, clock, seed, played)) is not None:
        return exact
    drawn = stuck(position) + 1
    # Without a known tile the game before the turn is played on.
    known = drawn <= len(position.order)
    field = Field(position, drawn if known else 0, seed, foresight=foresight)
    listed: list[int | None] = [None]
    moves: list[Move] = []
    legal = 0
    if known:
        most = WIDE if foresight and tiles <= FEW_LEFT else SENSIBLE
        if foresight:
            most = max(2, min(most, playouts // PER_FIRST_MOVE))
        listed, moves, legal = field.first_turns(position.order[:drawn], most, played)
    samples = Samples(field, listed, moves, played if known else None)
    rounds = max(1, ceil(log2(len(listed))))
    try:
        for _ in range(rounds):
            if not samples.play(max(1, playouts // (rounds * len(samples.alive))), clock):
                break
            samples.halve()
            reporter.stage(f"{samples.total} playouts")
    except KeyboardInterrupt:
        if not (partial and samples.total):
            raise
    return samples.evaluation(clock, mistakes(position.game.id, tiles - 1), legal)


def at_sight(position: Position, seed: int = 1) -> Move:
    """Return the move that the policy of the playouts plays at sight.

    The next tile must be known and have a place. The seed is that of the lot that face-down wall
    tiles get.

    Raises:
        QuestionError: the compiled search does not know something in the game.

    """
    _refuse(position)
    drawn = stuck(position) + 1
    _, moves, _ = Field(position, drawn, seed).first_turns(position.order[:drawn], 1, None)
    return moves[0]


def _refuse(position: Position) -> None:
    """Refuse a position that has no moves to be valued."""
    if position.over:
        raise QuestionError("the game is over; score tells the totals")
    refuse_unnamed(position)


def _proved(position: Position, clock: Clock, seed: int, played: Move | None) -> Evaluation | None:
    """Return exact values, or None if a proof takes too long."""
    answer = _exact(expected if has_unknowns(position) else forced, position, clock)
    if answer is None or answer.value is None:
        return None
    wins = _chances(position, clock, answer)
    ranked = sorted(answer.first, key=lambda one: -one.value)
    moves = [_exactly(one.move, one.value, wins.get(one.move)) for one in ranked]
    known = len({(one.move.discards, one.move.tile) for one in moves}) == 1
    best = moves[0] if known else _exactly(Move(), answer.value, None)
    natural, loss = best.value, None
    if known and stuck(position) < len(position.order):
        sight = at_sight(position, seed)
        natural = next((one.value for one in moves if one.move == sight), natural)
    if played is not None:
        found = next((one for one in moves if one.move == played), None)
        if found is None:
            return None
        worse = best.value - found.value
        win = 0.0 if moves[0].win is None or found.win is None else moves[0].win - found.win
        loss = Loss(points=worse, low=worse, high=worse, win=win)
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
        natural=natural,
        loss=loss,
        legal=len(moves),
        playouts=0,
        seed=seed,
        policy=answer.engine,
        seconds=clock.spent(),
    )


def _exactly(move: Move, value: Fraction, win: float | None) -> Estimated:
    """Return a first move with its proved value."""
    exact = float(value)
    return Estimated(move=move, value=exact, low=exact, high=exact, win=win, playouts=0)


def _chances(position: Position, clock: Clock, leads: Answer) -> dict[Move, float]:
    """Return by first move the proved chance to win, a draw counted half; empty if a proof fails.

    After the move all play for the win and not for the lead.
    """
    if leads.order is TileOrder.GIVEN and len(position.players) == 2:  # noqa: PLR2004 -- a duel
        # Who is sure of a lead is sure to win.
        return {one.move: ((one.value > 0) - (one.value < 0) + 1) / 2 for one in leads.first}
    found = _exact(winning, position, clock)
    return {one.move: float(one.value + 1) / 2 for one in found.first} if found else {}


def _exact(ask: Callable[..., Answer], position: Position, clock: Clock) -> Answer | None:
    """Return the proved answer to a question, with every move; None if a proof takes too long."""
    try:
        budget = Limits(seconds=clock.left(), nodes=EFFORT)
        answer = ask(position, every=True, engine=SEARCH, budget=budget)
    except QuestionError:
        return None
    if answer.status is Status.OPTIMAL:
        return answer
    if not clock.out and answer.nodes < EFFORT:
        raise KeyboardInterrupt  # which the search took for its end
    return None


CONFIDENT = 1.96
"""Standard errors on either side of a mean that hold 95 % of a normal distribution."""
PER_CONTROL = 8
"""Playouts that each control needs at least."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval."""

    value: float
    error: float
    """Its standard error."""

    def interval(self, besides: float = 0.0) -> tuple[float, float]:
        """Return the interval of 95 %; ``besides`` is an error that playouts cannot show."""
        half = CONFIDENT * hypot(self.error, besides)
        return self.value - half, self.value + half


def controls(drawn: Any, known: int, first: int, players: int) -> Any:
    """Return by playout and kind of tile how many more the player to move draws than expected.

    The turn at each tile is fixed as if every tile had a place. The expected number follows from
    the bag alone. So each control has the mean 0, even if the true turns differ.

    Args:
        drawn: kinds by playout, in the order of drawing.
        known: how many of them, the first, come in known order.
        first: the place of the next tile in the round: 0 if the player to move draws it.
        players: the number of players.

    """
    loose = drawn[:, known:]
    count, tiles = loose.shape
    if tiles <= 1:
        return np.zeros((count, 0))
    places = (np.arange(tiles) + known + first) % players
    signs = np.where(places == 0, 1.0, -1.0 / max(1, players - 1))
    kinds, inside = np.unique(loose[0], return_counts=True)
    found = np.stack([(loose == kind) @ signs for kind in kinds], axis=1)
    found = found - inside / tiles * signs.sum()
    # The last kind follows from the others.
    return found[:, :-1]


def mean(values: Any, by: Any, together: int = 1) -> Mean:
    """Return the mean of values, with controls of mean 0 taken out by least squares.

    Control variates by regression: Glasserman, Monte Carlo Methods in Financial Engineering, 4.1.

    Args:
        values: one number a playout.
        by: the controls of the same playouts; unused if the playouts are few.
        together: how many playouts in a row share a lot, so that their values hang together. Only
            such groups are independent; errors within a group add up.

    """
    count = values.size
    center = float(values.mean())
    plain = Mean(center, _error(values - center, 1, together))
    if by.shape[1] == 0 or count < PER_CONTROL * by.shape[1]:
        return plain
    design = np.column_stack((np.ones(count), by))
    fit, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
    error = _error(values - design @ fit, int(rank), together)
    return Mean(float(fit[0]), error) if error < plain.error else plain


def _error(left: Any, fitted: int, together: int) -> float:
    """Return the standard error of a mean by what a fit of some numbers leaves of each playout."""
    count = left.size
    if count <= fitted:
        return 0.0
    groups = count // together
    if together > 1 and groups > 1:
        sums = left[: groups * together].reshape(groups, together).sum(axis=1)
        square = float(sums @ sums) * groups / (groups - 1)
    else:
        square = float(left @ left)
    return sqrt(square / count / (count - fitted))


class Samples:
    """Playouts of first turns, as far as they were played.

    Args:
        field: where they start.
        listed: the first turns, or None alone.
        moves: the same as moves; empty if there is no first turn.
        kept: one of them that is compared to the end; None for no such move.

    """

    def __init__(
        self, field: Field, listed: Sequence[int | None], moves: Sequence[Move], kept: Move | None
    ) -> None:
        """Begin without any playout."""
        self.alive = list(range(len(listed)))
        """Indices of the turns that are still compared, the best first."""
        self._field, self._listed, self._moves = field, listed, moves
        self._kept = None if kept is None else moves.index(kept)
        self._played: dict[int, tuple[Any, Any]] = {}
        """Index of a turn → leads of the player to move by playout, and the tiles drawn."""
        self._each = 0

    @property
    def total(self) -> int:
        """How many playouts there are."""
        return sum(len(leads) for leads, _ in self._played.values())

    def play(self, each: int, clock: Clock) -> bool:
        """Play ``each`` playouts after each turn still compared; tell whether time sufficed.

        They are played some at a time, so that an early end loses few.
        """
        # Whole chunks, so that a chunk's hidden wall tiles are the same for all.
        end = self._each + ceil(each / CHUNK) * CHUNK
        step = CHUNK * ceil(PARTS_EACH * max(1, clock.limits.jobs) / len(self.alive))
        while self._each < end:
            if not self._played_on(min(end, self._each + step), clock):
                return False
        return True

    def _played_on(self, end: int, clock: Clock) -> bool:
        """Play on up to a number of playouts for each turn; tell whether time sufficed."""
        begin = self._each
        turns = [self._listed[index] for index in self.alive]
        found = run(self._field, turns, begin, end, clock)
        if found is None and not begin:
            end = CHUNK
            found = run(self._field, turns, begin, end, NO_LIMIT.start())
        if found is None:
            return False
        for index, (totals, tiles) in zip(self.alive, found, strict=True):
            leads, drawn = self._played.get(index, (np.empty(0), tiles[:0]))
            leads = np.concatenate((leads, self._field.leads(totals)))
            self._played[index] = leads, np.concatenate((drawn, tiles))
        self._each = end
        return True

    def halve(self) -> None:
        """Compare on only the better half of the turns."""
        self.alive.sort(key=lambda index: -self.lead(index).value)
        half = (len(self.alive) + 1) // 2
        self.alive = self.alive[:half] + [i for i in self.alive[half:] if i == self._kept]

    def lead(self, index: int) -> Mean:
        """Return the lead after a turn, with its error."""
        leads, drawn = self._played[index]
        laid, players = self._listed[index] is not None, len(self._field.position.players)
        by = controls(drawn, self._field.known, int(laid), players)
        return mean(leads, by, self._field.together)

    def _estimated(self, index: int, besides: float) -> Estimated:
        """Return a first turn with its value and interval."""
        (leads, _), found = self._played[index], self.lead(index)
        low, high = found.interval(besides)
        win, count = float(((leads > 0) + 0.5 * (leads == 0)).mean()), len(leads)
        move = self._moves[index] if self._moves else Move()
        return Estimated(move=move, value=found.value, low=low, high=high, win=win, playouts=count)

    def _loss(self, best: int) -> Loss | None:
        """Return by how much the turn that is kept is worse than the best."""
        if self._kept is None:
            return None
        leads, others = self._played[best][0], self._played[self._kept][0]
        both = min(len(leads), len(others))
        lost = leads[:both] - others[:both]
        wins = np.sign(leads[:both]) - np.sign(others[:both])
        found = mean(lost, np.zeros((both, 0)), self._field.together)
        low, high = found.interval()
        return Loss(points=found.value, low=low, high=high, win=float(wins.mean()) / 2)

    def evaluation(self, clock: Clock, besides: float, legal: int) -> Evaluation:
        """Return the evaluation by the playouts.

        ``besides`` is the standard error from mistakes of the policy, which playouts cannot show;
        ``legal`` the number of legal moves.
        """
        found = [self._estimated(index, besides) for index in range(len(self._listed))]
        rank = {index: place for place, index in enumerate(self.alive)}
        order = sorted(range(len(found)), key=lambda i: (rank.get(i, len(rank)), -found[i].value))
        best, position = found[order[0]], self._field.position
        return Evaluation(
            position=position,
            player=position.to_move,
            tiles=len(position.order) + len(position.bag),
            proved=False,
            value=best.value,
            low=best.low,
            high=best.high,
            win=best.win,
            moves=tuple(found[i] for i in order) if self._moves else (),
            natural=found[0].value,
            loss=self._loss(order[0]),
            legal=legal,
            playouts=self.total,
            seed=self._field.seed,
            policy=POLICY,
            seconds=clock.spent(),
        )
