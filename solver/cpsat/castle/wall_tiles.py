"""Wall tiles: what is in hand when, which features are doubled, and what is left at the end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Term, no, weighted
from solver.cpsat.castle.features import Crowns
from solver.cpsat.castle.markers import Takes, WithinReach
from solver.cpsat.castle.whose_turn import Turns
from solver.cpsat.shared.features import FeatureVars

NUMBER_FOR = {kind: number for number, kind in DOUBLERS.items()}
"""The wall tile that doubles a kind of feature."""
Numbers = Mapping[str, Mapping[int, Lit]]
"""By tower: whether the wall tile there has this number, for each that it may have."""
Doubled = Mapping[tuple[int, int], tuple[Literal, ...]]
"""By leader and player: whether he uses at least 1, 2, … wall tiles on the feature."""


def numbered(logic: Logic, instance: Instance, within_reach: Collection[str]) -> Numbers:
    """Return what the wall tiles on the towers are: those face down may be what is not seen yet.

    hidden → for each number: Σ_w a[w,n] ≤ the wall tiles n that have not been seen

    Args:
        logic: the model.
        instance: the position.
        within_reach: the towers on which a marker may land; what lies on others is left out.

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
    """The wall tiles that players have, used ones included, as sums of literals."""

    logic: Logic
    instance: Instance
    turns: Turns
    takes: Takes
    numbers: Numbers
    """What the wall tiles on the towers are."""

    def usable(self, player: int, number: int, tile: int) -> list[Term]:
        """Return the tiles of a number that a player could have used up to a turn."""
        state = self.instance.position.players[player]
        late = self.turns.released(self.logic, player, 0, tile)
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), late),
        ]
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    self.logic.all_of(
                        (
                            numbers[number],
                            self.takes.get((player, tower, when), False),
                            self.turns.released(self.logic, player, when, tile),
                        )
                    )
                    for when in range(tile)
                )
                terms.append((1, self.logic.any_of(ways)))
        return [term for term in terms if term[0] and term[1] is not False]

    def final(self, player: int, number: int) -> list[Term]:
        """Return the tiles of a number that a player has in final scoring.

        What he had too late to use is his by then; tiles taken in the last turn count by a
        switch.
        """
        position = self.instance.position
        state = position.players[player]
        held = state.wall_tiles.count(number) + state.fresh_wall_tiles.count(number)
        count_last = position.game.value(LAST_TURN_WALL_TILES) == "on"
        terms: list[Term] = [(held, True)]
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    self.logic.all_of(
                        (numbers[number], self.takes.get((player, tower, tile), False))
                    )
                    for tile in range(len(self.instance.kinds))
                    if count_last or tile < len(position.order) - 1
                )
                terms.append((1, self.logic.any_of(ways)))
        return [term for term in terms if term[0] and term[1] is not False]


def doubling(
    logic: Logic,
    instance: Instance,
    turns: Turns,
    features: Sequence[FeatureVars],
    reach: WithinReach,
) -> Doubled:
    """Make the decisions to double: a tile is used by who scores the feature, in his turn.

    Whether he has the tiles is demanded by ``within_hands``.
    """
    found: dict[tuple[int, int], tuple[Literal, ...]] = {}
    for one in features:
        for player in (0, 1):
            scored = logic.all_of((one.complete, one.wins[player]))
            if one.kind in NUMBER_FOR and scored is not False:
                most = reach.most(player, NUMBER_FOR[one.kind])
                uses = _decisions(logic, instance, scored, most)
                if uses:
                    found[one.leader, player] = uses
                    _in_own_turn(logic, instance, turns, one, uses[0], player)
    return found


def _decisions(logic: Logic, instance: Instance, scored: Lit, most: int) -> tuple[Literal, ...]:
    """Return decisions to use at least 1, 2, … tiles on a feature.

    use[j+1] → use[j] → scored; stack → not use[2]
    """
    once = instance.position.game.value(DOUBLE_ONCE) == "on"
    count = min(most, 1) if once and not logic.explain else most
    uses = tuple(logic.decision("use") for _ in range(count))
    for less, more in zip((scored, *uses), uses, strict=False):
        logic.clause(~more, less)
    if once:
        for more in uses[1:]:
            logic.clause(no(logic.law(STACK)), ~more)
    return uses


def _in_own_turn(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic, instance: Instance, turns: Turns, one: FeatureVars, use: Literal, player: int
) -> None:
    """Demand, by the switch, when → (used and completed in turn t → his turn)."""
    if instance.position.game.value(WALL_OWN_TURN_ONLY) == "on":
        law = no(logic.law(WHEN))
        for tile, now in _completed_in(logic, one).items():
            logic.clause(law, ~use, no(now), turns.moves[tile][player])


