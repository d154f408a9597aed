"""The question and the memory of a search: one record that compiled code reads and writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from burgrave.solver.kernel.compiling import inner
from burgrave.solver.kernel.records import PLAYERS, Job, record_type

NONE, DRAW, SHOWN = -1, -2, -3
"""``NONE``: no turn or no tile. ``DRAW``: a tile is still to be drawn. ``SHOWN - number``: a wall
tile with a number was turned over within the turn."""
ROOM, STACK = 1 << 15, 1 << 18
"""Free rows of the stack of turns that one listing may need; length of that stack."""
ORDERED, MOST_KINDS, PLIES, KEPT, CASES = 160, 256, 64, 2, 8192
PROBED = 4
"""Killer moves of a kind and number of tiles left that are kept; a turn tries ``KEPT`` of them, a
draw and the search for a known reply all."""
ROWS, ROW = 16, 1 << 12
"""Two tables order turns: their rows, by tiles left, and the slots of a row, a power of 2. The last
row stands for more tiles too, and turns may share a slot."""
SUCCESSES = 20
"""The lowest bit of a turn's successes in its ordering score."""
KEYS = 1 << 18
"""Positions whose limits are remembered, a power of 2."""
POINTS, LEAD, WIN, THEIRS = range(4)
"""Goals: the asker's points, his lead over the best opponent, the probability of winning, and the
points of the best opponent."""
HELPED, SOLITAIRE, AGAINST, EACH = range(4)
"""The players' aims, as ``solver.problem.Play``."""
GIVEN, CHOOSE, ANY, CHANCE = range(4)
"""The order of unknown tiles, as ``solver.problem.TileOrder``."""
WINDOWS, KILLERS, MERGED, STAR, LAST = (1 << bit for bit in range(5))
HOPELESS, ANSWERED, BOUND, TRANSPOSITIONS = (1 << bit for bit in range(5, 9))
"""Prunings, as bits of ``prunings``, in this order. Alpha-beta windows; killer moves first; one
turn for each resulting position; bounds of chance nodes (Star2); last turns without a search. Omit
last turns that bring too little; turns with a known good reply; if no player opposes the asker,
positions with too low an upper bound; and positions met before whose limits suffice."""
AREAS = 128
"""Sizes of an empty area."""
RUNNING, STOPPED, TOO_LARGE = range(3)
"""Values of ``state``: the search runs; it stopped on request or at the node limit; a table was
full or a number too large, so that another engine must answer."""

