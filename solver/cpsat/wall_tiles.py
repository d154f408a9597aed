"""Wall tiles 1 to 3 in the turn: extra turns, doubled features, points won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.rules.castle.wall_tiles import DOUBLERS, EXTRA, EXTRA_TURN, MUST, STACK, WHEN
from model.rules.falcon.specials import ONCE
from model.switches import DOUBLE_ONCE, WALL_1_CHAIN, WALL_OWN_TURN_ONLY, WALL_TILES_OPTIONAL
from solver.cpsat.board import Ground
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.run import Expression, IntVar
from solver.cpsat.scoring import Unit

EACH = 2
"""Wall tiles of each number in the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What a unit brings, with the wall tiles used on it."""

    most: int
    """No more points than these."""

    uses: Mapping[tuple[int, int, int], Lit]
    """For a player, a wall tile's number and a count: that many are used, by that player."""
    points: tuple[Expression, Expression]
    """Points it brings each player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonuses:
    """The wall tiles of the turn, as variables."""

    extra: IntVar
    """Wall tiles 1 played."""
    gains: tuple[Gain, ...]
    """For each unit what it brings."""


def bonuses(logic: Logic, ground: Ground, found: Sequence[Unit]) -> Bonuses:
    """Make the variables of wall tiles 1 to 3 and of the points of each unit."""
    gains = tuple(_gain(logic, ground, unit, index) for index, unit in enumerate(found))
    _hands(logic, ground, gains)
    _compulsory(logic, ground, found, gains)
    return Bonuses(extra=_extra_turns(logic, ground), gains=gains)


def _in_hand(ground: Ground, player: int, number: int) -> int:
    """Return how many wall tiles of a number a player may use now."""
    return ground.position.players[player].wall_tiles.count(number)


def _gain(logic: Logic, ground: Ground, unit: Unit, index: int) -> Gain:
    """Return what a unit brings: points = worth · 2^k for the winner, with k tiles used.

    A tile is used by the unit's winner and on the kind that it doubles.
    """
    uses: dict[tuple[int, int, int], Lit] = {}
    for player, won in enumerate(unit.wins):
        for number, kind in DOUBLERS.items():
            most = EACH if logic.explain else _in_hand(ground, player, number)
            fits = logic.all_of((won, unit.kinds.get(kind, False)))
            chosen = []
            for count in range(1, most + 1):
                use = _use(logic, ground, player, count, fits, unit.barred[player])
                if use is not False:
                    uses[player, number, count] = use
                    chosen.append(use)
            if len(chosen) > 1:
                logic.model.add_at_most_one(chosen)
    most = unit.most * max((2**count for _, _, count in uses), default=1)
    first, second = (_points(logic, unit, uses, player, most, index) for player in (0, 1))
    return Gain(most=most, uses=uses, points=(first, second))


def _use(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic, ground: Ground, player: int, count: int, fits: Lit, barred: Lit
) -> Lit:
    """Return a decision to use ``count`` tiles on a unit that ``fits``."""
    game, mover = ground.position.game, ground.position.to_move
    use = logic.decision("use")
    # use → fits
    logic.clause(~use, fits)
    if count > 1 and game.value(DOUBLE_ONCE) == "on":
        # stack → ¬use
        logic.clause(no(logic.law(STACK)), ~use)
    # once and barred → ¬use
    logic.clause(no(logic.law(ONCE)), no(barred), ~use)
    if player != mover and game.value(WALL_OWN_TURN_ONLY) == "on":
        # when → ¬use
        logic.clause(no(logic.law(WHEN)), ~use)
    return logic.value(use)


def _points(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    unit: Unit,
    uses: Mapping[tuple[int, int, int], Lit],
    player: int,
    most: int,
    index: int,
) -> Expression:
    """Return the points that a unit brings a player."""
    won = unit.wins[player]
    if won is False:
        return 0
    points = logic.integer(0, most, f"points{index},{player}")
    mine = [(count, use) for (who, _, count), use in uses.items() if who == player]
    logic.equal_if([no(won)], points, 0)
    plain = [won, *(no(use) for _, use in mine)]
    logic.equal_if([*plain, no(unit.royal[player])], points, unit.worth)
    logic.equal_if([*plain, unit.royal[player]], points, 2 * unit.worth)
    for count, use in mine:
        logic.equal_if([use], points, 2**count * unit.worth)
    return points


def _hands(logic: Logic, ground: Ground, gains: Sequence[Gain]) -> None:
    """Demand that no player uses more tiles than in hand: Σ count · use ≤ hand."""
    for player in (0, 1):
        for number in DOUBLERS:
            spent = _spent(gains, player, number)
            if not isinstance(spent, int):
                hand = _in_hand(ground, player, number)
                logic.within_if(logic.law(WHEN), spent, 0, hand)


def _spent(gains: Sequence[Gain], player: int, number: int) -> Expression:
    """Return how many tiles of a number a player uses in the turn."""
    total: Expression = 0
    for gain in gains:
        for (who, what, count), use in gain.uses.items():
            if (who, what) == (player, number):
                total += count * use
    return total


def _compulsory(logic: Logic, ground: Ground, found: Sequence[Unit], gains: Sequence[Gain]) -> None:
    """Demand that tiles 2 and 3 are used where they can be, if they must be.

    left in hand → every unit of the kind that the mover wins is doubled
    """
    if ground.position.game.value(WALL_TILES_OPTIONAL) == "on":
        return
    mover = ground.position.to_move
    for number, kind in DOUBLERS.items():
        hand = _in_hand(ground, mover, number)
        if not hand:
            continue
        left = _left(logic, gains, mover, number, hand)
        for unit, gain in zip(found, gains, strict=True):
            doubled = [
                use for (who, what, _), use in gain.uses.items() if (who, what) == (mover, number)
            ]
            mine = logic.all_of(
                (unit.wins[mover], unit.kinds.get(kind, False), no(unit.barred[mover]))
            )
            logic.clause(no(logic.law(MUST)), no(left), no(mine), *doubled)


def _left(logic: Logic, gains: Sequence[Gain], player: int, number: int, hand: int) -> Lit:
    """Return whether a tile of a number stays in hand: Σ count · use < hand."""
    spent = _spent(gains, player, number)
    return True if isinstance(spent, int) else logic.within(spent, 0, hand - 1)


def _extra_turns(logic: Logic, ground: Ground) -> IntVar:
    """Return the number of tiles 1 played, within hand, chain and compulsion."""
    position = ground.position
    mover = position.to_move
    hand = _in_hand(ground, mover, EXTRA_TURN)
    extra = logic.integer(0, EACH if logic.explain else hand, "extra")
    logic.within_if(logic.law(WHEN), extra, 0, hand)
    before = position.extra_turns + position.in_extra_turn
    chain = position.game.value(WALL_1_CHAIN) == "on"
    if not chain:
        logic.within_if(logic.law(EXTRA), extra, 0, max(0, 1 - before))
    # The new tile is the draw's; the tiles before it had no place and left the game.
    more = len(position.order) + len(position.bag) - ground.drawn > 0
    if more and position.game.value(WALL_TILES_OPTIONAL) == "off" and (chain or before == 0):
        least = hand if chain else min(1, hand)
        logic.within_if(logic.law(MUST), extra, least, EACH)
    return extra
