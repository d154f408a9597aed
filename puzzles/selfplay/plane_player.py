"""Players for self-play in Carcassonne and The Tower."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from puzzles.selfplay.prospects import Spot, on_spot, spots
from puzzles.selfplay.rehearsal import Rehearsal
from solver.simulation import Outcome

KEPT = 8.0
"""Points that one of the last followers must bring at once."""
PIECE = 3.0
"""Points that a tower piece must bring."""
HOARDED = 1000.0
"""Points that the last follower must bring, and a tower piece kept for the end: too many."""
TALL = 3
"""Tower pieces that a tower must have to be completed with a spare follower."""
ROOF = 2.0
"""Points that it is worth to complete such a tower, so that few can be raised at the end."""
HIGHER = 0.3
"""Points that each tower piece below is worth where one is built or a tower completed."""
RAISED = 0.4
"""Share of other turns that raise a tower, of those on places where that is possible."""
SPENT = 24
"""Tiles to come by which other tower pieces are built, so that not too much can be done then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brisk:
    """A player of two who takes the turn after which he would lead by most if the game ended.

    He weighs the turns on the most promising places. He uses no tile to come, although their order
    is known.
    """

    reserve: int = 2
    """Followers he keeps back."""
    pieces: int = 0
    """Tower pieces he keeps back."""
    looseness: float = 0.2
    """Probability with which he takes any of his best ``few`` turns."""
    few: int = 12
    """Turns that are among his best."""
    weighed: int = 100
    """Minimum number of turns that he weighs; he adds places until he has them."""

    def __call__(self, walk: Rehearsal, rng: Random) -> Outcome | None:
        """Pick a legal turn; None if no tile to come has a place."""
        turns = self._ranked(walk, spots(walk))
        loose = rng.random() < self.looseness
        return rng.choice(turns[: self.few]) if loose and turns else next(iter(turns), None)

    def several(self, walk: Rehearsal, good: int, others: int, rng: Random) -> list[Outcome]:
        """Return the turns that seem best, then some others at random that do something else.

        Of the latter some raise a tower and do no more, if he may.
        """
        found = spots(walk)
        some = rng.choices(found, k=others) if found else []
        turns = self._ranked(walk, found)[:good]
        for spot in some:
            listed = on_spot(walk, spot)
            raised = [turn for turn in listed if turn.builds and not turn.apart]
            raising = raised and rng.random() < RAISED
            turns.append(rng.choice(raised if raising else [t for t in listed if t.apart]))
        return turns

    def _ranked(self, walk: Rehearsal, found: Sequence[Spot]) -> list[Outcome]:
        """Return the turns on the best places that spend nothing hoarded, the best first."""
        short = walk.supply <= self.reserve
        price = 0.0 if not short else KEPT if walk.supply > 1 else HOARDED

        def promise(spot: Spot) -> float:
            return spot.lead if spot.claimed is None else max(spot.lead, spot.claimed - price)

        turns: list[Outcome] = []
        for spot in sorted(found, key=promise, reverse=True):
            turns += on_spot(walk, spot) if len(turns) < self.weighed else ()
        spare = walk.pieces - self.pieces
        piece = PIECE if spare > 0 else HOARDED
        if spare > max(0, walk.left - SPENT) // len(walk.start.players):
            piece = -HOARDED

        def worth(turn: Outcome) -> float:
            value = turn.lead - price * turn.claims - piece * turn.builds
            if turn.guards:
                return value + (ROOF if turn.height >= TALL and not short else -price)
            return value + HIGHER * turn.height

        # A reserved piece is never spent, loosely or not.
        least = max(map(worth, turns), default=0.0) - HOARDED / 2
        return sorted((t for t in turns if worth(t) > least), key=worth, reverse=True)
