"""Positions and moves as the states and turns of compiled code, for every family of games."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from model.games import CARCASSONNE, CASTLE, CASTLE_FALCON, WITH_TOWER, Game
from model.position import Move, Position
from solver.engines import unknown

KERNEL = "search"
"""The engine by whose name the table of engines tells which values of switches are known."""
CODECS = {
    CASTLE: "solver.kernel.castle_codec",
    CASTLE_FALCON: "solver.kernel.castle_codec",
    CARCASSONNE: "solver.kernel.plane_codec",
    WITH_TOWER: "solver.kernel.plane_codec",
}
"""By id of a game the module that does its part; it has functions of the names below."""


def _codec(game: Game) -> ModuleType:
    """Return the module for a game."""
    return import_module(CODECS[game.id])


def covers(game: Game) -> str | None:
    """Return what of a game compiled code does not know; None if it plays it."""
    if game.id not in CODECS:
        return game.id
    values = unknown(KERNEL, game)
    found: str | None = _codec(game).covers(game)
    return ", ".join(values) or found


def tables_of(game: Game) -> Any:
    """Return the tables of a game that is covered."""
    return _codec(game).tables_of(game)


def state_of(position: Position) -> Any:
    """Return a new state, with no play that can be taken back.

    Args:
        position: a position without problems.

    Raises:
        ValueError: there is something in it that compiled code does not know.

    """
    return _codec(position.game).state_of(position)


def kind_of(position: Position, tile: str) -> int:
    """Return the number of a kind of tile with an id."""
    return int(_codec(position.game).kind_of(position, tile))


def turn_of(s: Any, position: Position, move: Move) -> int:
    """Return a move as a turn.

    Args:
        s: the state in which it is played.
        position: the position that it was made from, or one of the same game.
        move: a legal move, canonical.

    """
    return int(_codec(position.game).turn_of(s, position, move))


def move_of(s: Any, position: Position, turn: int, discards: tuple[str, ...] = ()) -> Move:
    """Return a turn as the move that the reference engine lists.

    Args:
        s: the state in which it is listed.
        position: the position that it was made from, or one of the same game.
        turn: the turn.
        discards: ids of the tiles drawn first that had no place.

    """
    found: Move = _codec(position.game).move_of(s, position, turn, discards)
    return found


def refusal(position: Position) -> str | None:
    """Return what of a position the kernel does not know, in words; None if it plays it."""
    found: str | None = (
        _codec(position.game).refusal(position) if position.game.id in CODECS else None
    )
    return covers(position.game) or found


class Opened:
    """A position as a state of the kernel, and turns as moves.

    Attributes:
        state: the state, which may be played on.
        tables: the tables of its game.
        ids: kind of tile → its id.

    """

    def __init__(self, position: Position, *, shown: bool = False) -> None:
        """Open a position that ``refusal`` accepts.

        Args:
            position: the position.
            shown: whether face-down wall tiles are turned over when they are taken; if not they
                are taken unseen.

        """
        self.position = position
        self.state = state_of(position)
        if shown and position.towers:
            _codec(position.game).turn_over(self.state, position)
        self.tables = tables_of(position.game)
        self.ids = tuple(kind.id for kind in position.game.tile_set.kinds)
        self._kinds = {tile: kind for kind, tile in enumerate(self.ids)}

    def kind(self, tile: str) -> int:
        """Return the number of a kind of tile by its id."""
        return self._kinds[tile]

    def move(self, state: Any, turn: int, discards: tuple[str, ...]) -> Move:
        """Return a turn as the move that the rules engine lists.

        Args:
            state: a state of this game in which the turn is legal and not played yet.
            turn: the turn.
            discards: ids of the tiles drawn before it that had no place.

        """
        return move_of(state, self.position, turn, discards)
