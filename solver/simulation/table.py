"""A game that is played on and taken back, and one that the rules engine plays.

``solver.simulation.walk`` plays it on the compiled kernel. Both know every legal turn, the totals
if the game ended now, and the position that is reached. They share no code, so questions that try
every line of a small board can be answered twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.book import book_of
from model.engine import legal_moves, play
from model.features import position_features
from model.final import final_scoring
from model.laying import lay
from model.places import can_lie, placeable, vacant
from model.position import Move, Position
from model.tiles import PlacedTile

Totals = tuple[int, ...]
"""By player the points at the end of a game."""


class Table(ABC):
    """A game on the table. Which tile comes next is the caller's choice."""

    @property
    @abstractmethod
    def mover(self) -> int:
        """The player to move."""

    @abstractmethod
    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""

    @abstractmethod
    def turns(self, tile: str | None, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile, every wording of the rules engine once.

        Args:
            tile: id of the tile; None for the turns for which no tile is left that has a place.
            last: whether no tile comes after it.

        Returns:
            The turns, to be handed back; none if the tile has no place.

        """

    def turns_at(self, lying: Sequence[PlacedTile], *, last: bool) -> Sequence[Any]:
        """Return every legal turn that lays a tile as one of some tiles lies, all of one kind."""
        wanted = {(one.cell, one.rotation) for one in lying}
        turns = self.turns(lying[0].kind.id, last=last)
        moves = zip(turns, map(self.move, turns), strict=True)
        return [turn for turn, move in moves if (move.cell, move.rotation) in wanted]

    @abstractmethod
    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn that was listed now."""

    @abstractmethod
    def undo(self) -> None:
        """Take back the turn played last."""

    @abstractmethod
    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""

    @abstractmethod
    def move(self, turn: Any, gone: tuple[str, ...] = ()) -> Move:
        """Return a turn that was listed now as a move.

        Args:
            turn: the turn.
            gone: ids of the tiles drawn before it that had no place.

        """

    @abstractmethod
    def position(self) -> Position:
        """Return the position now, without tiles to come."""


class ByRules(Table):
    """A game that the rules engine plays; its turns are moves."""

    def __init__(self, position: Position) -> None:
        """Begin at a position."""
        self._played = [replace(position, order=(), bag=())]

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._played[-1].to_move

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""
        return placeable(self._played[-1], tile)

    def turns(self, tile: str | None, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile, or without one."""
        at = self._drawn(tile, last=last)
        if tile is None:
            return list(book_of(at.game).conduct.passes(at, ()))
        return [move for move in legal_moves(at) if move.tile is not None]

    def turns_at(self, lying: Sequence[PlacedTile], *, last: bool) -> Sequence[Any]:
        """Return the turns at some places alone: those at others are not listed first."""
        at = self._drawn(lying[0].kind.id, last=last)
        before, free = position_features(at), {*vacant(at)}
        found = list[Move]()
        for one in lying:
            if one.cell in free and can_lie(at, one):
                found += book_of(at.game).conduct.turns(lay(at, one, before, ()), ())
        return found

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a move."""
        at = self._drawn(turn.tile, last=last)
        passed = book_of(at.game).conduct.pass_turn if turn.tile is None else play
        self._played.append(replace(passed(at, turn).position, order=(), bag=()))

    def undo(self) -> None:
        """Take back the move played last."""
        self._played.pop()

    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""
        return final_scoring(self._played[-1]).scores

    def move(self, turn: Any, gone: tuple[str, ...] = ()) -> Move:
        """Return the move."""
        move: Move = replace(turn, discards=gone)
        return move

    def position(self) -> Position:
        """Return the position now, without tiles to come."""
        return self._played[-1]

    def _drawn(self, tile: str | None, *, last: bool) -> Position:
        """Return the position with a tile in hand; before the last turn another one follows."""
        if tile is None:
            return self._played[-1]
        return replace(self._played[-1], order=(tile,) if last else (tile, tile))
