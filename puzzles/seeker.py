"""A player who brings about what themes need, for both sides, near the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from model.features import Features, position_features
from model.placement import lay
from model.position import Move, Position
from puzzles.plane_player import frugal
from puzzles.players import drawn_by
from puzzles.themes.signs import Outlook, Sign
from solver.questions import Rehearsal

GOOD = 2
"""Turns that he weighs because they are good."""
RESERVE = 2
"""Followers that he keeps back, if he can."""
OTHERS = 4
"""Turns that he weighs besides, whatever they are worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeker:
    """A player who takes the turn after which the signs of some themes are strongest."""

    signs: Sequence[Sign]
    ahead: Callable[[Position], int]
    """Tells how many turns are to come before the puzzle, which says whose it will be."""

    def __call__(self, position: Position, rng: Random) -> Move:
        """Pick a legal move."""
        game = Rehearsal(position)
        pieces = position.players[position.to_move].pieces
        looks = sorted(game.looks(), key=lambda look: -frugal(position, look, RESERVE, pieces))
        if not looks:
            draw = drawn_by(position, rng)
            return next(iter(position.game.rules.conduct.passes(position, draw.discards)))
        others = looks[GOOD:]
        chosen = looks[:GOOD] + rng.sample(others, min(OTHERS, len(others)))
        turns = (self.ahead(position) - 1) % len(position.players)
        moves, before = [game.move(look) for look in chosen], position_features(position)
        return max(moves, key=lambda move: self._worth(position, before, move, turns))

    def _worth(self, position: Position, before: Features, move: Move, turns: int) -> float:
        """Return how strong the signs are after a legal turn, some turns before the puzzle."""
        tile = move.laid(position.game.tile_set.kind(move.tile or ""))
        placement = lay(position, tile, before, move.discards)
        after = position.game.rules.conduct.resolve(placement, move).position
        outlook = Outlook(after, (after.to_move + turns) % len(after.players))
        return max(sign(outlook) for sign in self.signs)
