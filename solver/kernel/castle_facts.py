"""Facts of a castle game for simulations: a tile's places, and its turns with their outcomes.

Python calls these functions. A state and tables come as arrays of one record each. Passing such an
array takes less than a microsecond; passing a record takes fifty times as long.
"""

from __future__ import annotations

from model.geometry import PORTS
from model.rules.castle.keeps import A_MARKET
from solver.kernel import castle, castle_board, castle_turns
from solver.kernel.bits import SPAN, bit_count, lowest
from solver.kernel.castle_board import find, fits, largest_area, size
from solver.kernel.castle_plans import falconry, royal, stands_on, worth
from solver.kernel.castle_scoring import totals
from solver.kernel.castle_state import KING, RANKS
from solver.kernel.castle_tables import COURT, MEN
from solver.kernel.castle_turns import EXTRA, KIND, KIND_MASK, PLAN_NUMBER, RANK, ROTATION, SEGMENT
from solver.kernel.compiling import compiled
from solver.kernel.records import (
    FOLLOWER_ON,
    HOMES,
    LEAD_AT_END,
    LEAD_WON,
    POINTS_WON,
    TURN,
    Ints,
    State,
    States,
    Tables,
)

STAKE = 9
"""Numbers of a feature, in this order: kind, White's and Black's followers, leader or -1, tiles,
empty cells that it faces, its leader's points and tokens, the factor of his king."""
CLAIM = 2 + STAKE
"""Numbers of a legal follower: segment, rank, then the ``STAKE`` of the feature with him on it."""
SCORING = 6
"""Numbers of a way to score, in this order: turn, wall tiles for the mover and for his opponent,
points besides those of features, wall tiles 2 and 3, wall tiles 1."""
TAKEN_BY_WHITE, TAKEN_BY_BLACK, DOUBLES, EXTRAS, SCORES_TO = range(6, 11)
CASTLE_OUTCOME = 11
"""Numbers of a turn: ``TURN`` to ``HOMES``, then each player's corner towers with a wall tile
taken, as bits; the wall tiles that double the mover's features; wall tiles 1; the end of his scored
features in ``scored``."""


@compiled
def places(states: States, tables: States, kind: int, out: Ints) -> int:
    """Write the legal places of a kind of tile as ``cell * 4 + rotation``; return how many."""
    s, t = states[0], tables[0]
    count = 0
    for word in range(2):
        left = s.held[word] & s.empty[word] & t.usable[word]
        while left:
            cell = word * SPAN + lowest(left)
            left &= left - 1
            count = _turned(s, t, cell, kind, out, count)
    return count


@compiled
def places_on(states: States, tables: States, cell: int, kind: int, out: Ints) -> int:
    """Write the legal places of a kind of tile on an empty cell, as ``places`` does."""
    s, t = states[0], tables[0]
    word, bit = cell // SPAN, cell % SPAN
    if not (s.held[word] & t.usable[word]) >> bit & 1:
        return 0
    return _turned(s, t, cell, kind, out, 0)


@compiled
def _turned(s: State, t: Tables, cell: int, kind: int, out: Ints, count: int) -> int:
    """Append the rotations of a kind of tile that fit on a cell; return the new count."""
    for index in range(t.rotations[kind]):
        rotation = int(t.rotation[kind, index])
        if fits(s, t, cell, kind * 4 + rotation):
            out[count] = cell * 4 + rotation
            count += 1
    return count


@compiled
def area(states: States, tables: States) -> int:
    """Return the number of cells of the largest empty area."""
    return largest_area(states[0], tables[0])


@compiled
def lay(states: States, tables: States, cell: int, lie: int) -> int:
    """Lay a tile alone, for ``undo``; return the number of features in ``done``."""
    s, t = states[0], tables[0]
    if castle.save(s):
        s.frame[s.depth - 1].cell = cell
        castle_board.lay(s, t, cell, lie)
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
        castle.undo(s, t)


@compiled
def points(states: States, tables: States, root: int, player: int) -> int:
    """Return a player's points for a path, tower, house or chapel, without wall tiles."""
    s, t = states[0], tables[0]
    return worth(s, root) * (royal(s, t, root, player) if t.falcon else 1)


@compiled
def stake(states: States, tables: States, root: int, out: Ints) -> None:
    """Write the ``STAKE`` numbers of a feature."""
    _stake(states[0], tables[0], root, out, 0)


