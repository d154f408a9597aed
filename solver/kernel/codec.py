"""A position opened for the kernel, whatever its family."""

from __future__ import annotations

from model.games import CASTLE, CASTLE_FALCON, Game
from model.position import Move, Position
from solver.kernel import castle_codec, castle_tables, plane_codec, plane_tables
from solver.kernel.records import State, Tables

IN_CASTLES = frozenset((CASTLE, CASTLE_FALCON))
"""The ids of the games in a castle."""


def covers(position: Position) -> str | None:
    """Return what of a position the kernel does not know, by name; None if it plays it."""
    game = position.game
    if game.id not in IN_CASTLES:
        return plane_tables.covers(game) or plane_codec.too_large(position)
    if not all(number for _, number in position.towers):
        return "face-down wall tiles"
    return castle_tables.covers(game)


class Opened:
    """A position as a state of the kernel, and turns as moves.

    Attributes:
        state: the state, which may be played on.
        tables: the tables of its game.
        ids: kind of tile → its id.

    """

    state: State
    tables: Tables

    def __init__(self, position: Position) -> None:
        """Open a position that ``covers`` accepts."""
        self.position = position
        self._castle = position.game.id in IN_CASTLES
        family = castle_codec if self._castle else plane_codec
        self.state = family.state_of(position)
        self.tables = tables_of(position.game)
        self.ids = tuple(kind.id for kind in position.game.tile_set.kinds)
        self._kinds = {tile: kind for kind, tile in enumerate(self.ids)}

    def kind(self, tile: str) -> int:
        """Return the number of a kind of tile by its id."""
        return self._kinds[tile]

    def move(self, state: State, turn: int, discards: tuple[str, ...]) -> Move:
        """Return a turn as the move that the rules engine lists.

        Args:
            state: a state of this game in which the turn is legal and not played yet.
            turn: the turn.
            discards: ids of the tiles drawn before it that had no place.

        """
        if self._castle:
            return castle_codec.move_of(state, self.tables, self.position.game, turn, discards)
        return plane_codec.move_of(self.position.game, state, turn, discards)


def tables_of(game: Game) -> Tables:
    """Return the tables of a game that the kernel covers, remembered for some games."""
    if game.id in IN_CASTLES:
        return castle_tables.tables_of(game)
    return plane_tables.plane_tables(game)
