"""The functions that every family of games has, for generic code such as searches.

A family is a record type of states and modules with compiled functions of these names. To add
a family, add a line to ``FAMILIES``. Compiled code binds to the family of its state's type; plain
Python reads the type from the state itself.

States and tables are records. A state does not hold the tiles to come: the caller holds their order
or the bag. A turn is one packed integer, which has a meaning only in its state.

Common arguments: ``s`` the state, ``t`` the tables, ``q`` the job of a search; ``kind`` the number
of a tile's kind, ``last`` whether no tile is left after it; ``out`` and ``hints`` arrays of turns
and of their ordering scores, written from row ``at`` on; ``serving`` whether the mover maximises
the asker's value, of which ``low`` and ``high`` are the window.
"""

from __future__ import annotations

from collections import ChainMap
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np

from burgrave.solver.kernel import (
    carcassonne,
    castle,
    castle_board,
    castle_last,
    castle_scoring,
    castle_state,
    castle_turns,
    castle_value,
    plane_board,
    plane_last,
    plane_outlook,
    plane_reach,
    plane_value,
)
from burgrave.solver.kernel.compiling import by_type

FAMILIES: tuple[tuple[np.dtype[Any], tuple[ModuleType, ...]], ...] = (
    (plane_board.PLANE_STATE, (carcassonne, plane_last, plane_reach, plane_outlook, plane_value)),
    (
        castle_state.CASTLE_STATE,
        (castle, castle_board, castle_turns, castle_scoring, castle_last, castle_value),
    ),
)
"""Record type of a family's states → modules of its functions."""


@cache
def _family_of(dtype: Any) -> SimpleNamespace:
    """Return the family's functions for a record type of numpy or numba."""
    for state, modules in FAMILIES:
        known = numba.from_dtype(state) if isinstance(dtype, numba.types.Record) else state
        if dtype == known:
            return SimpleNamespace(**ChainMap(*map(vars, modules)))
    raise TypeError(f"no family of games has states of type {dtype}")


def _family(s: Any) -> SimpleNamespace:
    """Return the family's functions for a state or for numba's type of a state."""
    return _family_of(s if isinstance(s, numba.types.Record) else s.dtype)


@by_type(_family)
def turns(s: Any, t: Any, kind: int, last: bool, alike: bool, out: Any, hints: Any, at: int) -> int:
    """List the legal turns that lay a tile of a kind; return the row after the last of them.

    Args:
        s: the state.
        t: the tables.
        kind: number of the kind; -1 if no tile left has a place.
        last: whether no tile is left after it.
        alike: whether to list all turns, in the reference's order. If not, the list may omit
            turns that lead to the same position or, after the last tile, to the same totals.
        out: row → turn. If it is too short, the result exceeds its length.
        hints: row → ordering score: the mover's immediate points less the best opponent's. It is
            a heuristic for move ordering only. Length 0 for no scores.
        at: the first row to write.

    """
    return int(_family(s).turns(s, t, kind, last, alike, out, hints, at))


@by_type(_family)
def play(s: Any, t: Any, turn: int, last: bool) -> None:
    """Play a turn, one of ``turns``; ``s.depth`` is the number of turns that can be taken back."""
    _family(s).play(s, t, turn, last)


@by_type(_family)
def undo(s: Any, t: Any) -> None:
    """Take back the last turn played."""
    _family(s).undo(s, t)


@by_type(_family)
def placeable(s: Any, t: Any, kind: int) -> bool:
    """Tell whether a kind of tile has a legal place."""
    return bool(_family(s).placeable(s, t, kind))


@by_type(_family)
def mover(s: Any) -> int:
    """Return the player to move."""
    return int(_family(s).mover(s))


@by_type(_family)
def standing(s: Any, t: Any, out: Any) -> None:
    """Write each player's score on the track into ``out``."""
    _family(s).standing(s, t, out)


@by_type(_family)
def totals(s: Any, t: Any, out: Any) -> None:
    """Write each player's total after final scoring into ``out``; the state does not change."""
    _family(s).totals(s, t, out)


