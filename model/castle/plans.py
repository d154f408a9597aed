"""The ways in which a player may score completed features: wall tiles and order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from burgrave.model.castle.markers import outcomes, points
from burgrave.model.claims import Claim
from burgrave.model.position import Position, ScoreStep
from burgrave.model.rules.castle.wall_tiles import DOUBLERS
from burgrave.model.switches import DOUBLE_ONCE, WALL_OWN_TURN_ONLY

Plan = tuple[ScoreStep, ...]


def plans(position: Position, claims: Sequence[Claim]) -> Iterator[Plan]:
    """Yield one scoring plan for every use of wall tiles 2 and 3 and every outcome.

    If all orders lead to the same markers and wall tiles, the plan names the doubled features
    alone. Otherwise it names all features, in the first order with its outcome.
    """
    for doubled in doublings(position, claims):
        using = [pair for pair in zip(claims, doubled, strict=True) if pair[1]]
        # The mover's features are scored first, and so they are named first.
        using.sort(key=lambda pair: pair[0].winner != position.to_move)
        named = tuple(ScoreStep(claim.feature.anchor, used) for claim, used in using)
        orders = every_order(position, claims, named)
        if len(orders) == 1:
            yield named
            continue
        for order in sorted(orders):
            yield tuple(ScoreStep(claims[i].feature.anchor, doubled[i]) for i in order)


def every_order(position: Position, claims: Sequence[Claim], named: Plan) -> list[tuple[int, ...]]:
    """Return one order for each outcome that some order has when ``named`` are doubled."""
    worth = [replace(claim, points=points(claim, named)) for claim in claims]
    return list(outcomes(position, worth, ()).values())


def doublings(position: Position, claims: Sequence[Claim]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every use of doubling wall tiles: for each claim the tiles used on it."""
    choices = [list(_uses(position, claim)) for claim in claims]
    for used in product(*choices):
        if all(
            not (spent := _spent(claims, used, player))
            or not Counter(spent) - Counter(state.wall_tiles)
            for player, state in enumerate(position.players)
        ):
            yield used


def _spent(claims: Sequence[Claim], used: Sequence[tuple[int, ...]], player: int) -> list[int]:
    """Return the wall tiles that a use takes from a player's hand."""
    return [
        number
        for claim, numbers in zip(claims, used, strict=True)
        if claim.winner == player
        for number in numbers
    ]


def _uses(position: Position, claim: Claim) -> Iterator[tuple[int, ...]]:
    """Yield the wall tiles that its scorer may use on a feature."""
    yield ()
    if claim.winner is None or not claim.doublable:
        return
    if claim.winner != position.to_move and position.game.value(WALL_OWN_TURN_ONLY) == "on":
        return
    hand = [n for n in position.players[claim.winner].wall_tiles if n in DOUBLERS]
    fitting = [n for n in hand if DOUBLERS[n] is claim.feature.kind]
    most = 1 if position.game.value(DOUBLE_ONCE) == "on" else len(fitting)
    for size in range(1, most + 1):
        yield from sorted(set(combinations(fitting, size)))
