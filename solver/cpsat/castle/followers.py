"""Followers over several turns: where kings and falconers stand, and who is at hand when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from model.components import Rank
from model.rules.castle.followers import ONE, SUPPLY
from model.rules.falcon.specials import NOT_NOW
from model.switches import SPECIAL_LAST_TURN
from solver.cpsat.base.cp import Literal
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, no, weighted
from solver.cpsat.castle.whose_turn import Turns
from solver.cpsat.shared.claims import Claims, claiming
from solver.cpsat.shared.features import FeatureVars, Home
from solver.cpsat.shared.placement import PlacementVars


def placing(
    logic: Logic, instance: Instance, placement: PlacementVars, turns: Turns, *, single: bool
) -> Claims:
    """Make the variables of followers: one at most in a turn, on a tile that is laid.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        placement: where the tiles lie.
        turns: whose turns they are.
        single: whether it is one turn, in which the rule of one follower may be a reason.

    """
    claims = claiming(logic, instance, placement, turns.moves)
    for tile in range(len(instance.kinds)):
        here = claims.of_turn(instance, tile)
        if single and logic.explain:
            for first, second in combinations(here, 2):
                logic.clause(no(logic.law(ONE)), ~first, ~second)
        elif len(here) > 1:
            logic.model.add_at_most_one(here)
    return replace(claims, ranks=_ranking(logic, instance, claims.on))


def _ranking(
    logic: Logic, instance: Instance, on: Mapping[int, Literal]
) -> dict[tuple[int, Rank], Literal]:
    """Make the variables of what followers are: rank[t,r] → OR_v y[v]; one at most."""
    game, found = instance.position.game, {}
    for tile in range(len(instance.kinds)):
        here = []
        for rank in game.specials:
            literal = logic.decision(f"{rank}{tile}")
            logic.clause(~literal, *(on[part.number] for part in instance.new_of(tile)))
            if tile == len(instance.position.order) - 1 and game.value(SPECIAL_LAST_TURN) == "off":
                logic.clause(no(logic.law(NOT_NOW)), ~literal)
            found[tile, rank] = literal
            here.append(literal)
        if len(here) > 1:
            logic.model.add_at_most_one(here)
    return found


def _ordinary(logic: Logic, claims: Claims, tile: int) -> Lit:
    """Return whether the follower of a turn is neither king nor falconer, if there is one."""
    return no(logic.any_of(one for (t, _), one in claims.ranks.items() if t == tile))


def supplied(logic: Logic, instance: Instance, turns: Turns, claims: Claims, home: Home) -> None:
    """Demand that each follower comes from the supply.

    supply → Σ placed up to turn t ≤ supply now + those that came home and can be used by t
    """
    law = logic.law(SUPPLY)
    for player, state in enumerate(instance.position.players):
        placed: list[tuple[int, Lit]] = []
        turns_so_far = 0
        for tile in range(len(instance.kinds)):
            plain = _ordinary(logic, claims, tile)
            placed += [
                (1, logic.all_of((claims.by[player][part.number], plain)))
                for part in instance.new_of(tile)
            ]
            turns_so_far += turns.moves[tile][player] is not False
            if turns_so_far <= state.supply:
                continue
            back = [(state.fresh_followers, turns.released(logic, player, 0, tile))]
            back += _returned(logic, instance, turns, claims, home, player, tile)
            terms = [*placed, *((-weight, literal) for weight, literal in back)]
            low = -sum(weight for weight, _ in back)
            logic.within_if(law, weighted(terms), low, state.supply)


def _returned(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    turns: Turns,
    claims: Claims,
    home: Home,
    player: int,
    tile: int,
) -> list[tuple[int, Lit]]:
    """Return how many ordinary followers of a player came home in time for a turn, by part."""
    back: list[tuple[int, Lit]] = []
    tile_of = {part.number: part.tile for part in instance.new}
    for part in sorted({v for v, _ in home}):
        there = _in_time(logic, turns, home, player, part, tile)
        if part < len(instance.old):
            followers = instance.old[part].feature.followers
            plain = [f for f in followers if (f.player, f.rank) == (player, Rank.FOLLOWER)]
            back.append((len(plain), there))
        else:
            ordinary = _ordinary(logic, claims, tile_of[part])
            back.append((1, logic.all_of((there, claims.by[player][part], ordinary))))
    return [(weight, literal) for weight, literal in back if weight and literal is not False]


def _in_time(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic, turns: Turns, home: Home, player: int, part: int, tile: int
) -> Lit:
    """Return whether what stands on a part has come home so that it can be used in a turn.

    OR_u came home in turn u and released[u,t]; came home: home[v,u] and not home[v,u-1]
    """
    usable = [turns.released(logic, player, when, tile) for when in range(tile)]
    if all(literal is True for literal in usable):
        return home.get((part, tile - 1), False)
    return logic.any_of(
        logic.all_of((home.get((part, u), False), no(home.get((part, u - 1), False)), usable[u]))
        for u in range(tile)
    )


def at_hand(logic: Logic, instance: Instance, turns: Turns, claims: Claims, home: Home) -> None:
    """Demand that a king or falconer who is placed is at hand.

    supply and placed[r,t] → he was at hand, or has come home and can be used by t; and
    supply and placed[r,t] and placed[r,t'] for t' < t → he has come home since t'
    """
    law = no(logic.law(SUPPLY))
    for player, state in enumerate(instance.position.players):
        for rank in instance.position.game.specials:
            earlier: list[tuple[int, Lit]] = []
            for tile in range(len(instance.kinds)):
                placed = logic.all_of((claims.ranks[tile, rank], turns.moves[tile][player]))
                if placed is False:
                    continue
                if not state.available(rank):
                    late = state.resting(rank) > 0 and turns.released(logic, player, 0, tile)
                    back = _old_home(logic, instance, turns, home, player, rank, tile)
                    logic.clause(law, no(placed), late, back)
                for before, other in earlier:
                    back = logic.any_of(
                        logic.all_of(
                            (
                                claims.by[player].get(part.number, False),
                                _in_time(logic, turns, home, player, part.number, tile),
                            )
                        )
                        for part in instance.new_of(before)
                    )
                    logic.clause(law, no(placed), no(other), back)
                earlier.append((tile, placed))


def _old_home(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    turns: Turns,
    home: Home,
    player: int,
    rank: Rank,
    tile: int,
) -> Lit:
    """Return whether a king or falconer on the board has come home in time for a turn."""
    return logic.any_of(
        _in_time(logic, turns, home, player, part.number, tile)
        for part in instance.old
        if any((f.player, f.rank) == (player, rank) for f in part.feature.followers)
    )


def not_now(
    logic: Logic, instance: Instance, claims: Claims, features: Sequence[FeatureVars]
) -> None:
    """Demand that neither is placed on a feature that his tile completes.

    not-now and rank[r,t] and y[v] and within[l,v] → not done[l,t]
    """
    for (tile, _), rank in claims.ranks.items():
        for part in instance.new_of(tile):
            for one in features:
                within = one.members.get(part.number, False)
                done = one.done.get(tile, False)
                if within is not False and done is not False:
                    law = no(logic.law(NOT_NOW))
                    stands = no(claims.on[part.number])
                    logic.clause(law, ~rank, stands, no(within), no(done))
