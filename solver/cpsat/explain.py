"""Why something cannot be done in a turn: a smallest set of rules that together forbid it."""

from __future__ import annotations

from model.draws import Draw
from model.position import Position
from model.rules.carcassonne.placement import ADJACENT
from model.rules.castle.placement import INSIDE
from model.rules.castle.wall_tiles import DOUBLERS
from model.tiles import TileKind
from solver.budget import Stopwatch
from solver.cpsat.legality import Lie
from solver.cpsat.logic import Law, Lit, Logic
from solver.cpsat.placement import TurnModel, turn_model
from solver.cpsat.plane.placement import plane_turn
from solver.cpsat.reasons import smallest
from solver.cpsat.run import Literal
from solver.wishes import Wish


def conflict(
    position: Position, draw: Draw, wish: Wish, watch: Stopwatch
) -> tuple[Law, ...] | None:
    """Return rules that together forbid a wish, or None if it can be fulfilled.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        wish: what is wanted.
        watch: the time.

    Returns:
        The rules by id, empty if the wish is impossible whatever the rules: there is
        nothing to stand on or to double.

    Raises:
        OutOfTimeError: the time is used up.

    """
    if position.game.board.endless:
        return _plane_conflict(position, draw, wish, watch)
    if wish.cell is not None and wish.cell not in position.game.board.cells:
        # The model has no variables for what lies outside.
        return (INSIDE,)
    turn = turn_model(position, draw, explain=True)
    _demand_place(turn.logic, turn.ground.kind, turn.lie, wish)
    _demand_follower(turn.logic, turn.ground.kind, turn.standing.y, wish)
    _demand_wall_tiles(turn, wish)
    return smallest((lambda: turn.logic,), watch)


def _plane_conflict(
    position: Position, draw: Draw, wish: Wish, watch: Stopwatch
) -> tuple[Law, ...] | None:
    """Return rules of Carcassonne that together forbid a wish."""
    turn = plane_turn(position, draw, explain=True)
    if wish.cell is not None and wish.cell not in turn.plane.empty | turn.plane.filled:
        return (ADJACENT,)
    if wish.doubled is not None or wish.extra_turns:
        return ()
    _demand_place(turn.logic, turn.plane.kind, turn.lie, wish)
    _demand_follower(turn.logic, turn.plane.kind, turn.y, wish)
    return smallest((lambda: turn.logic,), watch)


def _demand_place(logic: Logic, kind: TileKind, lie: Lie, wish: Wish) -> None:
    """Add to the model where the tile is wanted."""
    for (cell, rotation), literal in lie.x.items():
        elsewhere = wish.cell is not None and wish.cell != cell
        turned = wish.rotation is not None and kind.shape(rotation) != kind.shape(wish.rotation)
        if elsewhere or turned:
            logic.clause(~literal)


def _demand_follower(logic: Logic, kind: TileKind, y: tuple[Literal, ...], wish: Wish) -> None:
    """Add to the model what a follower is wanted on."""
    if wish.follower is not None:
        on_it = (y[i] for i, each in enumerate(kind.segments) if each.kind is wish.follower)
        logic.clause(*on_it)


def _demand_wall_tiles(turn: TurnModel, wish: Wish) -> None:
    """Add to the model what wall tiles are wanted for."""
    logic = turn.logic
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
