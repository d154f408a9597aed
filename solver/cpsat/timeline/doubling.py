"""Wall tiles 1, 2 and 3 in play: which features are doubled, and whether tiles are in hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN, MUST, STACK, WHEN
from model.switches import DOUBLE_ONCE, WALL_1_CHAIN, WALL_OWN_TURN_ONLY, WALL_TILES_OPTIONAL
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import Expression, Literal
from solver.cpsat.timeline.features import Led
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.hands import Hands
from solver.cpsat.timeline.prospects import Prospects
from solver.cpsat.timeline.turns import Turns
from solver.cpsat.timeline.worth import Term

NUMBER_FOR = {kind: number for number, kind in DOUBLERS.items()}
"""The wall tile that doubles a kind of feature."""
Doubled = Mapping[tuple[int, int], tuple[Literal, ...]]
"""By leader and player: whether he uses at least 1, 2, … wall tiles on the feature."""


def doubling(
    logic: Logic, ground: Ground, turns: Turns, led: Sequence[Led], chances: Prospects
) -> Doubled:
    """Make the decisions to double: a tile is used by who scores the feature, in his turn.

    Whether he has the tiles is demanded by ``within_hands``.
    """
    found: dict[tuple[int, int], tuple[Literal, ...]] = {}
    for one in led:
        for player in (0, 1):
            scored = logic.all_of((one.complete, one.wins[player]))
            if one.kind in NUMBER_FOR and scored is not False:
                most = chances.most(player, NUMBER_FOR[one.kind])
                uses = _decisions(logic, ground, scored, most)
                if uses:
                    found[one.leader, player] = uses
                    _in_own_turn(logic, ground, turns, one, uses[0], player)
    return found


def _decisions(logic: Logic, ground: Ground, scored: Lit, most: int) -> tuple[Literal, ...]:
    """Return decisions to use at least 1, 2, … tiles on a feature.

    use[j+1] → use[j] → scored; stack → not use[2]
    """
    once = ground.position.game.value(DOUBLE_ONCE) == "on"
    count = min(most, 1) if once and not logic.explain else most
    uses = tuple(logic.decision("use") for _ in range(count))
    for less, more in zip((scored, *uses), uses, strict=False):
        logic.clause(~more, less)
    if once:
        for more in uses[1:]:
            logic.clause(no(logic.law(STACK)), ~more)
    return uses


def _in_own_turn(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic, ground: Ground, turns: Turns, one: Led, use: Literal, player: int
) -> None:
    """Demand, by the switch, when → (used and completed in turn t → his turn)."""
    if ground.position.game.value(WALL_OWN_TURN_ONLY) == "on":
        law = no(logic.law(WHEN))
        for tile, now in _completed_in(logic, one).items():
            logic.clause(law, ~use, no(now), turns.moves[tile][player])


def _completed_in(logic: Logic, one: Led) -> dict[int, Lit]:
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
    ground: Ground,
    turns: Turns,
    led: Sequence[Led],
    doubled: Doubled,
    barred: Mapping[tuple[int, int], Lit],
    hands: Hands,
) -> None:
    """Demand that nobody uses more tiles than he has, or fewer than he must.

    Args:
        logic: the model.
        ground: the position.
        turns: whose turn it is.
        led: the features.
        doubled: the decisions.
        barred: by leader and player, whether no tile may double the feature for him.
        hands: what the players have.

    """
    for player in (0, 1):
        ones = _Account(player=player, number=EXTRA_TURN, spent=_ones(logic, turns, player))
        _covered(logic, hands, ones)
        _ones_played(logic, ground, turns, hands, ones)
        for kind, number in NUMBER_FOR.items():
            mine = [one for one in led if one.kind is kind and (one.leader, player) in doubled]
            spent = _uses(logic, ground, mine, doubled, player)
            account = _Account(player=player, number=number, spent=spent)
            _covered(logic, hands, account)
            free = [
                (o, doubled[o.leader, player][0], barred.get((o.leader, player), False))
                for o in mine
            ]
            _all_doubled(logic, ground, turns, hands, account, free)


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
    logic: Logic, ground: Ground, mine: Sequence[Led], doubled: Doubled, player: int
) -> tuple[tuple[Term, ...], ...]:
    """Return the tiles 2 or 3 that a player has used up to each turn."""
    return tuple(
        tuple(
            (1, logic.all_of((use, one.done.get(tile, False))))
            for one in mine
            for use in doubled[one.leader, player]
            if one.done.get(tile, False) is not False
        )
        for tile in range(len(ground.kinds))
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
    logic: Logic, ground: Ground, turns: Turns, hands: Hands, account: _Account
) -> None:
    """Demand that tiles 1 are played, if they must be.

    must → not (a tile 1 left in hand, tiles left to draw, and a further turn is allowed)
    """
    game = ground.position.game
    if game.value(WALL_TILES_OPTIONAL) == "on":
        return
    law = no(logic.law(MUST))
    for tile in range(min(len(ground.kinds), len(ground.position.order) - 1)):
        left = _some_left(logic, hands, account, tile)
        excuse: tuple[Lit, ...] = ()
        if game.value(WALL_1_CHAIN) == "off":
            excuse = (*turns.extra[tile][:1], turns.chained[tile])
        mine = turns.moves[tile][account.player]
        logic.clause(law, no(turns.laid[tile]), no(mine), no(left), *excuse)


def _all_doubled(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    turns: Turns,
    hands: Hands,
    account: _Account,
    mine: Sequence[tuple[Led, Literal, Lit]],
) -> None:
    """Demand that tiles 2 and 3 are used where they can be, if they must be.

    must → (completed in his own turn and a tile left in hand → doubled, unless that is barred)
    """
    if ground.position.game.value(WALL_TILES_OPTIONAL) == "on":
        return
    law = no(logic.law(MUST))
    for one, first, barred in mine:
        scored = one.wins[account.player]
        for tile, now in _completed_in(logic, one).items():
            left = _some_left(logic, hands, account, tile)
            moves = turns.moves[tile][account.player]
            logic.clause(law, no(now), no(scored), no(moves), no(left), barred, first)
