"""Why something cannot be done in a turn: a smallest set of rules that together forbid it."""

from __future__ import annotations

from model.draws import Draw
from model.position import Position
from model.rules.placement import INSIDE
from model.rules.wall_tiles import DOUBLERS
from solver.cpsat.logic import Law, Lit
from solver.cpsat.placement import TurnModel, turn_model
from solver.cpsat.reasons import smallest
from solver.wishes import Wish


def conflict(position: Position, draw: Draw, wish: Wish) -> tuple[Law, ...] | None:
    """Return rules that together forbid a wish, or None if it can be fulfilled.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        wish: what is wanted.

    Returns:
        The rules by id, empty if the wish is impossible whatever the rules: there is
        nothing to stand on or to double.

    """
    if wish.cell is not None and wish.cell not in position.game.board.cells:
        # The model has no variables for what lies outside.
        return (INSIDE,)
    turn = turn_model(position, draw, explain=True)
    _demand(turn, wish)
    return smallest(turn.logic)


def _demand(turn: TurnModel, wish: Wish) -> None:
    """Add the wish to the model."""
    logic, kind = turn.logic, turn.ground.kind
    for (cell, rotation), literal in turn.lie.x.items():
        elsewhere = wish.cell is not None and wish.cell != cell
        turned = wish.rotation is not None and kind.shape(rotation) != kind.shape(wish.rotation)
        if elsewhere or turned:
            logic.clause(~literal)
    if wish.follower is not None:
        logic.clause(
            *(
                turn.standing.y[i]
                for i, segment in enumerate(kind.segments)
                if segment.kind is wish.follower
            )
        )
    if wish.doubled is not None:
        uses: list[Lit] = [
            use
            for gain in turn.bonuses.gains
            for (_, number, _), use in gain.uses.items()
            if DOUBLERS[number] is wish.doubled
        ]
        logic.clause(*uses)
    if wish.extra_turns:
        logic.model.add(turn.bonuses.extra >= wish.extra_turns)
