"""Alpha-beta over a known order of tiles: values and thresholds.

``value`` gives an exact value with a line that reaches it; it asks of each turn but the first
whether it is better at all. ``reaches`` answers that without values and lines: is White's lead at
least so much? The last two turns are left to ``Closing``.

What is kept is bounded: one line of play, tables with a most number of entries (``Looks``,
``Ledger``), and for each tile of the order a count for each cell, rotation and follower that
ended a search there (``Refutations``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.budget import Stopwatch
from solver.game_state import NUMBERS, GameState, Turn
from solver.search import duel
from solver.search.closing import Closing
from solver.search.duel import Shape, shape
from solver.search.looks import Look, Option
from solver.search.means import dominance_of, ledger_of, looks_of

KILLERS = 2
"""Turns tried first at a node, of those that last refuted something with the same tile."""


@dataclass(slots=True)
class Refutations:
    """The turns with one tile that ended a search: how often, and which were the last."""

    count: dict[Shape, int] = field(default_factory=dict)
    latest: list[Shape] = field(default_factory=list)

    def note(self, shape: Shape, weight: int) -> None:
        """Remember that a turn refuted something."""
        self.count[shape] = self.count.get(shape, 0) + weight
        if shape not in self.latest:
            self.latest = [shape, *self.latest[: KILLERS - 1]]


class Search(duel.Search):
    """One search over a known order of tiles, without turns that need not be searched."""

    def __init__(
        self,
        state: GameState,
        order: list[int],
        end: int,
        watch: Stopwatch,
        *,
        decided: bool,
    ) -> None:
        """Remember what is searched."""
        super().__init__(state, order, end, watch, decided=decided)
        self.refutations = [Refutations() for _ in order]
        self.looks = looks_of(state)
        ledger = ledger_of(self.looks, final=end == len(order))
        self.closing = Closing(state, self.looks, ledger, tick=watch.tick)

    def soon(self, at: int, bound: int) -> bool | None:
        """Answer ``reaches`` where one turn or two are left; None if it cannot be done so."""
        state, left = self.state, self.order[at : self.end]
        if len(left) not in {1, 2} or not self.closing.ledger.adds_up:
            return None
        self.watch.tick()
        if len(left) == 1:
            return self.closing.one(left[0], bound)
        mover, extra, _ = state.turn
        start = (1 - mover) * NUMBERS
        # What the opponent could not use in this turn he may use in his.
        late = any(state.fresh_hand[start : start + NUMBERS])
        if extra or late or state.hand[mover * NUMBERS + EXTRA_TURN]:
            return None
        return self.closing.two(left[0], left[1], bound)

    @contextmanager
    def played(self, at: int, turn: Turn) -> Iterator[None]:
        """Play a turn with a tile, and take it back."""
        self.watch.tick()
        state, looks = self.state, self.looks
        mark, mover = state.mark(), state.turn[0]
        state.play(turn, last=at == len(self.order) - 1)
        looks.step(turn, mover, state.board.disturbed)
        yield
        state.undo(mark)

    def note(self, at: int, turn: Turn) -> None:
        """Remember that a turn ended a search."""
        self.refutations[at].note(shape(turn), (self.end - at) ** 2)

    def turns(self, at: int) -> Iterator[Turn]:
        """Yield the turns with a tile, the most promising first: late refutations, then worth."""
        state, kind = self.state, self.order[at]
        mover = state.turn[0]
        here = self.closing.ledger.standing()
        known = self.refutations[at]
        count, latest = known.count, known.latest
        found: list[tuple[int, int, int, int, Look, Option]] = []
        last = at == len(self.order) - 1
        good = dominance_of(state, max(0, self.end - at - 1), last=last)
        for look in self.looks.places(kind, mover):
            for option in good.best_of(look):
                shape = look.cell, option.rotation, option.segment, option.rank
                worth = here.scale.rough(option.effect)
                worth = 4 * (-worth if mover else worth) + 2 * option.hope
                late = latest.index(shape) if shape in latest else KILLERS
                found.append((late, -worth, -count.get(shape, 0), len(found), look, option))
        found.sort()
        for *_, look, option in found:
            yield from self.closing.turns(look, kind, option, here, last=last)

    def promising(self, at: int, turns: list[Turn]) -> list[Turn]:
        """Return turns with a tile, the most promising first.

        Args:
            at: index of the tile.
            turns: every legal turn, those that place a follower on one feature by different
                segments included.

        """
        ranks: dict[Shape, int] = {}
        for rank, turn in enumerate(self.turns(at)):
            ranks.setdefault(shape(turn), rank)
        return sorted(turns, key=lambda turn: ranks.get(shape(turn), len(turns)))
