"""Points of features on a plane.

A road brings a point for each tile, complete or not. A cloister brings a point for itself and for
each tile round it. A completed city counts double. Completed cities of the position are no parts,
but they score for farmers at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from model.components import Node
from model.features import position_features
from model.geometry import Cell
from model.rules.carcassonne.scoring import SMALL
from model.switches import COUNT_BY, FARMS, FIELD3_ONCE_SCOPE, SMALL_CITY, TIE
from model.tiles import Kind, Mark
from solver.cpsat.base.cp import Lit, Logic, at_least, no
from solver.cpsat.base.features import FeatureVars, Piece, earned, leaders, marks
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.placement import PlacementVars

Bordered = Mapping[int, frozenset[int]]
"""By field part: the cities that it borders, as numbers of parts. Completed cities of the position,
which are no parts, have the numbers -1, -2 and so on."""


def _bordered(instance: Instance) -> Bordered:
    """Return the cities that field parts border."""
    laid, board = instance.position.by_cell(), position_features(instance.position)
    number_of = {node: part.number for part in instance.old for node in part.feature.nodes}
    found: dict[int, frozenset[int]] = {}
    for part in instance.parts:
        if part.kind is not Kind.FIELD:
            continue
        if isinstance(part, OldPart):
            near = {
                board.at(Node(node.cell, city)).nodes[0]
                for node in part.feature.nodes
                for city in laid[node.cell].kind.bordered(node.segment)
            }
            for node in sorted(near - number_of.keys()):
                number_of[node] = min(number_of.values()) - 1
            found[part.number] = frozenset(number_of[node] for node in near)
        else:
            beside = instance.kinds[part.tile].bordered(part.segment)
            parts = instance.new_of(part.tile)
            found[part.number] = frozenset(parts[city].number for city in beside)
    return found


def roads_and_cities(
    logic: Logic, instance: Instance, features: Sequence[FeatureVars]
) -> Iterator[Piece]:
    """Yield the points of roads and cities."""
    for one in features:
        if one.kind not in {Kind.ROAD, Kind.CITY} or not any(w is not False for w in one.wins):
            continue
        double: Lit = False
        if one.kind is Kind.CITY:
            double = logic.all_of((one.complete, no(_small(logic, instance, one))))
        units = _units(instance, one)
        for player, won in enumerate(one.wins):
            yield from earned(logic, one, player, won, units, ((1, True), (1, double)))


def _units(instance: Instance, one: FeatureVars) -> list[tuple[frozenset[int], int, Lit]]:
    """Return what brings points: tiles, or segments by a switch, and shields."""
    by_tile = instance.position.game.value(COUNT_BY) == "tile"
    weights: Counter[frozenset[int]] = Counter()
    here: dict[frozenset[int], Lit] = {}
    for bunch, literal in one.tiles if by_tile else ():
        weights[bunch.parts] += bunch.tiles
        here[bunch.parts] = literal
    for v, literal in one.members.items():
        part = instance.parts[v]
        segments = len(part.feature.nodes) if isinstance(part, OldPart) else 1
        shields = marks(instance, v).count(Mark.SHIELD)
        weights[frozenset({v})] += shields + (0 if by_tile else segments)
        here[frozenset({v})] = literal
    return [(parts, weight, here[parts]) for parts, weight in weights.items() if weight]


def _small(logic: Logic, instance: Instance, one: FeatureVars) -> Lit:
    """Return whether a completed city is small, so that it does not count double."""
    if instance.position.game.value(SMALL_CITY) != "2":
        return False
    size = [(bunch.tiles, here) for bunch, here in one.tiles]
    return no(at_least(logic, size, SMALL + 1))


def cloisters(placement: PlacementVars, features: Sequence[FeatureVars]) -> Iterator[Piece]:
    """Yield the points of cloisters: 1, and 1 for each tile round them at the end."""
    logic, last = placement.logic, len(placement.instance.kinds) - 1
    for one in features:
        if one.kind is not Kind.CLOISTER:
            continue
        part = placement.instance.parts[one.leader]
        places: Mapping[Cell, Lit]
        if isinstance(part, OldPart):
            places = {part.feature.nodes[0].cell: True}
        else:
            places = placement.at[part.tile]
        for player, won in enumerate(one.wins):
            if won is False:
                continue
            yield Piece(player, 1, won, done=one.done)
            for cell, here in places.items():
                at_it = logic.all_of((won, here))
                for literal in placement.surrounded(cell, last):
                    yield Piece(player, 1, logic.all_of((at_it, literal)), done=one.done)


class City(NamedTuple):
    """A city that may be complete at the end."""

    complete: Lit
    by: Mapping[int, Lit]
    """By the leader of a field: it borders the city."""


def farms(logic: Logic, instance: Instance, features: Sequence[FeatureVars]) -> Iterator[Piece]:
    """Yield the points of farms, scored in the way of the switch."""
    fields = [
        one for one in features if one.kind is Kind.FIELD and any(w is not False for w in one.wins)
    ]
    game, players = instance.position.game, range(len(instance.position.players))
    way = game.value(FARMS)
    for city in _cities(logic, _bordered(instance), fields, features):
        if way == "field3":
            for field in fields:
                for player in players:
                    held = (_holds(logic, field, city, player), city.complete)
                    yield Piece(player, 3, logic.all_of(held))
            continue
        if way == "city4":
            counts = [_farmers(logic, fields, city, player) for player in players]
            takers = leaders(logic, counts, shared=game.value(TIE) != "none")
        elif game.value(FIELD3_ONCE_SCOPE) == "city":
            takers = _strongest(logic, instance, fields, city)
        else:
            takers = [logic.any_of(_holds(logic, f, city, p) for f in fields) for p in players]
        for player, takes in enumerate(takers):
            points = 4 if way == "city4" else 3
            yield Piece(player, points, logic.all_of((takes, city.complete)))


def _holds(logic: Logic, field: FeatureVars, city: City, player: int) -> Lit:
    """Return whether a player has the majority on a field that borders a city."""
    return logic.all_of((field.wins[player], city.by.get(field.leader, False)))


def _strongest(
    logic: Logic, instance: Instance, fields: Sequence[FeatureVars], city: City
) -> list[Lit]:
    """Return for each player whether he holds the strongest field at a city.

    The strength of a field is the number of its holder's farmers on it.

    level[p,k]: a field that player p holds at the city has strength k or more.

    level[p,1] and AND_q AND_k (level[q,k] → level[p,k]); without shared ties level[p,k+1]
    """
    levels = []
    for player in range(len(instance.position.players)):
        ways: dict[int, list[Lit]] = defaultdict(list)
        for field in fields:
            held = _holds(logic, field, city, player)
            terms = [(1, literal) for literal in field.on[player].values()]
            for count in range(1, len(terms) + 1):
                ways[count].append(logic.all_of((held, at_least(logic, terms, count))))
        levels.append({count: logic.any_of(literals) for count, literals in ways.items()})
    more = 1 if instance.position.game.value(TIE) == "none" else 0
    found = []
    for mine in levels:
        reached = (
            logic.any_of((no(literal), mine.get(count + more, False)))
            for theirs in levels
            if theirs is not mine
            for count, literal in theirs.items()
        )
        found.append(logic.all_of((mine.get(1, False), *reached)))
    return found


def _farmers(logic: Logic, fields: Sequence[FeatureVars], city: City, player: int) -> list[Lit]:
    """Return for each farmer of a player whether he is on a field at a city."""
    ways: dict[int, list[Lit]] = defaultdict(list)
    for field in fields:
        near = city.by.get(field.leader, False)
        for unit, literal in field.on[player].items():
            leads = field.members[field.leader]
            ways[unit].append(logic.all_of((leads, literal, near)))
    return [logic.any_of(literals) for literals in ways.values()]


def _cities(
    logic: Logic, cities: Bordered, fields: Sequence[FeatureVars], features: Sequence[FeatureVars]
) -> Iterator[City]:
    """Yield the cities that fields border: completed ones, then those that may be completed."""
    completed = sorted({city for near in cities.values() for city in near if city < 0})
    every: list[tuple[Lit, Mapping[int, Lit]]] = [(True, {city: True}) for city in completed]
    every += [(one.complete, one.members) for one in features if one.kind is Kind.CITY]
    for complete, members in every:
        if complete is not False:
            by = {
                field.leader: logic.any_of(
                    logic.all_of((literal, members[w]))
                    for v, literal in field.members.items()
                    for w in sorted(cities.get(v, ()))
                    if w in members
                )
                for field in fields
            }
            yield City(complete, by)
