"""Playouts of first moves: one set chooses among them, another one tells what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil, hypot, log2, sqrt
from typing import Any, NamedTuple

import numpy as np

from burgrave.model.notation import write_move
from burgrave.model.position import Move
from burgrave.solver.limits import Clock, Limits, Sketch
from burgrave.solver.questions.means import CONFIDENT, Mean, controls, mean
from burgrave.solver.result import Estimated, Evaluation, Loss
from burgrave.solver.search.playouts import CHUNK, POLICY, Field, run

CHOOSING = 0.5
"""Share of the playouts, and of the time, in which the best move is chosen."""
FRESH = 1_000_000_000
"""The number of the first playout that tells values; those that choose have smaller ones."""
MOST_EACH = 1 / 4
"""Share of the playouts that one of several moves gets at most to tell its value."""
CLOSE = 4
"""Moves that are compared once more when the best is chosen, at most."""
SURE = 3.0
"""Standard errors beyond which a move surely loses to a best one that the same playouts chose."""
ENOUGH = 4 * CHUNK
"""Playouts of a move before it can surely lose."""
PARTS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
"""Shares of the playouts of a value after which it is told."""
PARTS_EACH = 8
"""Chunks of playouts that a thread gets at a time, at least: an early end loses no more."""


class Played(NamedTuple):
    """The playouts of a first turn."""

    leads: Any
    """By playout, the lead of the player to move at the end."""
    drawn: Any
    """By playout, the kinds of the tiles drawn, in order."""


class Samples:
    """Playouts of first turns, as far as they were played.

    Args:
        field: where they start.
        listed: the first turns, the one that the policy plays at sight first; or None alone.
        moves: the same as moves; empty if there is no first turn.
        wanted: a move among them whose value is told in any case; None for no such move.
        told: is given the best answer so far.

    """

    def __init__(
        self,
        field: Field,
        listed: Sequence[int | None],
        moves: Sequence[Move],
        wanted: Move | None,
        told: Callable[[Sketch], None],
    ) -> None:
        """Begin without any playout."""
        self._field, self._listed, self._moves, self._told = field, listed, moves, told
        self._wanted = None if wanted is None else moves.index(wanted)
        self._alive = list(range(len(listed)))
        """Indices of the turns that may be the best, the best so far first."""
        nothing = Played(np.empty(0), field.nothing()[1])
        self._choosing = [nothing] * len(listed)
        self._fresh = [nothing] * len(listed)
        self._named: int | None = None
        """Index of the turn that was told last."""
        self._valued: list[int] = []
        """Indices of the turns whose values are told, the chosen one first; none before that."""

    @property
    def total(self) -> int:
        """How many playouts there are."""
        return sum(one.leads.size for one in (*self._choosing, *self._fresh))

    @property
    def best(self) -> int:
        """The index of the turn that is the best so far."""
        return self._alive[0]

    def choose(self, playouts: int, clock: Clock, share: float = CHOOSING) -> None:
        """Choose the best turn by sequential halving (Karnin, Koren, Somekh 2013).

        Turns that surely lose are dropped besides, and one turn alone needs no more playouts. So
        clear positions take few of them.

        Args:
            playouts: how many there are at most, for all turns and both sets.
            clock: the time.
            share: how much of the playouts, and of the time, is used.

        """
        if len(self._listed) == 1:
            return
        if (left := clock.left()) is not None:
            clock = Limits(seconds=share * left, jobs=clock.limits.jobs).start()
        # With half of the turns in each round all rounds have less than twice the first one's.
        each = _chunks(share * playouts / (2 * len(self._listed)))
        for number in range(1, ceil(log2(len(self._listed))) + 1):
            whole = self._play(self._choosing, self._alive, 0, number * each, clock)
            self._rank()
            if not whole:
                return
            self._halve()
            self._tell()
            if len(self._alive) == 1:
                break
        self._reconsider(clock)

    def _reconsider(self, clock: Clock) -> None:
        """Choose once more among the best turn and those close to it.

        A turn may have left after few playouts that happened to speak against it. So the close ones
        get as many as the best.
        """
        best, *close = self._close()
        count = self._choosing[best].leads.size
        if all(self._play(self._choosing, [one], 0, count, clock) for one in close):
            self._alive = [best, *close]
            self._rank()

    def value(self, playouts: int, clock: Clock) -> None:
        """Play on, with tiles that chose no turn, the turns whose values are told.

        Args:
            playouts: how many there are at most, for all turns and both sets.
            clock: the time.

        """
        self._valued = turns = self._compared()
        each = (playouts - self.total) / len(turns)
        if len(self._listed) > 1:
            each = min(each, MOST_EACH * playouts)
        for share in PARTS:
            if not self._play(self._fresh, turns, FRESH, FRESH + _chunks(share * each), clock):
                return
            fresh = self._fresh[turns[0]]
            lead = self._mean(fresh, fresh.leads.size)
            self._tell(lead)

    def _tell(self, lead: Mean | None = None) -> None:
        """Tell the best move so far, if the tile is known, and its lead once it is estimated."""
        best = self._alive[0]
        if lead is None and best == self._named:
            return
        self._named = best
        move = write_move(self._field.position, self._moves[best]) if self._moves else ""
        value = None if lead is None else lead.value
        error = 0.0 if lead is None else CONFIDENT * lead.error
        self._told(Sketch(move=move, value=value, error=error, playouts=self.total))

    def _compared(self) -> list[int]:
        """Return the turns whose values are told, the chosen one first."""
        if self._wanted is None:
            return self._close()
        return list(dict.fromkeys((self._alive[0], self._wanted, 0)))

    def _close(self) -> list[int]:
        """Return the chosen turn, and those that cannot be told from it, a few at most."""
        best, losses = self._alive[0], self._losses()
        close = [one for one in _sorted(losses) if one != best and not losses[one].apart]
        return [best, *close[: CLOSE - 1]]

    def _play(
        self, played: list[Played], turns: Sequence[int], begin: int, end: int, clock: Clock
    ) -> bool:
        """Play on some turns up to a number; tell whether the time sufficed.

        They are played some at a time, so that Ctrl-C loses few. Every turn gets a chunk.
        """
        step = CHUNK * ceil(PARTS_EACH * max(1, clock.limits.jobs) / len(turns))
        at = begin + played[turns[0]].leads.size
        while at < end:
            upto = min(end, at + step)
            found = run(self._field, [self._listed[one] for one in turns], at, upto, clock)
            for one, (totals, drawn) in zip(turns, found, strict=True):
                leads, tiles = played[one]
                played[one] = Played(
                    np.concatenate((leads, self._field.leads(totals))),
                    np.concatenate((tiles, drawn)),
                )
            if any(played[one].leads.size < upto - begin for one in turns):
                self._least(played, turns, begin)
                return False
            at = upto
        return True

    def _least(self, played: list[Played], turns: Sequence[int], begin: int) -> None:
        """Play a chunk of every turn that has none, whatever time it takes."""
        for one in turns:
            if not played[one].leads.size:
                totals, drawn = self._field.results(self._listed[one], begin, begin + CHUNK)
                played[one] = Played(self._field.leads(totals), drawn)

    def _rank(self) -> None:
        """Sort the turns that may be the best by their means on common playouts."""
        common = min(self._choosing[one].leads.size for one in self._alive)
        means = {one: self._mean(self._choosing[one], common).value for one in self._alive}
        self._alive.sort(key=lambda one: -means[one])

    def _halve(self) -> None:
        """Keep the better half of the turns, without those that surely lose."""
        half = self._alive[: (len(self._alive) + 1) // 2]
        self._alive = [
            one
            for at, one in enumerate(half)
            if at == 0 or self._choosing[one].leads.size < ENOUGH or not self._surely(one)
        ]

    def _mean(self, played: Played, count: int) -> Mean:
        """Return the mean lead of the first playouts after a turn, with its error."""
        by = controls(played.drawn[:count], self._field.known, self._first, self._players)
        return mean(played.leads[:count], by, self._field.together)

    @property
    def _first(self) -> int:
        """The place of the next tile in the round after the first turn."""
        return int(self._listed[0] is not None)

    @property
    def _players(self) -> int:
        """The number of players."""
        return len(self._field.position.players)

    def _loss(self, turn: int) -> Loss:
        """Return by how much a turn is worse than the chosen one, on the playouts of both."""
        best = self._alive[0]
        if turn == best:
            return Loss(points=0.0, low=0.0, high=0.0, win=0.0, win_low=0.0)
        played = self._fresh if self._fresh[turn].leads.size else self._choosing
        count = min(played[best].leads.size, played[turn].leads.size)
        leads, others = played[best].leads[:count], played[turn].leads[:count]
        tiles = played[best].drawn[:count]
        lost = self._mean(Played(leads - others, tiles), count)
        wins = self._mean(Played((np.sign(leads) - np.sign(others)) / 2, tiles), count)
        (low, high), (win_low, _) = lost.interval(), wins.interval()
        return Loss(points=lost.value, low=low, high=high, win=wins.value, win_low=win_low)

    def _played(self, turn: int) -> Played:
        """Return the playouts by which a turn is compared with the chosen one."""
        return self._fresh[turn] if self._fresh[turn].leads.size else self._choosing[turn]

    def _surely(self, turn: int) -> bool:
        """Tell whether a turn surely loses to the best, which the same playouts chose."""
        lost = self._loss(turn)
        return lost.points > SURE / CONFIDENT * (lost.points - lost.low)

    def _losses(self) -> dict[int, Loss]:
        """Return the loss of every turn, by index.

        Few playouts may all miss what happens seldom, and then seem sure. So a turn with few of
        them has at least the error that the turns have in the middle for as many.
        """
        found = {one: self._loss(one) for one in range(len(self._listed))}
        counts = {one: self._played(one).leads.size for one in found}
        each = float(np.median([_error(found[one]) ** 2 * counts[one] for one in found]))
        for one, lost in found.items():
            if counts[one] < ENOUGH and one != self._alive[0]:
                error = max(_error(lost), sqrt(each / counts[one]))
                low, high = Mean(lost.points, error).interval()
                found[one] = replace(lost, low=low, high=high)
        return found

    def _estimated(self, turn: int, lost: Loss, besides: float) -> Estimated:
        """Return a turn with its value: that of the chosen one less what the turn loses to it."""
        best = self._fresh[self._alive[0]]
        lead = self._mean(best, best.leads.size)
        value = lead.value - lost.points
        low, high = Mean(value, hypot(lead.error, _error(lost))).interval(besides)
        win = float(((best.leads > 0) + 0.5 * (best.leads == 0)).mean())
        return Estimated(
            move=self._moves[turn] if self._moves else Move(),
            value=value,
            low=low,
            high=high,
            win=min(1.0, max(0.0, win - lost.win)),
            playouts=self._choosing[turn].leads.size + self._fresh[turn].leads.size,
            behind=lost,
        )

    def evaluation(self, clock: Clock, besides: float, legal: int) -> Evaluation:
        """Return the evaluation by the playouts.

        Args:
            clock: since the question.
            besides: the standard error from mistakes of the policy, which playouts cannot show.
            legal: the number of legal moves.

        """
        self._least(self._fresh, self._valued or self._compared(), FRESH)
        losses = self._losses()
        found = [self._estimated(one, lost, besides) for one, lost in losses.items()]
        best = found[self._alive[0]]
        order = [found[one] for one in _sorted(losses) if one != self._alive[0]]
        alike = [one for one in order if not one.behind.apart]
        moves = (best, *alike, *(one for one in order if one.behind.apart))
        position = self._field.position
        return Evaluation(
            position=position,
            player=position.to_move,
            tiles=len(position.order) + len(position.bag),
            proved=False,
            value=best.value,
            low=best.low,
            high=best.high,
            win=best.win,
            moves=moves if self._moves else (),
            equal=1 + len(alike) if self._moves else 0,
            natural=found[0] if self._moves else None,
            played=None if self._wanted is None else found[self._wanted],
            legal=legal,
            playouts=self.total,
            seed=self._field.seed,
            policy=POLICY,
            seconds=clock.spent(),
        )


def _sorted(losses: Mapping[int, Loss]) -> list[int]:
    """Return the indices of turns, those that lose the least first."""
    return sorted(losses, key=lambda one: losses[one].points)


def _error(lost: Loss) -> float:
    """Return the standard error of a loss."""
    return (lost.high - lost.low) / (2 * CONFIDENT)


def _chunks(playouts: float) -> int:
    """Return a number of playouts in whole chunks, one at least.

    The hidden wall tiles of a chunk are the same for all turns.
    """
    return CHUNK * max(1, round(playouts / CHUNK))
