"""What a position and its first moves are worth at any moment of a game: proved or estimated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from model.draws import stuck
from model.errors import QuestionError
from model.position import Move, Position
from solver import policy
from solver.engines import refuse_unknown
from solver.kernel import codec
from solver.kernel.game import mover, turns
from solver.kernel.job import PLAYERS
from solver.kernel.playouts import judge
from solver.limits import NO_LIMIT, Clock, Limits
from solver.playouts import CHUNK, ROOM, Field, run
from solver.problem import Goal
from solver.progress import SILENT, Reporter
from solver.questions.game import expected, forced
from solver.result import Status
from solver.statistics import Mean, controls, mean

PROVABLE = 4
"""Tiles to come, that of this turn included, up to which a proof is tried first."""
EFFORT = 300_000
"""Turns that a search may play for a proof before playouts take over."""
PLAYOUTS = 4000
"""Playouts of a position by default."""
SENSIBLE = 24
"""First moves that are compared at most: the best by the judgement of the policy."""
POLICY = "greedy by outlook, 1 turn"
"""The name of the policy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimated:
    """A first move and what it is worth to the player to move.

    Attributes:
        move: the move.
        value: his lead at the end over the best opponent, in points.
        low: lower end of the interval of 95 %; the value itself if it is proved.
        high: its upper end.
        win: the share of playouts that he wins, a draw counted half; None if the value is proved.
        playouts: how many were played after this move; 0 if the value is proved.

    """

    move: Move
    value: float
    low: float
    high: float
    win: float | None
    playouts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a position is worth to the player to move.

    Attributes:
        player: the player to move.
        tiles: tiles to come, that of this turn included.
        proved: whether the values are exact; else they are estimates.
        value: his lead at the end over the best opponent, in points.
        low: lower end of the interval of 95 %; the value itself if it is proved.
        high: its upper end.
        win: the share of playouts that he wins, a draw counted half; None if it is proved.
        moves: first moves, the best first; none if it is not known which tile comes.
        legal: how many legal moves there are, those that lead to the same position once.
        playouts: how many were played in all.
        seed: the seed of all chance.
        policy: by which the games were played.
        seconds: by the clock.

    """

    player: int
    tiles: int
    proved: bool
    value: float
    low: float
    high: float
    win: float | None
    moves: tuple[Estimated, ...]
    legal: int
    playouts: int
    seed: int
    policy: str
    seconds: float


def evaluate(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 1,
    prove: bool = True,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Evaluation:
    """Return what a position is worth, and its sensible first moves if the tile is known.

    With few tiles to come a search proves the values. Else they are estimated by playouts. These
    are shared among first moves by sequential halving (Karnin, Koren, Somekh 2013). All moves
    meet the same tiles, and what luck of the draw explains is taken out by regression.

    Args:
        position: the position before the turn.
        playouts: how many games are played in all.
        seed: of all chance; with the same seed the answer is the same for any number of threads.
        prove: whether a proof is tried.
        budget: the time and the number of threads.
        reporter: hears how it goes on.

    Raises:
        QuestionError: the game is over, or the compiled search does not know something in it.

    """
    if position.over:
        raise QuestionError("the game is over; score tells the totals")
    if playouts < 1:
        raise QuestionError(f"{playouts} playouts: give 1 or more")
    refuse_unknown(codec.KERNEL, position.game)
    seen = replace(position, towers=tuple((name, number or 1) for name, number in position.towers))
    if (refused := codec.refusal(seen)) is not None:
        raise QuestionError(f"no playouts with {refused}")
    clock = budget.start()
    tiles = len(position.order) + len(position.bag)
    if prove and tiles <= PROVABLE and (exact := _proved(position, clock, seed)) is not None:
        return exact
    return _estimated(position, playouts, clock, seed, reporter)


def _proved(position: Position, clock: Clock, seed: int) -> Evaluation | None:
    """Return exact values, or None if a proof takes too long."""
    budget = Limits(seconds=clock.left(), nodes=EFFORT, jobs=1)
    unknown = position.bag or any(not number for _, number in position.towers)
    ask = expected if unknown else forced
    try:
        answer = ask(position, every=True, budget=budget)
    except QuestionError:
        return None
    if answer.status is not Status.OPTIMAL or answer.value is None:
        return None
    known = len({(one.move.discards, one.move.tile) for one in answer.first}) == 1
    moves = [
        Estimated(
            move=one.move,
            value=float(one.value),
            low=float(one.value),
            high=float(one.value),
            win=None,
            playouts=0,
        )
        for one in answer.first
    ]
    moves.sort(key=lambda one: -one.value)
    value = float(answer.value)
    return Evaluation(
        player=position.to_move,
        tiles=len(position.order) + len(position.bag),
        proved=True,
        value=value,
        low=value,
        high=value,
        win=None,
        moves=tuple(moves) if known else (),
        legal=len(moves),
        playouts=0,
        seed=seed,
        policy=answer.engine,
        seconds=clock.spent(),
    )


def _estimated(
    position: Position, playouts: int, clock: Clock, seed: int, reporter: Reporter
) -> Evaluation:
    """Return estimates by playouts."""
    left = len(position.order) + len(position.bag) - 1
    besides = policy.mistakes(position.game.id, left)
    drawn = stuck(position) + 1
    if drawn > len(position.order):
        # Nobody knows which tile comes.
        samples = Samples(position, Field(position, 0, seed), 0, [None])
        samples.play(playouts, clock)
        return samples.evaluation(clock, besides, (), 0)
    field = Field(position, drawn, seed)
    listed, moves, legal = _first_turns(position, field, drawn)
    samples = Samples(position, field, 1, listed)
    rounds = max(1, math.ceil(math.log2(len(listed))))
    for _ in range(rounds):
        if not samples.play(max(1, playouts // (rounds * len(samples.alive))), clock):
            break
        samples.halve()
        reporter.stage(f"{samples.total} playouts")
    return samples.evaluation(clock, besides, moves, legal)


def _first_turns(
    position: Position, field: Field, drawn: int
) -> tuple[list[int | None], tuple[Move, ...], int]:
    """Return the sensible first turns, as turns and as moves, and how many turns are legal."""
    opened, discards = field.opened, position.order[: drawn - 1]
    state, tables = opened.state, opened.tables
    out, hints = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    left, kind = field.tiles.size, opened.kind(position.order[drawn - 1])
    end = turns(state, tables, kind, left == 0, False, out, hints, 0)
    if end > ROOM:
        raise QuestionError(f"{end} turns are too many to be compared")
    points, hope = np.zeros(PLAYERS, np.int64), np.zeros(PLAYERS)
    weights, player = policy.weights(position.game.id), mover(state)
    judged = {
        int(turn): judge(state, tables, int(turn), left, player, weights, points, hope)
        for turn in out[:end]
    }
    best = sorted(judged, key=lambda turn: -judged[turn])[:SENSIBLE]
    return [*best], tuple(opened.move(state, turn, discards) for turn in best), end


class Samples:
    """Playouts of first turns, as far as they were played.

    Args:
        position: the position.
        field: where they start.
        laid: tiles laid before the playouts: 1 after a first turn, 0 before it.
        listed: the first turns, or None alone.

    """

    def __init__(
        self, position: Position, field: Field, laid: int, listed: Sequence[int | None]
    ) -> None:
        """Begin without any playout."""
        self.alive = list(range(len(listed)))
        """Indices of the turns that are still compared, the best first."""
        self._position, self._field, self._listed, self._laid = position, field, listed, laid
        self._played: list[list[tuple[Any, Any]]] = [[] for _ in listed]
        self._each = 0

    @property
    def total(self) -> int:
        """How many playouts there are."""
        return sum(len(totals) for parts in self._played for totals, _ in parts)

    def play(self, each: int, clock: Clock) -> bool:
        """Play so many playouts after each turn that is still compared; tell if time sufficed."""
        begin = self._each
        # Whole chunks, so that a chunk's hidden wall tiles are the same for all.
        end = begin + math.ceil(each / CHUNK) * CHUNK
        found = run(self._field, [self._listed[i] for i in self.alive], begin, end, clock)
        if found is None:
            if self._each:
                return False
            found = run(
                self._field, [self._listed[i] for i in self.alive], 0, CHUNK, Limits().start()
            )
            assert found is not None
            end = CHUNK
        for index, part in zip(self.alive, found, strict=True):
            self._played[index].append(part)
        self._each = end
        return True

    def halve(self) -> None:
        """Compare on only the better half of the turns."""
        self.alive.sort(key=lambda index: -self.lead(index).value)
        del self.alive[max(1, (len(self.alive) + 1) // 2) :]

    def _values(self, index: int) -> tuple[Any, Any]:
        """Return the leads of the player to move by playout, and the tiles drawn."""
        totals, drawn = (
            np.concatenate(column) for column in zip(*self._played[index], strict=True)
        )
        players, mine = len(self._position.players), self._position.to_move
        others = [player for player in range(players) if player != mine]
        own = totals[:, mine]
        return own - totals[:, others].max(axis=1) if others else own, drawn

    def lead(self, index: int) -> Mean:
        """Return the lead after a turn, with its error."""
        leads, drawn = self._values(index)
        players = len(self._position.players)
        by = controls(drawn, self._field.known, (self._laid + self._field.known) % players, players)
        return mean(leads.astype(np.float64), by)

    def estimated(self, index: int, move: Move, besides: float) -> Estimated:
        """Return a first turn with its value and interval."""
        leads, _ = self._values(index)
        found = self.lead(index)
        low, high = found.interval(besides)
        win = float(((leads > 0) + 0.5 * (leads == 0)).mean())
        return Estimated(
            move=move, value=found.value, low=low, high=high, win=win, playouts=len(leads)
        )

    def evaluation(
        self, clock: Clock, besides: float, moves: Sequence[Move], legal: int
    ) -> Evaluation:
        """Return what the playouts tell.

        Args:
            clock: the time.
            besides: standard error of what the policy does not see.
            moves: the first turns as moves; empty if there is no first turn.
            legal: how many legal moves there are.

        """
        found = [
            self.estimated(index, move, besides)
            for index, move in enumerate(moves or (Move(),))
            if self._played[index]
        ]
        rank = {index: place for place, index in enumerate(self.alive)}
        order = sorted(range(len(found)), key=lambda i: (rank.get(i, len(rank)), -found[i].value))
        best = found[order[0]]
        return Evaluation(
            player=self._position.to_move,
            tiles=len(self._position.order) + len(self._position.bag),
            proved=False,
            value=best.value,
            low=best.low,
            high=best.high,
            win=best.win,
            moves=tuple(found[i] for i in order) if moves else (),
            legal=legal,
            playouts=self.total,
            seed=self._field.seed,
            policy=POLICY,
            seconds=clock.spent(),
        )
