"""Alpha-beta: what both players can force when the order of the tiles is known.

The value of a line is White's lead after final scoring, or on the track at the horizon of a
question. White maximises, Black minimises;
who moves is read off the state, since a wall tile 1 gives the same player another turn. No
reduction is made: every legal turn of the reference is searched or cut off by a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.budget import OutOfTimeError, Stopwatch
from solver.game_state import GameState, Turn
from solver.progress import Reporter
from solver.search.lines import INFINITY, Line, Root, first_turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """The result of a search."""

    value: int | None
    """White's lead: proved if ``proved``, else what the player to move can reach at least;
    None if no first turn was searched to its end."""
    first: tuple[Root, ...]
    """Every first turn of that value, in the order of the reference engine; none if no tile
    has a place."""
    at: int
    """Index of the tile that is laid first; those before it have no place."""
    nodes: int
    """Turns played by the search."""
    proved: bool


class Search:
    """One search over a known order of tiles.

    Attributes:
        state: the position; it is as before once a search has ended.
        order: indices of the kinds of the tiles to come.
        end: no turn begins after so many tiles.
        nodes: turns played so far.

    """

    def __init__(self, state: GameState, order: list[int], end: int, watch: Stopwatch) -> None:
        """Remember what is searched."""
        self.state = state
        self.order = order
        self.end = end
        self.watch = watch
        self.nodes = 0

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
        state = self.state
        if at == len(self.order):
            white, black = state.totals()
            return white - black, None
        if at >= self.end and not begun:
            return state.score[0] - state.score[1], None
        last = at == len(self.order) - 1
        turns = state.turns(self.order[at], last=last, alike=False)
        if not turns:
            return self._without_place(at, alpha, beta)
        white_moves = state.turn[0] == 0
        best, line = (-INFINITY, None) if white_moves else (INFINITY, None)
        for turn in self.ordered(turns):
            value, rest = self.after(at, turn, alpha, beta)
            if (value > best) if white_moves else (value < best):
                best, line = value, Line(at, turn, rest)
                alpha, beta = (max(alpha, best), beta) if white_moves else (alpha, min(beta, best))
                if alpha >= beta:
                    break
        return best, line

    def after(self, at: int, turn: Turn, alpha: int, beta: int) -> tuple[int, Line | None]:
        """Return the value and line that follow a turn with tile ``at``."""
        self.watch.tick()
        self.nodes += 1
        state = self.state
        mark = state.mark()
        state.play(turn, last=at == len(self.order) - 1)
        try:
            return self.value(at + 1, alpha, beta)
        finally:
            state.undo(mark)

    def _without_place(self, at: int, alpha: int, beta: int) -> tuple[int, Line | None]:
        """Return the value where tile ``at`` has no place: it leaves, the same player draws."""
        if at < len(self.order) - 1:
            return self.value(at + 1, alpha, beta, begun=True)
        mark = self.state.mark()
        self.state.pass_turn()
        value = self.value(at + 1, alpha, beta)
        self.state.undo(mark)
        return value

    def ordered(self, turns: list[Turn]) -> list[Turn]:
        """Return turns with the most promising first: points now, then claims."""
        mover = self.state.turn[0]
        return sorted(turns, key=lambda turn: -self._promise(turn, mover))

    @staticmethod
    def _promise(turn: Turn, mover: int) -> int:
        """Return a rough worth of a turn for the player who moves."""
        scores = turn.plan.scores
        lead = scores[mover] - scores[1 - mover]
        return 4 * lead + 3 * len(turn.plan.takes) + 2 * (turn.segment >= 0)


def duel(
    state: GameState, order: list[int], end: int, watch: Stopwatch, reporter: Reporter
) -> Duel:
    """Search a position with the tiles to come in known order.

    Ctrl-C ends it like the end of the time: with what is known so far.

    Args:
        state: the position.
        order: indices of the kinds of the tiles to come, one at least.
        end: no turn begins after so many tiles, one at least.
        watch: the time.
        reporter: hears every better value.

    """
    search = Search(state, order, end, watch)
    at, turns = first_turns(state, order)
    if not turns:
        value, _ = search.value(0, -INFINITY, INFINITY)
        return Duel(value=value, first=(), at=at, nodes=0, proved=True)
    white_moves = state.turn[0] == 0
    found: dict[Turn, tuple[int, Line]] = {}
    best: int | None = None
    proved = True
    try:
        for turn in search.ordered(turns):
            # One point wider than needed, so that turns as good as the best are told apart.
            low = best - 1 if white_moves and best is not None else -INFINITY
            high = best + 1 if not white_moves and best is not None else INFINITY
            value, rest = search.after(at, turn, low, high)
            if best is None or (value >= best if white_moves else value <= best):
                found[turn] = value, Line(at, turn, rest)
                if value != best:
                    reporter.found(value if white_moves else -value)
                best = value
    except (OutOfTimeError, KeyboardInterrupt):
        proved = False
    first = tuple(
        Root(turn=turn, value=found[turn][0], line=found[turn][1])
        for turn in turns
        if turn in found and found[turn][0] == best
    )
    return Duel(value=best, first=first, at=at, nodes=search.nodes, proved=proved)
