"""Alpha-beta over a known order of tiles, every turn played.

The value of a line is White's lead after final scoring, or on the track at the horizon of a
question; or only who wins. White maximises, Black minimises; who moves is read off the state,
since a wall tile 1 gives the same player another turn. Of each turn but the first it is asked
only whether it is better at all (``reaches``), and of those the one first that last refuted
something with the same tile: turns are listed only where it does not do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from solver.budget import Stopwatch
from solver.game_state import GameState, Turn
from solver.search.lines import INFINITY, Line
from solver.states import totals

Shape = tuple[int, int, int, int]
"""Cell, rotation, claimed segment and rank of a turn, whatever it brings."""


class Search:
    """One search over a known order of tiles, without reductions.

    Attributes:
        state: the position; it is as before once a search has ended.
        order: indices of the kinds of the tiles to come.
        end: no turn begins after so many tiles.
        watch: the time.
        decided: whether it matters only who wins: values are then 1, 0 and -1.
        limits: the least and the greatest value.

    """

    def __init__(
        self,
        state: GameState,
        order: list[int],
        end: int,
        watch: Stopwatch,
        *,
        decided: bool,
    ) -> None:
        """Remember what is searched."""
        self.state = state
        self.order = order
        self.end = end
        self.watch = watch
        self.decided = decided
        # Wider than the values, so that a win is found with its line.
        self.limits = (-2, 2) if decided else (-INFINITY, INFINITY)
        self._latest: list[Shape | None] = [None] * len(order)

    def value(
        self, at: int, alpha: int, beta: int, *, begun: bool = False
    ) -> tuple[int, Line | None]:
        """Return White's lead with best play from tile ``at`` on, and a line that reaches it.

        Args:
            at: index of the next tile.
            alpha: a value that White has elsewhere.
            beta: a value that Black has elsewhere.
            begun: whether the turn has begun, with a tile that had no place.

        Returns:
            The exact value if it lies between ``alpha`` and ``beta``; otherwise a bound on
            the side beyond which it lies.

        Raises:
            OutOfTimeError: the time is used up.

        """
        if self.ended(at, begun=begun):
            return self.worth(at), None
        white_moves = self.state.turn[0] == 0
        most = 1 if self.decided else INFINITY
        best, line = (-INFINITY, None) if white_moves else (INFINITY, None)
        for turn in self.turns(at):
            if line is None or self.better(at, turn, alpha if white_moves else beta):
                value, rest = self.after(at, turn, alpha, beta)
            else:
                continue
            if (value > best) if white_moves else (value < best):
                best, line = value, Line(at, turn, rest)
                alpha, beta = (max(alpha, best), beta) if white_moves else (alpha, min(beta, best))
                if alpha >= beta or best == (most if white_moves else -most):
                    self.note(at, turn)
                    break
        return (best, line) if line else self._without_place(at, alpha, beta)

    def turns(self, at: int) -> Iterator[Turn]:
        """Yield the turns with a tile that have to be searched, the most promising first."""
        state, kind, last = self.state, self.order[at], at == len(self.order) - 1
        latest = self._latest[at]
        if latest is not None:
            yield from self._shaped(latest, kind, last=last)
        for turn in self.promising(at, state.turns(kind, last=last, alike=False)):
            if shape(turn) != latest:
                yield turn

    def _shaped(self, latest: Shape, kind: int, *, last: bool) -> list[Turn]:
        """Return the turns of a shape with a kind of tile; none if it has no place there."""
        board, (cell, rotation, segment, rank) = self.state.board, latest
        if not board.empty >> cell & 1 or rotation not in board.rotations(cell, kind):
            return []
        there = self.state.turns_on(cell, kind, rotation, last=last, alike=False, segment=segment)
        return [turn for turn in there if turn.rank == rank]

    def promising(self, at: int, turns: list[Turn]) -> list[Turn]:  # noqa: ARG002 -- others need it
        """Return turns with a tile, the most promising first: points now, then claims.

        Args:
            at: index of the tile.
            turns: every legal turn, those that place a follower on one feature by different
                segments included.

        """
        mover = self.state.turn[0]
        return sorted(turns, key=lambda turn: -self._promise(turn, mover))

    @staticmethod
    def _promise(turn: Turn, mover: int) -> int:
        """Return a rough worth of a turn for the player who moves."""
        scores = turn.plan.scores
        lead = scores[mover] - scores[1 - mover]
        return 4 * lead + 3 * len(turn.plan.takes) + 2 * (turn.segment >= 0)

    def better(self, at: int, turn: Turn, than: int) -> bool:
        """Tell whether a turn with tile ``at`` is better for its player than a value."""
        if self.state.turn[0] == 0:
            return self.reaches_after(at, turn, than + 1)
        return not self.reaches_after(at, turn, than)

    def reaches_after(self, at: int, turn: Turn, bound: int) -> bool:
        """Tell whether White's value is at least ``bound`` after a turn with tile ``at``."""
        with self.played(at, turn):
            return self.reaches(at + 1, bound)

    def reaches(self, at: int, bound: int, *, begun: bool = False) -> bool:
        """Tell whether White's value is at least ``bound`` with best play from a tile on."""
        if self.ended(at, begun=begun):
            return self.worth(at) >= bound
        if self.decided and not -1 < bound <= 1:
            return bound <= -1
        white_moves = self.state.turn[0] == 0
        if (reached := self.soon(at, bound)) is not None:
            return reached
        turn = None
        for turn in self.turns(at):
            if self.reaches_after(at, turn, bound) is white_moves:
                self.note(at, turn)
                return white_moves
        return not white_moves if turn else self._reaches_without_place(at, bound)

    def soon(self, at: int, bound: int) -> bool | None:  # noqa: ARG002 -- others know more
        """Answer ``reaches`` where it can be told without a search; None where it cannot."""
        return None

    def _reaches_without_place(self, at: int, bound: int) -> bool:
        """Answer ``reaches`` where tile ``at`` has no place."""
        with self.passed(at):
            return self.reaches(at + 1, bound, begun=True)

    def note(self, at: int, turn: Turn) -> None:
        """Remember that a turn ended a search."""
        self._latest[at] = shape(turn)

    def after(self, at: int, turn: Turn, alpha: int, beta: int) -> tuple[int, Line | None]:
        """Return the value and line that follow a turn with tile ``at``."""
        with self.played(at, turn):
            return self.value(at + 1, alpha, beta)

    def ended(self, at: int, *, begun: bool) -> bool:
        """Tell whether no turn begins with a tile."""
        return at == len(self.order) or (at >= self.end and not begun)

    def worth(self, at: int) -> int:
        """Return the value of an end."""
        scores = totals(self.state) if at == len(self.order) else self.state.score
        lead = scores[0] - scores[1]
        return (lead > 0) - (lead < 0) if self.decided else lead

    def _without_place(self, at: int, alpha: int, beta: int) -> tuple[int, Line | None]:
        """Return the value where tile ``at`` has no place: it leaves, the same player draws."""
        with self.passed(at):
            return self.value(at + 1, alpha, beta, begun=True)

    @contextmanager
    def passed(self, at: int) -> Iterator[None]:
        """Let a tile leave; if it is the last the turn passes without one."""
        mark = self.state.mark()
        if at == len(self.order) - 1:
            self.state.pass_turn()
        yield
        self.state.undo(mark)

    @contextmanager
    def played(self, at: int, turn: Turn) -> Iterator[None]:
        """Play a turn with a tile, and take it back.

        Raises:
            OutOfTimeError: the time is used up.

        """
        self.watch.tick()
        mark = self.state.mark()
        self.state.play(turn, last=at == len(self.order) - 1)
        yield
        self.state.undo(mark)


def shape(turn: Turn) -> Shape:
    """Return the shape of a turn."""
    return turn.cell, turn.rotation, turn.segment, turn.rank
