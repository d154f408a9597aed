"""What features bring in play and in final scoring, together, as sums of literals.

A road is worth its tiles whether complete or not, a cloister one more than the tiles round it;
only a city counts twice when it is complete, and then feeds the farmers at it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from model.geometry import Cell
from model.rules.carcassonne.scoring import SMALL
from model.switches import COUNT_BY, FARMS, FIELD3_ONCE_SCOPE, SMALL_CITY, TIE
from model.tiles import Kind, Mark
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.plane.majority import Term, at_least, leaders
from solver.cpsat.plane.timeline.features import Led, around
from solver.cpsat.plane.timeline.ground import Cities
from solver.cpsat.timeline.ground import Ground, OldPart
from solver.cpsat.timeline.laying import Laying
from solver.cpsat.timeline.worth import bunches

TILES, SHIELDS, TWICE = 0, 1, 2
"""What a part brings: its tiles, its shields, and either once more in a completed city."""


class Piece(NamedTuple):
    """Points for a player."""

    player: int
    weight: int
    literal: Lit
    parts: frozenset[int] = frozenset()
    """The parts of which one must belong to the feature."""
    layer: int = 0
    """What of the parts it is."""
    done: Mapping[int, Lit] = MappingProxyType({})
    """By tile: the feature is complete, and so scored, once the tile's turn is over."""


def total(logic: Logic, pieces: Sequence[Piece], player: int, by: int | None = None) -> list[Term]:
    """Return the sum of a player's pieces, to the end or by the end of a turn, with few terms.

    A part belongs to one feature in the end, so what it brings comes once, by whatever
    leader; without this the sum of all that might be scored would be far above what can be.
    """
    terms: list[Term] = []
    once: dict[tuple[frozenset[int], int, int], list[Lit]] = defaultdict(list)
    for piece in pieces:
        if piece.player != player:
            continue
        literal = piece.literal
        if by is not None:
            literal = logic.all_of((literal, piece.done.get(by, False)))
        if literal is False:
            continue
        if len(piece.parts) == 1:
            once[piece.parts, piece.layer, piece.weight].append(literal)
        else:
            terms.append((piece.weight, literal))
    return [*terms, *((weight, logic.any_of(ways)) for (_, _, weight), ways in once.items())]


def roads_and_cities(logic: Logic, ground: Ground, led: Sequence[Led]) -> Iterator[Piece]:
    """Yield what roads and cities bring."""
    for one in led:
        if one.kind not in {Kind.ROAD, Kind.CITY} or not any(w is not False for w in one.wins):
            continue
        double: Lit = False
        if one.kind is Kind.CITY:
            double = logic.all_of((one.complete, no(_small(logic, ground, one))))
        units = list(_units(logic, ground, one))
        for player, won in enumerate(one.wins):
            twice = logic.all_of((won, double))
            for layer, parts, weight, literal in units:
                once = logic.all_of((won, literal))
                again = logic.all_of((twice, literal))
                yield Piece(player, weight, once, parts, layer, one.done)
                yield Piece(player, weight, again, parts, layer + TWICE, one.done)


def _units(
    logic: Logic, ground: Ground, one: Led
) -> Iterator[tuple[int, frozenset[int], int, Lit]]:
    """Yield what is counted of a feature: tiles, or segments by the switch, and shields."""
    by_tile = ground.position.game.value(COUNT_BY) == "tile"
    if by_tile:
        for parts, tiles, here in _tiles(logic, ground, one):
            yield TILES, parts, tiles, here
    for v, literal in one.members.items():
        part = ground.parts[v]
        if isinstance(part, OldPart):
            segments, shields = len(part.feature.nodes), part.feature.count(Mark.SHIELD)
        else:
            marks = ground.kinds[part.tile].segments[part.segment].marks
            segments, shields = 1, marks.count(Mark.SHIELD)
        if not by_tile:
            yield TILES, frozenset({v}), segments, literal
        if shields:
            yield SHIELDS, frozenset({v}), shields, literal


def _tiles(logic: Logic, ground: Ground, one: Led) -> Iterator[tuple[frozenset[int], int, Lit]]:
    """Yield tiles that count together, each once, by the parts that lie on them."""
    for bunch in bunches(ground, one.kind):
        here = logic.any_of(one.members.get(v, False) for v in sorted(bunch.parts))
        if here is not False:
            yield bunch.parts, bunch.tiles, here


def _small(logic: Logic, ground: Ground, one: Led) -> Lit:
    """Return whether a completed city is so small that it counts once."""
    if ground.position.game.value(SMALL_CITY) != "2":
        return False
    size = [(tiles, here) for _, tiles, here in _tiles(logic, ground, one)]
    return no(at_least(logic, size, SMALL + 1))


