"""Points of features in a castle; kings and wall tiles that double them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from model.components import Rank
from model.rules.castle.setup import WALL_TILE_NUMBERS
from model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN, HIDDEN, MUST, STACK, WHEN, unseen
from model.rules.falcon.chapels import LARGEST
from model.rules.falcon.specials import ONCE
from model.switches import (
    DOUBLE_ONCE,
    FOUNTAIN_IS_DOUBLING,
    KING_BARS_DOUBLING,
    LAST_TURN_WALL_TILES,
    WALL_1_CHAIN,
    WALL_OWN_TURN_ONLY,
    WALL_TILES_OPTIONAL,
)
from model.tiles import Kind, Mark
from solver.cpsat.base.cp import Expression, Lit, Literal, Logic, Term, at_least, no, weighted
from solver.cpsat.base.features import FeatureVars, Piece, earned, marks
from solver.cpsat.base.instance import Instance
from solver.cpsat.castle.markers import Takes, WithinReach
from solver.cpsat.castle.turns import CastleTable

MANY = 99
"""More than all wall tiles."""
PER_TILE = {Kind.PATH: 1, Kind.TOWER: 2, Kind.HOUSE: 1}
"""Points of each tile of a completed feature; a fountain doubles those of a path."""


def stands_on(table: CastleTable, one: FeatureVars, player: int, rank: Rank) -> Lit:
    """Return whether the king or falconer of a player is on the feature that a part leads."""
    followers, ways = table.instance.position.followers, list[Lit]()
    for unit, literal in one.on[player].items():
        if unit >= len(followers):
            there = table.claims.ranks.get((unit - len(followers), rank), False)
            ways.append(table.logic.all_of((literal, there)))
        elif followers[unit].rank is rank:
            ways.append(literal)
    return table.logic.any_of(ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowns:
    """The effects of kings in play, by leader and player."""

    royal: Mapping[tuple[int, int], Lit]
    """His king doubles its points for him."""
    barred: Mapping[tuple[int, int], Lit]
    """A king forbids him to double it with wall tiles."""


def crowns(table: CastleTable, features: Sequence[FeatureVars]) -> Crowns:
    """Return the effects of kings in play."""
    logic, game = table.logic, table.instance.position.game
    royal: dict[tuple[int, int], Lit] = {}
    barred: dict[tuple[int, int], Lit] = {}
    for one in features if game.specials else ():
        kings = [stands_on(table, one, player, Rank.KING) for player in (0, 1)]
        counts = game.value(FOUNTAIN_IS_DOUBLING) == "on"
        fountain = counts and has_fountain(logic, table.instance, one)
        for player in (0, 1):
            royal[one.leader, player] = logic.all_of((kings[player], no(fountain)))
            any_king = game.value(KING_BARS_DOUBLING) == "any"
            barred[one.leader, player] = logic.any_of(kings) if any_king else kings[player]
    return Crowns(royal=royal, barred=barred)


def has_fountain(logic: Logic, instance: Instance, feature: FeatureVars) -> Lit:
    """Return whether a fountain lies on a feature."""
    return logic.any_of(
        literal for v, literal in feature.members.items() if Mark.FOUNTAIN in marks(instance, v)
    )


def points(
    table: CastleTable, one: FeatureVars, player: int, scored: Lit, doubled: Sequence[Lit] = ()
) -> list[Piece]:
    """Return a feature's points for a player.

    Σ weight · (scored and tile), twice for a path with a fountain. A chapel brings
    Σ_n n · (scored and size ≥ n).

    Args:
        table: the turns to come.
        one: the feature.
        player: the player.
        scored: whether he scores it.
        doubled: whether the points are doubled once, twice, and so on.

    """
    logic = table.logic
    each = PER_TILE.get(one.kind, 0)
    units = [(bunch.parts, each * bunch.tiles, here) for bunch, here in one.tiles if each]
    factors: list[Term] = [(1, True), *((1 << n, twice) for n, twice in enumerate(doubled))]
    if one.kind is Kind.PATH:
        fountain = has_fountain(logic, table.instance, one)
        factors += [(factor, logic.all_of((way, fountain))) for factor, way in factors]
    if one.kind is Kind.CHAPEL:
        size = [(bunch.tiles, here) for bunch, here in one.tiles]
        most = min(LARGEST, sum(tiles for tiles, _ in size))
        units = [(frozenset({one.leader}), n, at_least(logic, size, n)) for n in range(1, most + 1)]
    return earned(logic, one, player, scored, units, factors)


NUMBER_FOR = {kind: number for number, kind in DOUBLERS.items()}
"""The wall tile that doubles a kind of feature."""
TowerNumbers = Mapping[str, Mapping[int, Lit]]
"""By tower and possible number: whether the wall tile there has this number."""
Doubled = Mapping[tuple[int, int], tuple[Literal, ...]]
"""By leader and player: decisions "he uses at least 1, 2, … wall tiles on the feature"."""


def numbered(logic: Logic, instance: Instance, within_reach: Collection[str]) -> TowerNumbers:
    """Return the numbers of the wall tiles on towers; those of face-down ones are decisions.

    hidden → Σ_w a[w,n] ≤ wall tiles n not yet seen, for each number n

    A face-down wall tile is left out if no marker may land on its tower.
    """
    found: dict[str, dict[int, Lit]] = {}
    for tower, number in instance.position.towers:
        if number:
            found[tower] = {number: True}
        elif tower in within_reach:
            found[tower] = {n: logic.decision(f"{tower} is {n}") for n in WALL_TILE_NUMBERS}
            logic.model.add_exactly_one(found[tower].values())
    pool = unseen(instance.position)
    hidden = [numbers for numbers in found.values() if len(numbers) > 1]
    for number in WALL_TILE_NUMBERS if hidden else ():
        turned_up = weighted((1, numbers[number]) for numbers in hidden)
        logic.within_if(logic.law(HIDDEN), turned_up, 0, max(0, pool[number]))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The wall tiles of players, used ones included, as sums of literals."""

    table: CastleTable
    takes: Takes
    numbers: TowerNumbers
    """The numbers of the wall tiles on towers."""

    def held(self, player: int, number: int, tile: int | None = None) -> list[Term]:
        """Return the wall tiles of a number that a player can have used by a tile's turn.

        With None, return those of final scoring. Those taken in the last turn count by a switch.
        """
        table, position = self.table, self.table.instance.position
        state = position.players[player]
        last = position.game.value(LAST_TURN_WALL_TILES) == "on"
        until = tile if tile is not None else len(position.order) - (not last)
        usable = [tile is None or table.released(player, when, tile) for when in range(until)]
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), tile is None or table.released(player, 0, tile)),
        ]
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    (numbers[number], self.takes.get((player, tower, when), False), now)
                    for when, now in enumerate(usable)
                )
                terms.append((1, table.logic.any_of(map(table.logic.all_of, ways))))
        return [term for term in terms if term[0] and term[1] is not False]


