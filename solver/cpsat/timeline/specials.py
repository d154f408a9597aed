"""King and falconer of The Falcon: where they are placed, when they are at hand, what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.components import Rank
from model.rules.castle.followers import SUPPLY
from model.rules.falcon.specials import NOT_NOW, ONCE
from model.switches import (
    FOUNTAIN_IS_DOUBLING,
    KING_BARS_DOUBLING,
)
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.timeline.claims import Claims, Returns, in_time
from solver.cpsat.timeline.doubling import Doubled
from solver.cpsat.timeline.features import Led, turn_key
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.turns import Turns
from solver.cpsat.timeline.worth import has_fountain


def at_hand(logic: Logic, ground: Ground, turns: Turns, claims: Claims, home: Returns) -> None:
    """Demand that a king or falconer who is placed is at hand.

    supply and placed[r,t] → he was at hand, or has come home and can be used by t; and
    supply and placed[r,t] and placed[r,t'] for t' < t → he has come home since t'
    """
    law = no(logic.law(SUPPLY))
    for player, state in enumerate(ground.position.players):
        for rank in ground.position.game.specials:
            earlier: list[tuple[int, Lit]] = []
            for tile in range(len(ground.kinds)):
                placed = claims.special(logic, player, rank, tile, turns)
                if placed is False:
                    continue
                if not state.available(rank):
                    late = state.resting(rank) > 0 and turns.released(logic, player, 0, tile)
                    back = _old_home(logic, ground, turns, home, player, rank, tile)
                    logic.clause(law, no(placed), late, back)
                for before, other in earlier:
                    back = logic.any_of(
                        logic.all_of(
                            (
                                claims.by[player].get(part.number, False),
                                in_time(logic, turns, home, player, part.number, tile),
                            )
                        )
                        for part in ground.new_of(before)
                    )
                    logic.clause(law, no(placed), no(other), back)
                earlier.append((tile, placed))


def _old_home(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    turns: Turns,
    home: Returns,
    player: int,
    rank: Rank,
    tile: int,
) -> Lit:
    """Return whether a king or falconer on the board has come home in time for a turn."""
    return logic.any_of(
        in_time(logic, turns, home, player, part.number, tile)
        for part in ground.old
        if any((f.player, f.rank) == (player, rank) for f in part.feature.followers)
    )


def not_now(logic: Logic, ground: Ground, claims: Claims, led: Sequence[Led]) -> None:
    """Demand that neither is placed on a feature that his tile completes.

    not-now and rank[r,t] and y[v] and within[l,v] → not done[l,t]
    """
    for (tile, _), rank in claims.ranks.items():
        for part in ground.new_of(tile):
            for one in led:
                within = one.members.get(part.number, False)
                done = one.done.get(tile, False)
                if within is not False and done is not False:
                    law = no(logic.law(NOT_NOW))
                    stands = no(claims.on[part.number])
                    logic.clause(law, ~rank, stands, no(within), no(done))


def stands_on(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic, ground: Ground, claims: Claims, one: Led, player: int, rank: Rank
) -> Lit:
    """Return whether the king or falconer of a player is on the feature that a part leads."""
    ways: list[Lit] = []
    for key, literal in one.on[player].items():
        if key < len(ground.old):
            followers = ground.old[key].feature.followers
            if any((f.player, f.rank) == (player, rank) for f in followers):
                ways.append(literal)
        else:
            tile = key - turn_key(ground, 0)
            ways.append(logic.all_of((literal, claims.ranks.get((tile, rank), False))))
    return logic.any_of(ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowns:
    """What kings do in play, by leader and player."""

    royal: Mapping[tuple[int, int], Lit]
    """His king doubles what it brings him."""
    barred: Mapping[tuple[int, int], Lit]
    """A king keeps him from doubling it with wall tiles."""


def crowns(logic: Logic, ground: Ground, claims: Claims, led: Sequence[Led]) -> Crowns:
    """Return what kings do in play."""
    game = ground.position.game
    if not game.specials:
        return Crowns(royal={}, barred={})
    royal: dict[tuple[int, int], Lit] = {}
    barred: dict[tuple[int, int], Lit] = {}
    fountains = game.value(FOUNTAIN_IS_DOUBLING) == "on"
    for one in led:
        kings = [stands_on(logic, ground, claims, one, p, Rank.KING) for p in (0, 1)]
        fountain = fountains and logic.any_of(
            literal for v, literal in one.members.items() if has_fountain(ground, v)
        )
        for player in (0, 1):
            royal[one.leader, player] = logic.all_of((kings[player], no(fountain)))
            any_king = game.value(KING_BARS_DOUBLING) == "any"
            barred[one.leader, player] = logic.any_of(kings) if any_king else kings[player]
    return Crowns(royal=royal, barred=barred)


def doubled_once(logic: Logic, crowned: Crowns, doubled: Doubled) -> None:
    """Demand that no wall tile doubles what a king bars: once and use → not barred."""
    for key, uses in doubled.items():
        barred = crowned.barred.get(key, False)
        if uses and barred is not False:
            logic.clause(no(logic.law(ONCE)), ~uses[0], no(barred))