def cloisters(logic: Logic, ground: Ground, lie: Laying, led: Sequence[Led]) -> Iterator[Piece]:
    """Yield what cloisters bring: 1 and 1 for each tile round them in the end."""
    last = len(ground.kinds) - 1
    for one in led:
        if one.kind is not Kind.CLOISTER:
            continue
        part = ground.parts[one.leader]
        places: Mapping[Cell, Lit]
        if isinstance(part, OldPart):
            places = {part.feature.nodes[0].cell: True}
        else:
            places = lie.at[part.tile]
        for player, won in enumerate(one.wins):
            if won is False:
                continue
            yield Piece(player, 1, won, done=one.done)
            for cell, here in places.items():
                at_it = logic.all_of((won, here))
                for literal in around(ground, lie, cell, last):
                    yield Piece(player, 1, logic.all_of((at_it, literal)), done=one.done)


class City(NamedTuple):
    """A city that may be complete in the end."""

    complete: Lit
    by: Mapping[int, Lit]
    """By the leader of a field: it borders the city."""


def farms(logic: Logic, ground: Ground, cities: Cities, led: Sequence[Led]) -> Iterator[Piece]:
    """Yield what farms bring, in the way that the switch says."""
    fields = [
        one for one in led if one.kind is Kind.FIELD and any(w is not False for w in one.wins)
    ]
    game, players = ground.position.game, range(len(ground.position.players))
    way = game.value(FARMS)
    for city in _cities(logic, cities, fields, led):
        if way == "field3":
            for field in fields:
                for player in players:
                    held = (_holds(logic, field, city, player), city.complete)
                    yield Piece(player, 3, logic.all_of(held))
            continue
        if way == "city4":
            counts = [_farmers(logic, fields, city, player) for player in players]
            takers = leaders(logic, game, counts)
        elif game.value(FIELD3_ONCE_SCOPE) == "city":
            takers = _strongest(logic, ground, fields, city)
        else:
            takers = [logic.any_of(_holds(logic, f, city, p) for f in fields) for p in players]
        for player, takes in enumerate(takers):
            points = 4 if way == "city4" else 3
            yield Piece(player, points, logic.all_of((takes, city.complete)))


def _holds(logic: Logic, field: Led, city: City, player: int) -> Lit:
    """Return whether a player has most farmers on a field that borders a city."""
    return logic.all_of((field.wins[player], city.by.get(field.leader, False)))


def _strongest(logic: Logic, ground: Ground, fields: Sequence[Led], city: City) -> list[Lit]:
    """Return for each player whether a field that he holds at a city is the strongest held there.

    A field is as strong as its holder has farmers on it. level[k]: a field that the player
    holds at the city has k of his farmers or more. He is among the strongest iff
    level[1] and AND_q AND_k (level of q[k] → level[k]); alone, level[k+1].
    """
    levels = []
    for player in range(len(ground.position.players)):
        ways: dict[int, list[Lit]] = defaultdict(list)
        for field in fields:
            held = _holds(logic, field, city, player)
            terms = [(1, literal) for literal in field.on[player].values()]
            for count in range(1, len(terms) + 1):
                ways[count].append(logic.all_of((held, at_least(logic, terms, count))))
        levels.append({count: logic.any_of(literals) for count, literals in ways.items()})
    more = 1 if ground.position.game.value(TIE) == "none" else 0
    return [
        logic.all_of(
            (
                mine.get(1, False),
                *(
                    logic.any_of((no(literal), mine.get(count + more, False)))
                    for theirs in levels
                    if theirs is not mine
                    for count, literal in theirs.items()
                ),
            )
        )
        for mine in levels
    ]


def _farmers(logic: Logic, fields: Sequence[Led], city: City, player: int) -> list[Term]:
    """Return how many farmers a player has on all fields at a city, as a sum."""
    ways: dict[int, list[Lit]] = defaultdict(list)
    for field in fields:
        near = city.by.get(field.leader, False)
        for unit, literal in field.on[player].items():
            leads = field.members[field.leader]
            ways[unit].append(logic.all_of((leads, literal, near)))
    return [(1, logic.any_of(literals)) for literals in ways.values()]


def _cities(
    logic: Logic, cities: Cities, fields: Sequence[Led], led: Sequence[Led]
) -> Iterator[City]:
    """Yield the cities that fields border: those that are complete, then those that may be."""
    for index in range(len(cities.done)):
        by = {
            field.leader: logic.any_of(
                literal
                for v, literal in field.members.items()
                if index in cities.at_done.get(v, ())
            )
            for field in fields
        }
        yield City(True, by)
    for one in led:
        if one.kind is Kind.CITY and one.complete is not False:
            yield City(
                one.complete,
                {field.leader: _borders(logic, cities, field, one) for field in fields},
            )


def _borders(logic: Logic, cities: Cities, field: Led, city: Led) -> Lit:
    """Return whether a part of a field borders a part of a city."""
    return logic.any_of(
        logic.all_of((literal, city.members[w]))
        for v, literal in field.members.items()
        for w in sorted(cities.at_parts.get(v, ()))
        if w in city.members
    )
