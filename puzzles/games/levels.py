"""Opponents of several strengths, for practice: at sight, or by playouts and proofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import canonical
from burgrave.model.errors import QuestionError
from burgrave.model.position import Position
from burgrave.puzzles.selfplay.players import drawn_by, passed
from burgrave.solver.limits import NO_LIMIT, Limits
from burgrave.solver.questions import PROVABLE, Choice, at_sight, choose, revealed


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How strong an opponent is.

    Attributes:
        number: from 1, the weakest.
        playouts: for each of its turns; 0 for a move at sight.
        greedy: whether the move at sight is the one that leads by most if the game ended after it.
        proof: whether it proves its move where few tiles are to come.

    """

    number: int
    playouts: int = 0
    greedy: bool = False
    proof: bool = False

    @property
    def name(self) -> str:
        """The level's name."""
        return f"level {self.number}"

    @property
    def words(self) -> str:
        """A description of the level's play."""
        if not self.playouts:
            return f"{self.name}: {'takes the most points' if self.greedy else 'plays at sight'}"
        end = f", proofs with {PROVABLE} tiles to come or fewer" if self.proof else ""
        return f"{self.name}: up to {self.playouts:,} playouts a turn{end}"


LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        level.number: level
        for level in (
            Level(number=1, greedy=True),
            Level(number=2),
            Level(number=3, playouts=400),
            Level(number=4, playouts=3000, proof=True),
            Level(number=5, playouts=20_000, proof=True),
        )
    }
)
"""The levels by number."""


def answer(position: Position, level: Level, seed: int = 1, budget: Limits = NO_LIMIT) -> Choice:
    """Return the move of a level, chosen from the information that a player has.

    Args:
        position: a position with a known next tile. The level ignores all other knowledge of
            coming tiles and wall tiles.
        level: the level.
        seed: of all chance; the same seed gives the same move.
        budget: the time, and the number of threads.

    Raises:
        QuestionError: the game is over, its next tile is unknown, or the compiled search does not
            support the position.

    """
    if position.over:
        raise QuestionError("the game is over; score tells the totals")
    if not position.order:
        raise QuestionError("it is not known which tile comes next")
    seen, clock = as_seen(position), budget.start()
    if stuck(seen) == len(seen.order):
        # No tile of the known order has a place. What the bag brings is drawn by lot.
        return Choice(move=passed(position, drawn_by(position, Random(seed))))  # noqa: S311
    if level.playouts:
        found = choose(seen, playouts=level.playouts, seed=seed, prove=level.proof, budget=budget)
    else:
        move = at_sight(seen, seed, greedy=level.greedy)
        found = Choice(move=move, seconds=clock.spent())
    if all(number for _, number in position.towers):
        # A proof names the wall tiles that it takes face down.
        found = replace(found, move=replace(found.move, reveals=()))
    return replace(found, move=canonical(position, found.move))


def dealt(position: Position, seed: int) -> Position:
    """Return a position with every unknown tile and wall tile drawn at random.

    Args:
        position: a position, perhaps with tiles in a bag and wall tiles face down.
        seed: of the lot; the same seed gives the same position.

    """
    bag = [*position.bag]
    Random(seed).shuffle(bag)  # noqa: S311 -- repeatable
    return revealed(replace(position, order=(*position.order, *bag), bag=()), seed)
