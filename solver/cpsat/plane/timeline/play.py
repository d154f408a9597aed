"""Whose turn it is when a tile is laid, and which followers are placed on it.

y[v]: a follower is placed on the new part v in its tile's turn, by the player whose turn it
is. Whether the feature is free is said by the encoding of connectivity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.position import Position
from model.rules.carcassonne.followers import ROLE
from model.switches import FARMERS
from model.tiles import Kind
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.run import Literal
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.laying import Laying

Moves = tuple[tuple[Lit, ...], ...]
"""By tile and player: whether the turn in which it is drawn is his."""
Home = Mapping[tuple[int, int], Lit]
"""By part and tile: what stands on the part has gone home when the tile's turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The followers that are placed, as literals."""

    on: Mapping[int, Literal]
    """By new part: a follower is placed on it."""
    by: tuple[Mapping[int, Lit], ...]
    """By player and new part: he places one on it."""

    def of_turn(self, ground: Ground, tile: int) -> list[Literal]:
        """Return the followers of a turn."""
        return [self.on[part.number] for part in ground.new_of(tile) if part.number in self.on]


def moving(logic: Logic, position: Position, lie: Laying, *, alone: bool) -> Moves:
    """Return whose turn it is at each tile: the next player's after a tile that was laid.

    Args:
        logic: the model.
        position: the position; its player to move begins.
        lie: where the tiles lie.
        alone: whether all turns belong to the player to move.

    """
    number = len(position.players)
    row: tuple[Lit, ...] = tuple(player == position.to_move for player in range(number))
    moves = [row]
    for laid in lie.laid[:-1]:
        if not alone:
            row = tuple(
                logic.any_of(
                    (
                        logic.all_of((laid, row[player - 1])),
                        logic.all_of((no(laid), row[player])),
                    )
                )
                for player in range(number)
            )
        moves.append(row)
    return tuple(moves)


def claiming(logic: Logic, ground: Ground, lie: Laying, moves: Moves) -> Claims:
    """Make the variables of followers: on a tile that is laid.

    That there is one action at most in a turn is said with the other actions.
    """
    on: dict[int, Literal] = {}
    farmers = ground.position.game.value(FARMERS) == "on"
    for tile, laid in enumerate(lie.laid):
        for part in ground.new_of(tile):
            barred = part.kind is Kind.FIELD and not farmers
            if logic.explain or not barred:
                on[part.number] = logic.decision(f"y{part.number}")
                logic.clause(~on[part.number], laid)
                if barred:
                    logic.clause(no(logic.law(ROLE)), ~on[part.number])
    tile_of = {part.number: part.tile for part in ground.new}
    return Claims(
        on=on,
        by=tuple(
            {v: logic.all_of((one, moves[tile_of[v]][player])) for v, one in on.items()}
            for player in range(len(ground.position.players))
        ),
    )