@by_type(_family)
def outlook(s: Any, t: Any, w: Any, out: Any) -> None:
    """Write each player's expected final points, by the policy's evaluation, into ``out``.

    ``w`` is a row of weights in the layout of the family's ``outlook``; points are floating-point.
    """
    _family(s).outlook(s, t, w, out)


@by_type(_family)
def describe(s: Any, t: Any, coming: Any, out: Any) -> int:
    """Write the numbers of each player that the learned value weighs; return how many.

    ``coming`` has the tiles to come by kind. ``out`` gets them by player, in the order of the
    family's names: ``plane_value.PLANE_SEEN`` or ``castle_value.CASTLE_SEEN``.
    """
    return int(_family(s).describe(s, t, coming, out))


@by_type(_family)
def reach(s: Any, t: Any, q: Any, left: int) -> bool:
    """Write the upper bound of the asker's points and the lower bounds of all others.

    They go to ``q.worths``, player → points. Nobody opposes the asker; ``left`` tiles are to come,
    at least 1, and one is to be drawn. Return whether bounds exist.
    """
    return bool(_family(s).reach(s, t, q, left))


@by_type(_family)
def identify(s: Any, t: Any, q: Any) -> None:
    """Add to the key of a job all in which positions of one search may differ, but for the bag.

    ``solver.kernel.job.tell`` says what a key is. A draw comes next.
    """
    _family(s).identify(s, t, q)


@by_type(_family)
def turns_at(
    s: Any, t: Any, kind: int, like: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """List the legal turns with the shape of ``like``, a turn of another state; see ``shape``.

    There is none if ``like`` lays another kind of tile: tables that order turns may mix them up.
    """
    return int(_family(s).turns_at(s, t, kind, like, last, out, hints, at))


@by_type(_family)
def shape(s: Any, turn: int) -> int:
    """Return the part of a turn that ``turns_at`` keeps: at least tile, place and follower."""
    return int(_family(s).shape(s, turn))


@by_type(_family)
def hand_over(s: Any, player: int) -> None:
    """Make a player the next to move, as in a solitaire; ``undo`` takes it back with the turn."""
    _family(s).hand_over(s, player)


@by_type(_family)
def best_last(
    s: Any, t: Any, q: Any, at: int, kind: int, serving: bool, low: int, high: int
) -> int:
    """Return the value of the best last turn with a tile that has a place, in a window.

    ``q.last_turn`` is then this turn. Turns that turn over a wall tile are deferred: the function
    writes them to the job's stack from row ``q.rest`` on, and moves ``q.rest`` behind them. Rows of
    the stack are free from ``at`` on.
    """
    return int(_family(s).best_last(s, t, q, at, kind, serving, low, high))


@by_type(_family)
def without_answered(
    s: Any, t: Any, q: Any, first: int, end: int, reply: int, serving: bool, low: int, high: int
) -> int:
    """Remove the turns that a reply refutes; return the row after the last turn kept.

    The turns stand with ordering scores on the job's stack, in the rows from ``first`` up to
    ``end``; one tile is to come, and ``reply`` is a turn of another node with it. ``q.last_turn``
    is then the best removed turn, or -1 for none. ``q.last_value`` is its bound after the reply, a
    value outside the window on the mover's bad side.
    """
    return int(_family(s).without_answered(s, t, q, first, end, reply, serving, low, high))


@by_type(_family)
def pending(s: Any) -> bool:
    """Tell whether a turn waits for a wall tile to be turned over."""
    return bool(_family(s).pending(s))


@by_type(_family)
def unseen(s: Any, number: int) -> int:
    """Return the count of face-down wall tiles with a number, each equally likely."""
    return int(_family(s).unseen(s, number))


@by_type(_family)
def choices(s: Any, t: Any, number: int, last: bool, out: Any, hints: Any, at: int) -> int:
    """Turn over the pending wall tile and list the continuations of the turn.

    A new call before any play may set another number. The other arguments are as for ``turns``.
    """
    return int(_family(s).choices(s, t, number, last, out, hints, at))
