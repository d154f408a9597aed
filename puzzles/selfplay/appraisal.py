"""Heuristic value of a feature for a player: points, chances, and the time of followers.

These are guesses by which a sensible player compares places; nothing in them is proved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from model.position import Position
from model.rules.castle.final_tiles import TARGETS
from model.tiles import Kind
from solver.simulation import Stake

WALL_TILE = 3.5
"""Points that a wall tile is guessed to bring; a sensible player does not look under it."""
KEEP_AREA = 8.0
"""Cells that the largest empty area is guessed to have at the end."""
KEEP_DOUBT = 1.5
"""Tiles of lead between two keeps that make the larger one likely to stay larger."""
LOCKED = 6.0
"""Points that a follower would bring elsewhere if he stood on the board for a whole game."""
GAME = 60
"""Tiles in a game, by which the worth of time is measured."""
GROWTH = 0.4
"""Tiles by which an uncompleted feature is guessed to grow for each empty cell it faces."""
TOKEN = 1.0
"""Points that an aerie token is guessed to bring."""
MARKET_GROWTH = 0.25
"""Markets by which a court is guessed to grow for each empty cell it faces early in the game."""
ENDING = 8
"""Tiles left to draw from which on no player keeps a follower back."""


@dataclass(frozen=True)
class Table:
    """A position as the player sees it whose turn it is."""

    position: Position
    """A position of The Castle, with or without The Falcon."""
    spite: float
    """Points of his own that a point of the opponent weighs."""

    @property
    def me(self) -> int:
        """The player."""
        return self.position.to_move

    @cached_property
    def left(self) -> int:
        """The number of tiles that are still to be drawn."""
        return len(self.position.order)

    @cached_property
    def locked(self) -> float:
        """Value of a follower for the rest of the game."""
        return LOCKED * self.time

    @cached_property
    def time(self) -> float:
        """The part of a whole game that is still to come, 0 to 1."""
        return min(1.0, self.left / GAME)

    @cached_property
    def _filled(self) -> float:
        """The guessed probability that an empty cell is filled; less as tiles run out."""
        tiles = max(0, self.left - 1)
        return 0.9 * tiles / (tiles + 6.0)

    @cached_property
    def _usable(self) -> tuple[frozenset[Kind], ...]:
        """By player the kinds of features that wall tiles in his hand count at the end."""
        return tuple(
            frozenset(kind for number, (kind, _) in TARGETS.items() if number in state.wall_tiles)
            for state in self.position.players
        )

    @cached_property
    def _held(self) -> frozenset[str]:
        """The corner towers that hold a wall tile."""
        return frozenset(name for name, _ in self.position.towers)

    def landing(self, gained: int) -> float:
        """Return the heuristic value of the marker's way if all points score at once."""
        if gained == 0:
            return 0.0
        score = self.position.players[self.me].score + gained
        tower = self.position.game.board.tower_at(score)
        return WALL_TILE if tower is not None and tower.name in self._held else 0.0

    def view(self, stake: Stake) -> float:
        """Return the heuristic value of a feature with its followers for the player."""
        likely = 1.0 if stake.finished else 0.8 * self._chance(stake)
        total = 0.0
        for player, men in enumerate(stake.men):
            gain = men * self.locked * likely
            if player == stake.leader:
                gain += self._promise(stake)
            total += gain if player == self.me else -self.spite * gain
        return total

    def _chance(self, stake: Stake) -> float:
        """Return the guessed probability that a feature will be completed, 0 to 1.

        Each empty cell that it faces must be filled.
        """
        return 0.0 if stake.kind is Kind.COURT else float(self._filled**stake.gaps)

    def _promise(self, stake: Stake) -> float:
        """Return the points that a feature promises its leader."""
        worth = stake.points + TOKEN * stake.tokens
        if stake.kind is Kind.COURT:
            return worth + stake.times * 3.0 * MARKET_GROWTH * stake.gaps * self.time
        if stake.kind is Kind.HOUSE:
            worth += self._keep(stake)
        if stake.finished:
            return worth
        grown = worth * (1.0 + GROWTH * stake.gaps * self.time / stake.size)
        at_end = stake.kind in self._usable[stake.leader]
        return max(self._chance(stake) * grown, worth if at_end else 0.0)

    def _keep(self, house: Stake) -> float:
        """Return the estimated gain in the empty area from scoring a house."""
        own, other = (self.position.players[p].keep for p in (house.leader, 1 - house.leader))
        larger = max(own, house.size)
        return KEEP_AREA * (_ahead(larger - other) - _ahead((own or -1) - other))


def _ahead(lead: float) -> float:
    """Return the estimated probability that a keep with this lead in tiles stays larger."""
    return 1.0 / (1.0 + math.exp(-lead / KEEP_DOUBT))
