"""Score farms at the end, in the three published ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burgrave.model.book import book_of
from burgrave.model.claims import Farm, Harvest
from burgrave.model.components import Node
from burgrave.model.features import Feature, Features, Laid
from burgrave.model.games import Game
from burgrave.model.rule import Rule, rule
from burgrave.model.rules.carcassonne.scoring import MAJORITY, leaders
from burgrave.model.rules.carcassonne.setup import RULEBOOK
from burgrave.model.switches import FARMS, FIELD3_ONCE_SCOPE
from burgrave.model.tiles import Kind, PlacedTile

_SECTION = f"{RULEBOOK}, 'Scoring the farms'"
_SECOND_EDITION = (
    "Carcassonne, rules of the base game (Hans im Glück, second edition, before September 2003),"
    " 'Scoring the farms', as a report of 2003 tells it"
)
_THIRD_EDITION = (
    "Carcassonne, rules of the base game (Hans im Glück, third edition, by September 2003; Rio"
    " Grande Games, from 2008), 'Scoring the farms'"
)


@rule("carcassonne.farm.adjacent", _SECTION)
def ADJACENT(tile: PlacedTile, segment: int) -> tuple[Node, ...]:
    """A field touches the cities whose wall it meets on one of its tiles.

    A city that meets it along several walls touches it once. Roads, cities and the edge of
    the board bound a field; cities that are not complete bring nothing.

    Passes: the strip between a city and a road touches the city.
    Fails: the field on the other side of the road touches it.
    """
    return tuple(Node(tile.cell, city) for city in tile.kind.bordered(segment))


def farms(board: Features, laid: Laid) -> tuple[Farm, ...]:
    """Return all fields with followers, with their completed cities."""
    found = []
    for field in board:
        if field.kind is not Kind.FIELD or not field.followers:
            continue
        near = {
            board.at(city).nodes: board.at(city)
            for cell, segment in field.nodes
            for city in ADJACENT(laid[cell], segment)
        }
        cities = [near[nodes] for nodes in sorted(near) if not near[nodes].open_sides]
        found.append(Farm(field, tuple(cities)))
    return tuple(found)


def _by_city(all_farms: Sequence[Farm]) -> Iterator[tuple[Feature, list[Farm]]]:
    """Yield every completed city with the farms that touch it."""
    cities = {city.nodes: city for farm in all_farms for city in farm.cities}
    for nodes in sorted(cities):
        yield cities[nodes], [farm for farm in all_farms if cities[nodes] in farm.cities]


@rule("carcassonne.farm.city4", _SECTION, FARMS)
def CITY4(game: Game, all_farms: Sequence[Farm]) -> Iterator[Harvest]:
    """Each completed city pays 4 points to the player with most farmers on all fields round it.

    Farmers on different fields of the city add up; on a tie all tied players take 4. A
    farmer counts for every city that his field touches.

    Passes: two farmers on two fields against one: 4 points for the two.
    Fails: a farmer brings 4 points for a city that another has more farmers round.
    """
    for city, near in _by_city(all_farms):
        farmers = [follower for farm in near for follower in farm.field.followers]
        for player in MAJORITY(game, farmers):
            yield Harvest(player, 4, city, 1)


@rule("carcassonne.farm.field3-once", _SECOND_EDITION, FARMS, FIELD3_ONCE_SCOPE)
def FIELD3_ONCE(game: Game, all_farms: Sequence[Farm]) -> Iterator[Harvest]:
    """The player with most farmers on a field takes 3 points a city, for each city once.

    With ``field3_once_scope`` at ``city`` a city pays for one field only. We read it as the field
    whose holder has most farmers there. On a tie of fields each tied holder is paid once.

    Passes: a player who holds two fields at one city takes 3.
    Fails: he takes 6.
    """
    for city, near in _by_city(all_farms):
        counts = [0] * len(game.players)
        for farm in near:
            for player in MAJORITY(game, farm.field.followers):
                men = book_of(game).strength(game, farm.field.followers, player)
                counts[player] = max(counts[player], men)
        each = game.value(FIELD3_ONCE_SCOPE) == "player"
        winners = [p for p, n in enumerate(counts) if n] if each else leaders(game, counts)
        for player in winners:
            yield Harvest(player, 3, city, 1)


@rule("carcassonne.farm.field3", _THIRD_EDITION, FARMS)
def FIELD3(game: Game, all_farms: Sequence[Farm]) -> Iterator[Harvest]:
    """The player with most farmers on a field takes 3 points for every completed city at it.

    On a tie all tied players take them. A city pays for each of its fields, also twice to
    one player.

    Passes: a player who holds two fields at one city takes 6.
    Fails: he takes 3.
    """
    for farm in all_farms:
        for player in MAJORITY(game, farm.field.followers):
            yield Harvest(player, 3 * len(farm.cities), farm.field, len(farm.cities))


WAYS: dict[str, Rule[[Game, Sequence[Farm]], Iterator[Harvest]]] = {
    "city4": CITY4,
    "field3_once": FIELD3_ONCE,
    "field3": FIELD3,
}
"""The rule for each value of the switch on farms."""


def harvest(game: Game, all_farms: Sequence[Farm]) -> tuple[str, tuple[Harvest, ...]]:
    """Return the id of the rule on farms that is in force, and what the farms bring by it."""
    way = WAYS[game.value(FARMS)]
    return way.id, tuple(way(game, all_farms))
