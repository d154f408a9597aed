"""Points of features on a plane.

A road brings a point for each tile, complete or not. A cloister brings a point for itself and for
each tile round it. A completed city counts double. Completed cities of the position are no parts,
but they score for farmers at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.switches import COUNT_BY, FARMS, FIELD3_ONCE_SCOPE, TIE
from burgrave.model.tiles import Kind
from burgrave.model.worth import PAIR, Worth
from burgrave.solver.cpsat.base.cp import Lit, Logic, Term, at_least, no
from burgrave.solver.cpsat.base.features import FeatureVars, Piece, Turns, earned, has, leaders
from burgrave.solver.cpsat.base.instance import Instance
from burgrave.solver.cpsat.base.placement import PlacementVars

Bordered = Mapping[int, frozenset[int | Node]]
"""By field part: the cities that it borders, as numbers of parts. A completed city of the position,
which is no part, is named by its first node."""


def roads_and_cities(placement: PlacementVars, features: Sequence[FeatureVars]) -> Iterator[Piece]:
    """Yield the points of roads and cities."""
    logic, instance = placement.logic, placement.instance
    table = book_of(instance.position.game).table(instance.position.game)
    for one in features:
        if one.kind not in table or not _won(one):
            continue
        worth = table[one.kind]
        units = _units(instance, one, worth)
        factors = [*_factors(placement, one, worth)]
        for player, won in enumerate(one.wins):
            yield from earned(logic, one, player, won, units, factors)


def _factors(placement: PlacementVars, one: FeatureVars, worth: Worth) -> Iterator[Term]:
    """Yield what a unit brings: one point for each factor that is reached.

    The factor is ``end``, ``done`` or ``pair``, or another one if a mark lies on the feature. By
    steps the sum has a low upper bound, and a step that is always reached is no variable.

    step[n] ↔ a way by which the factor is n or more ↔ no way by which it is less
    """
    logic, complete = placement.logic, one.complete
    pair: Lit = False
    if worth.pair:
        size = [(bunch.tiles, here) for bunch, here in one.tiles]
        pair = no(at_least(logic, size, PAIR + 1))
    ways: list[Term] = []
    plain: list[Lit] = []
    for mark, (done, end) in worth.by.items():
        there = logic.all_of((*plain, has(placement, one, mark)))
        ways += [
            (done, logic.all_of((there, complete))),
            (end, logic.all_of((there, no(complete)))),
        ]
        plain.append(no(there))
    ways += [
        (worth.end, logic.all_of((*plain, no(complete)))),
        (worth.done, logic.all_of((*plain, complete, no(pair)))),
        (worth.pair, logic.all_of((*plain, complete, pair))),
    ]
    possible = [(factor, way) for factor, way in ways if way is not False]
    for step in range(1, max(factor for factor, _ in possible) + 1):
        more = [way for factor, way in possible if factor >= step]
        less = [way for factor, way in possible if factor < step]
        yield 1, logic.any_of(more) if len(more) < len(less) else no(logic.any_of(less))


def _won(one: FeatureVars) -> bool:
    """Tell whether some player may have the majority on a feature."""
    return any(literal is not False for literal in one.wins)


def _units(
    instance: Instance, one: FeatureVars, worth: Worth
) -> list[tuple[frozenset[int], int, Lit]]:
    """Return what brings points: tiles, or segments by a switch, and marks."""
    by_tile = instance.position.game.value(COUNT_BY) == "tile"
    weights: Counter[frozenset[int]] = Counter()
    here: dict[frozenset[int], Lit] = {}
    for bunch, literal in one.tiles if by_tile else ():
        weights[bunch.parts] += bunch.tiles
        here[bunch.parts] = literal
    for v, literal in one.members.items():
        part = instance.parts[v]
        segments = len(part.feature.nodes) if part.old else 1
        more = sum(worth.marks.get(mark, 0) for mark in part.feature.marks)
        weights[frozenset({v})] += more + (0 if by_tile else segments)
        here[frozenset({v})] = literal
    return [(parts, weight, here[parts]) for parts, weight in weights.items() if weight]


def cloisters(placement: PlacementVars, features: Sequence[FeatureVars]) -> Iterator[Piece]:
    """Yield the points of cloisters: 1, and 1 for each tile round them at the end."""
    logic, last = placement.logic, len(placement.instance.kinds) - 1
    for one in features:
        if one.kind is not Kind.CLOISTER:
            continue
        part = placement.instance.parts[one.leader]
        places: Mapping[Cell, Lit] = dict.fromkeys(part.feature.cells, True)
        if not part.old:
            places = placement.at[part.tile]
        for player, won in enumerate(one.wins):
            yield Piece(player, 1, won, done=one.done)
            for cell, here in places.items():
                at_it = logic.all_of((won, here))
                for literal in placement.surrounded(cell, last):
                    yield Piece(player, 1, logic.all_of((at_it, literal)), done=one.done)


def farms(turns: Turns, features: Sequence[FeatureVars]) -> Iterator[Piece]:
    """Yield the points of farms, scored in the way of the switch."""
    logic, position = turns.logic, turns.instance.position
    fields = [one for one in features if one.kind is Kind.FIELD and _won(one)]
    game, players = position.game, range(len(position.players))
    way, shared = game.value(FARMS), game.value(TIE) != "none"
    for complete, by in _cities(logic, _bordered(turns.instance), fields, features):
        if way == "city4":
            counts = [_farmers(turns, fields, by, player) for player in players]
            for player, takes in enumerate(leaders(logic, counts, shared=shared)):
                yield Piece(player, 4, logic.all_of((takes, complete)))
            continue
        # By player and field: whether he has the majority there and it borders the city.
        held = [
            [logic.all_of((field.wins[player], by[field.leader])) for field in fields]
            for player in players
        ]
        if way != "field3" and game.value(FIELD3_ONCE_SCOPE) == "city":
            held = [[one] for one in _strongest(turns, fields, held, shared=shared)]
        elif way != "field3":
            held = [[logic.any_of(ways)] for ways in held]
        for player, ways in enumerate(held):
            for takes in ways:
                yield Piece(player, 3, logic.all_of((takes, complete)))


def _strongest(
    turns: Turns, fields: Sequence[FeatureVars], held: Sequence[Sequence[Lit]], *, shared: bool
) -> list[Lit]:
    """Return for each player whether he holds the strongest field at a city.

    The strength of a field is as how many its holder's farmers on it count.

    level[p,k]: a field that player p holds at the city has strength k or more.

    level[p,1] and AND_q AND_k (level[q,k] → level[p,k]); without shared ties level[p,k+1]
    """
    logic, levels = turns.logic, []
    for player, holds in enumerate(held):
        ways: dict[int, list[Lit]] = defaultdict(list)
        for field, literal in zip(fields, holds, strict=True):
            terms = turns.weighed(field.on[player])
            for count in range(1, sum(weight for weight, _ in terms) + 1):
                ways[count].append(logic.all_of((literal, at_least(logic, terms, count))))
        levels.append({count: logic.any_of(literals) for count, literals in ways.items()})
    found = []
    for mine in levels:
        reached = (
            logic.any_of((no(literal), mine.get(count + (not shared), False)))
            for theirs in levels
            if theirs is not mine
            for count, literal in theirs.items()
        )
        found.append(logic.all_of((mine.get(1, False), *reached)))
    return found


def _farmers(
    turns: Turns, fields: Sequence[FeatureVars], by: Mapping[int, Lit], player: int
) -> list[Term]:
    """Return as how many the farmers of a player count, those on a field at a city."""
    logic = turns.logic
    ways: dict[int, list[Lit]] = defaultdict(list)
    for field in fields:
        leads = field.members[field.leader]
        for unit, literal in field.on[player].items():
            ways[unit].append(logic.all_of((leads, literal, by[field.leader])))
    return turns.weighed({unit: logic.any_of(literals) for unit, literals in ways.items()})


def _bordered(instance: Instance) -> Bordered:
    """Return the cities that field parts border."""
    laid, board = instance.position.by_cell(), position_features(instance.position)
    number_of = {node: part.number for part in instance.old for node in part.feature.nodes}
    found: dict[int, frozenset[int | Node]] = {}
    for part in instance.parts:
        if part.kind is not Kind.FIELD:
            continue
        if part.old:
            near = {
                board.at(Node(node.cell, city)).nodes[0]
                for node in part.feature.nodes
                for city in laid[node.cell].kind.bordered(node.segment)
            }
            found[part.number] = frozenset(number_of.get(node, node) for node in near)
        else:
            beside = instance.kinds[part.tile].bordered(part.segment)
            parts = instance.new_of(part.tile)
            found[part.number] = frozenset(parts[city].number for city in beside)
    return found


def _cities(
    logic: Logic, cities: Bordered, fields: Sequence[FeatureVars], features: Sequence[FeatureVars]
) -> Iterator[tuple[Lit, Mapping[int, Lit]]]:
    """Yield whether a city is complete at the end and, by their leaders, which fields border it.

    Completed cities come first, then those that may be completed.
    """
    completed = {city for near in cities.values() for city in near if isinstance(city, Node)}
    every: list[tuple[Lit, Mapping[Any, Lit]]] = [(True, {one: True}) for one in sorted(completed)]
    every += [(one.complete, one.members) for one in features if one.kind is Kind.CITY]
    for complete, members in every:
        if complete is not False:
            yield (
                complete,
                {
                    field.leader: logic.any_of(
                        logic.all_of((literal, here))
                        for v, literal in field.members.items()
                        for city, here in members.items()
                        if city in cities.get(v, ())
                    )
                    for field in fields
                },
            )
