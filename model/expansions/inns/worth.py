"""The points of roads with an inn and of cities with a cathedral."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from burgrave.model.expansions.inns.switches import (
    CATHEDRALS,
    INNS,
    UNFINISHED_CATHEDRALS,
    UNFINISHED_INNS,
)
from burgrave.model.features import Feature
from burgrave.model.games import Game
from burgrave.model.rule import Rule, rule
from burgrave.model.rules.carcassonne.scoring import TILES
from burgrave.model.tiles import Kind, Mark
from burgrave.model.worth import Worth

INNS_RULES = "Carcassonne: Inns & Cathedrals, rules (Rio Grande Games, 2006)"
_INNS = f"{INNS_RULES}, 'Inns'"
_CATHEDRALS = f"{INNS_RULES}, 'Cathedrals'"
A_TILE_WITH_AN_INN = 2
A_TILE_WITH_A_CATHEDRAL = 3


@rule("inns.road.score", _INNS, INNS)
def ROAD_SCORE(game: Game, feature: Feature) -> int | None:
    """A completed road with one inn or several is worth 2 points a tile.

    Only the road counts on which the inn lies: on a junction it belongs to one arm.

    Passes: a road of 3 tiles with two inns is worth 6.
    Fails: it is worth 9, or 12.
    """
    if not _inn(game, feature):
        return None
    return A_TILE_WITH_AN_INN * TILES(game, feature)


@rule("inns.city.score", _CATHEDRALS, CATHEDRALS)
def CITY_SCORE(game: Game, feature: Feature) -> int | None:
    """A completed city with one cathedral or two is worth 3 points a tile and 3 a shield.

    For farms it is a completed city like any other.

    Passes: a city of 6 tiles with a shield and a cathedral is worth 21.
    Fails: it is worth 20.
    """
    if not _cathedral(game, feature):
        return None
    return A_TILE_WITH_A_CATHEDRAL * (TILES(game, feature) + feature.count(Mark.SHIELD))


@rule("inns.road.end", _INNS, INNS, UNFINISHED_INNS)
def ROAD_END(game: Game, feature: Feature) -> int | None:
    """At the end an uncompleted road with an inn is worth nothing, however long it is.

    With the switch ``unfinished_inns`` at ``ignore`` it is worth 1 point a tile like others.

    Passes: two tiles with an inn and an open end are worth 0.
    Fails: they are worth 2.
    """
    ignored = game.value(UNFINISHED_INNS) == "ignore"
    return None if ignored or not _inn(game, feature) else 0


@rule("inns.city.end", _CATHEDRALS, CATHEDRALS, UNFINISHED_CATHEDRALS)
def CITY_END(game: Game, feature: Feature) -> int | None:
    """At the end an uncompleted city with a cathedral is worth nothing, shields included.

    With the switch ``unfinished_cathedrals`` at ``ignore`` it is worth 1 point a tile and 1 a
    shield like others.

    Passes: a city of 8 tiles with a cathedral and a gap is worth 0.
    Fails: it is worth 8.
    """
    ignored = game.value(UNFINISHED_CATHEDRALS) == "ignore"
    return None if ignored or not _cathedral(game, feature) else 0


def _inn(game: Game, feature: Feature) -> bool:
    """Tell whether a road has an inn, and inns are played."""
    return game.value(INNS) == "on" and feature.count(Mark.INN) > 0


def _cathedral(game: Game, feature: Feature) -> bool:
    """Tell whether a city has a cathedral, and cathedrals are played."""
    return game.value(CATHEDRALS) == "on" and feature.count(Mark.CATHEDRAL) > 0


MARKED: dict[Kind, Rule[[Game, Feature], int | None]] = {
    Kind.ROAD: ROAD_SCORE,
    Kind.CITY: CITY_SCORE,
}
"""The rule for the points of a completed road or city with a mark."""
MARKED_END: dict[Kind, Rule[[Game, Feature], int | None]] = {
    Kind.ROAD: ROAD_END,
    Kind.CITY: CITY_END,
}
"""The rule for an uncompleted road or city with a mark at the end."""
_PARTS = (
    (Kind.ROAD, Mark.INN, INNS, UNFINISHED_INNS, A_TILE_WITH_AN_INN),
    (Kind.CITY, Mark.CATHEDRAL, CATHEDRALS, UNFINISHED_CATHEDRALS, A_TILE_WITH_A_CATHEDRAL),
)


def with_marks(
    table: Callable[[Game], Mapping[Kind, Worth]],
) -> Callable[[Game], Mapping[Kind, Worth]]:
    """Return a table of points with the factors of inns and cathedrals."""

    def found(game: Game) -> Mapping[Kind, Worth]:
        rows = dict(table(game))
        for kind, mark, part, at_end, done in _PARTS:
            if game.value(part) == "on":
                end = rows[kind].end if game.value(at_end) == "ignore" else 0
                rows[kind] = replace(rows[kind], by={**rows[kind].by, mark: (done, end)})
        return rows

    return found
