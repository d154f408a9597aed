"""What every family of games can do, for code that plays any of them: random games, searches.

A family is a record type of states with a module of compiled functions of these names. To add
one, add a line to ``FAMILIES``. Compiled code is bound to the family of its state's type; plain
Python looks at the state itself.

States and tables are records. Which tile comes when is not part of a state: who plays on holds
the order or the bag. A turn is one packed integer, which means something beside its state only.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from solver.kernel import carcassonne, castle, castle_state, plane_board

FAMILIES: tuple[tuple[np.dtype[Any], ModuleType], ...] = (
    (plane_board.STATE, carcassonne),
    (castle_state.STATE, castle),
)
"""The record type of each family's states, with the module of its functions."""

PLAYERS = 6
"""The most players of any family."""


def _family(s: Any) -> ModuleType:
    """Return the module for a state or for the type of a state."""
    for dtype, module in FAMILIES:
        if isinstance(s, numba.types.Record):
            if s == numba.from_dtype(dtype):
                return module
        elif s.dtype.fields == dtype.fields:
            return module
    raise TypeError(f"no family of games has states of type {s}")


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


def play(s: Any, t: Any, turn: int, last: bool) -> None:
    """Play a turn, one of ``turns``.

    Args:
        s: the state; its ``depth`` counts the plays that can be taken back.
        t: the tables.
        turn: the turn.
        last: whether no tile is left after it.

    """
    _family(s).play(s, t, turn, last)


def undo(s: Any, t: Any) -> None:
    """Take the last play back."""
    _family(s).undo(s, t)


def placeable(s: Any, t: Any, kind: int) -> bool:
    """Tell whether a kind of tile has a legal place."""
    return bool(_family(s).placeable(s, t, kind))


def mover(s: Any) -> int:
    """Return the player to move."""
    return int(_family(s).mover(s))


def standing(s: Any, t: Any, out: Any) -> None:
    """Write each player's score as it is on the track into ``out``."""
    _family(s).standing(s, t, out)


def totals(s: Any, t: Any, out: Any) -> None:
    """Write each player's total after final scoring into ``out``; the position stays as it is."""
    _family(s).totals(s, t, out)


@overload(turns)
def _turns(
    s: Any,
    t: Any,  # noqa: ARG001 -- numba asks for all names
    kind: Any,  # noqa: ARG001
    last: Any,  # noqa: ARG001
    alike: Any,  # noqa: ARG001
    out: Any,  # noqa: ARG001
    hints: Any,  # noqa: ARG001
    at: Any,  # noqa: ARG001
) -> Callable[..., Any]:
    chosen = _family(s).turns

    def call(
        s: Any, t: Any, kind: Any, last: Any, alike: Any, out: Any, hints: Any, at: Any
    ) -> Any:
        return chosen(s, t, kind, last, alike, out, hints, at)

    return call


@overload(play)
def _play(s: Any, t: Any, turn: Any, last: Any) -> Callable[..., Any]:  # noqa: ARG001 -- numba asks for all names
    chosen = _family(s).play

    def call(s: Any, t: Any, turn: Any, last: Any) -> Any:
        return chosen(s, t, turn, last)

    return call


@overload(undo)
def _undo(s: Any, t: Any) -> Callable[..., Any]:  # noqa: ARG001 -- numba asks for all names
    chosen = _family(s).undo

    def call(s: Any, t: Any) -> Any:
        return chosen(s, t)

    return call


@overload(placeable)
def _placeable(s: Any, t: Any, kind: Any) -> Callable[..., Any]:  # noqa: ARG001 -- numba asks for all names
    chosen = _family(s).placeable

    def call(s: Any, t: Any, kind: Any) -> Any:
        return chosen(s, t, kind)

    return call


@overload(mover)
def _mover(s: Any) -> Callable[..., Any]:
    chosen = _family(s).mover

    def call(s: Any) -> Any:
        return chosen(s)

    return call


@overload(standing)
def _standing(s: Any, t: Any, out: Any) -> Callable[..., Any]:  # noqa: ARG001 -- numba asks for all names
    chosen = _family(s).standing

    def call(s: Any, t: Any, out: Any) -> Any:
        return chosen(s, t, out)

    return call


@overload(totals)
def _totals(s: Any, t: Any, out: Any) -> Callable[..., Any]:  # noqa: ARG001 -- numba asks for all names
    chosen = _family(s).totals

    def call(s: Any, t: Any, out: Any) -> Any:
        return chosen(s, t, out)

    return call
