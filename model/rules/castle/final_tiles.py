"""Wall tiles 4 to 9 in final scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from burgrave.model.book import book_of
from burgrave.model.features import Feature
from burgrave.model.games import Game
from burgrave.model.position import FinalUse
from burgrave.model.rule import Finding, Rule, rule
from burgrave.model.rules.castle.setup import RULEBOOK
from burgrave.model.switches import END_TILE_ONCE_PER_FEATURE
from burgrave.model.tiles import Kind, Mark

_TABLE = f"{RULEBOOK}, 'Description of wall tiles'"


@rule("castle.wall.4", _TABLE)
def TILE_4(game: Game, feature: Feature) -> int:
    """Tile 4: at the end one uncompleted path scores 1 a tile, 2 with a fountain.

    Passes: an uncompleted path of 5 tiles with a fountain scores 10.
    Fails: the same path without the tile scores anything.
    """
    return book_of(game).worth[Kind.PATH](game, feature)


@rule("castle.wall.5", _TABLE)
def TILE_5(game: Game, feature: Feature) -> int:
    """Tile 5: at the end one uncompleted tower scores 2 a tile.

    Passes: an uncompleted tower of 3 tiles and a start space scores 8.
    Fails: it scores 6.
    """
    return book_of(game).worth[Kind.TOWER](game, feature)


@rule("castle.wall.6", _TABLE)
def TILE_6(game: Game, feature: Feature) -> int:
    """Tile 6: at the end one uncompleted house scores 1 a tile; it gives no keep.

    Passes: an uncompleted house of 6 tiles scores 6.
    Fails: it becomes the player's largest house.
    """
    return book_of(game).worth[Kind.HOUSE](game, feature)


@rule("castle.wall.7", _TABLE)
def TILE_7(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """Tile 7: at the end one court scores 4 points a market instead of 3.

    Passes: a court with 5 markets scores 20.
    Fails: it scores 4 once.
    """
    return feature.count(Mark.MARKET)


@rule("castle.wall.9", _TABLE)
def TILE_9() -> int:
    """Tile 9: at the end the player scores 5 points.

    Passes: two tiles 9 score 10.
    Fails: a tile 9 scores in play.
    """
    return 5


TARGETS: dict[int, tuple[Kind, Rule[[Game, Feature], int]]] = {
    4: (Kind.PATH, TILE_4),
    5: (Kind.TOWER, TILE_5),
    6: (Kind.HOUSE, TILE_6),
    7: (Kind.COURT, TILE_7),
}
"""For the tiles that need a feature: its kind, and what the tile adds."""


@rule(
    "castle.wall.end-once",
    f"{_TABLE}; inferred, as no rule speaks of two tiles for one feature",
    END_TILE_ONCE_PER_FEATURE,
)
def END_ONCE(
    uses: Sequence[FinalUse], find: Callable[[FinalUse], Feature | None]
) -> Iterator[Finding]:
    """One of tiles 4 to 7 scores a feature once; start-space tiles count.

    With the switch off a second tile of the number scores the same feature again.

    Passes: two tiles 7 on two courts.
    Fails: two tiles 4 on one path.
    """
    seen: list[Feature] = []
    for use in uses:
        feature = find(use)
        if feature is not None and feature in seen:
            yield END_ONCE.finding(
                f"two wall tiles {use.wall_tile} are used on the {feature} at"
                f" {feature.anchor.cell}",
                (feature.anchor.cell,),
            )
        elif feature is not None:
            seen.append(feature)
