"""Lay a tile: joined and completed features, and followers that may be placed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.features import Feature, Features, Laid, features_with
from burgrave.model.placement import Placement
from burgrave.model.position import Deployment, Position
from burgrave.model.tiles import PlacedTile


def complete(position: Position, feature: Feature, laid: Laid) -> bool:
    """Tell whether a feature is complete on a board, and so is scored in play."""
    return feature.inside and book_of(position.game).completion[feature.kind](
        position.game, feature, laid
    )


def lay(
    position: Position, tile: PlacedTile, before: Features, discards: tuple[str, ...] = ()
) -> Placement:
    """Lay a tile on an empty cell and find the features that it joins and completes.

    Args:
        position: the position before.
        tile: the tile; legality of its place is not tested.
        before: the features of ``position``.
        discards: tiles drawn before it that had no place.

    """
    old = position.laid()
    board = {**old, tile.cell: tile}
    after = features_with(position.game, before, tile, board, position.followers)
    was_complete = {feature.nodes for feature in before if complete(position, feature, old)}
    completed = [
        feature
        for feature in after
        if feature.nodes not in was_complete and complete(position, feature, board)
    ]
    return Placement(
        position=position,
        tile=tile,
        board=board,
        after=after,
        completed=tuple(sorted(completed, key=lambda feature: feature.anchor)),
        discards=discards,
    )


def deployable(placement: Placement) -> Iterator[tuple[Deployment, ...]]:
    """Yield no follower, then every legal follower on the new tile."""
    yield ()
    tile = placement.tile
    game = placement.position.game
    book, ranks = book_of(game), (Rank.FOLLOWER, *game.specials)
    for (index, segment), rank in product(enumerate(tile.kind.segments), ranks):
        chosen = (Deployment(tile.cell, index, book.roles[segment.kind], rank),)
        if not any(True for law in book.deployment for _ in law(placement, chosen)):
            yield chosen