def _completed_in(logic: Logic, one: FeatureVars) -> dict[int, Lit]:
    """Return in which turn a feature is completed: done[t] and not done[t-1]."""
    return {
        tile: logic.all_of((done, no(one.done.get(tile - 1, False))))
        for tile, done in one.done.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Account:
    """What one player uses of one number, turn by turn."""

    player: int
    number: int
    spent: tuple[tuple[Term, ...], ...]
    """By tile: the tiles used up to its turn."""


def within_hands(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    instance: Instance,
    turns: Turns,
    features: Sequence[FeatureVars],
    doubled: Doubled,
    barred: Mapping[tuple[int, int], Lit],
    hands: Hands,
) -> None:
    """Demand that nobody uses more tiles than he has, or fewer than he must.

    Args:
        logic: the model.
        instance: the position.
        turns: whose turn it is.
        features: the features.
        doubled: the decisions.
        barred: by leader and player, whether no tile may double the feature for him.
        hands: what the players have.

    """
    for player in (0, 1):
        ones = _Account(player=player, number=EXTRA_TURN, spent=_ones(logic, turns, player))
        _covered(logic, hands, ones)
        _ones_played(logic, instance, turns, hands, ones)
        for kind, number in NUMBER_FOR.items():
            mine = [one for one in features if one.kind is kind and (one.leader, player) in doubled]
            spent = _uses(logic, instance, mine, doubled, player)
            account = _Account(player=player, number=number, spent=spent)
            _covered(logic, hands, account)
            free = [
                (o, doubled[o.leader, player][0], barred.get((o.leader, player), False))
                for o in mine
            ]
            _all_doubled(logic, instance, turns, hands, account, free)


def _ones(logic: Logic, turns: Turns, player: int) -> tuple[tuple[Term, ...], ...]:
    """Return the tiles 1 that a player has played up to each turn."""
    rows: list[tuple[Term, ...]] = []
    sofar: tuple[Term, ...] = ()
    for extra, moves in zip(turns.extra, turns.moves, strict=True):
        now = ((1, logic.all_of((one, moves[player]))) for one in extra)
        sofar += tuple(term for term in now if term[1] is not False)
        rows.append(sofar)
    return tuple(rows)


def _uses(
    logic: Logic, instance: Instance, mine: Sequence[FeatureVars], doubled: Doubled, player: int
) -> tuple[tuple[Term, ...], ...]:
    """Return the tiles 2 or 3 that a player has used up to each turn."""
    return tuple(
        tuple(
            (1, logic.all_of((use, one.done.get(tile, False))))
            for one in mine
            for use in doubled[one.leader, player]
            if one.done.get(tile, False) is not False
        )
        for tile in range(len(instance.kinds))
    )


def _covered(logic: Logic, hands: Hands, account: _Account) -> None:
    """Demand when → Σ used up to turn t ≤ Σ usable by t."""
    law = logic.law(WHEN)
    for tile, spent in enumerate(account.spent):
        if spent:
            logic.within_if(law, _left(hands, account, tile), 0, len(spent) + 99)


def _left(hands: Hands, account: _Account, tile: int) -> Expression:
    """Return how many tiles of a number stay in hand after a turn."""
    usable = hands.usable(account.player, account.number, tile)
    return weighted(usable) - weighted(account.spent[tile])


def _some_left(logic: Logic, hands: Hands, account: _Account, tile: int) -> Lit:
    """Return whether a tile of a number stays in hand after a turn."""
    left = _left(hands, account, tile)
    return left > 0 if isinstance(left, int) else logic.within(left, 1, 99)


def _ones_played(
    logic: Logic, instance: Instance, turns: Turns, hands: Hands, account: _Account
) -> None:
    """Demand that tiles 1 are played, if they must be.

    must → not (a tile 1 left in hand, tiles left to draw, and a further turn is allowed)
    """
    game = instance.position.game
    if game.value(WALL_TILES_OPTIONAL) == "on":
        return
    law = no(logic.law(MUST))
    for tile in range(min(len(instance.kinds), len(instance.position.order) - 1)):
        left = _some_left(logic, hands, account, tile)
        excuse: tuple[Lit, ...] = ()
        if game.value(WALL_1_CHAIN) == "off":
            excuse = (*turns.extra[tile][:1], turns.chained[tile])
        mine = turns.moves[tile][account.player]
        logic.clause(law, no(turns.laid[tile]), no(mine), no(left), *excuse)


def _all_doubled(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    instance: Instance,
    turns: Turns,
    hands: Hands,
    account: _Account,
    mine: Sequence[tuple[FeatureVars, Literal, Lit]],
) -> None:
    """Demand that tiles 2 and 3 are used where they can be, if they must be.

    must → (completed in his own turn and a tile left in hand → doubled, unless that is barred)
    """
    if instance.position.game.value(WALL_TILES_OPTIONAL) == "on":
        return
    law = no(logic.law(MUST))
    for one, first, barred in mine:
        scored = one.wins[account.player]
        for tile, now in _completed_in(logic, one).items():
            left = _some_left(logic, hands, account, tile)
            moves = turns.moves[tile][account.player]
            logic.clause(law, no(now), no(scored), no(moves), no(left), barred, first)


def doubled_once(logic: Logic, crowned: Crowns, doubled: Doubled) -> None:
    """Demand that no wall tile doubles what a king bars: once and use → not barred."""
    for key, uses in doubled.items():
        barred = crowned.barred.get(key, False)
        if uses and barred is not False:
            logic.clause(no(logic.law(ONCE)), ~uses[0], no(barred))
