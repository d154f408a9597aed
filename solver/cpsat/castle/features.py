"""Features in a castle: completion, majority, points; kings and wall tiles that double them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

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
from solver.cpsat.base.connectivity import Contacts
from solver.cpsat.base.cp import Expression, Lit, Literal, Logic, Term, no, weighted
from solver.cpsat.base.features import (
    Bunch,
    FeatureVars,
    Piece,
    completion,
    marks,
    tiles_of,
)
from solver.cpsat.base.placement import Instance, OldPart, PlacementVars
from solver.cpsat.castle.instance import Walls, hole
from solver.cpsat.castle.markers import Takes, WithinReach
from solver.cpsat.castle.turns import CastleTable

PER_TILE = {Kind.PATH: 1, Kind.TOWER: 2, Kind.HOUSE: 1}
"""Points of each tile of a completed feature; a fountain doubles those of a path."""


def finished(
    placement: PlacementVars,
    touching: Contacts,
    walls: Walls,
    leader: int,
    members: Mapping[int, Lit],
) -> dict[int, Lit]:
    """Return by tile whether the feature that a part leads is complete after its turn.

    Empty for features that never are: courts, and start spaces that no tile joins.
    """
    part = placement.instance.parts[leader]
    if part.kind is Kind.COURT or (isinstance(part, OldPart) and not part.feature.inside):
        return {}
    holed = partial(hole, placement, walls, part.kind, members)
    return completion(placement, touching, leader, members, holed)


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
    if not game.specials:
        return Crowns(royal={}, barred={})
    fountains = game.value(FOUNTAIN_IS_DOUBLING) == "on"
    for one in features:
        kings = [stands_on(table, one, player, Rank.KING) for player in (0, 1)]
        fountain = fountains and has_fountain(logic, table.instance, one)
        for player in (0, 1):
            royal[one.leader, player] = logic.all_of((kings[player], no(fountain)))
            any_king = game.value(KING_BARS_DOUBLING) == "any"
            barred[one.leader, player] = logic.any_of(kings) if any_king else kings[player]
    return Crowns(royal=royal, barred=barred)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The tiles of a feature, as terms of a sum."""

    tiles: tuple[tuple[Bunch, Lit], ...]
    """The bunches that may belong to it."""
    fountain: Lit
    """Whether a fountain lies on it."""

    def size(self, *, inside: bool = False) -> list[Term]:
        """Return its number of tiles, with or without start spaces."""
        return [(b.inside if inside else b.tiles, literal) for b, literal in self.tiles]


def worth(logic: Logic, instance: Instance, feature: FeatureVars) -> Worth:
    """Return the tiles of a feature."""
    return Worth(
        tiles=tiles_of(logic, instance, feature), fountain=has_fountain(logic, instance, feature)
    )


def has_fountain(logic: Logic, instance: Instance, feature: FeatureVars) -> Lit:
    """Return whether a fountain lies on a feature."""
    return logic.any_of(
        literal for v, literal in feature.members.items() if Mark.FOUNTAIN in marks(instance, v)
    )


