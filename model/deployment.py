"""Legal places of followers: the common part of both families of games.

Each generator yields faults, as messages with their cells. The rules of a game add their ids and
sources.
"""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.book import book_of
from burgrave.model.components import Node, Rank
from burgrave.model.geometry import Cell
from burgrave.model.placement import Placement
from burgrave.model.position import Deployment

Fault = tuple[str, tuple[Cell, ...]]
"""The fault in words, and its cells."""
Deployments = tuple[Deployment, ...]


def not_one(placement: Placement, deployments: Deployments) -> Iterator[Fault]:
    """Yield more than one follower, and followers that are not on the new tile."""
    if len(deployments) > 1:
        cells = tuple(deployment.cell for deployment in deployments)
        yield f"{len(deployments)} followers are placed in one turn", cells
    for deployment in deployments:
        if deployment.cell != placement.tile.cell:
            yield (
                (
                    f"the {deployment.title} is placed on {deployment.cell}, but only the tile just"
                    f" placed on {placement.tile.cell} may take a follower"
                ),
                (deployment.cell,),
            )


def lacking(placement: Placement, deployments: Deployments) -> Iterator[tuple[Rank, int]]:
    """Yield each rank of which more followers are placed than may be, with their number."""
    wanted = [deployment.rank for deployment in deployments]
    for rank in sorted(set(wanted)):
        if (number := wanted.count(rank)) > placement.mover.available(rank):
            yield rank, number


def out_of_supply(placement: Placement, deployments: Deployments) -> Iterator[Fault]:
    """Yield more followers of a rank than the supply has."""
    for rank, number in lacking(placement, deployments):
        yield (
            (
                f"{placement.mover_name} has {placement.mover.available(rank)} {rank}s in the"
                f" supply and places {number}"
            ),
            (placement.tile.cell,),
        )


def wrong_role(placement: Placement, deployments: Deployments) -> Iterator[Fault]:
    """Yield followers whose role does not fit their kind of segment."""
    roles = book_of(placement.position.game).roles
    for deployment in deployments:
        tile = placement.board.get(deployment.cell)
        if tile is None or not 0 <= deployment.segment < len(tile.kind.segments):
            yield f"there is no segment to stand on at {deployment.cell}", (deployment.cell,)
            continue
        kind = tile.kind.segments[deployment.segment].kind
        if roles[kind] is not deployment.role:
            yield (
                (
                    f"a {deployment.role} cannot stand on the {kind} on {deployment.cell}: a"
                    f" follower there is a {roles[kind]}"
                ),
                (deployment.cell,),
            )


def occupied(placement: Placement, deployments: Deployments) -> Iterator[Fault]:
    """Yield followers on features that hold one already, the new tile included."""
    for deployment in deployments:
        feature = placement.after.by_node.get(Node(deployment.cell, deployment.segment))
        if feature is None or not feature.followers:
            continue
        there = feature.followers[0]
        owner = placement.position.game.name(there.player)
        yield (
            (
                f"the {feature.kind} at {deployment.cell} already holds a {there.title} of {owner}"
                f" on {there.node.cell}"
            ),
            (deployment.cell, there.node.cell),
        )


def at_once_home(placement: Placement, deployments: Deployments) -> Iterator[Fault]:
    """Yield followers on free features that the new tile completes, which is allowed."""
    for deployment in deployments:
        feature = placement.after.by_node.get(Node(deployment.cell, deployment.segment))
        if feature is not None and feature in placement.completed and not feature.followers:
            yield (
                (
                    f"the {deployment.title} stands on the {feature} that this tile completes: he"
                    " is scored and comes home this turn"
                ),
                (deployment.cell,),
            )


def not_home_yet(placement: Placement, deployments: Deployments) -> Iterator[Fault]:
    """Yield the mover's followers that come home too late to be placed in the turn."""
    mover = placement.position.to_move
    coming = [f for feature in placement.completed for f in feature.followers if f.player == mover]
    short = [rank for rank, _ in lacking(placement, deployments)]
    for follower in coming:
        if follower.rank in short:
            yield (
                (
                    f"the {follower.title} on {follower.node.cell} comes home at the end of this"
                    " turn and cannot be placed before the next"
                ),
                (follower.node.cell,),
            )
