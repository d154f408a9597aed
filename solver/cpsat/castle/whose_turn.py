"""Whose turn it is when a tile is laid, and the extra turns that wall tiles 1 give.

All is counted by tile: the turn of tile t is the one in which it is laid. A tile that has no
place leaves player and extra turns as they are; the next one is drawn in the same turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.rules.castle.wall_tiles import EXTRA
from model.switches import EXTRA_TURN_IS_NEXT_TURN, WALL_1_CHAIN
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, no
from solver.cpsat.shared.placement import PlacementVars


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Who lays each tile, as literals."""

    moves: tuple[tuple[Lit, Lit], ...]
    """By tile and player: whether the turn in which it is drawn is his."""
    extra: tuple[tuple[Lit, ...], ...]
    """By tile: whether at least 1, 2, … wall tiles 1 are played in its turn."""
    chained: tuple[Lit, ...]
    """By tile: whether an extra turn is pending or this is one, before any tile 1 is played."""
    rests: tuple[tuple[Lit, ...], ...]
    """By tile and player: whether what he gets in its turn, and what he got late before it,
    cannot be used in the turn that follows."""
    laid: tuple[Lit, ...]

    def released(self, logic: Logic, player: int, since: int, until: int) -> Lit:
        """Return whether what a player gets in a turn can be used in a later one.

        Args:
            logic: the model.
            player: the player.
            since: the tile of the turn in which he gets it; 0 for what he had too late.
            until: the tile of the turn in which he wants to use it.

        """
        return logic.any_of(
            logic.all_of((self.laid[tile], no(self.rests[tile][player])))
            for tile in range(since, until)
        )


def turning(
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    most: tuple[int, int],
    alone: int | None,
) -> Turns:
    """Make the literals of whose turn it is.

    Args:
        logic: the model.
        instance: the position; its player to move begins, unless one is ``alone``.
        placement: where the tiles lie.
        most: wall tiles 1 that each player can play at most.
        alone: the player to whom all turns belong; None if both play.

    """
    position = instance.position
    first = position.to_move if alone is None else alone
    # A player who is alone takes the turn over from the other, extra turns and all.
    same = first == position.to_move
    pending: list[Lit] = [True] * position.extra_turns if same else []
    within: Lit = position.in_extra_turn and same
    black: Lit = first == 1
    rows: list[tuple[tuple[Lit, Lit], tuple[Lit, ...], Lit, Lit]] = []
    last = len(position.order) - 1
    for tile, laid in enumerate(placement.laid):
        moves = (no(black), black)
        extra = _played(logic, tile, laid, moves, most)
        chained = logic.any_of((*pending[:1], within))
        _chain(logic, instance, extra, chained)
        due = _sum(logic, pending, extra)
        goes_on = logic.all_of((laid, *due[:1])) if due and tile < last else False
        rows.append((moves, extra, chained, goes_on))
        # pending after: due less one if laid and going on; as it was if the tile is gone.
        pending = [
            logic.any_of(
                (
                    logic.all_of((goes_on, due[j + 1] if j + 1 < len(due) else False)),
                    logic.all_of((no(laid), pending[j] if j < len(pending) else False)),
                )
            )
            for j in range(max(len(due) - 1, len(pending)))
        ]
        within = logic.any_of((goes_on, logic.all_of((no(laid), within))))
        if alone is None:
            passes = logic.all_of((laid, no(goes_on)))
            black = _exclusive(logic, black, passes)
    waits = position.game.value(EXTRA_TURN_IS_NEXT_TURN) == "off"
    return Turns(
        moves=tuple(row[0] for row in rows),
        extra=tuple(row[1] for row in rows),
        chained=tuple(row[2] for row in rows),
        rests=tuple(tuple(logic.all_of((waits, row[3], mine)) for mine in row[0]) for row in rows),
        laid=placement.laid,
    )


def _played(
    logic: Logic, tile: int, laid: Lit, moves: tuple[Lit, Lit], most: tuple[int, int]
) -> tuple[Lit, ...]:
    """Return decisions "at least j tiles 1 are played"; j+1 → j, and only by who can."""
    extra: list[Lit] = []
    for j in range(max(most)):
        able = logic.any_of(moves[player] for player in (0, 1) if most[player] > j)
        if logic.value(able) is False or logic.value(laid) is False:
            break
        one = logic.decision(f"extra{tile},{j + 1}")
        logic.clause(~one, laid)
        logic.clause(~one, able)
        if extra:
            logic.clause(~one, extra[-1])
        extra.append(one)
    return tuple(extra)


def _chain(logic: Logic, instance: Instance, extra: Sequence[Lit], chained: Lit) -> None:
    """Demand that extra turns do not follow on each other, by the switch.

    chain → (extra ≥ 1 → extra + pending + within ≤ 1)
    """
    if instance.position.game.value(WALL_1_CHAIN) == "on" or not extra:
        return
    law = no(logic.law(EXTRA))
    logic.clause(law, no(extra[0]), no(chained))
    if len(extra) > 1:
        logic.clause(law, no(extra[1]))


def _sum(logic: Logic, first: Sequence[Lit], second: Sequence[Lit]) -> list[Lit]:
    """Return the sum of two numbers; a number is a row of literals: at least 1, at least 2, …."""
    one, two = (True, *first), (True, *second)
    return [
        logic.any_of(
            logic.all_of((one[a], two[j - a])) for a in range(len(one)) if 0 <= j - a < len(two)
        )
        for j in range(1, len(one) + len(two) - 1)
    ]


def _exclusive(logic: Logic, first: Lit, second: Lit) -> Lit:
    """Return whether exactly one of two literals holds."""
    return logic.any_of((logic.all_of((first, no(second))), logic.all_of((no(first), second))))
