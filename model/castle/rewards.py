"""Rewards of a feature completed in a castle: its scorers, points, doubling and tokens."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.book import Factor, book_of
from burgrave.model.claims import Claim, Pile, Scored
from burgrave.model.components import Follower
from burgrave.model.features import Feature
from burgrave.model.placement import Placement
from burgrave.model.position import Deployment, Position
from burgrave.model.rule import Event
from burgrave.model.rules.castle.scoring import MAJORITY


def pile_of(position: Position) -> Pile:
    """Return the tokens of a position."""
    pile = book_of(position.game).pile
    return Pile((0,) * len(position.players), frozenset()) if pile is None else pile(position)


def with_pile(position: Position, pile: Pile) -> Position:
    """Return a position with other tokens."""
    put = book_of(position.game).with_pile
    return position if put is None else put(position, pile)


def factors(scored: Scored) -> tuple[Factor, ...]:
    """Return the multiplying followers of a feature for the player who scores it."""
    return tuple(factor for factor in book_of(scored.game).factors if factor.rule(scored) > 1)


def multiple(scored: Scored) -> int:
    """Return the factor of a feature's points for its scorer."""
    product = 1
    for factor in book_of(scored.game).factors:
        product *= factor.rule(scored)
    return product


def collect(pile: Pile, scored: Scored) -> tuple[Pile, tuple[Event, ...]]:
    """Let the scorer of a feature take tokens.

    Returns:
        The tokens after it, and an event if any were taken.

    """
    take = book_of(scored.game).collect
    if take is None:
        return pile, ()
    after, event = take(pile, scored)
    return after, () if event is None else (event,)


def claims_of(placement: Placement, deployments: tuple[Deployment, ...]) -> tuple[Claim, ...]:
    """Return the completed features with their followers, after placement."""
    mover = placement.position.to_move
    new = [deployment.by(mover) for deployment in deployments]
    return tuple(
        _claim(
            placement.position,
            feature,
            feature.followers + tuple(f for f in new if f.node in feature.nodes),
        )
        for feature in placement.completed
    )


def _claim(position: Position, feature: Feature, here: tuple[Follower, ...]) -> Claim:
    """Return a completed feature with its followers."""
    game = position.game
    book = book_of(game)
    winner = MAJORITY(game, here)
    plain = Claim(
        feature=feature,
        followers=here,
        winner=winner,
        points=book.worth[feature.kind](game, feature),
        doublable=not any(bar(game, here, winner) for bar in book.bars),
    )
    scored = plain.scored(game)
    if scored is None:
        return plain
    return replace(
        plain,
        points=plain.points * multiple(scored),
        doubled_by=tuple((factor.by, factor.rule.id) for factor in factors(scored)),
    )
