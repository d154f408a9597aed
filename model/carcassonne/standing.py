"""Find impossible tiles and followers on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burgrave.model.components import Role
from burgrave.model.geometry import areas
from burgrave.model.position import Position
from burgrave.model.rule import Finding
from burgrave.model.rules.carcassonne.followers import NO_FARMERS, RETURN, ROLE, UNCLAIMED
from burgrave.model.rules.carcassonne.placement import ADJACENT, EDGE, EMPTY
from burgrave.model.standing import crowded, piled, remaining, strangers
from burgrave.model.switches import FARMERS


def standing(position: Position) -> Iterator[Finding]:
    """Yield impossible tiles, connections and followers, in this order."""
    for fault in piled(position):
        yield EMPTY.finding(*fault)
    for index, tile in enumerate(position.tiles):
        earlier = tuple(t for t in position.tiles[:index] if t.cell != tile.cell)
        yield from EDGE(replace(position, tiles=earlier), tile)
    for group in areas(position.by_cell())[1:]:
        shown = " ".join(str(cell) for cell in sorted(group))
        yield ADJACENT.finding(
            f"no way of full sides leads from the other tiles to those on {shown}", (min(group),)
        )
    for fault in strangers(position):
        yield ROLE.finding(*fault)
    if position.game.value(FARMERS) == "off":
        for follower in position.followers:
            if follower.role is Role.FARMER:
                yield ROLE.finding(NO_FARMERS, (follower.node.cell,))
    for fault in crowded(position):
        yield UNCLAIMED.finding(*fault)
    for fault in remaining(position):
        yield RETURN.finding(*fault)