def points(
    logic: Logic,
    feature: FeatureVars,
    value: Worth,
    whose: tuple[int, Lit],
    doubled: Sequence[Lit] = (),
) -> list[Piece]:
    """Return a feature's points for a player.

    Σ weight · (scored and tile), twice for a path with a fountain. A chapel brings
    Σ_n n · (scored and size ≥ n).

    Layer 0 holds the tiles, layer 1 the fountain. Each doubling has two layers more.

    Args:
        logic: the model.
        feature: the feature.
        value: its tiles.
        whose: the player, and whether he scores it.
        doubled: whether the points are doubled once, twice, and so on.

    """
    player, scored = whose
    found = []
    if feature.kind is Kind.CHAPEL:
        size = weighted(value.size())
        most = sum(tiles for tiles, _ in value.size())
        whole = frozenset({feature.leader})
        for n in range(1, min(most, LARGEST) + 1):
            counted = logic.all_of((scored, logic.within(size, n, most)))
            found.append(Piece(player, n, counted, whole, n))
            found += [
                Piece(player, n, logic.all_of((counted, twice)), whole, LARGEST + n)
                for twice in doubled
            ]
    for bunch, here in value.tiles if feature.kind in PER_TILE else ():
        weight = PER_TILE[feature.kind] * bunch.tiles
        counted = logic.all_of((scored, here))
        rated = logic.all_of((counted, value.fountain)) if feature.kind is Kind.PATH else False
        found.append(Piece(player, weight, counted, bunch.parts))
        found.append(Piece(player, weight, rated, bunch.parts, 1))
        for times, twice in enumerate(doubled):
            for layer, literal in enumerate((counted, rated), 2 * times + 2):
                more = logic.all_of((literal, twice))
                found.append(Piece(player, weight << times, more, bunch.parts, layer))
    return [piece for piece in found if piece.literal is not False]


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

    def usable(self, player: int, number: int, tile: int) -> list[Term]:
        """Return the wall tiles of a number that a player can have used by a turn."""
        state, table = self.table.instance.position.players[player], self.table
        late = table.released(player, 0, tile)
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), late),
        ]
        return self._with_taken(
            player, number, terms, range(tile), lambda when: table.released(player, when, tile)
        )

    def final(self, player: int, number: int) -> list[Term]:
        """Return the wall tiles of a number that a player has in final scoring.

        Those taken in the last turn count by a switch.
        """
        position = self.table.instance.position
        state = position.players[player]
        held = state.wall_tiles.count(number) + state.fresh_wall_tiles.count(number)
        last = position.game.value(LAST_TURN_WALL_TILES) == "on"
        tiles = range(len(self.table.instance.kinds))[: None if last else len(position.order) - 1]
        return self._with_taken(player, number, [(held, True)], tiles, lambda _: True)

    def _with_taken(
        self,
        player: int,
        number: int,
        terms: list[Term],
        tiles: range,
        counts: Callable[[int], Lit],
    ) -> list[Term]:
        """Add the wall tiles that he takes in some turns, each if ``counts`` of its turn holds."""
        logic = self.table.logic
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    (numbers[number], self.takes.get((player, tower, tile), False), counts(tile))
                    for tile in tiles
                )
                terms.append((1, logic.any_of(map(logic.all_of, ways))))
        return [term for term in terms if term[0] and term[1] is not False]


def doubling(table: CastleTable, features: Sequence[FeatureVars], reach: WithinReach) -> Doubled:
    """Make the decisions to double features; ``within_hands`` demands that he has the tiles.

    use[j+1] → use[j] → scored

    stack → not use[2]

    by a switch: when → (use[1] and completed in turn t → the turn is his)
    """
    logic, game = table.logic, table.instance.position.game
    once = game.value(DOUBLE_ONCE) == "on"
    found: dict[tuple[int, int], tuple[Literal, ...]] = {}
    for one in features:
        for player in (0, 1):
            scored = one.scored(logic, player)
            if one.kind not in NUMBER_FOR or scored is False:
                continue
            most = reach.most(player, NUMBER_FOR[one.kind])
            count = min(most, 1) if once and not logic.explain else most
            uses = tuple(logic.decision("use") for _ in range(count))
            for less, more in zip((scored, *uses), uses, strict=False):
                logic.clause(~more, less)
            for more in uses[1:] if once else ():
                logic.clause(no(logic.law(STACK)), ~more)
            if uses:
                found[one.leader, player] = uses
                for tile in one.done if game.value(WALL_OWN_TURN_ONLY) == "on" else ():
                    his = table.moves[tile][player]
                    now = one.completed_in(logic, tile)
                    logic.clause(no(logic.law(WHEN)), ~uses[0], no(now), his)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Account:
    """A player's use of the wall tiles of one number, turn by turn."""

    hands: Hands
    player: int
    number: int
    spent: tuple[tuple[Term, ...], ...]
    """By tile: the wall tiles used up to its turn."""

    def left(self, tile: int) -> Expression:
        """Return the number of these wall tiles in hand after a turn."""
        usable = self.hands.usable(self.player, self.number, tile)
        return weighted(usable) - weighted(self.spent[tile])

    def some_left(self, tile: int) -> Lit:
        """Return whether one of these wall tiles is in hand after a turn."""
        return self.hands.table.logic.within(self.left(tile), 1, 99)


