"""A player who brings about what themes need, for both sides, near the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from burgrave.puzzles.selfplay.look import Chosen
from burgrave.puzzles.selfplay.players import Sensible
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.themes.signs import Outlook, Sign

GOOD = 2
"""Turns that he weighs because they are good."""
OTHERS = 30
"""Further turns that he weighs, regardless of their value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeker:
    """A player who takes the turn after which the signs of some themes are strongest."""

    signs: Sequence[Sign]
    judge: Sensible
    """Tells which turns are good."""
    solver: Callable[[Rehearsal], int]
    """Return the player who solves the puzzle."""

    def __call__(self, walk: Rehearsal, rng: Random) -> Chosen | None:
        """Pick a legal turn; None if no tile to come has a place."""
        turns = self.judge.several(walk, GOOD, OTHERS, rng)
        return max(turns, key=lambda turn: self._worth(walk, turn), default=None)

    def _worth(self, walk: Rehearsal, turn: Chosen) -> float:
        """Return the strength of the signs after a turn, some turns before the puzzle."""
        mark = walk.mark()
        walk.play(turn)
        outlook = Outlook(walk, self.solver(walk))
        worth = max(sign(outlook) for sign in self.signs)
        walk.undo(mark)
        return worth