JOB = record_type(
    [
        ("asker", np.int64),  # the player for whom values are counted
        ("players", np.int64),
        ("goal", np.int64),
        ("play", np.int64),
        ("tile_order", np.int64),
        ("decisive", np.int64),  # goal WIN: a win is decisive + 1, a loss 1 - decisive
        ("until", np.int64),  # horizon in tiles left: scores on the track count there; 0 none
        ("limit", np.int64),  # every value v satisfies -limit < v < limit
        ("scale", np.int64),  # factor of values at the root
        ("prunings", np.int64),  # bits, as above
        ("order", np.int64, (ORDERED,)),  # index → kind of a tile whose order is known
        ("ordered", np.int64),  # length of ``order``
        ("at", np.int64),  # tiles of ``order`` that have been drawn
        ("bag", np.int64, (MOST_KINDS,)),  # kind → tiles in the bag
        ("bag_size", np.int64),
        ("kinds", np.int64),  # kinds of tiles in the game
        ("nodes", np.int64),  # turns played
        ("node_limit", np.int64),  # the search stops when ``nodes`` reaches it
        ("state", np.int64),  # RUNNING, STOPPED or TOO_LARGE; the host sets STOPPED from outside
        # tiles left after the turn, kind, rank → killer move, or -1
        ("kept", np.int64, (PLIES, MOST_KINDS, PROBED)),
        # tiles left after the turn, slot of the turn before it and the kind → turn, or -1: the
        # countermove heuristic (Uiterwijk 1992)
        ("answer", np.int64, (ROWS, ROW)),
        # tiles left after the turn, slot of its shape → successes: the history heuristic
        # (Schaeffer 1989)
        ("often", np.int32, (ROWS, ROW)),
        ("path", np.int64, (PLIES,)),  # ply → shape of the turn before it
        ("tried", np.int64, (PLIES, KEPT + 1)),  # ply, index → shape of a killer move tried
        ("asked", np.int64, (PROBED,)),  # the known replies tried last before the last tile but one
        ("worths", np.int64, (PLAYERS,)),  # player → total, while an end is valued
        # ply, player → value to him times the scale (max^n); rows from PLIES on sum draws
        ("each", np.int64, (2 * PLIES, PLAYERS)),
        # ply → the best turn at its last node, kind of its tile; kind DRAW before there is one
        ("best_turn", np.int64, (PLIES,)),
        ("best_kind", np.int64, (PLIES,)),
        ("stuck", np.int8, (PLIES, MOST_KINDS)),  # ply of a draw, kind → 1 if it has no place
        ("gone", np.int64, (PLIES, MOST_KINDS)),  # ply, kind → tiles removed before the draw
        ("last_turn", np.int64),  # the best last turn so far, or -1
        ("last_value", np.int64),  # its value to the asker
        ("rest", np.int64),  # row of ``out`` after the deferred last turns
        ("by_area", np.int64, (AREAS,)),  # size of the largest empty area → value of a calm turn
        ("area_totals", np.int64, (AREAS, 2)),  # size, player → his total after it
        # A size whose totals give those of all others; the player for whom the area counts; or -1
        ("filled", np.int64),
        ("keeper", np.int64),
        # player → total after a last turn without a follower; 1 if these are known
        ("plain", np.int64, (2,)),
        ("plain_known", np.int64),
        ("least", np.int64, (5,)),  # kind → what the mover's wall tiles for it bring at least
        # Stack of the turns listed at the nodes above: row → turn, row → ordering score.
        ("out", np.int64, (STACK,)),
        ("hints", np.int64, (STACK,)),
        # Stack of the cases of the chance nodes above: row → tile, probability, lower, upper bound.
        ("cases", np.int64),  # rows used
        ("case_kind", np.int64, (CASES,)),
        ("case_gone", np.int64, (CASES,)),  # row → tiles removed before it, mixed radix
        ("case_ways", np.int64, (CASES,)),
        ("case_out_of", np.int64, (CASES,)),
        ("case_low", np.int64, (CASES,)),
        ("case_high", np.int64, (CASES,)),
        # Sums that tell a position from others; see ``tell``.
        ("key", np.int64, (2,)),
        # Positions before a draw, in the rows that their keys name: row → key, lower, upper limit.
        ("known_key", np.int64, (KEYS, 2)),
        ("known_low", np.int64, (KEYS,)),
        ("known_high", np.int64, (KEYS,)),
    ],
    align=True,
)
"""One question and the memory of its search."""


@inner
def tiles_left(q: Job) -> int:
    """Return the number of tiles to come."""
    return int(q.ordered - q.at + q.bag_size)


@inner
def only_kind(q: Job) -> int:
    """Return the kind of the only tile to come."""
    if q.at < q.ordered:
        return int(q.order[q.at])
    for kind in range(q.kinds):
        if q.bag[kind]:
            return kind
    return NONE


@inner
def pick(q: Job, first: int, end: int) -> int:
    """Move the turn with the highest ordering score of some rows to the front; return it.

    The others keep their order, so that ties are broken alike everywhere.
    """
    best = first
    for i in range(first + 1, end):
        if q.hints[i] > q.hints[best]:
            best = i
    turn, hint = q.out[best], q.hints[best]
    for i in range(best, first, -1):
        q.out[i], q.hints[i] = q.out[i - 1], q.hints[i - 1]
    q.out[first], q.hints[first] = turn, hint
    return int(turn)


