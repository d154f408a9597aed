"""Followers that are placed on the tiles to come.

y[v]: a follower is placed on the new part v in its tile's turn, by the player whose turn it
is. Whether the feature is free is said by the encoding of connectivity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from model.components import Rank
from model.tiles import Kind
from solver.cpsat.base.cp import Literal
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Law, Lit, Logic, no
from solver.cpsat.shared.placement import PlacementVars

Moves: TypeAlias = tuple[tuple[Lit, ...], ...]
"""By tile and player: whether the turn in which it is drawn is his."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The followers that are placed, as literals."""

    on: Mapping[int, Literal]
    """By new part: a follower is placed on it."""
    by: tuple[Mapping[int, Lit], ...]
    """By player and new part: he places one on it."""
    ranks: Mapping[tuple[int, Rank], Literal] = field(default_factory=dict)
    """By tile and rank: the follower of its turn is a king or a falconer."""

    def of_turn(self, instance: Instance, tile: int) -> list[Literal]:
        """Return the followers of a turn."""
        return [self.on[part.number] for part in instance.new_of(tile) if part.number in self.on]


def claiming(
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    moves: Moves,
    barred: Mapping[Kind, Law] = MappingProxyType({}),
) -> Claims:
    """Make the variables of followers: on a tile that is laid.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        placement: where the tiles lie.
        moves: whose turns they are.
        barred: the kinds of features on which a rule forbids followers.

    """
    on: dict[int, Literal] = {}
    for part in instance.new:
        law = barred.get(part.kind)
        if logic.explain or law is None:
            on[part.number] = logic.decision(f"y{part.number}")
            logic.clause(~on[part.number], placement.laid[part.tile])
            if law is not None:
                logic.clause(no(logic.law(law)), ~on[part.number])
    tile_of = {part.number: part.tile for part in instance.new}
    return Claims(
        on=on,
        by=tuple(
            {v: logic.all_of((one, moves[tile_of[v]][player])) for v, one in on.items()}
            for player in range(len(instance.position.players))
        ),
    )
