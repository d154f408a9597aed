"""Find impossible boards: the common part of both families of games.

Each generator yields faults, as messages with their cells. The rules of a game add their ids and
sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from burgrave.model.book import book_of
from burgrave.model.deployment import Fault
from burgrave.model.features import Feature, position_features
from burgrave.model.laying import complete
from burgrave.model.position import Position
from burgrave.model.quarters import titled


def piled(position: Position) -> Iterator[Fault]:
    """Yield cells on which several tiles lie."""
    taken = Counter(tile.cell for tile in position.tiles)
    for cell, times in sorted(taken.items()):
        if times > 1:
            yield f"{times} tiles lie on {cell}", (cell,)


def strangers(position: Position) -> Iterator[Fault]:
    """Yield followers whose role does not fit their kind of segment."""
    roles, by_cell = book_of(position.game).roles, position.by_cell()
    for follower in position.followers:
        cell, index = follower.node
        kind = by_cell[cell].kind.segments[index].kind
        if roles[kind] is not follower.role:
            message = (
                f"a {follower.role} stands on the {kind} on {cell}; a follower there is a"
                f" {roles[kind]}"
            )
            tile = by_cell[cell]
            fits = (
                tile.kind.name_of(number, tile.rotation)
                for number, one in enumerate(tile.kind.segments)
                if roles[one.kind] is follower.role
            )
            if there := " or ".join(fits):
                message += f", and a {follower.role} stands on {there}"
            yield message, (cell,)


def crowded(position: Position) -> Iterator[Fault]:
    """Yield followers who stand where another one stands."""
    by_cell = position.by_cell()
    for node, number in Counter(follower.node for follower in position.followers).items():
        kind = by_cell[node.cell].kind.segments[node.segment].kind
        for _ in range(number - 1):
            yield f"two followers stand on one {kind} segment on {node.cell}", (node.cell,)


def doubled(position: Position) -> Iterator[Fault]:
    """Yield tiles with followers on several segments, which cannot come about in play.

    They can be played on from, so they are remarks. A follower on a tower does not count.
    """
    standing = Counter(cell for cell, _ in {follower.node for follower in position.followers})
    for cell, number in sorted(standing.items()):
        if number > 1:
            message = (
                f"{number} followers stand on the tile on {cell}; in play a turn places at most"
                " one, on its own tile"
            )
            yield message, (cell,)


def remaining(
    position: Position, stays: Callable[[Feature], bool] = lambda _: False
) -> Iterator[Fault]:
    """Yield followers who stand on completed features and should have gone home.

    Args:
        position: the position.
        stays: whether the followers of a feature stay although it is complete.

    """
    laid = position.laid()
    for feature in position_features(position):
        if feature.followers and complete(position, feature, laid) and not stays(feature):
            for follower in feature.followers:
                cell = follower.node.cell
                home = f"so its {follower.title} has gone home"
                yield f"the {feature} on {cell} is complete, {home}", (cell,)


def surplus_tiles(position: Position) -> Iterator[str]:
    """Say in words which tiles a position has more often than its set."""
    lists = {
        "order": position.order,
        "bag": position.bag,
        "discarded": position.discarded,
    }
    used = Counter(tile.kind.id for tile in position.tiles)
    used.update(tile for tiles in lists.values() for tile in tiles)
    for kind in position.game.tile_set.kinds:
        if used[kind.id] > kind.count:
            there = [f"on {tile.cell}" for tile in position.tiles if tile.kind.id == kind.id]
            there += [name for name in ("order", "bag", "discarded") if kind.id in lists[name]]
            yield (
                f"tile {titled(kind)} is there {used[kind.id]} times"
                f" ({', '.join(there)});"
                f" the set has {kind.count}"
            )
