"""Alpha-beta: what both players can force when the order of the tiles is known.

The value of a line is White's lead after final scoring. White maximises, Black minimises;
who moves is read off the state, since a wall tile 1 gives the same player another turn. No
reduction is made: every legal turn of the reference is searched or cut off by a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.budget import Stopwatch
from solver.final_value import final_scores
from solver.game_state import GameState, Turn
from solver.progress import Reporter

INFINITY = 1 << 20
"""More than any lead."""


class OutOfTimeError(Exception):
    """The search was stopped; caught where it was started."""


@dataclass(frozen=True, slots=True)
class Line:
    """Turns from a node to the end of the game, as a linked list."""

    at: int
    """Index of the tile in the order."""
    turn: Turn
    rest: Line | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A first turn with its value under best play."""

    turn: Turn
    value: int
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """The result of a search."""

    value: int | None
    """White's lead under best play of both; None if the time was not enough."""
    first: tuple[Root, ...]
    """Every first turn of that value, in the order of the reference engine."""
    at: int
    """Index of the tile that is laid first; those before it have no place."""
    nodes: int
    """Turns played by the search."""


class Search:
    """One search over a known order of tiles.

    Attributes:
        state: the position; it is as before once a search has ended.
        order: indices of the kinds of the tiles to come.
        nodes: turns played so far.

    """

    def __init__(self, state: GameState, order: list[int], watch: Stopwatch) -> None:
        """Remember what is searched."""
        self.state = state
        self.order = order
        self.watch = watch
        self.nodes = 0

    def value(self, at: int, alpha: int, beta: int) -> tuple[int, Line | None]:
        """Return White's lead with best play from tile ``at`` on, and a line that reaches it.

        Args:
            at: index of the next tile.
            alpha: a value that White has elsewhere.
            beta: a value that Black has elsewhere.

        Returns:
            The exact value if it lies between ``alpha`` and ``beta``; otherwise a bound on
            the side beyond which it lies.

        Raises:
            OutOfTimeError: the time is used up.

        """
        state = self.state
        if at == len(self.order):
            white, black = final_scores(state)
            return white - black, None
        last = at == len(self.order) - 1
        turns = state.turns(self.order[at], last=last)
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
        if self.watch.out:
            raise OutOfTimeError
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
            return self.value(at + 1, alpha, beta)
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


def duel(state: GameState, order: list[int], watch: Stopwatch, reporter: Reporter) -> Duel:
    """Search a position with the tiles to come in known order.

    Args:
        state: the position.
        order: indices of the kinds of the tiles to come; at least one has a place.
        watch: the time.
        reporter: hears every better value.

    """
    search = Search(state, order, watch)
    at = 0
    while not (turns := state.turns(order[at], last=at == len(order) - 1)):
        at += 1
    white_moves = state.turn[0] == 0
    found: dict[Turn, tuple[int, Line]] = {}
    best = -INFINITY if white_moves else INFINITY
    try:
        for turn in search.ordered(turns):
            # One point wider than needed, so that turns as good as the best are told apart.
            window = (best - 1, INFINITY) if white_moves else (-INFINITY, best + 1)
            value, rest = search.after(at, turn, *window)
            if (value >= best) if white_moves else (value <= best):
                found[turn] = value, Line(at, turn, rest)
                if value != best:
                    reporter.found(value)
                best = value
    except OutOfTimeError:
        return Duel(value=None, first=_best(turns, found, best), at=at, nodes=search.nodes)
    return Duel(value=best, first=_best(turns, found, best), at=at, nodes=search.nodes)


def _best(turns: list[Turn], found: dict[Turn, tuple[int, Line]], best: int) -> tuple[Root, ...]:
    """Return the first turns that have the best value."""
    return tuple(
        Root(turn=turn, value=best, line=found[turn][1])
        for turn in turns
        if turn in found and found[turn][0] == best
    )
