"""Find impossible tiles and followers in a castle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.features import Feature
from burgrave.model.geometry import areas
from burgrave.model.position import Position
from burgrave.model.rule import Finding
from burgrave.model.rules.castle.followers import RETURN, ROLE, UNCLAIMED
from burgrave.model.rules.castle.placement import ADJACENT, FIRST, INSIDE
from burgrave.model.rules.castle.scoring import MAJORITY
from burgrave.model.standing import crowded, piled, remaining, strangers
from burgrave.model.switches import RETURN_ON_TIE

BY_TURN = (FIRST, ADJACENT)
"""Rules of placement that depend on the order of turns, of which a position knows nothing."""


def standing(position: Position) -> Iterator[Finding]:
    """Yield impossible tiles, connections and followers, in this order."""
    yield from _tiles(position)
    yield from _connected(position)
    yield from _followers(position)


def _tiles(position: Position) -> Iterator[Finding]:
    """Yield tiles outside, tiles on one another, and paths that do not meet, each once."""
    for fault in piled(position):
        yield INSIDE.finding(*fault)
    for index, tile in enumerate(position.tiles):
        earlier = tuple(t for t in position.tiles[:index] if t.cell != tile.cell)
        before = replace(position, tiles=earlier)
        for law in book_of(position.game).placement:
            if law not in BY_TURN:
                yield from law(before, tile)


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
    for fault in strangers(position):
        yield ROLE.finding(*fault)
    for fault in crowded(position):
        yield UNCLAIMED.finding(*fault)
    ties_return = position.game.value(RETURN_ON_TIE) == "on"

    def stays(feature: Feature) -> bool:
        return not ties_return and MAJORITY(position.game, feature.followers) is None

    for fault in remaining(position, stays):
        yield RETURN.finding(*fault)
