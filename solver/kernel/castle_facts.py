"""Facts of a castle game for simulations: a tile's places, and its turns with their outcomes.

Python calls these functions. A state and tables come as arrays of one record each. Passing such an
array takes less than a microsecond; passing a record takes fifty times as long.
"""

from __future__ import annotations

from burgrave.solver.kernel import castle, castle_board
from burgrave.solver.kernel.castle_board import largest_area, save
from burgrave.solver.kernel.castle_plans import royal, worth
from burgrave.solver.kernel.castle_scoring import totals
from burgrave.solver.kernel.castle_state import RANKS
from burgrave.solver.kernel.castle_tables import MEN
from burgrave.solver.kernel.castle_turns import (
    CELL_MASK,
    EXTRA,
    KIND,
    PLAN_NUMBER,
    ROTATION,
    SEGMENT,
    list_places,
    put,
    turns_on,
)
from burgrave.solver.kernel.compiling import compiled
from burgrave.solver.kernel.records import (
    FOLLOWER_ON,
    HOMES,
    LEAD_AT_END,
    LEAD_WON,
    POINTS_WON,
    TURN,
    Ints,
    State,
    States,
)

TAKEN_BY_WHITE, TAKEN_BY_BLACK, DOUBLES, EXTRAS, SCORES_TO = range(6, 11)
CASTLE_OUTCOME = 11
"""Numbers of a turn: ``TURN`` to ``HOMES``, then each player's corner towers with a wall tile
taken, as bits; the wall tiles that double the mover's features; wall tiles 1; the end of his scored
features in ``scored``."""


@compiled
def places(states: States, tables: States, kind: int, out: Ints) -> int:
    """Write the legal places of a kind of tile as ``cell * 4 + rotation``; return how many."""
    s = states[0]
    count = list_places(s, tables[0], kind, len(s.places))
    for index in range(count):
        place = int(s.places[index])
        out[index] = (place & CELL_MASK) * 4 + (place >> ROTATION & 3)
    return count


@compiled
def area(states: States, tables: States) -> int:
    """Return the number of cells of the largest empty area."""
    return largest_area(states[0], tables[0])


@compiled
def lay(states: States, tables: States, cell: int, lie: int) -> int:
    """Lay a tile alone, for ``undo``; return the number of features in ``done``."""
    s = states[0]
    if save(s):
        put(s, tables[0], cell | lie << ROTATION)
    return int(s.dones)


@compiled
def play(states: States, tables: States, turn: int, last: bool) -> None:
    """Play a turn; ``last`` is true if no tile is left after it."""
    castle.play(states[0], tables[0], turn, last)


@compiled
def undo(states: States, tables: States, depth: int) -> None:
    """Take back tiles and turns until ``depth`` of them are left."""
    s, t = states[0], tables[0]
    while s.depth > depth:
        castle_board.undo(s, t)


@compiled
def points(states: States, tables: States, root: int, player: int) -> int:
    """Return a player's points for a path, tower, house or chapel, without wall tiles."""
    s, t = states[0], tables[0]
    return worth(s, t, root) * (royal(s, t, root, player) if t.falcon else 1)


@compiled
def outcomes(
    states: States,
    tables: States,
    laid: int,
    last: bool,
    turns: Ints,
    out: Ints,
    scored: Ints,
    ends: Ints,
) -> int:
    """Write every turn that lays a tile on a place, with its outcome.

    Args:
        states: the state; the tile is the last one laid, and stays laid.
        tables: the tables.
        laid: the turn that lays the tile and does nothing else.
        last: whether no tile is left after it.
        turns: room for turns.
        out: number and turn → the ``CASTLE_OUTCOME`` number, written here.
        scored: the features that the mover scores, turn by turn in the order of scoring, written
            here; its length is ``CLAIMS`` a turn.
        ends: room for totals.

    Returns:
        The number of turns; if ``turns`` is shorter, the outputs are unspecified.

    """
    s, t = states[0], tables[0]
    me, to = int(s.now.mover), 0
    castle_board.undo(s, t)
    count = turns_on(s, t, laid, last, True, turns, turns[:0], 0)
    before, stood = s.now.score[me] - s.now.score[1 - me], _standing(s, me)
    points_before = int(s.now.score[me])
    for index in range(count if count <= len(turns) else 0):
        turn = turns[index]
        segment = (turn >> SEGMENT & 15) - 1
        castle.play(s, t, turn, last)
        white_takes = black_takes = doubled = 0
        if s.dones:
            chosen = s.plan[turn >> PLAN_NUMBER]
            white_takes, black_takes = int(chosen.takes[0]), int(chosen.takes[1])
            for position in range(s.claims):
                one = int(chosen.order[position])
                if s.claim_winner[one] == me:
                    doubled += int(chosen.used[one])
                    scored[to] = s.claim_root[one]
                    to += 1
        out[TURN, index] = turn
        out[FOLLOWER_ON, index] = segment
        out[POINTS_WON, index] = s.now.score[me] - points_before
        out[LEAD_WON, index] = s.now.score[me] - s.now.score[1 - me] - before
        home = stood - _standing(s, me)
        out[HOMES, index] = home + 1 if segment >= 0 else home
        out[TAKEN_BY_WHITE, index] = white_takes
        out[TAKEN_BY_BLACK, index] = black_takes
        out[DOUBLES, index] = doubled
        out[EXTRAS, index] = turn >> EXTRA & 31
        out[SCORES_TO, index] = to
        totals(s, t, ends)
        out[LEAD_AT_END, index] = ends[me] - ends[1 - me]
        castle_board.undo(s, t)
    lay(states, tables, laid & CELL_MASK, laid >> ROTATION)
    return count


@compiled
def _standing(s: State, player: int) -> int:
    """Return the number of a player's followers on features."""
    count = 0
    for post in range(MEN):
        if s.now.post[player, post] >= 0:
            count += 1
    for rank in range(1, RANKS):
        if s.now.special[player, rank] >= 0:
            count += 1
    return count


def begun(cell: int, kind: int, rotation: int) -> int:
    """Return the turn that lays a tile and does nothing else.

    Args:
        cell: number of the cell.
        kind: number of the kind of tile.
        rotation: clockwise quarter turns.

    """
    return cell | rotation << ROTATION | kind << KIND
