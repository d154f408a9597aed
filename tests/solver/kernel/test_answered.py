"""Turns that a known reply answers: the bound that stands for them, and what play brings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from burgrave.model.position import Position
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import play, totals, turns, turns_at, undo, without_answered
from burgrave.solver.kernel.job import worth
from burgrave.solver.problem import Goal, Play, TileOrder, pose
from burgrave.solver.search.question import INFINITY, PRUNINGS, bits_of, job_of
from tests.late import near_end
from tests.solver.endings import armed

pytestmark = pytest.mark.slow
PAIRS = 1500
"""Turns with a reply that are looked at in one position."""
SEEDS = (1, 2, 4, 10)
"""In the last of them a reply takes the wall tile that the turn before it reaches."""


def dealt(seed: int) -> tuple[Position, random.Random]:
    """Return a position with two tiles to come in a castle, with wall tiles dealt anew."""
    rng = random.Random(f"answered {seed}")
    at = armed(near_end("castle", 2, seed), rng, range(4, 8))
    # Extra turns, and wall tiles that are usable later, switch the pruning off.
    players = tuple(replace(one, fresh_wall_tiles=()) for one in at.players)
    return replace(at, players=players, extra_turns=0, in_extra_turn=False), rng


@pytest.mark.long
@pytest.mark.parametrize("goal", [Goal.LEAD, Goal.POINTS])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_of_an_answered_turn_holds_in_play(seed: int, goal: Goal) -> None:
    """The reply is legal after each removed turn, and brings its player what the bound says."""
    at, rng = dealt(seed)
    opened, asker = Opened(at, shown=True), rng.randrange(2)
    s, t = opened.state, opened.tables
    problem = pose(at, goal, Play.AGAINST, TileOrder.GIVEN, asker)
    q = job_of(problem, opened, bits_of(PRUNINGS))
    q.at = 1  # the first tile is in hand
    first, second = map(opened.kind, at.order)
    serving = asker == at.to_move
    # Outside this window, on the mover's bad side, lies every value.
    low, high = (INFINITY >> 1, INFINITY) if serving else (-INFINITY, -INFINITY >> 1)
    listed = q.out[: turns(s, t, first, False, False, q.out, q.hints, 0)].tolist()
    s.now.mover = 1 - at.to_move
    replies = q.out[: turns(s, t, second, True, False, q.out, q.hints, 0)].tolist()
    s.now.mover = at.to_move
    answered = 0
    for _ in range(PAIRS if listed and replies else 0):
        turn, reply = rng.choice(listed), rng.choice(replies)
        q.out[0] = turn
        if without_answered(s, t, q, 0, 1, reply, serving, low, high):
            continue
        answered += 1
        bound, values = int(q.last_value), []
        play(s, t, turn, False)
        for one in q.out[: turns_at(s, t, second, reply, True, q.out, q.hints, 0)].tolist():
            play(s, t, one, True)
            totals(s, t, q.worths)
            values.append(int(worth(q, asker)))
            undo(s, t)
        undo(s, t)
        assert values
        assert (min(values) <= bound) if serving else (max(values) >= bound)
    assert answered or not (listed and replies)