def within_hands(
    features: Sequence[FeatureVars], doubled: Doubled, crowned: Crowns, hands: Hands
) -> None:
    """Demand that no player uses more wall tiles than he has, or fewer than he must.

    when → Σ used up to turn t ≤ Σ usable by t

    must → no wall tile 1 in hand, if a further turn is possible

    must → (completed in his own turn and a wall tile in hand → doubled or barred)
    """
    table = hands.table
    must = table.instance.position.game.value(WALL_TILES_OPTIONAL) != "on"
    for player in (0, 1):
        spent = _ones(table, player)
        ones = _Account(hands=hands, player=player, number=EXTRA_TURN, spent=spent)
        _covered(ones)
        if must:
            _ones_played(ones)
        for kind, number in NUMBER_FOR.items():
            mine = [one for one in features if one.kind is kind and (one.leader, player) in doubled]
            spent = _uses(table, mine, doubled, player)
            account = _Account(hands=hands, player=player, number=number, spent=spent)
            _covered(account)
            for one in mine if must else ():
                _all_doubled(account, one, doubled, crowned)


def _ones(table: CastleTable, player: int) -> tuple[tuple[Term, ...], ...]:
    """Return the wall tiles 1 that a player has played up to each turn."""
    rows: list[tuple[Term, ...]] = []
    sofar: tuple[Term, ...] = ()
    for extra, moves in zip(table.extra, table.moves, strict=True):
        now = ((1, table.logic.all_of((one, moves[player]))) for one in extra)
        sofar += tuple(term for term in now if term[1] is not False)
        rows.append(sofar)
    return tuple(rows)


def _uses(
    table: CastleTable, mine: Sequence[FeatureVars], doubled: Doubled, player: int
) -> tuple[tuple[Term, ...], ...]:
    """Return the wall tiles 2 or 3 that a player has used up to each turn."""
    return tuple(
        tuple(
            (1, table.logic.all_of((use, one.done.get(tile, False))))
            for one in mine
            for use in doubled[one.leader, player]
            if one.done.get(tile, False) is not False
        )
        for tile in range(len(table.instance.kinds))
    )


def _covered(account: _Account) -> None:
    """Demand that no more wall tiles are used than are usable."""
    logic = account.hands.table.logic
    law = logic.law(WHEN)
    for tile, spent in enumerate(account.spent):
        if spent:
            logic.within_if(law, account.left(tile), 0, len(spent) + 99)


def _ones_played(account: _Account) -> None:
    """Demand that wall tiles 1 are played."""
    table = account.hands.table
    position = table.instance.position
    law = no(table.logic.law(MUST))
    for tile in range(min(len(table.instance.kinds), len(position.order) - 1)):
        left = account.some_left(tile)
        excuse: tuple[Lit, ...] = ()
        if position.game.value(WALL_1_CHAIN) == "off":
            excuse = (*table.extra[tile][:1], table.chained[tile])
        mine = table.moves[tile][account.player]
        table.logic.clause(law, no(table.placement.laid[tile]), no(mine), no(left), *excuse)


def _all_doubled(account: _Account, one: FeatureVars, doubled: Doubled, crowned: Crowns) -> None:
    """Demand that wall tiles 2 and 3 double a feature if they can."""
    table, key = account.hands.table, (one.leader, account.player)
    logic, scored = table.logic, one.wins[account.player]
    law, barred = no(logic.law(MUST)), crowned.barred.get(key, False)
    for tile, now in [(tile, one.completed_in(logic, tile)) for tile in one.done]:
        left = account.some_left(tile)
        moves = table.moves[tile][account.player]
        logic.clause(law, no(now), no(scored), no(moves), no(left), barred, doubled[key][0])


def doubled_once(logic: Logic, crowned: Crowns, doubled: Doubled) -> None:
    """Demand that no wall tile doubles a barred feature: once and use → not barred."""
    for key, uses in doubled.items():
        barred = crowned.barred.get(key, False)
        if uses and barred is not False:
            logic.clause(no(logic.law(ONCE)), ~uses[0], no(barred))
