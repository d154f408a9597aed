"""Followers: who is placed where, and how many each player has left.

y[v]: a follower is placed on the new part v in its tile's turn, by the player whose turn it
is. Whether the feature is free is said by the encoding of connectivity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.rules.followers import SUPPLY
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
    return Claims(on=on, by=(first, second))


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
            placed += [(1, claims.by[player][part.number]) for part in ground.new_of(tile)]
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
    """Return how many followers of a player came home in time for a turn, by part.

    Came home in turn u: home[v,u] and not home[v,u-1].
    """
    back: list[tuple[int, Lit]] = []
    usable = [turns.released(logic, player, when, tile) for when in range(tile)]
    for part in sorted({v for v, _ in home}):
        ways = [
            logic.all_of(
                (home.get((part, u), False), no(home.get((part, u - 1), False)), usable[u])
            )
            for u in range(tile)
        ]
        in_time = logic.any_of(ways)
        if all(literal is True for literal in usable):
            in_time = home.get((part, tile - 1), False)
        if part < len(ground.old):
            back.append((ground.old[part].feature.strength(player), in_time))
        else:
            back.append((1, logic.all_of((in_time, claims.by[player][part]))))
    return [(weight, literal) for weight, literal in back if weight and literal is not False]
