"""What every family of games can do, for code that plays any of them: random games, searches.

A family is a record type of states with a module of compiled functions of these names. To add
one, add a line to ``FAMILIES``. Compiled code is bound to the family of its state's type; plain
Python looks at the state itself.

States and tables are records. Which tile comes when is not part of a state: who plays on holds
the order or the bag. A turn is one packed integer, which means something beside its state only.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numba
import numpy as np

from solver.kernel import castle_family, castle_state, plane_board, plane_family
from solver.kernel.compiling import by_type

FAMILIES: tuple[tuple[np.dtype[Any], ModuleType], ...] = (
    (plane_board.STATE, plane_family),
    (castle_state.STATE, castle_family),
)
"""The record type of each family's states, with the module of its functions."""

PLAYERS = 6
"""The most players of any family."""
NUMBERS = castle_state.NUMBERS
"""What is turned over within a turn has a number below this."""


@cache
def _family_of(dtype: Any) -> ModuleType:
    """Return the module for a record type, numpy's or numba's."""
    for state, module in FAMILIES:
        known = numba.from_dtype(state) if isinstance(dtype, numba.types.Record) else state
        if dtype == known:
            return module
    raise TypeError(f"no family of games has states of type {dtype}")


def _family(s: Any) -> ModuleType:
    """Return the module for a state or for numba's type of a state."""
    return _family_of(s if isinstance(s, numba.types.Record) else s.dtype)


@by_type(_family)
def turns(s: Any, t: Any, kind: int, last: bool, alike: bool, out: Any, hints: Any, at: int) -> int:
    """List the legal turns that lay a tile of a kind.

    Args:
        s: the state.
        t: the tables.
        kind: number of the kind; -1 for a turn for which no tile is left that has a place.
        last: whether no tile is left after it.
        alike: whether all turns are listed, as the reference lists them and in its order. If
            not, some of those that lead to the same position are left out; after the last tile,
            some of those that lead to the same totals.
        out: the turns are written here from ``at`` on, as far as there is room.
        hints: here what each brings the player to move at once, in points, less what it brings
            the best other. It is for the order of a search only, and need not be exact. Of
            length 0 if it is not wanted.
        at: where to begin.

    Returns:
        Where the list ends. More than the length of ``out`` means that the room does not do.

    """
    return int(_family(s).turns(s, t, kind, last, alike, out, hints, at))


@by_type(_family)
def play(s: Any, t: Any, turn: int, last: bool) -> None:
    """Play a turn, one of ``turns``.

    Args:
        s: the state; its ``depth`` counts the plays that can be taken back.
        t: the tables.
        turn: the turn.
        last: whether no tile is left after it.

    """
    _family(s).play(s, t, turn, last)


@by_type(_family)
def undo(s: Any, t: Any) -> None:
    """Take the last play back."""
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
    """Write each player's score as it is on the track into ``out``."""
    _family(s).standing(s, t, out)


@by_type(_family)
def totals(s: Any, t: Any, out: Any) -> None:
    """Write each player's total after final scoring into ``out``; the position stays as it is."""
    _family(s).totals(s, t, out)


@by_type(_family)
def outlook(s: Any, t: Any, w: Any, out: Any) -> None:
    """Write the points that each player may hope for at the end, as a policy judges, into ``out``.

    Args:
        s: the state.
        t: the tables.
        w: a row of weights, as the family's ``outlook`` reads it.
        out: gets the hopes, by player, as floating-point numbers.

    """
    _family(s).outlook(s, t, w, out)


@by_type(_family)
def reach(s: Any, t: Any, q: Any, left: int) -> bool:
    """Write what the asker can have at most and all others at least, at the end or before it.

    Args:
        s: the state, in which a tile is to be drawn.
        t: the tables.
        q: the job of a search in which nobody plays against the asker; ``q.worths`` gets the
            limits by player.
        left: tiles to come, at least 1.

    Returns:
        Whether there are limits.

    """
    return bool(_family(s).reach(s, t, q, left))


@by_type(_family)
def turns_at(
    s: Any, t: Any, kind: int, like: int, last: bool, out: Any, hints: Any, at: int
) -> int:
    """List the legal turns of the shape of a turn known from elsewhere; see ``shape``.

    The arguments are those of ``turns``, with ``like`` the known turn.
    """
    return int(_family(s).turns_at(s, t, kind, like, last, out, hints, at))


@by_type(_family)
def shape(s: Any, turn: int) -> int:
    """Return what ``turns_at`` keeps of a turn: at least tile, place and follower."""
    return int(_family(s).shape(s, turn))


@by_type(_family)
def hand_over(s: Any, player: int) -> None:
    """Let the next turn be a player's, as in a solitaire; ``undo`` takes it back with the turn."""
    _family(s).hand_over(s, player)


@by_type(_family)
def is_final(s: Any, t: Any, q: Any) -> bool:
    """Tell whether it is known that no tile after the one in hand can have a place."""
    return bool(_family(s).is_final(s, t, q))


@by_type(_family)
def best_last(
    s: Any, t: Any, q: Any, at: int, kind: int, serving: bool, low: int, high: int
) -> int:
    """Return the value of the best last turn with a tile that has a place, in a window.

    The turn is then in ``q.last_turn``. If tiles are left, ``is_final`` holds, and what is valued
    is the end of the game after a turn without a tile. Turns in which something is turned over are
    left out: they are written to the job's stack of turns from ``q.rest`` on, which is where they
    end then.

    Args:
        s: the state.
        t: the tables.
        q: the job of a search.
        at: the first free row of its stack of turns.
        kind: of the tile.
        serving: whether the mover plays for the asker.
        low: values at or below it need not be told apart.
        high: values at or above it need not be told apart.

    """
    return int(_family(s).best_last(s, t, q, at, kind, serving, low, high))


@by_type(_family)
def without_answered(
    s: Any, t: Any, q: Any, first: int, end: int, reply: int, serving: bool, low: int, high: int
) -> int:
    """Leave turns that a reply answers out of some that are listed: what it makes of them is known.

    The best of them is then in ``q.last_turn``, or -1 if there is none; in ``q.last_value`` is
    what the reply makes of it, a value outside the window on the mover's bad side.

    Args:
        s: the state in which they are listed, with ordering scores; one tile is to come.
        t: the tables.
        q: the job of a search, with the turns on its stack.
        first: the row of the first.
        end: the row after the last.
        reply: a turn with the tile to come, known from elsewhere.
        serving: whether the mover plays for the asker.
        low: values at or below it need not be told apart.
        high: values at or above it need not be told apart.

    Returns:
        The row after the last that is kept.

    """
    found = _family(s).without_answered(s, t, q, first, end, reply, serving, low, high)
    return int(found)


@by_type(_family)
def pending(s: Any) -> bool:
    """Tell whether a turn has been played up to where something is turned over."""
    return bool(_family(s).pending(s))


@by_type(_family)
def unseen(s: Any, number: int) -> int:
    """Return how many equally likely things with a number may be turned over."""
    return int(_family(s).unseen(s, number))


@by_type(_family)
def choices(s: Any, t: Any, number: int, last: bool, out: Any, hints: Any, at: int) -> int:
    """Turn something over and list the ways to go on with the turn, each to be played.

    Another number may be turned over instead until one of them is played. The other arguments
    are those of ``turns``.
    """
    return int(_family(s).choices(s, t, number, last, out, hints, at))
