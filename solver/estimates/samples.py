"""Playouts of first turns as they come in, and the estimates that they give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from model.position import Move, Position
from solver.estimates.means import Mean, controls, mean
from solver.estimates.runs import CHUNK, Field, run
from solver.limits import NO_LIMIT, Clock
from solver.result import Estimated, Evaluation, Loss

POLICY = "greedy by outlook, 1 turn"
"""The name of the policy."""


class Samples:
    """Playouts of first turns, as far as they were played.

    Args:
        position: the position.
        field: where they start.
        laid: tiles laid before the playouts: 1 after a first turn, 0 before it.
        listed: the first turns, or None alone.
        kept: index of a turn that is compared to the end; None for no such turn.

    """

    def __init__(
        self,
        position: Position,
        field: Field,
        laid: int,
        listed: Sequence[int | None],
        kept: int | None = None,
    ) -> None:
        """Begin without any playout."""
        self.alive = list(range(len(listed)))
        """Indices of the turns that are still compared, the best first."""
        self._position, self._field, self._listed, self._laid = position, field, listed, laid
        self._played: list[list[tuple[Any, Any]]] = [[] for _ in listed]
        self._kept = kept
        self._each = 0

    @property
    def total(self) -> int:
        """How many playouts there are."""
        return sum(len(totals) for parts in self._played for totals, _ in parts)

    def play(self, each: int, clock: Clock) -> bool:
        """Play ``each`` playouts after each turn still compared; tell whether time sufficed."""
        begin = self._each
        # Whole chunks, so that a chunk's hidden wall tiles are the same for all.
        end = begin + math.ceil(each / CHUNK) * CHUNK
        found = run(self._field, [self._listed[i] for i in self.alive], begin, end, clock)
        if found is None:
            if self._each:
                return False
            found = run(
                self._field, [self._listed[i] for i in self.alive], 0, CHUNK, NO_LIMIT.start()
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
        half = max(1, (len(self.alive) + 1) // 2)
        lost = self.alive[half:]
        self.alive = self.alive[:half] + [index for index in lost if index == self._kept]

    def _values(self, index: int) -> tuple[Any, Any]:
        """Return the leads of the player to move by playout, and the tiles drawn."""
        totals, drawn = (
            np.concatenate(column) for column in zip(*self._played[index], strict=True)
        )
        return self._field.leads(totals), drawn

    def lead(self, index: int) -> Mean:
        """Return the lead after a turn, with its error."""
        leads, drawn = self._values(index)
        players = len(self._position.players)
        by = controls(drawn, self._field.known, self._laid, players)
        return mean(leads, by, self._field.together)

    def estimated(self, index: int, move: Move, besides: float) -> Estimated:
        """Return a first turn with its value and interval."""
        leads, _ = self._values(index)
        found = self.lead(index)
        low, high = found.interval(besides)
        win = float(((leads > 0) + 0.5 * (leads == 0)).mean())
        return Estimated(
            move=move, value=found.value, low=low, high=high, win=win, playouts=len(leads)
        )

    def _loss(self, best: int) -> Loss | None:
        """Return by how much the turn that is kept is worse than the best."""
        if self._kept is None:
            return None
        leads, _ = self._values(best)
        others, _ = self._values(self._kept)
        both = min(len(leads), len(others))
        lost = leads[:both] - others[:both]
        wins = np.sign(leads[:both]) - np.sign(others[:both])
        found = mean(lost, np.zeros((both, 0)), self._field.together)
        low, high = found.interval()
        return Loss(points=found.value, low=low, high=high, win=float(wins.mean()) / 2)

    def evaluation(
        self, clock: Clock, besides: float, moves: Sequence[Move], legal: int
    ) -> Evaluation:
        """Return the evaluation by the playouts.

        Args:
            clock: the time.
            besides: standard error from mistakes of the policy.
            moves: the first turns as moves; empty if there is no first turn.
            legal: the number of legal moves.

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
            natural=found[0].value,
            loss=self._loss(order[0]),
            legal=legal,
            playouts=self.total,
            seed=self._field.seed,
            policy=POLICY,
            seconds=clock.spent(),
        )