def doubling(
    table: CastleTable, features: Sequence[FeatureVars], crowned: Crowns, reach: WithinReach
) -> Doubled:
    """Make the decisions to double features; ``within_hands`` demands that he has the tiles.

    use[j+1] → use[j] → scored

    stack → not use[2]

    once and use[1] → not barred

    by a switch: when → (use[1] and completed in turn t → the turn is his)
    """
    logic, game = table.logic, table.instance.position.game
    once = game.value(DOUBLE_ONCE) == "on"
    found: dict[tuple[int, int], tuple[Literal, ...]] = {}
    for one, player in product(features, (0, 1)):
        scored, key = one.scored(logic, player), (one.leader, player)
        if one.kind not in NUMBER_FOR or scored is False:
            continue
        most = reach.most(player, NUMBER_FOR[one.kind])
        count = min(most, 1) if once and not logic.explain else most
        uses = tuple(logic.decision("use") for _ in range(count))
        for less, more in zip((scored, *uses), uses, strict=False):
            logic.clause(~more, less)
        for more in uses[1:] if once else ():
            logic.demand(STACK, ~more)
        if uses:
            found[key] = uses
            logic.demand(ONCE, ~uses[0], no(crowned.barred.get(key, False)))
            for tile in one.done if game.value(WALL_OWN_TURN_ONLY) == "on" else ():
                his, now = table.moves[tile][player], one.completed_in(logic, tile)
                logic.demand(WHEN, ~uses[0], no(now), his)
    return found


