"""Legal places of followers in Carcassonne."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.components import Role
from burgrave.model.deployment import (
    Deployments,
    at_once_home,
    not_home_yet,
    not_one,
    occupied,
    out_of_supply,
    wrong_role,
)
from burgrave.model.placement import Placement
from burgrave.model.position import Position
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.carcassonne.setup import RULEBOOK
from burgrave.model.standing import doubled
from burgrave.model.switches import FARMERS
from burgrave.model.tiles import Kind

_SECTION = f"{RULEBOOK}, 'Deploying a follower'"

ROLES = {
    Kind.ROAD: Role.THIEF,
    Kind.CITY: Role.KNIGHT,
    Kind.CLOISTER: Role.MONK,
    Kind.FIELD: Role.FARMER,
}
"""Place followers on features and name their roles."""
NO_FARMERS = "the game is played without farmers: nobody stands on a field"


@rule("carcassonne.follower.one", _SECTION)
def ONE(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """At most one follower is placed in a turn, on the tile just placed.

    He never moves and cannot be taken back before his feature is scored.

    Passes: one follower on the new tile.
    Fails: two followers, or a follower on a tile of an earlier turn.
    """
    for fault in not_one(placement, deployments):
        yield ONE.finding(*fault)


def one_each(position: Position) -> Iterator[Finding]:
    """Yield tiles on which no turns of a game can have placed all followers."""
    for fault in doubled(position):
        yield ONE.finding(*fault)


@rule("carcassonne.follower.supply", _SECTION)
def SUPPLY(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower comes from the player's supply; a player without one still places tiles.

    Passes: a player with one follower in the supply places it.
    Fails: a player whose followers are all on the board places one.
    """
    for fault in out_of_supply(placement, deployments):
        yield SUPPLY.finding(*fault)


@rule("carcassonne.follower.role", _SECTION, FARMERS)
def ROLE(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower is a thief on a road, a knight in a city, a monk in a cloister.

    On a field he is a farmer and lies down. With the switch ``farmers`` off nobody stands
    on a field.

    Passes: a farmer on the field round a cloister, which leaves the cloister unclaimed.
    Fails: a knight on a road.
    """
    for fault in wrong_role(placement, deployments):
        yield ROLE.finding(*fault)
    if placement.position.game.value(FARMERS) == "off":
        for deployment in deployments:
            if deployment.role is Role.FARMER:
                yield ROLE.finding(NO_FARMERS, (deployment.cell,))


@rule("carcassonne.follower.free", _SECTION)
def UNCLAIMED(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """No follower is placed on a feature that already holds one, even one's own.

    The feature after the join decides; the distance of the other follower does not matter. Only a
    join brings several followers to one feature.

    Passes: a thief on another arm of a junction than the occupied one.
    Fails: a thief on a road with a thief ten tiles away.
    """
    for fault in occupied(placement, deployments):
        yield UNCLAIMED.finding(*fault)


@rule("carcassonne.follower.completed", _SECTION)
def COMPLETED(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower may be placed on a feature that this very tile completes.

    He is scored and comes home in the same turn. Placing is free: a feature without followers
    scores for nobody.

    Passes: a knight in an empty city that the tile completes.
    Fails: nothing; the feature must only be free.
    """
    for fault in at_once_home(placement, deployments):
        yield COMPLETED.finding(*fault)


@rule("carcassonne.return", f"{RULEBOOK}, 'Scoring'")
def RETURN(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """Followers of a scored feature go home at the end of the turn, for the next turn.

    Farmers stay to the end of the game.

    Passes: a follower that came home last turn is placed.
    Fails: a follower that comes home this turn is placed this turn.
    """
    for fault in not_home_yet(placement, deployments):
        yield RETURN.finding(*fault)


DEPLOYMENT = (ONE, SUPPLY, ROLE, UNCLAIMED, RETURN)
"""The rules that can forbid a follower."""
