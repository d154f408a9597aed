"""A tile laid on the board, with what it joins and completes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from model.features import Feature, Features, Laid, features
from model.position import Deployment, Follower, PlayerState, Position, Rank
from model.rewards import factors, multiple
from model.rules.scoring import MAJORITY, Claim
from model.tiles import PlacedTile


def complete(position: Position, feature: Feature, laid: Laid) -> bool:
    """Tell whether a feature is complete on a board, and so is scored in play."""
    return feature.inside and position.game.rules.completion[feature.kind](
        position.game, feature, laid
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The tile of a turn on its cell, before a follower is placed."""

    position: Position
    tile: PlacedTile
    board: Laid
    """Tiles and start-space pictures by cell, the new tile included."""
    after: Features
    """Features with the tile, with the followers that stood there before."""
    completed: tuple[Feature, ...]
    """Features that this tile completed, courts excepted, by their anchor."""
    discards: tuple[str, ...] = ()
    """Tiles drawn before it that had no place."""

    @property
    def mover(self) -> PlayerState:
        """The player whose turn it is."""
        return self.position.players[self.position.to_move]

    @property
    def mover_name(self) -> str:
        """The name of the player whose turn it is."""
        return self.position.game.name(self.position.to_move)

    def claims(self, deployments: tuple[Deployment, ...]) -> tuple[Claim, ...]:
        """Return the completed features with who stands on them once followers are placed."""
        mover = self.position.to_move
        new = [deployment.by(mover) for deployment in deployments]
        return tuple(
            self._claim(
                feature, feature.followers + tuple(f for f in new if f.node in feature.nodes)
            )
            for feature in self.completed
        )

    def _claim(self, feature: Feature, here: tuple[Follower, ...]) -> Claim:
        """Return a completed feature with who stands on it."""
        game = self.position.game
        winner = MAJORITY(game, here)
        plain = Claim(
            feature=feature,
            followers=here,
            winner=winner,
            points=game.rules.worth[feature.kind](feature),
            doublable=not any(bar(game, here, winner) for bar in game.rules.bars),
        )
        scored = plain.scored(game)
        if scored is None:
            return plain
        return replace(
            plain,
            points=plain.points * multiple(scored),
            doubled_by=tuple((factor.by, factor.rule.id) for factor in factors(scored)),
        )


def lay(
    position: Position, tile: PlacedTile, before: Features, discards: tuple[str, ...] = ()
) -> Placement:
    """Lay a tile on an empty cell and see what it joins and completes.

    Args:
        position: the position before.
        tile: the tile; whether the rules allow its place is not looked at.
        before: the features of ``position``.
        discards: tiles drawn before it that had no place.

    """
    old = position.laid()
    board = {**old, tile.cell: tile}
    after = features(position.game, board, position.followers)
    was_complete = {
        feature.nodes
        for feature in before
        if not feature.open_sides and complete(position, feature, old)
    }
    completed = [
        feature
        for feature in after
        if not feature.open_sides
        and feature.nodes not in was_complete
        and complete(position, feature, board)
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
    book, ranks = game.rules, (Rank.FOLLOWER, *game.specials)
    for (index, segment), rank in product(enumerate(tile.kind.segments), ranks):
        chosen = (Deployment(tile.cell, index, book.roles[segment.kind], rank),)
        if not any(True for law in book.deployment for _ in law(placement, chosen)):
            yield chosen
