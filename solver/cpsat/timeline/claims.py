"""Followers: who is placed where, and how many each player has left.

y[v]: a follower is placed on the new part v in its tile's turn, by the player whose turn it
is. Whether the feature is free is said by the encoding of connectivity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.components import Rank
from model.rules.castle.followers import SUPPLY
from model.rules.falcon.specials import NOT_NOW
from model.switches import SPECIAL_LAST_TURN
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import Literal
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.laying import Laying
from solver.cpsat.timeline.turns import Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The followers that are placed, as literals."""

    on: Mapping[int, Literal]
    """By new part: a follower is placed on it."""
    by: tuple[Mapping[int, Lit], Mapping[int, Lit]]
    """By player and new part: he places one on it."""
    ranks: Mapping[tuple[int, Rank], Literal]
    """By tile and rank: the follower of its turn is a king or a falconer."""

    def ordinary(self, logic: Logic, tile: int) -> Lit:
        """Return whether the follower of a turn is neither king nor falconer, if there is one."""
        return no(logic.any_of(one for (t, _), one in self.ranks.items() if t == tile))

    def special(self, logic: Logic, player: int, rank: Rank, tile: int, turns: Turns) -> Lit:
        """Return whether a player places his king or falconer in a turn."""
        return logic.all_of((self.ranks.get((tile, rank), False), turns.moves[tile][player]))


def claiming(logic: Logic, ground: Ground, lie: Laying, turns: Turns) -> Claims:
    """Make the variables of followers: one at most in a turn, on a tile that is laid."""
    on: dict[int, Literal] = {}
    for tile, laid in enumerate(lie.laid):
        here = [part.number for part in ground.new_of(tile)]
        for number in here:
            on[number] = logic.decision(f"y{number}")
            logic.clause(~on[number], laid)
        if len(here) > 1:
            logic.model.add_at_most_one(on[number] for number in here)
    tile_of = {part.number: part.tile for part in ground.new}
    first, second = (
        {v: logic.all_of((one, turns.moves[tile_of[v]][player])) for v, one in on.items()}
        for player in (0, 1)
    )
    return Claims(on=on, by=(first, second), ranks=_ranking(logic, ground, on))


def _ranking(
    logic: Logic, ground: Ground, on: Mapping[int, Literal]
) -> dict[tuple[int, Rank], Literal]:
    """Make the variables of what followers are: rank[t,r] → OR_v y[v]; one at most."""
    game, found = ground.position.game, {}
    for tile in range(len(ground.kinds)):
        here = []
        for rank in game.specials:
            literal = logic.decision(f"{rank}{tile}")
            logic.clause(~literal, *(on[part.number] for part in ground.new_of(tile)))
            if tile == len(ground.position.order) - 1 and game.value(SPECIAL_LAST_TURN) == "off":
                logic.clause(no(logic.law(NOT_NOW)), ~literal)
            found[tile, rank] = literal
            here.append(literal)
        if len(here) > 1:
            logic.model.add_at_most_one(here)
    return found


Returns = Mapping[tuple[int, int], Lit]
"""By part and tile: what stands on the part has gone home when the tile's turn is over."""


def supplied(logic: Logic, ground: Ground, turns: Turns, claims: Claims, home: Returns) -> None:
    """Demand that each follower comes from the supply.

    supply → Σ placed up to turn t ≤ supply now + those that came home and can be used by t
    """
    law = logic.law(SUPPLY)
    for player, state in enumerate(ground.position.players):
        placed: list[tuple[int, Lit]] = []
        turns_so_far = 0
        for tile in range(len(ground.kinds)):
            plain = claims.ordinary(logic, tile)
            placed += [
                (1, logic.all_of((claims.by[player][part.number], plain)))
                for part in ground.new_of(tile)
            ]
            turns_so_far += turns.moves[tile][player] is not False
            if turns_so_far <= state.supply:
                continue
            back = [(state.fresh_followers, turns.released(logic, player, 0, tile))]
            back += _returned(logic, ground, turns, claims, home, player, tile)
            terms = [*placed, *((-weight, literal) for weight, literal in back)]
            low = -sum(weight for weight, _ in back)
            logic.within_if(law, weighted(terms), low, state.supply)


def _returned(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    turns: Turns,
    claims: Claims,
    home: Returns,
    player: int,
    tile: int,
) -> list[tuple[int, Lit]]:
    """Return how many ordinary followers of a player came home in time for a turn, by part."""
    back: list[tuple[int, Lit]] = []
    tile_of = {part.number: part.tile for part in ground.new}
    for part in sorted({v for v, _ in home}):
        there = in_time(logic, turns, home, player, part, tile)
        if part < len(ground.old):
            followers = ground.old[part].feature.followers
            plain = [f for f in followers if (f.player, f.rank) == (player, Rank.FOLLOWER)]
            back.append((len(plain), there))
        else:
            ordinary = claims.ordinary(logic, tile_of[part])
            back.append((1, logic.all_of((there, claims.by[player][part], ordinary))))
    return [(weight, literal) for weight, literal in back if weight and literal is not False]


def in_time(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic, turns: Turns, home: Returns, player: int, part: int, tile: int
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