@inner
def keep(q: Job, left: int, kind: int, turn: int) -> None:
    """Remember a turn that was best with a tile as a killer move."""
    row = min(left, PLIES - 1)
    if kind < 0 or q.kept[row, kind, 0] == turn:
        return
    rank = 1
    while rank < PROBED - 1 and q.kept[row, kind, rank] != turn:
        rank += 1
    for later in range(rank, 0, -1):
        q.kept[row, kind, later] = q.kept[row, kind, later - 1]
    q.kept[row, kind, 0] = turn


@inner
def killer(q: Job, ply: int, left: int, kind: int, number: int, once: bool) -> int:
    """Return a turn to try first, or -1.

    ``number`` is 0 for what was good elsewhere after the same turn, ``q.path[ply]``; then come the
    best turns in order, with ``left`` tiles left after them. ``once``: the best alone is tried.
    """
    if number == 0 and not once:
        return int(q.answer[min(left, ROWS - 1), _slot(int(q.path[ply]), kind)])
    return int(q.kept[min(left, PLIES - 1), kind, number - (0 if once else 1)])


@inner
def among(numbers: Any, count: int, number: int) -> bool:
    """Tell whether a number is among the first ``count`` of an array."""
    for index in range(count):
        if numbers[index] == number:
            return True
    return False


@inner
def note_success(q: Job, ply: int, left: int, kind: int, turn: int, shape: int) -> None:
    """Remember a turn that left the window: after the turn before it, and by its shape."""
    row = min(left, ROWS - 1)
    q.answer[row, _slot(int(q.path[ply]), kind)] = turn
    q.often[row, _slot(shape, 0)] += 1


@inner
def successes(q: Job, left: int, shape: int) -> int:
    """Return how often turns of a shape left the window, or turns that share its slot."""
    return int(q.often[min(left, ROWS - 1), _slot(shape, 0)])


@inner
def _slot(shape: int, kind: int) -> int:
    """Return the slot of a turn's shape and a kind of tile."""
    mixed = (shape ^ kind << 32) * 0x1E3779B97F4A7C15
    return int(mixed >> 40 & ROW - 1)


MASK = (1 << 63) - 1
"""Keys are numbers of 63 bits."""


@inner
def tell(q: Job, what: int, number: int) -> None:
    """Add a fact of a position to its key; the order of the facts does not matter.

    A fact becomes two numbers that look random, by the mixing steps of SplitMix64 (Steele, Lea,
    Flood 2014), and a key is two sums of them. Two positions whose facts differ have the same key
    with a probability of 2^-126. ``what`` is the kind of the fact, 0 to 31; ``number`` is the fact,
    0 to 2^57 - 1.
    """
    one = (int(number) ^ what << 57) + 0x1E3779B97F4A7C15 & MASK
    one = (one ^ one >> 30) * 0x3F58476D1CE4E5B9 & MASK
    one = (one ^ one >> 27) * 0x14D049BB133111EB & MASK
    one ^= one >> 31
    q.key[0] = int(q.key[0]) + one & MASK
    one = (one ^ one >> 29) * 0x369DEA0F31A53F85 & MASK
    one ^= one >> 32
    q.key[1] = int(q.key[1]) + one & MASK


@inner
def worth(q: Job, player: int) -> int:
    """Return the value of the totals in ``q.worths`` to a player."""
    mine = q.worths[player]
    if q.goal == POINTS:
        return int(mine)
    theirs, others = 0, False
    for other in range(q.players):
        if other != player and (not others or q.worths[other] > theirs):
            theirs, others = q.worths[other], True
    if q.goal == LEAD:
        return int(mine - theirs)
    if q.goal == THEIRS:
        return int(theirs)
    if mine == theirs:
        return 0
    return int(q.decisive + 1 if mine > theirs else 1 - q.decisive)


@inner
def improves(q: Job, found: int, turn: int, serving: bool) -> None:
    """Note a turn's value if it is the best so far."""
    if q.last_turn == NONE or (found > q.last_value if serving else found < q.last_value):
        q.last_value, q.last_turn = found, turn


@inner
def refuted(q: Job, serving: bool, low: int, high: int) -> bool:
    """Tell whether the best turn so far is outside a window on the mover's side."""
    return bool(q.last_turn != NONE and (q.last_value >= high if serving else q.last_value <= low))
