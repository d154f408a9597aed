"""A fast table for bots: a game whose turns are listed, played and taken back on the kernel."""

from __future__ import annotations

from contextlib import suppress

from burgrave.model.errors import CallError, QuestionError
from burgrave.model.position import Move, Position
from burgrave.solver.questions.preconditions import refuse_unnamed, spelled
from burgrave.solver.simulation import quick_table


class Table:
    """A game that is played on and taken back; ``burgrave.table`` makes it.

    Which tile is drawn is the caller's choice. Turns are plain numbers on the kernel, and moves
    where the rules engine must play the game. A turn holds for the moment at which it was listed.
    """

    def __init__(self, position: Position) -> None:
        """Begin at a position, with room for its tiles to come.

        Raises:
            QuestionError: a wall tile in hand has no number.

        """
        refuse_unnamed(position)
        self._start, self._table = position, quick_table(position)
        self._left = len(position.order) + len(position.bag)
        self._played = 0
        self._listed: frozenset[object] = frozenset()
        self._last = False

    @property
    def mover(self) -> int:
        """The player to move, by index."""
        return self._table.mover

    @property
    def left(self) -> int:
        """Tiles that can still be laid."""
        return self._left - self._played

    def turns(self, tile: str, *, last: bool | None = None) -> list[object]:
        """Return every legal turn with a tile; none if it has no place.

        Args:
            tile: the id of the tile drawn.
            last: whether no tile comes after it; None to tell it by the tiles of the position.

        Raises:
            QuestionError: the set has no such tile, or no tile is left.

        """
        if not self.left:
            raise QuestionError("the game is over: no tile is left to draw")
        if not isinstance(tile, str):
            raise CallError(f"turns: tile: found {tile!r}, expected text")
        self._last = self.left == 1 if last is None else bool(last)
        found = [*self._table.turns(spelled(self._start, tile), last=self._last)]
        self._listed = frozenset(found)
        return found

    def play(self, turn: object) -> None:
        """Play a turn that was listed now.

        Raises:
            CallError: it was not listed since the last ``play`` or ``undo``.

        """
        self._table.play(self._known(turn), last=self._last)
        self._played += 1
        self._listed = frozenset()

    def undo(self) -> None:
        """Take back the turn played last.

        Raises:
            CallError: none was played.

        """
        if not self._played:
            raise CallError("undo: no turn was played")
        self._table.undo()
        self._played -= 1
        self._listed = frozenset()

    def move(self, turn: object) -> Move:
        """Return a turn that was listed now as a move; errors are those of ``play``."""
        return self._table.move(self._known(turn))

    def scores(self) -> tuple[int, ...]:
        """Return each player's score on the track."""
        return self._table.standing()

    def totals(self) -> tuple[int, ...]:
        """Return each player's total if the game ended now."""
        return self._table.totals()

    def position(self) -> Position:
        """Return the position now, without tiles to come."""
        return self._table.position()

    def _known(self, turn: object) -> object:
        """Return a turn if it was listed now."""
        with suppress(TypeError):  # what has no hash is no turn
            if turn in self._listed:
                return turn
        raise CallError(f"{turn!r} is no turn that was listed now")
