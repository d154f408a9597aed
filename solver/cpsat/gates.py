"""Markers that a gate of The Falcon stops, by its variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.games import Game
from model.switches import GATE_STOP, GATE_STOP_PLACE
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a marker stands."""

    score: Expression
    """Laps included."""
    at_gate: Lit
    """Whether it stands on the gate after that number."""


def stopping(game: Game, reach: range) -> list[int]:
    """Return the numbers within reach after which a gate stops markers, laps included."""
    if not game.board.gates or game.value(GATE_STOP) == "off":
        return []
    numbers = {gate.after for gate in game.board.gates}
    return [number for number in reach if number % game.board.track in numbers]


def marched(  # noqa: PLR0913 -- the parts of the formula
    logic: Logic,
    game: Game,
    here: Place,
    reach: Expression,
    *,
    moved: Lit,
    gates: Sequence[int],
    farthest: int,
) -> Place:
    """Return where a marker stands after some points: at the first gate in its way, or beyond.

    stop(g) ↔ here + at_gate ≤ g < reach and no earlier stop; by the switch it is here < g.
    stop(g) → score = g; no stop → score = reach.

    Args:
        logic: the model.
        game: its switches say where a marker is stopped.
        here: where the marker stands before.
        reach: where it would stand if no gate stopped it.
        moved: whether it moves at all.
        gates: the numbers after which gates stop it, ascending.
        farthest: no marker stands beyond.

    """
    if not gates:
        return Place(score=reach, at_gate=False)
    before = game.value(GATE_STOP_PLACE) == "space_before"
    least = here.score + (1 if before else weighted([(1, here.at_gate)]))
    after = logic.integer(0, farthest, "score")
    stopped: Lit = False
    for gate in gates:
        ahead = logic.within(least, 0, gate)
        stop = logic.all_of((ahead, no(logic.within(reach, 0, gate)), no(stopped)))
        logic.equal_if([stop], after, gate)
        stopped = logic.any_of((stopped, stop))
    logic.equal_if([no(stopped)], after, reach)
    waits = logic.all_of((here.at_gate, no(moved)))
    return Place(score=after, at_gate=waits if before else logic.any_of((stopped, waits)))
