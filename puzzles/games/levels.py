"""Opponents of several strengths, for practice: the policy at sight, or playouts and proofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import canonical
from burgrave.model.errors import QuestionError
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.players import drawn_by, passed
from burgrave.solver.limits import NO_LIMIT, Limits
from burgrave.solver.questions import PROVABLE, at_sight, evaluate, revealed


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How strong an opponent is.

    Attributes:
        number: from 1, the weakest.
        playouts: for each of its turns; 0 for the move that the policy plays at sight.
        proof: whether it proves the values of its moves where few tiles are to come.

    """

    number: int
    playouts: int
    proof: bool

    @property
    def name(self) -> str:
        """The level's name."""
        return f"level {self.number}"

    @property
    def words(self) -> str:
        """A description of the level's play."""
        by = f"{self.playouts:,} playouts a turn" if self.playouts else "the policy at sight"
        end = f", proofs with {PROVABLE} tiles to come or fewer" if self.proof else ", no proofs"
        return f"{self.name}: {by}{end}"


LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        number: Level(number=number, playouts=playouts, proof=proof)
        for number, playouts, proof in (
            (1, 0, False),
            (2, 200, False),
            (3, 1000, True),
            (4, 4000, True),
            (5, 16000, True),
        )
    }
)
"""The levels by number."""


def answer(position: Position, level: Level, seed: int = 1, budget: Limits = NO_LIMIT) -> Move:
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
    seen = as_seen(position)
    if stuck(seen) == len(seen.order):
        # No tile of the known order has a place. What the bag brings is drawn by lot.
        return passed(position, drawn_by(position, Random(seed)))  # noqa: S311 -- repeatable
    if level.playouts == 0:
        move = at_sight(seen, seed)
    else:
        found = evaluate(seen, playouts=level.playouts, seed=seed, prove=level.proof, budget=budget)
        move = found.moves[0].move
    if all(number for _, number in position.towers):
        # A proof names the wall tiles that it takes face down.
        move = replace(move, reveals=())
    return canonical(position, move)


def dealt(position: Position, seed: int) -> Position:
    """Return a position with every unknown tile and wall tile drawn at random.

    Args:
        position: a position, perhaps with tiles in a bag and wall tiles face down.
        seed: of the lot; the same seed gives the same position.

    """
    bag = [*position.bag]
    Random(seed).shuffle(bag)  # noqa: S311 -- repeatable
    return revealed(replace(position, order=(*position.order, *bag), bag=()), seed)
