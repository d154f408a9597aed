"""Players for tests, who play through the rules engine alone."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from burgrave.model.book import book_of
from burgrave.model.castle.turn import turns
from burgrave.model.engine import play
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import position_features
from burgrave.model.laying import deployable, lay
from burgrave.model.places import places
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.players import drawn_by, passed

LOCKED = 2.0
"""Points that a follower is worth in the supply."""


def random_player(position: Position, rng: Random) -> Move:
    """Pick a place at random, a follower or none at random, then a way to score at random."""
    draw = drawn_by(position, rng)
    if draw.tile is None:
        return Move(discards=draw.discards)
    tile = rng.choice(list(places(position, draw.tile)))
    placement = lay(position, tile, position_features(position), draw.discards)
    followers = rng.choice(list(deployable(placement)))
    return rng.choice(list(turns(placement, draw.discards, followers)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Passable:
    """A player who tries a few places and takes the turn that leaves him best off.

    He counts points, followers in the supply and uncompleted features; he uses no tile to come.
    """

    reserve: int = 2
    """Followers he keeps back."""
    looseness: float = 0.2
    """Probability with which he takes any turn."""
    few: int = 4
    """Places that he tries."""
    most: int = 8
    """Turns that he weighs on a place."""

    def __call__(self, position: Position, rng: Random) -> Move:
        """Pick a legal move."""
        draw = drawn_by(position, rng)
        conduct = book_of(position.game).conduct
        if draw.tile is None:
            return passed(position, draw)
        found = list(places(position, draw.tile))
        features = position_features(position)
        turns: list[Move] = []
        for tile in rng.sample(found, min(self.few, len(found))):
            placement = lay(position, tile, features, draw.discards)
            listed = list(conduct.turns(placement, draw.discards))
            turns += rng.sample(listed, min(self.most, len(listed)))
        if rng.random() < self.looseness:
            return rng.choice(turns)
        return max(turns, key=lambda move: self._worth(position, move))

    def _worth(self, position: Position, move: Move) -> float:
        """Return the heuristic value of a turn for the player who makes it."""
        after = play(position, move).position
        me = position.to_move
        total = 0.0
        for player, state in enumerate(after.players):
            sign = 1 if player == me else -1 / (len(after.players) - 1)
            total += sign * (state.score + LOCKED * min(state.supply, self.reserve))
            total += sign * LOCKED * len(state.part(TowerHoldings).prisoners)
        for feature in position_features(after):
            counts = [feature.number_of(player) for player in range(len(after.players))]
            best = max(counts)
            for player, count in enumerate(counts):
                if count == best > 0:
                    sign = 1 if player == me else -1 / (len(counts) - 1)
                    total += sign * 0.6 * feature.size
        return total
