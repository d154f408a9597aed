"""Carcassonne and The Tower as the searches by chance walk them, every turn being played."""

from __future__ import annotations

from collections.abc import Iterator

from solver.outlook import Goal, Play, Task
from solver.plane.ending import final_scores
from solver.plane.state import PlaneState, Turn
from solver.search.chance import Reveal

MOST = 1 << 20
"""More points than a game can bring beyond those that are scored."""


class PlaneGame:
    """A game of Carcassonne with an asker.

    Attributes:
        state: the position.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        self.task = task
        self.state = PlaneState(task.begin(task.position))
        self._promises: dict[Turn, int] = {}

    @property
    def serving(self) -> bool:
        """Whether the player to move chooses for the asker."""
        return self.task.serves(self.state.turn[0])

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most that any end is worth."""
        if self.task.goal is Goal.WIN:
            return 1 - self.task.decisive, 1 + self.task.decisive
        most = sum(player.score for player in self.task.position.players) + MOST
        return -most, most

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return self.state.mark()

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        self.state.undo(mark)

    def placeable(self, kind: int) -> bool:
        """Tell whether a kind of tile has a place."""
        return self.state.board.fits(kind)

    def turns(self, kind: int, *, last: bool) -> list[Turn]:  # noqa: ARG002 -- no turn depends on it
        """Return every turn with a tile, one of those that claim the same feature."""
        serving = 1 if self.serving else -1
        self._promises = {turn: serving * worth for turn, worth in self._ends(kind)}
        return list(self._promises)

    def promise(self, turn: Turn | Reveal[Turn]) -> int:
        """Return what the end were worth after a turn to the player to move, as last listed."""
        assert not isinstance(turn, Reveal), "nothing is face down"
        return self._promises[turn]

    def _ends(self, kind: int) -> Iterator[tuple[Turn, int]]:
        """Yield every turn with what the game were worth if it ended after it."""
        state = self.state
        for turns, done in state.laid(kind, alike=False):
            for turn in turns:
                mark = state.mark()
                state.finish(turn, done)
                worth = self.end()
                state.undo(mark)
                yield turn, worth

    def last(self, kind: int, low: int, high: int) -> int | None:
        """Return what the end is worth after the best last turn; see ``Pruned.last``."""
        best: int | None = None
        serving, bound = (True, high) if self.serving else (False, low)
        mark = self.state.mark()
        for _, worth in self._ends(kind):
            if best is None or (worth > best if serving else worth < best):
                best = worth
                if best >= bound if serving else best <= bound:
                    break
        # The tile of the place where it broke off still lies.
        self.state.undo(mark)
        return best

    def again(self, turn: Turn) -> Turn | None:
        """Return a turn with the same tile, place and follower; None if there is none now."""
        state, board = self.state, self.state.board
        if (turn.piece, turn.guard, turn.captor) != (-1, -1, -1) or board.lie[turn.cell] >= 0:
            return None
        asked = board.wants[turn.cell]
        if not asked or turn.rotation not in board.tables.fitting(turn.kind, asked):
            return None
        if turn.segment < 0:
            return turn
        mark = state.mark()
        state.lay(turn.cell, turn.kind, turn.rotation)
        free = turn.segment in state.claimable(turn.kind, alike=True)
        state.undo(mark)
        return turn if free else None

    def play(self, turn: Turn, *, last: bool) -> None:  # noqa: ARG002 -- no turn depends on it
        """Play a turn."""
        self.state.play(turn)
        if self.task.play is Play.SOLITAIRE:
            self.state.put(self.state.turn, 0, self.task.asker)

    def pass_turn(self) -> None:
        """End the game with the best turn for which no tile is left that has a place."""
        self.state.play(self.best_pass())

    def best_pass(self) -> Turn:
        """Return the turn without a tile that is best for the player to move."""
        choose = max if self.serving else min
        return choose(self.state.passes(), key=self._passed)

    def _passed(self, turn: Turn) -> int:
        """Return what the end is worth after a turn without a tile."""
        mark = self.state.mark()
        self.state.play(turn)
        worth = self.end()
        self.state.undo(mark)
        return worth

    def end(self) -> int:
        """Return what the end of the game is worth."""
        return self.task.worth(*final_scores(self.state))

    def stand(self) -> int:
        """Return what the scores on the track are worth."""
        return self.task.worth(*self.state.score)
