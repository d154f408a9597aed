"""Score the features of Carcassonne."""

from __future__ import annotations

from collections.abc import Sequence

from burgrave.model.book import book_of
from burgrave.model.components import Follower
from burgrave.model.features import Feature, Laid
from burgrave.model.games import Game
from burgrave.model.rule import rule
from burgrave.model.rules.carcassonne.completion import around
from burgrave.model.rules.carcassonne.setup import RULEBOOK
from burgrave.model.switches import COUNT_BY, SMALL_CITY, TIE
from burgrave.model.tiles import Kind, Mark
from burgrave.model.worth import PAIR, Worth

_SECTION = f"{RULEBOOK}, 'Scoring'"
_FINAL = f"{RULEBOOK}, 'Final scoring'"


@rule("carcassonne.score.tiles", _SECTION, COUNT_BY)
def TILES(game: Game, feature: Feature) -> int:
    """Tiles are counted: a tile that meets the feature with two segments counts once.

    With the switch at ``segment`` each of its segments counts.

    Passes: a city of four tiles that enters one of them twice counts 4.
    Fails: the same city counts 5.
    """
    return len(feature.nodes) if game.value(COUNT_BY) == "segment" else feature.size


@rule("carcassonne.road.score", _SECTION)
def ROAD_SCORE(game: Game, feature: Feature) -> int:
    """A completed road is worth 1 point a tile.

    Passes: a road of 3 tiles is worth 3.
    Fails: a road of 3 tiles is worth 6.
    """
    return TILES(game, feature)


@rule("carcassonne.city.score", _SECTION, SMALL_CITY)
def CITY_SCORE(game: Game, feature: Feature) -> int:
    """A completed city is worth 2 points a tile and 2 a shield.

    By the first rules a city of two tiles counts 1 a tile and 1 a shield. With the switch
    ``small_city`` at 4 there is no such exception.

    Passes: a city of 3 tiles with a shield is worth 8.
    Fails: a city of two tiles is worth 4, unless the switch says so.
    """
    small = feature.size == PAIR and game.value(SMALL_CITY) == "2"
    return (TILES(game, feature) + feature.count(Mark.SHIELD)) * (1 if small else 2)


@rule("carcassonne.cloister.score", _SECTION)
def CLOISTER_SCORE(game: Game, feature: Feature) -> int:  # noqa: ARG001
    """A completed cloister is worth 9 points: its tile and the eight round it.

    Passes: the tile that fills the ring is a cloister itself: 9 for the old one.
    Fails: the new one scores too, with its own ring unfilled.
    """
    return 9


WORTH = {
    Kind.ROAD: ROAD_SCORE,
    Kind.CITY: CITY_SCORE,
    Kind.CLOISTER: CLOISTER_SCORE,
}
"""The rule for the points of a completed feature of a kind."""


def table(game: Game) -> dict[Kind, Worth]:
    """Return the points of roads and cities as data."""
    small = 1 if game.value(SMALL_CITY) == "2" else 0
    return {
        Kind.ROAD: Worth(done=1, end=1),
        Kind.CITY: Worth(done=2, end=1, pair=small, marks={Mark.SHIELD: 1}),
    }


@rule("carcassonne.score.majority", _SECTION, TIE)
def MAJORITY(game: Game, followers: Sequence[Follower]) -> tuple[int, ...]:
    """Every player with the most followers on a feature, at least one, takes all its points.

    With the switch ``tie`` at ``none`` a tie scores for nobody, as in The Castle.

    Passes: one knight each: both take the whole city.
    Fails: one knight against two takes anything.
    """
    counted = book_of(game).strength
    return leaders(game, [counted(game, followers, p) for p in range(len(game.players))])


def leaders(game: Game, counts: Sequence[int]) -> tuple[int, ...]:
    """Return the players with the largest count above 0, or nobody on a tie by the switch."""
    best = max(counts)
    found = tuple(player for player, count in enumerate(counts) if count == best > 0)
    return () if len(found) > 1 and game.value(TIE) == "none" else found


@rule("carcassonne.end.road", _FINAL)
def ROAD_END(game: Game, feature: Feature, laid: Laid) -> int:  # noqa: ARG001
    """At the end an uncompleted road is worth 1 point a tile.

    Passes: a road of 4 tiles with an open end is worth 4.
    Fails: it is worth nothing.
    """
    return TILES(game, feature)


@rule("carcassonne.end.city", _FINAL)
def CITY_END(game: Game, feature: Feature, laid: Laid) -> int:  # noqa: ARG001
    """At the end an uncompleted city is worth 1 point a tile and 1 a shield.

    Two tiles are worth 2 in every edition.

    Passes: an uncompleted city of 3 tiles with a shield is worth 4.
    Fails: it is worth 8.
    """
    return TILES(game, feature) + feature.count(Mark.SHIELD)


@rule("carcassonne.end.cloister", _FINAL)
def CLOISTER_END(game: Game, feature: Feature, laid: Laid) -> int:  # noqa: ARG001
    """At the end an uncompleted cloister is worth 1 point and 1 for each tile round it.

    Passes: a cloister with 5 of 8 neighbours is worth 6.
    Fails: it is worth 9.
    """
    return 1 + len(around(feature, laid))


END_WORTH = {
    Kind.ROAD: ROAD_END,
    Kind.CITY: CITY_END,
    Kind.CLOISTER: CLOISTER_END,
}
"""The rule that says what an uncompleted feature of a kind is worth at the end."""
