"""The last turn of a game of Carcassonne or The Tower: value the best turn without a search."""

from __future__ import annotations

from solver.kernel.carcassonne import play, turns, undo
from solver.kernel.compiling import inner
from solver.kernel.farms import totals
from solver.kernel.job import NONE, improves, pick, refuted, tiles_left, worth
from solver.kernel.records import Ints, Job, State, Tables


@inner
def is_final(s: State, t: Tables, q: Job) -> bool:
    """Tell whether no tile is left: there is always room for a tile on the plane."""
    return bool(tiles_left(q) == 0)


@inner
def without_answered(
    s: State,
    t: Tables,
    q: Job,
    first: int,
    end: int,
    reply: int,
    serving: bool,
    low: int,
    high: int,
) -> int:
    """Keep all turns."""
    q.last_turn = NONE
    return end


@inner
def best_last(
    s: State, t: Tables, q: Job, at: int, kind: int, serving: bool, low: int, high: int
) -> int:
    """Return the value of the best last turn with a tile; see ``solver.kernel.game``.

    The list omits repeated turns without effect on the totals.
    """
    q.last_turn, q.last_value = NONE, 0
    end = turns(s, t, kind, True, False, q.out, q.hints, at)
    for i in range(at, end):
        turn = pick(q, i, end)
        play(s, t, turn, True)
        totals(s, t, q.worths)
        undo(s, t)
        q.nodes += 1
        improves(q, worth(q, q.asker), turn, serving)
        if refuted(q, serving, low, high):
            break
    return int(q.last_value)


@inner
def pending(s: State) -> bool:
    """Tell whether a wall tile is being turned over: there is none."""
    return False


@inner
def unseen(s: State, number: int) -> int:
    """Return the count of face-down wall tiles with a number: always 0."""
    return 0


@inner
def choices(s: State, t: Tables, number: int, last: bool, out: Ints, hints: Ints, at: int) -> int:
    """Write the ways to go on once a wall tile is turned over: there are none."""
    return at
