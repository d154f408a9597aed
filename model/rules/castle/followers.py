"""Legal places of followers in a castle."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.components import Rank, Role
from burgrave.model.deployment import (
    Deployments,
    at_once_home,
    lacking,
    not_home_yet,
    not_one,
    occupied,
    out_of_supply,
    wrong_role,
)
from burgrave.model.placement import Placement
from burgrave.model.position import Position
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.castle.setup import RULEBOOK
from burgrave.model.standing import doubled
from burgrave.model.switches import EXTRA_TURN_IS_NEXT_TURN, RETURN_ON_TIE
from burgrave.model.tiles import Kind

_SECTION = f"{RULEBOOK}, 'Place a follower'"

ROLES = {
    Kind.PATH: Role.HERALD,
    Kind.TOWER: Role.KNIGHT,
    Kind.HOUSE: Role.SQUIRE,
    Kind.COURT: Role.MERCHANT,
}
"""The role of a follower by his feature, in The Castle without expansions."""


@rule("castle.follower.one", _SECTION)
def ONE(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """At most one follower is placed in a turn, on the tile just placed.

    Passes: one follower on the new tile.
    Fails: two followers, or a follower on a tile of an earlier turn.
    """
    for fault in not_one(placement, deployments):
        yield ONE.finding(*fault)


def one_each(position: Position) -> Iterator[Finding]:
    """Yield tiles on which no turns of a game can have placed all followers."""
    for fault in doubled(position):
        yield ONE.finding(*fault)


@rule("castle.follower.supply", _SECTION)
def SUPPLY(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower comes from the player's supply; with none there, none is placed.

    Passes: a player with one follower in the supply places it.
    Fails: a player whose followers are all on the board places one.
    """
    for fault in out_of_supply(placement, deployments):
        yield SUPPLY.finding(*fault)


@rule("castle.follower.role", _SECTION)
def ROLE(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower is a herald on a path, a knight on a tower, a squire on a house.

    On a court he is a merchant, with or without a market, and lies down.

    Passes: a merchant on a court without a market.
    Fails: a knight on a house.
    """
    for fault in wrong_role(placement, deployments):
        yield ROLE.finding(*fault)


@rule("castle.follower.free", _SECTION)
def UNCLAIMED(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """No follower is placed on a feature that already holds one, even one's own.

    The feature after the join decides; the distance of the other follower does not matter.

    Passes: a knight on a tower beside a house that holds a squire.
    Fails: a squire on a house that holds a squire ten tiles away.
    """
    for fault in occupied(placement, deployments):
        yield UNCLAIMED.finding(*fault)


@rule("castle.follower.completed", f"{RULEBOOK}, 'The return of followers to their owners'")
def COMPLETED(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower may be placed on a feature that this very tile completes.

    He is scored and comes home in the same turn.

    Passes: a knight on an empty tower that the tile completes.
    Fails: nothing; the feature must only be free.
    """
    # A king or falconer may not be placed there (The Falcon).
    plain = tuple(one for one in deployments if one.rank is Rank.FOLLOWER)
    for fault in at_once_home(placement, plain):
        yield COMPLETED.finding(*fault)


@rule(
    "castle.return",
    f"{RULEBOOK}, 'The return of followers to their owners'",
    EXTRA_TURN_IS_NEXT_TURN,
    RETURN_ON_TIE,
)
def RETURN(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """Followers of a scored feature go home at the end of the turn, for the next turn.

    On a tie they go home too (switch ``return_on_tie``). An extra turn counts as the next
    turn (switch ``extra_turn_is_next_turn``).

    Passes: a follower that came home last turn is placed.
    Fails: a follower that comes home this turn is placed this turn.
    """
    for fault in not_home_yet(placement, deployments):
        yield RETURN.finding(*fault)
    for rank, _ in lacking(placement, deployments):
        if resting := placement.mover.resting(rank):
            yield RETURN.finding(
                f"{resting} {rank}s of {placement.mover_name} came home in the turn before and wait"
                " for the next turn that is not an extra turn"
            )


DEPLOYMENT = (ONE, SUPPLY, ROLE, UNCLAIMED, RETURN)
"""The rules that can forbid a follower."""
