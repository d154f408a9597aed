"""What is impossible about the tiles and followers of a plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from model.features import position_features
from model.geometry import areas
from model.placement import complete
from model.position import Node, Position, Role
from model.rules.carcassonne.followers import NO_FARMERS, RETURN, ROLE, ROLES, UNCLAIMED
from model.rules.carcassonne.placement import ADJACENT, EDGE, EMPTY
from model.rules.rule import Finding
from model.switches import FARMERS


def standing(position: Position) -> Iterator[Finding]:
    """Yield what is impossible about tiles, their connection and followers, in this order."""
    taken = Counter(tile.cell for tile in position.tiles)
    for cell, times in sorted(taken.items()):
        if times > 1:
            yield EMPTY.finding(f"{times} tiles lie on {cell}", (cell,))
    for index, tile in enumerate(position.tiles):
        earlier = tuple(t for t in position.tiles[:index] if t.cell != tile.cell)
        yield from EDGE(replace(position, tiles=earlier), tile)
    for group in areas(position.by_cell())[1:]:
        shown = " ".join(str(cell) for cell in sorted(group))
        yield ADJACENT.finding(
            f"no way of full sides leads from the other tiles to those on {shown}", (min(group),)
        )
    yield from _followers(position)


def _followers(position: Position) -> Iterator[Finding]:
    """Yield followers on the wrong kind, on one another, or on completed features."""
    by_cell = position.by_cell()
    seen: set[Node] = set()
    for follower in position.followers:
        cell, index = follower.node
        kind = by_cell[cell].kind.segments[index].kind
        if ROLES[kind] is not follower.role:
            yield ROLE.finding(
                f"a {follower.role} stands on the {kind} on {cell}; a follower there is a"
                f" {ROLES[kind]}",
                (cell,),
            )
        if follower.role is Role.FARMER and position.game.value(FARMERS) == "off":
            yield ROLE.finding(NO_FARMERS, (cell,))
        if follower.node in seen:
            yield UNCLAIMED.finding(f"two followers stand on one {kind} segment on {cell}", (cell,))
        seen.add(follower.node)
    laid = position.laid()
    for feature in position_features(position):
        if feature.followers and complete(position, feature, laid):
            for follower in feature.followers:
                yield RETURN.finding(
                    f"the {feature} on {follower.node.cell} is complete, so its {follower.role} has"
                    " gone home",
                    (follower.node.cell,),
                )
