"""Score completed features: points, scorers and order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from burgrave.model.book import book_of
from burgrave.model.claims import Claim, claimed
from burgrave.model.components import Follower
from burgrave.model.features import Feature
from burgrave.model.position import ScoreStep
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.castle.setup import RULEBOOK
from burgrave.model.tiles import Kind, Mark
from burgrave.model.worth import Worth

if TYPE_CHECKING:
    from burgrave.model.games import Game


@rule("castle.score.tiles", f"{RULEBOOK}, 'A completed path'")
def TILES(feature: Feature) -> int:
    """Tiles are counted, not segments: a tile with two segments of the feature counts once.

    Passes: a house that enters one tile twice, over 4 tiles, counts 4.
    Fails: the same house counts 5.
    """
    return feature.size


@rule("castle.path.score", f"{RULEBOOK}, 'A completed path'")
def PATH_SCORE(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """A path is worth 1 point a tile, or 2 a tile if at least one fountain lies on it.

    Passes: a path of 3 tiles with two fountains is worth 6.
    Fails: the same path is worth 9.
    """
    return TILES(feature) * (2 if feature.count(Mark.FOUNTAIN) else 1)


@rule("castle.tower.score", f"{RULEBOOK}, 'A completed tower'")
def TOWER_SCORE(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """A tower is worth 2 points a tile.

    Passes: a tower of 3 tiles and a start space is worth 8.
    Fails: the same tower is worth 6.
    """
    return 2 * TILES(feature)


@rule("castle.house.score", f"{RULEBOOK}, 'A completed house and the keep'")
def HOUSE_SCORE(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """A house is worth 1 point a tile.

    Passes: a house on one tile is worth 1.
    Fails: a house on one tile is worth 2.
    """
    return TILES(feature)


WORTH = {
    Kind.PATH: PATH_SCORE,
    Kind.TOWER: TOWER_SCORE,
    Kind.HOUSE: HOUSE_SCORE,
}
"""The rule for the points of a completed feature of a kind."""


def table(game: Game) -> dict[Kind, Worth]:  # noqa: ARG001
    """Return the points of paths, towers and houses as data."""
    return {
        Kind.PATH: Worth(done=1, by={Mark.FOUNTAIN: (2, 0)}),
        Kind.TOWER: Worth(done=2),
        Kind.HOUSE: Worth(done=1),
    }


@rule("castle.score.majority", f"{RULEBOOK}, 'Connecting paths, towers, houses, and courts'")
def MAJORITY(game: Game, followers: Sequence[Follower]) -> int | None:
    """The player with strictly more followers on a feature takes all its points.

    Equal numbers: nobody scores. No follower: nobody scores. The book of the game says how many
    followers a king or falconer counts as.

    Passes: two knights against one take the whole tower.
    Fails: one knight against one takes half of it.
    """
    counts = [0] * len(game.players)
    for follower in followers:
        counts[follower.player] += book_of(game).counts(game, follower)
    best = max(counts)
    if best == 0 or counts.count(best) > 1:
        return None
    return counts.index(best)


@rule("castle.score.order", f"{RULEBOOK}, 'The wall tiles'")
def ORDER(
    mover: int, claims: Sequence[Claim], scoring: Sequence[ScoreStep], names: Sequence[str]
) -> Iterator[Finding]:
    """The placing player's features are scored first, then the opponent's.

    Within each the placing player picks the order. A feature that nobody scores has no
    place in it, and the marker moves once for each feature.

    Passes: the player's own path before the opponent's tower.
    Fails: the opponent's tower before the player's own path.
    """
    others_turn = False
    seen: set[int] = set()
    for step in scoring:
        index = claimed(claims, step)
        cells = (step.node.cell,)
        if index is None:
            yield ORDER.finding(f"no feature completed this turn lies at {step.node.cell}", cells)
            continue
        claim = claims[index]
        if index in seen:
            yield ORDER.finding(f"the {claim.feature} at {step.node.cell} is scored twice", cells)
        seen.add(index)
        # A step with a wall tile names the feature for the tile's sake. The rule on majorities
        # alone decides whether the tile may be used there.
        if claim.winner is None and not step.wall_tiles:
            yield ORDER.finding(
                f"nobody scores the {claim.feature} at {step.node.cell}, so it has no place in the"
                " order",
                cells,
            )
        elif claim.winner not in {None, mover}:
            others_turn = True
        elif claim.winner == mover and others_turn:
            yield ORDER.finding(
                f"the {claim.feature} of {names[mover]} at {step.node.cell} must be scored before"
                " the opponent's features",
                cells,
            )
