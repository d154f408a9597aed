"""Carcassonne and The Tower as the searches by chance walk them, every turn being played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from operator import itemgetter

from solver.memo import Memo
from solver.outlook import Goal, Play, Task
from solver.plane.ending import final_scores, last_turns
from solver.plane.state import Turn
from solver.search.chance import Reveal
from solver.states import plane_state

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
        self.state = plane_state(task.begin(task.position))
        self._promises: dict[Turn, int] = {}
        self._good: dict[tuple[int, bool], Turn] = {}
        self._laid = len(self.state.board.cell)
        self._lasts = Memo[tuple[object, ...], tuple[int | None, bool]]()

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
        self._promises = {turn: serving * worth for turn, worth in self._ends(kind, last=False)}
        return list(self._promises)

    def promise(self, turn: Turn | Reveal[Turn]) -> int:
        """Return what the end were worth after a turn to the player to move, as last listed."""
        assert not isinstance(turn, Reveal), "nothing is face down"
        return self._promises[turn]

    def _ends(self, kind: int, *, last: bool) -> Iterator[tuple[Turn, int]]:
        """Yield every turn with what the game were worth if it ended after it."""
        for turns, done in self.state.laid(kind, alike=False, last=last):
            yield from last_turns(self.state, turns, done, self.end)

    def last(self, kind: int, low: int, high: int) -> int | None:
        """Return what the end is worth after the best last turn; see ``Pruned.last``."""
        best: int | None = None
        serving, bound = (True, high) if self.serving else (False, low)
        key = self._decides(kind)
        known, exact = self._lasts.get(key, (None, False))
        if known is not None and (exact or (known >= bound if serving else known <= bound)):
            return known
        mark = self.state.mark()
        for turn, worth in chain(self._refutation(kind), self._ends(kind, last=True)):
            if best is None or (worth > best if serving else worth < best):
                best = worth
                self._good[kind, serving] = turn
                if best >= bound if serving else best <= bound:
                    self._lasts[key] = best, False
                    break
        else:
            self._lasts[key] = best, True
        # The tile of the place where it broke off still lies.
        self.state.undo(mark)
        return best

    def _decides(self, kind: int) -> tuple[object, ...]:
        """Return all that decides what the best last turn with a kind of tile is worth.

        Of towers, on which nothing stays to be done, these are the followers within reach.
        """
        state, board = self.state, self.state.board
        mover = state.turn[0]
        return (
            kind,
            mover,
            tuple((cell, board.lie[cell]) for cell in board.cell[self._laid :]),
            tuple(state.posts),
            tuple(state.score),
            tuple(state.held),
            state.supply[mover] > 0,
            state.raises(kind),
            frozenset(state.exposed(kind, board.cell)),
        )

    def _refutation(self, kind: int) -> Iterator[tuple[Turn, int]]:
        """Yield the last turn with a kind of tile that was best elsewhere, if it is legal here."""
        state = self.state
        good = self._good.get((kind, self.serving))
        if good is None or not self._free(good):
            return
        mark, towers = state.mark(), state.towers()
        done = state.lay(good.cell, kind, good.rotation)
        laid = Turn(good.cell, kind, good.rotation)
        listed = state.on_place(laid, done, alike=False, towers=towers)
        same = [turn for turn in listed if turn == good]
        yield from last_turns(state, same, done, self.end)
        state.undo(mark)

    def _free(self, turn: Turn) -> bool:
        """Tell whether the tile of a turn has its place here."""
        board = self.state.board
        asked = board.wants[turn.cell]
        free = board.lie[turn.cell] < 0 and asked > 0
        return free and turn.rotation in board.tables.fitting(turn.kind, asked)

    def again(self, turn: Turn) -> Turn | None:
        """Return a turn with the same tile, place and follower; None if there is none now."""
        if not self._free(turn):
            return None
        state = self.state
        mark, towers = state.mark(), state.towers()
        done = state.lay(turn.cell, turn.kind, turn.rotation)
        laid = Turn(turn.cell, turn.kind, turn.rotation)
        legal = turn in state.on_place(laid, done, alike=True, towers=towers)
        state.undo(mark)
        return turn if legal else None

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
        ends = last_turns(self.state, self.state.passes(), [], self.end)
        return choose(ends, key=itemgetter(1))[0]

    def end(self) -> int:
        """Return what the end of the game is worth."""
        return self.task.worth(*final_scores(self.state))

    def stand(self) -> int:
        """Return what the scores on the track are worth."""
        return self.task.worth(*self.state.score)