Played = Mapping[tuple[int, int], Sequence[Piece]]
"""By leader and player: the feature's points for him in play."""


def points_in_play(
    table: CastleTable, features: Sequence[FeatureVars], doubled: Doubled, crowned: Crowns
) -> Played:
    """Return the points of each feature in play, doubled by a king or by wall tiles."""
    logic = table.logic
    played: dict[tuple[int, int], list[Piece]] = {}
    for one in features:
        for player in (0, 1):
            scored = one.scored(logic, player)
            if scored is not False:
                uses: tuple[Lit, ...] = doubled.get((one.leader, player), ())
                royal = crowned.royal.get((one.leader, player), False)
                if royal is not False:
                    uses = (logic.any_of((royal, *uses[:1])), *uses[1:])
                played[one.leader, player] = points(table, one, player, scored, uses)
    return played


def within_hands(
    features: Sequence[FeatureVars], doubled: Doubled, crowned: Crowns, hands: Hands
) -> None:
    """Demand that no player uses more wall tiles than he has, or fewer than he must.

    when → Σ used up to turn t ≤ Σ usable by t

    must → no wall tile 1 in hand, if a further turn is possible

    must → (completed in his own turn and a wall tile in hand → doubled or barred)
    """
    table, logic = hands.table, hands.table.logic
    position = table.instance.position
    must = position.game.value(WALL_TILES_OPTIONAL) != "on"
    chain = position.game.value(WALL_1_CHAIN) != "off"
    for player, tile in product((0, 1), range(len(table.moves))):
        mine = table.moves[tile][player]
        spent: list[Term] = [
            (1, logic.all_of((one, moves[player])))
            for extra, moves in zip(table.extra[: tile + 1], table.moves, strict=False)
            for one in extra
        ]
        left = _in_hand(hands, player, EXTRA_TURN, tile, spent)
        if must and tile < len(position.order) - 1:
            excuse = () if chain else (*table.extra[tile][:1], table.chained[tile])
            laid = table.placement.laid[tile]
            some = logic.within(left, 1, MANY)
            logic.demand(MUST, no(laid), no(mine), no(some), *excuse)
        for kind, number in NUMBER_FOR.items():
            able = [one for one in features if one.kind is kind and (one.leader, player) in doubled]
            spent = [
                (1, logic.all_of((use, one.done.get(tile, False))))
                for one in able
                for use in doubled[one.leader, player]
            ]
            left = _in_hand(hands, player, number, tile, spent)
            for one in able if must else ():
                key, now = (one.leader, player), one.completed_in(logic, tile)
                some, wins = logic.within(left, 1, MANY), one.wins[player]
                excuse = (crowned.barred.get(key, False), doubled[key][0])
                forced = (now, wins, mine, some)
                logic.demand(MUST, *map(no, forced), *excuse)


def _in_hand(
    hands: Hands, player: int, number: int, tile: int, spent: Sequence[Term]
) -> Expression:
    """Return a player's wall tiles of a number after a turn; demand that they are not negative."""
    logic = hands.table.logic
    left = weighted(hands.held(player, number, tile)) - weighted(spent)
    if any(literal is not False for _, literal in spent):
        logic.within_if(logic.law(WHEN), left, 0, MANY)
    return left
