"""A game that is played on and taken back, by the rules engine or on the compiled kernel.

Both know every legal turn, the totals if the game ended now, and the position that is reached. They
share no code, so questions that try every line of a small board can be answered twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from model.engine import legal_moves, play
from model.errors import QuestionError
from model.final import final_scoring
from model.places import placeable
from model.position import Move, Position
from solver.engines import IN_CASTLES, REFERENCE, refuse_unknown

if TYPE_CHECKING:
    from solver.search.walk import Walk
    from solver.simulation.positions import CastleReader, PlaneReader

COMPILED = "state"
"""The engine that lists turns on the compiled kernel."""
PLAYED_BY = (COMPILED, REFERENCE)
"""The two ways to play a game on, the faster first."""


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
    def turns(self, tile: str, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile; none if it has no place.

        Args:
            tile: id of the tile.
            last: whether no tile comes after it.

        """

    @abstractmethod
    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn that was listed now."""

    @abstractmethod
    def undo(self) -> None:
        """Take back the turn played last."""

    @abstractmethod
    def totals(self) -> tuple[int, ...]:
        """Return each player's total if the game ended now."""

    @abstractmethod
    def move(self, turn: Any) -> Move:
        """Return a turn that was listed now as a move."""

    @abstractmethod
    def position(self) -> Position:
        """Return the position now, without tiles to come."""


def table(position: Position, way: str) -> Table:
    """Return a game that begins at a position.

    Args:
        position: the position. As many turns can be played as tiles are to come, whichever these
            are.
        way: one of ``PLAYED_BY``.

    Raises:
        QuestionError: the engine cannot play the position, or there is no such engine.

    """
    if way == REFERENCE:
        return _ByRules(position)
    if way != COMPILED:
        raise QuestionError(
            f"the engine {way} does not play every line; {' and '.join(PLAYED_BY)} do"
        )
    refuse_unknown(way, position.game)
    return _Compiled(position)


class _ByRules(Table):
    """A game that the rules engine plays."""

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

    def turns(self, tile: str, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile, as moves."""
        return [move for move in legal_moves(self._drawn(tile, last=last)) if move.tile is not None]

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a move."""
        after = play(self._drawn(turn.tile, last=last), turn).position
        self._played.append(replace(after, order=(), bag=()))

    def undo(self) -> None:
        """Take back the move played last."""
        self._played.pop()

    def totals(self) -> tuple[int, ...]:
        """Return each player's total if the game ended now."""
        return final_scoring(self._played[-1]).scores

    def move(self, turn: Any) -> Move:
        """Return the move."""
        move: Move = turn
        return move

    def position(self) -> Position:
        """Return the position now, without tiles to come."""
        return self._played[-1]

    def _drawn(self, tile: str, *, last: bool) -> Position:
        """Return the position with a tile in hand; before the last turn another one follows."""
        return replace(self._played[-1], order=(tile,) if last else (tile, tile))


class _Compiled(Table):
    """A game that the compiled kernel plays."""

    def __init__(self, position: Position) -> None:
        """Begin at a position; the kernel makes room for its tiles to come.

        Raises:
            QuestionError: the kernel does not play it.

        """
        from solver.kernel import codec  # noqa: PLC0415 -- numba loads late
        from solver.kernel.records import alone  # noqa: PLC0415 -- likewise
        from solver.progress import SILENT  # noqa: PLC0415 -- likewise
        from solver.search.walk import Walk  # noqa: PLC0415 -- likewise
        from solver.simulation.positions import CastleReader, PlaneReader  # noqa: PLC0415

        refused = codec.refusal(position)
        if refused is not None:
            raise QuestionError(f"no game can be played at speed with {refused}")
        self._start = replace(position, order=(), bag=())
        self._left = len(position.order) + len(position.bag)
        self._walk: Walk = Walk(position, SILENT)
        reader = CastleReader if position.game.id in IN_CASTLES else PlaneReader
        states = alone(self._walk.state)
        self._reader: CastleReader | PlaneReader = reader(states, position.game)

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._walk.mover

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""
        return self._walk.placeable(self._walk.kind(tile))

    def turns(self, tile: str, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile, as numbers of the kernel."""
        return self._walk.turns(self._walk.kind(tile), last=last)

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn.

        Raises:
            QuestionError: there is no room for another tile.

        """
        if not self._left:
            raise QuestionError("no more tiles can be laid than were to come")
        self._left -= 1
        self._walk.play(turn, last=last)

    def undo(self) -> None:
        """Take back the turn played last."""
        self._left += 1
        self._walk.undo()

    def totals(self) -> tuple[int, ...]:
        """Return each player's total if the game ended now."""
        return self._walk.totals()

    def move(self, turn: Any) -> Move:
        """Return a turn as the move that the rules engine lists."""
        return self._walk.move(turn, ())

    def position(self) -> Position:
        """Return the position now, read from the state number by number."""
        return self._reader.position(self._start)


def refuse_wall_tiles(position: Position) -> None:
    """Refuse a position in which the end of the game leaves a player a choice.

    Raises:
        QuestionError: somebody holds a wall tile, or can take one.

    """
    hands = [n for one in position.players for n in (*one.wall_tiles, *one.fresh_wall_tiles)]
    if hands or position.towers:
        raise QuestionError("this question is answered without wall tiles in hands and on towers")
