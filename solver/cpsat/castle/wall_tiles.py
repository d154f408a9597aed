"""Wall tiles: those in hand at each turn and at the end, and the features that they double."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from model.rules.castle.setup import WALL_TILE_NUMBERS
from model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN, HIDDEN, MUST, STACK, WHEN, unseen
from model.rules.falcon.specials import ONCE
from model.switches import (
    DOUBLE_ONCE,
    LAST_TURN_WALL_TILES,
    WALL_1_CHAIN,
    WALL_OWN_TURN_ONLY,
    WALL_TILES_OPTIONAL,
)
from solver.cpsat.base.cp import Expression, Literal
from solver.cpsat.base.features import FeatureVars
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Term, no, weighted
from solver.cpsat.castle.features import Crowns
from solver.cpsat.castle.markers import Takes, WithinReach
from solver.cpsat.castle.turns import CastleTable

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
        state, turns = self.table.instance.position.players[player], self.table.turns
        late = turns.released(player, 0, tile)
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), late),
        ]
        return self._with_taken(
            player, number, terms, range(tile), lambda when: turns.released(player, when, tile)
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
                    his = table.turns.moves[tile][player]
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
        left = self.left(tile)
        return left > 0 if isinstance(left, int) else self.hands.table.logic.within(left, 1, 99)


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
    for extra, moves in zip(table.turns.extra, table.turns.moves, strict=True):
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
    table, turns = account.hands.table, account.hands.table.turns
    position = table.instance.position
    law = no(table.logic.law(MUST))
    for tile in range(min(len(table.instance.kinds), len(position.order) - 1)):
        left = account.some_left(tile)
        excuse: tuple[Lit, ...] = ()
        if position.game.value(WALL_1_CHAIN) == "off":
            excuse = (*turns.extra[tile][:1], turns.chained[tile])
        mine = turns.moves[tile][account.player]
        table.logic.clause(law, no(turns.placement.laid[tile]), no(mine), no(left), *excuse)


def _all_doubled(account: _Account, one: FeatureVars, doubled: Doubled, crowned: Crowns) -> None:
    """Demand that wall tiles 2 and 3 double a feature if they can."""
    table, key = account.hands.table, (one.leader, account.player)
    logic, scored = table.logic, one.wins[account.player]
    law, barred = no(logic.law(MUST)), crowned.barred.get(key, False)
    for tile, now in [(tile, one.completed_in(logic, tile)) for tile in one.done]:
        left = account.some_left(tile)
        moves = table.turns.moves[tile][account.player]
        logic.clause(law, no(now), no(scored), no(moves), no(left), barred, doubled[key][0])


def doubled_once(logic: Logic, crowned: Crowns, doubled: Doubled) -> None:
    """Demand that no wall tile doubles a barred feature: once and use → not barred."""
    for key, uses in doubled.items():
        barred = crowned.barred.get(key, False)
        if uses and barred is not False:
            logic.clause(no(logic.law(ONCE)), ~uses[0], no(barred))