@compiled
def _stake(s: State, t: Tables, root: int, out: Ints, at: int) -> None:
    """Write the ``STAKE`` numbers of a feature from index ``at`` on."""
    men, kind = int(s.men[root]), int(s.kind[root])
    white, black = men & 255, men >> 8
    leader = -1 if white == black else 1 if white < black else 0
    brings, tokens, times = 0, 0, 1
    if leader >= 0:
        court = kind == COURT
        times = royal(s, t, root, leader) if t.falcon else 1
        if court:
            king = t.king_on_courts and stands_on(s, leader, KING, root)
            brings = A_MARKET * int(s.markets[root]) * (2 if king else 1)
        else:
            brings = worth(s, root) * times
        if t.falcon:
            if not court or t.any_scoring:
                for word in range(2):
                    tokens += bit_count(s.aeries[root, word] & ~s.now.gone[word])
            if not court or t.falconer_on_courts:
                tokens += falconry(s, t, root, leader)
    out[at] = kind
    out[at + 1] = white
    out[at + 2] = black
    out[at + 3] = leader
    out[at + 4] = size(s.mask[root])
    out[at + 5] = bit_count(s.faces[root, 0] & s.empty[0])
    out[at + 5] += bit_count(s.faces[root, 1] & s.empty[1])
    out[at + 6] = brings
    out[at + 7] = tokens
    out[at + 8] = times


@compiled
def claims(states: States, tables: States, cell: int, last: bool, out: Ints) -> int:
    """Write the legal followers on a tile just laid, each feature once.

    Args:
        states: the state.
        tables: the tables.
        cell: the cell of the tile.
        last: whether no tile is left after it.
        out: gets ``CLAIM`` numbers for each.

    Returns:
        Their number.

    """
    s, t = states[0], tables[0]
    able, count = castle_turns.ranks(s, t, last), 0
    kind = int(s.lie[cell]) >> 2
    for segment in range(t.segments[kind] if able else 0):
        node = cell * PORTS + segment
        root = find(s, node)
        if s.men[root] or not castle_turns.is_first(s, cell * PORTS, segment, root):
            continue
        done = castle_turns.is_done(s, root)
        for rank in range(1 if done else RANKS):
            if able >> rank & 1 and castle.save(s):
                castle.place(s, t, node, rank)
                at = count * CLAIM
                out[at] = segment
                out[at + 1] = rank
                _stake(s, t, root, out, at + 2)
                count += 1
                castle.undo(s, t)
    return count


@compiled
def scorings(states: States, tables: States, like: int, last: bool, turns: Ints, out: Ints) -> int:
    """Write every way to score a place and a follower.

    Args:
        states: the state.
        tables: the tables.
        like: the turn without wall tiles and plan; its tile is not on the board yet.
        last: whether no tile is left after it.
        turns: room for turns.
        out: gets ``SCORING`` numbers for each.

    Returns:
        How many there are; if ``turns`` is shorter, the outputs are unspecified.

    """
    s, t = states[0], tables[0]
    me = int(s.now.mover)
    count = castle_turns.turns_at(s, t, like >> KIND & KIND_MASK, like, last, turns, turns[:0], 0)
    if count > len(turns):
        return count
    castle_turns.spell(s, t, like)
    plain = 0
    for one in range(s.claims):
        if s.claim_winner[one] == me:
            plain += int(s.claim_points[one])
    for index in range(count):
        turn, at = turns[index], index * SCORING
        chosen = s.plan[turn >> PLAN_NUMBER]
        used = 0
        for one in range(s.claims):
            used += int(chosen.used[one])
        out[at] = turn
        out[at + 1] = bit_count(chosen.takes[me])
        out[at + 2] = bit_count(chosen.takes[1 - me])
        out[at + 3] = chosen.score[me] - s.now.score[me] - plain
        out[at + 4] = used
        out[at + 5] = turn >> EXTRA & 31
    return count


@compiled
def outcomes(
    states: States,
    tables: States,
    laid: int,
    last: bool,
    alike: bool,
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
        alike: as for ``castle_turns.turns``.
        turns: room for turns.
        out: number and turn → the ``CASTLE_OUTCOME`` number, written here.
        scored: the features that the mover scores, turn by turn in the order of scoring, written
            here; its length is ``CLAIMS`` a turn.
        ends: room for totals.

    Returns:
        The number of turns; if ``turns`` is shorter, the outputs are unspecified.

    """
    s, t = states[0], tables[0]
    cell, kind, rotation = laid & 127, laid >> KIND & KIND_MASK, laid >> ROTATION & 3
    me, to = int(s.now.mover), 0
    castle.undo(s, t)
    count = castle_turns.turns_on(s, t, cell, kind, rotation, last, alike, turns, turns[:0], 0)
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
        castle.undo(s, t)
    lay(states, tables, cell, kind * 4 + rotation)
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


def begun(cell: int, kind: int, rotation: int, segment: int = -1, rank: int = 0) -> int:
    """Return the turn that lays a tile, places a follower if given, and does nothing else.

    Args:
        cell: number of the cell.
        kind: number of the kind of tile.
        rotation: clockwise quarter turns.
        segment: the follower's segment, or -1 for no follower.
        rank: the follower's rank, as in the states of castles.

    """
    return cell | rotation << ROTATION | kind << KIND | segment + 1 << SEGMENT | rank << RANK
