"""What is impossible about the tiles and followers of a castle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from model.features import position_features
from model.geometry import areas
from model.placement import complete
from model.position import Node, Position
from model.rules.followers import RETURN, ROLE, UNCLAIMED
from model.rules.placement import ADJACENT, INSIDE, PATH, START_PATH
from model.rules.rule import Finding
from model.switches import RETURN_ON_TIE


def standing(position: Position) -> Iterator[Finding]:
    """Yield what is impossible about tiles, their connection and followers, in this order."""
    yield from _tiles(position)
    yield from _connected(position)
    yield from _followers(position)


def _tiles(position: Position) -> Iterator[Finding]:
    """Yield tiles outside, tiles on one another, and paths that do not meet, each once."""
    taken = Counter(tile.cell for tile in position.tiles)
    for cell, times in sorted(taken.items()):
        if times > 1:
            yield INSIDE.finding(f"{times} tiles lie on {cell}", (cell,))
    for index, tile in enumerate(position.tiles):
        earlier = tuple(t for t in position.tiles[:index] if t.cell != tile.cell)
        before = replace(position, tiles=earlier)
        yield from INSIDE(before, tile)
        yield from PATH(before, tile)
        yield from START_PATH(before, tile)


def _connected(position: Position) -> Iterator[Finding]:
    """Yield a finding for every group of tiles that no start space begins."""
    groups = {min(group): group for group in areas(position.by_cell())}
    for tile in position.tiles:
        group = groups.pop(tile.cell, None)
        if group is not None and not any(position.game.board.start_facing(c) for c in group):
            shown = " ".join(str(cell) for cell in sorted(group))
            yield ADJACENT.finding(
                f"no way of full sides leads from a start space to the tiles on {shown}",
                (tile.cell,),
            )


def _followers(position: Position) -> Iterator[Finding]:
    """Yield followers on the wrong kind, on one another, or on completed features."""
    by_cell = position.by_cell()
    roles = position.game.rules.roles
    standing: set[Node] = set()
    tied_stay = position.game.value(RETURN_ON_TIE) == "off"
    for follower in position.followers:
        cell, index = follower.node
        kind = by_cell[cell].kind.segments[index].kind
        if roles[kind] is not follower.role:
            yield ROLE.finding(
                f"a {follower.role} stands on the {kind} on {cell}; a follower there is a"
                f" {roles[kind]}",
                (cell,),
            )
        if follower.node in standing:
            yield UNCLAIMED.finding(f"two followers stand on one {kind} segment on {cell}", (cell,))
        standing.add(follower.node)
    if tied_stay:
        return
    laid = position.laid()
    for feature in position_features(position):
        if feature.followers and complete(position, feature, laid):
            for follower in feature.followers:
                yield RETURN.finding(
                    f"the {feature} on {follower.node.cell} is complete, so its {follower.title}"
                    " has gone home",
                    (follower.node.cell,),
                )
