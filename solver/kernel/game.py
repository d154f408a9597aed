"""What the searches ask of a game, in a castle or on a plane: the family is told by the state.

Uncompiled code chooses by the type of the record, compiled code once, as it is compiled.

numba compares the arguments of an overload with those of what it returns, annotations included, so
that the functions that choose have none. Arguments are those of ``solver.kernel.search``. A turn is one number, which only its family reads.
"""

from __future__ import annotations

import numba
from numba.extending import overload

from solver.kernel import carcassonne, castle, castle_board, castle_last, castle_scoring, farms
from solver.kernel.castle_state import STATE as CASTLE
from solver.kernel.records import Ints, Job, State, Tables

_IN_CASTLE = numba.from_dtype(CASTLE)


def _in_castle(s: State) -> bool:
    """Tell whether a state is one of a game in a castle."""
    return bool(s.dtype == CASTLE)


def mover(s: State) -> int:
    """Return the player to move."""
    return (castle.mover if _in_castle(s) else carcassonne.mover)(s)


@overload(mover)
def _mover(s):
    if s == _IN_CASTLE:
        return lambda s: castle.mover(s)
    return lambda s: carcassonne.mover(s)


def placeable(s: State, t: Tables, kind: int) -> bool:
    """Tell whether a kind of tile has a legal place."""
    return (castle_board.placeable if _in_castle(s) else carcassonne.placeable)(s, t, kind)


@overload(placeable)
def _placeable(s, t, kind):
    if s == _IN_CASTLE:
        return lambda s, t, kind: castle_board.placeable(s, t, kind)
    return lambda s, t, kind: carcassonne.placeable(s, t, kind)


def turns(
    s: State, t: Tables, kind: int, last: bool, alike: bool, out: Ints, hints: Ints, at: int
) -> int:
    """List every legal turn that lays a tile; return the end of the list.

    Args:
        s: the state.
        t: the tables.
        kind: of the tile; -1 for the turns for which no tile is left that has a place.
        last: whether no tile is left after it.
        alike: whether every turn is listed, in the order of the rules engine; otherwise of turns
            that lead to the same position one is.
        out: gets the turns from ``at`` on.
        hints: gets their ordering scores: points for the mover less those of the best opponent.
        at: where to begin.

    """
    family = castle.turns if _in_castle(s) else carcassonne.turns
    return family(s, t, kind, last, alike, out, hints, at)


@overload(turns)
def _turns(s, t, kind, last, alike, out, hints, at):
    if s == _IN_CASTLE:
        return lambda s, t, kind, last, alike, out, hints, at: castle.turns(
            s, t, kind, last, alike, out, hints, at
        )
    return lambda s, t, kind, last, alike, out, hints, at: carcassonne.turns(
        s, t, kind, last, alike, out, hints, at
    )


def turns_at(
    s: State, t: Tables, kind: int, like: int, last: bool, out: Ints, hints: Ints, at: int
) -> int:
    """List the legal turns of one shape: tile, place and follower of a turn known from elsewhere.

    The arguments are those of ``turns``, with ``like`` the known turn.
    """
    family = castle.turns_at if _in_castle(s) else carcassonne.turns_at
    return family(s, t, kind, like, last, out, hints, at)


@overload(turns_at)
def _turns_at(s, t, kind, like, last, out, hints, at):
    if s == _IN_CASTLE:
        return lambda s, t, kind, like, last, out, hints, at: castle.turns_at(
            s, t, kind, like, last, out, hints, at
        )
    return lambda s, t, kind, like, last, out, hints, at: carcassonne.turns_at(
        s, t, kind, like, last, out, hints, at
    )


def shape(s: State, turn: int) -> int:
    """Return what ``turns_at`` keeps of a turn; turns of one shape are listed together."""
    return (castle.shape if _in_castle(s) else carcassonne.shape)(turn)


@overload(shape)
def _shape(s, turn):
    if s == _IN_CASTLE:
        return lambda s, turn: castle.shape(turn)
    return lambda s, turn: carcassonne.shape(turn)


def play(s: State, t: Tables, turn: int, last: bool) -> None:
    """Play a turn, one of ``turns``; ``last`` tells whether no tile is left after it."""
    (castle.play if _in_castle(s) else carcassonne.play)(s, t, turn, last)


@overload(play)
def _play(s, t, turn, last):
    if s == _IN_CASTLE:
        return lambda s, t, turn, last: castle.play(s, t, turn, last)
    return lambda s, t, turn, last: carcassonne.play(s, t, turn, last)


def hand_over(s: State, player: int) -> None:
    """Let the next turn be a player's, as in a solitaire; ``undo`` takes it back with the turn."""
    (castle.hand_over if _in_castle(s) else carcassonne.hand_over)(s, player)


@overload(hand_over)
def _hand_over(s, player):
    if s == _IN_CASTLE:
        return lambda s, player: castle.hand_over(s, player)
    return lambda s, player: carcassonne.hand_over(s, player)


def undo(s: State, t: Tables) -> None:
    """Take back the turn that was played last."""
    (castle.undo if _in_castle(s) else carcassonne.undo)(s, t)


@overload(undo)
def _undo(s, t):
    if s == _IN_CASTLE:
        return lambda s, t: castle.undo(s, t)
    return lambda s, t: carcassonne.undo(s, t)


def standing(s: State, t: Tables, out: Ints) -> None:
    """Write each player's score as it stands to ``out``."""
    (castle.standing if _in_castle(s) else carcassonne.standing)(s, t, out)


@overload(standing)
def _standing(s, t, out):
    if s == _IN_CASTLE:
        return lambda s, t, out: castle.standing(s, t, out)
    return lambda s, t, out: carcassonne.standing(s, t, out)


def totals(s: State, t: Tables, out: Ints) -> None:
    """Write each player's total after final scoring to ``out``; the state stays as it is."""
    (castle_scoring.totals if _in_castle(s) else farms.totals)(s, t, out)


@overload(totals)
def _totals(s, t, out):
    if s == _IN_CASTLE:
        return lambda s, t, out: castle_scoring.totals(s, t, out)
    return lambda s, t, out: farms.totals(s, t, out)


def has_best_last(s: State) -> bool:
    """Tell whether ``best_last`` knows the family."""
    return _in_castle(s)


@overload(has_best_last)
def _has_best_last(s):
    known = s == _IN_CASTLE
    return lambda s: known


def best_last(s: State, t: Tables, q: Job, kind: int, serving: bool, low: int, high: int) -> int:
    """Return the value of the best last turn with a tile that has a place, in a window.

    The turn is then in ``q.last_turn``.
    """
    return castle_last.best_last(s, t, q, kind, serving, low, high)


@overload(best_last)
def _best_last(s, t, q, kind, serving, low, high):
    if s == _IN_CASTLE:
        return lambda s, t, q, kind, serving, low, high: castle_last.best_last(
            s, t, q, kind, serving, low, high
        )
    return lambda s, t, q, kind, serving, low, high: 0
