"""Positions and moves as the states and turns of compiled code, for every family of games."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from model.games import CARCASSONNE, CASTLE, CASTLE_FALCON, WITH_TOWER, Game
from model.position import Move, Position
from solver.engines import unknown
from solver.kernel.records import numbers_of

KERNEL = "search"
"""Key of the compiled search in the table of engines, which lists its supported switches."""
CODECS = {
    CASTLE: "solver.kernel.castle_codec",
    CASTLE_FALCON: "solver.kernel.castle_codec",
    CARCASSONNE: "solver.kernel.plane_codec",
    WITH_TOWER: "solver.kernel.plane_codec",
}
"""Id of a game → name of its codec module, which has functions of the names below."""


def _codec(game: Game) -> ModuleType:
    """Return the codec module of a game."""
    return import_module(CODECS[game.id])


def covers(game: Game) -> str | None:
    """Return the name of a game's unsupported property; None if compiled code plays the game."""
    if game.id not in CODECS:
        return game.id
    values = unknown(KERNEL, game)
    found: str | None = _codec(game).covers(game)
    return ", ".join(values) or found


def tables_of(game: Game) -> Any:
    """Return the tables of a game that is covered."""
    return _codec(game).tables_of(game)


def state_of(position: Position) -> Any:
    """Return a new state; ``undo`` cannot go back behind it.

    Args:
        position: a legal position.

    Raises:
        ValueError: compiled code does not support the position.

    """
    return _codec(position.game).state_of(position)


def kind_of(position: Position, tile: str) -> int:
    """Return the number of a kind of tile with an id."""
    return numbers_of(position.game)[tile]


def turn_of(s: Any, position: Position, move: Move) -> int:
    """Return a move as a turn.

    Args:
        s: the state in which the move is legal.
        position: any position of the same game.
        move: a legal move, canonical.

    """
    return int(_codec(position.game).turn_of(s, position, move))


def move_of(s: Any, position: Position, turn: int, discards: tuple[str, ...] = ()) -> Move:
    """Return a turn as the move that the reference engine lists.

    Args:
        s: the state in which the turn is legal.
        position: any position of the same game.
        turn: the turn.
        discards: ids of the tiles drawn before it that had no place.

    """
    game = position.game
    found: Move = _codec(game).move_of(s, tables_of(game), game, turn, discards)
    return found


def refusal(position: Position) -> str | None:
    """Describe the part of a position that the kernel does not support; None for none."""
    found: str | None = (
        _codec(position.game).refusal(position) if position.game.id in CODECS else None
    )
    return covers(position.game) or found


class Opened:
    """A position as a state of the kernel, with its turns as moves.

    Attributes:
        state: the state; turns may be played on it.
        tables: the tables of its game.
        ids: kind of tile → its id.

    """

    def __init__(self, position: Position, *, shown: bool = False) -> None:
        """Open a position that ``refusal`` accepts.

        Args:
            position: the position.
            shown: whether taking a face-down wall tile turns it over; if not, it stays unseen.

        """
        self.position = position
        self.state = state_of(position)
        if shown and position.towers:
            _codec(position.game).turn_over(self.state, position)
        self.tables = tables_of(position.game)
        self.ids = tuple(kind.id for kind in position.game.tile_set.kinds)
        self._kinds = numbers_of(position.game)
        self._move_of = _codec(position.game).move_of

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
        found: Move = self._move_of(state, self.tables, self.position.game, turn, discards)
        return found
