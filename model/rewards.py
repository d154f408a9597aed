"""What a scored feature brings besides its worth: what doubles it, and tokens."""

from __future__ import annotations

from typing import NamedTuple

from model.position import Aerie, Position
from model.rules.book import Factor
from model.rules.rule import Event
from model.rules.scoring import Scored


class Pile(NamedTuple):
    """Tokens as a turn or final scoring goes on."""

    held: tuple[int, ...]
    """Tokens of each player."""
    gone: frozenset[Aerie]
    """Aeries that bring no more tokens."""


def pile_of(position: Position) -> Pile:
    """Return the tokens of a position."""
    return Pile(tuple(p.tokens for p in position.players), frozenset(position.taken_aeries))


def factors(scored: Scored) -> tuple[Factor, ...]:
    """Return what multiplies the points of a feature for the player who scores it."""
    return tuple(factor for factor in scored.game.rules.factors if factor.rule(scored) > 1)


def multiple(scored: Scored) -> int:
    """Return by how much the points of a feature are multiplied for its scorer."""
    product = 1
    for factor in scored.game.rules.factors:
        product *= factor.rule(scored)
    return product


def collect(pile: Pile, scored: Scored) -> tuple[Pile, tuple[Event, ...]]:
    """Let the scorer of a feature take tokens.

    Returns:
        The tokens after it, and an event if any were taken.

    """
    if scored.game.rules.collect is None:
        return pile, ()
    after, event = scored.game.rules.collect(pile, scored)
    return after, () if event is None else (event,)
