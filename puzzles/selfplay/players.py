"""Players of self-play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from burgrave.model.book import book_of
from burgrave.model.draws import Draw, draws
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.look import Chosen
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.solver.simulation import Judged

HOARDED = 1000.0
"""Points that a tower piece must bring which is kept back: too many."""
SPENT = 24
"""Tiles to come by which other tower pieces are built, so that not too much can be done then."""
ACTING = 0.4
"""Share of turns that act on towers or buy a follower back, of those taken at random."""

Player = Callable[[Position, Random], Move]
"""Picks a legal move in a position with tiles left to draw."""
Walker = Callable[[Rehearsal, Random], Chosen | None]
"""Picks a legal turn in a game that is rehearsed; None if no tile to come has a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensible:
    """A player who takes the turns that the policy of the playouts thinks best.

    He uses no tile to come, although their order is known.
    """

    reserve: int = 0
    """Followers he keeps back."""
    pieces: int = 0
    """Tower pieces he keeps back."""
    looseness: float = 0.0
    """Probability with which he takes any of his best ``few`` turns."""
    few: int = 5
    """Turns that are among his best."""

    def __call__(self, walk: Rehearsal, rng: Random) -> Judged | None:
        """Pick a legal turn; None if no tile to come has a place."""
        turns = self.ranked(walk)
        loose = rng.random() < self.looseness
        return rng.choice(turns[: self.few]) if loose and turns else next(iter(turns), None)

    def several(self, walk: Rehearsal, good: int, others: int, rng: Random) -> list[Judged]:
        """Return the turns that seem best, then some others at random.

        Some of the latter act on towers, if he may.
        """
        turns = self.ranked(walk)
        acting = [turn for turn in turns[good:] if turn.acts]
        quiet = [turn for turn in turns[good:] if not turn.acts]
        some = min(len(acting), round(ACTING * others))
        chosen = rng.sample(acting, some)
        return turns[:good] + chosen + rng.sample(quiet, min(len(quiet), others - some))

    def ranked(self, walk: Rehearsal) -> list[Judged]:
        """Return the turns with the next tile that has a place, the best first."""
        spare = walk.pieces - self.pieces
        price = 0.0 if spare > 0 else HOARDED
        if spare > max(0, walk.left - SPENT) // len(walk.start.players):
            price = -HOARDED
        found = walk.judged(self.reserve)
        return sorted(found, key=lambda turn: price * turn.builds - turn.lead)


def drawn_by(position: Position, rng: Random) -> Draw:
    """Draw a tile: the next of a known order, or any kind in the bag by how many there are."""
    found = list(draws(position))
    weights = [max(1, position.bag.count(draw.tile or "")) for draw in found]
    return rng.choices(found, weights)[0]


def anew(walker: Walker) -> Player:
    """Return a player without memory of earlier turns.

    Args:
        walker: a player in games whose tiles come in known order.

    """

    def pick(position: Position, rng: Random) -> Move:
        walk = Rehearsal(position)
        chosen = walker(walk, rng)
        return passed(position, drawn_by(position, rng)) if chosen is None else walk.move(chosen)

    return pick


def passed(position: Position, draw: Draw) -> Move:
    """Return a turn for which no tile is left that has a place."""
    return next(iter(book_of(position.game).conduct.passes(position, draw.discards)))
