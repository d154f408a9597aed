"""Where a follower may stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from model.features import RULEBOOK
from model.placement import Placement
from model.position import Deployment, Node, Rank, Role
from model.rules.rule import Finding, rule
from model.switches import EXTRA_TURN_IS_NEXT_TURN
from model.tiles import Kind

_SECTION = f"{RULEBOOK}, 'Place a follower'"

ROLES = {
    Kind.PATH: Role.HERALD,
    Kind.TOWER: Role.KNIGHT,
    Kind.HOUSE: Role.SQUIRE,
    Kind.COURT: Role.MERCHANT,
    Kind.CHAPEL: Role.PREACHER,
}
"""What a follower is by the feature on which he stands."""

Deployments = tuple[Deployment, ...]


@rule("castle.follower.one", _SECTION)
def ONE(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """At most one follower is placed in a turn, on the tile just placed.

    Passes: one follower on the new tile.
    Fails: two followers, or a follower on a tile of an earlier turn.
    """
    if len(deployments) > 1:
        cells = tuple(deployment.cell for deployment in deployments)
        yield ONE.finding(f"{len(deployments)} followers are placed in one turn", cells)
    for deployment in deployments:
        if deployment.cell != placement.tile.cell:
            yield ONE.finding(
                f"the {deployment.title} is placed on {deployment.cell}, but only the tile just"
                f" placed on {placement.tile.cell} may take a follower",
                (deployment.cell,),
            )


@rule("castle.follower.supply", _SECTION)
def SUPPLY(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower comes from the player's supply; with none there, none is placed.

    Passes: a player with one follower in the supply places it.
    Fails: a player whose followers are all on the board places one.
    """
    for rank, wanted in _ranks(deployments):
        supply = placement.mover.available(rank)
        if wanted > supply:
            what = "followers" if rank is Rank.FOLLOWER else f"{rank}s"
            yield SUPPLY.finding(
                f"{placement.mover_name} has {supply} {what} in the supply and places {wanted}",
                (placement.tile.cell,),
            )


def _ranks(deployments: Deployments) -> Iterator[tuple[Rank, int]]:
    """Yield each rank among followers to be placed, with their number."""
    yield from sorted(Counter(deployment.rank for deployment in deployments).items())


@rule("castle.follower.role", _SECTION)
def ROLE(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower is a herald on a path, a knight on a tower, a squire on a house.

    On a court he is a merchant, with or without a market, and lies down.

    Passes: a merchant on a court without a market.
    Fails: a knight on a house.
    """
    for deployment in deployments:
        tile = placement.board.get(deployment.cell)
        if tile is None or not 0 <= deployment.segment < len(tile.kind.segments):
            yield ROLE.finding(
                f"there is no segment to stand on at {deployment.cell}", (deployment.cell,)
            )
            continue
        kind = tile.kind.segments[deployment.segment].kind
        if ROLES[kind] is not deployment.role:
            yield ROLE.finding(
                f"a {deployment.role} cannot stand on the {kind} on {deployment.cell}: a follower"
                f" there is a {ROLES[kind]}",
                (deployment.cell,),
            )


@rule("castle.follower.free", _SECTION)
def UNCLAIMED(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """No follower is placed on a feature that already holds one, even one's own.

    It counts what the feature is after the tile has joined it; how far away the other
    follower stands does not matter.

    Passes: a knight on a tower beside a house that holds a squire.
    Fails: a squire on a house that holds a squire ten tiles away.
    """
    for deployment in deployments:
        feature = placement.after.by_node.get(Node(deployment.cell, deployment.segment))
        if feature is None or not feature.followers:
            continue
        there = feature.followers[0]
        owner = placement.position.game.name(there.player)
        yield UNCLAIMED.finding(
            f"the {feature.kind} at {deployment.cell} already holds a {there.title} of {owner} on"
            f" {there.node.cell}",
            (deployment.cell, there.node.cell),
        )


@rule("castle.follower.completed", f"{RULEBOOK}, 'The return of followers to their owners'")
def COMPLETED(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """A follower may be placed on a feature that this very tile completes.

    He is scored and comes home in the same turn.

    Passes: a knight on an empty tower that the tile completes.
    Fails: nothing; the feature must only be free.
    """
    for deployment in deployments:
        feature = placement.after.by_node.get(Node(deployment.cell, deployment.segment))
        if feature is not None and feature in placement.completed and not feature.followers:
            yield COMPLETED.finding(
                f"the {deployment.title} stands on the {feature} that this tile completes: he is"
                " scored and comes home this turn",
                (deployment.cell,),
            )


@rule(
    "castle.return",
    f"{RULEBOOK}, 'The return of followers to their owners'",
    EXTRA_TURN_IS_NEXT_TURN,
)
def RETURN(placement: Placement, deployments: Deployments) -> Iterator[Finding]:
    """Followers of a scored feature go home at the end of the turn, for the next turn.

    On a tie they go home too (switch ``return_on_tie``). An extra turn counts as the next
    turn (switch ``extra_turn_is_next_turn``).

    Passes: a follower that came home last turn is placed.
    Fails: a follower that comes home this turn is placed this turn.
    """
    mover = placement.position.to_move
    going = [f for feature in placement.completed for f in feature.followers if f.player == mover]
    for rank, wanted in _ranks(deployments):
        if placement.mover.available(rank) >= wanted:
            continue
        for follower in going:
            if follower.rank is rank:
                yield RETURN.finding(
                    f"the {follower.title} on {follower.node.cell} comes home at the end of this"
                    " turn and cannot be placed before the next",
                    (follower.node.cell,),
                )
        if resting := placement.mover.resting(rank):
            what = "followers" if rank is Rank.FOLLOWER else f"{rank}s"
            yield RETURN.finding(
                f"{resting} {what} of {placement.mover_name} came home in the turn before and wait"
                " for the next turn that is not an extra turn"
            )


DEPLOYMENT = (ONE, SUPPLY, ROLE, UNCLAIMED, RETURN)
"""The rules that can forbid a follower."""
