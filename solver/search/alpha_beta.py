"""Alpha-beta with ordering: what both players can force when the order of the tiles is known.

Values are White's lead after final scoring, or on the track at the horizon of a question;
White maximises, Black minimises. The first turn at a node is searched with the whole window,
the others with an empty one: are they better at all? Turns that refuted others with the same
tile are tried first.

What is kept is small: one line of play, and for each tile of the order a count for each turn
that ended a search there (``Refutations``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from model.position import Move
from model.switches import WALL_OWN_TURN_ONLY
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.final_value import final_scores
from solver.game_state import GameState, Turn
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task
from solver.search.lines import INFINITY, Line, Root, first_turns, moves_of

Shape = tuple[int, int, int]
"""Cell, rotation and claimed segment of a turn, whatever it brings."""
KILLERS = 2
"""Turns tried first at a node, of those that last refuted something with the same tile."""


@dataclass(slots=True)
class Refutations:
    """The turns with one tile that ended a search: how often, and which were the last."""

    count: dict[Shape, int] = field(default_factory=dict)
    latest: list[Shape] = field(default_factory=list)

    def note(self, shape: Shape, weight: int) -> None:
        """Remember that a turn refuted something."""
        self.count[shape] = self.count.get(shape, 0) + weight
        if shape not in self.latest:
            self.latest = [shape, *self.latest[: KILLERS - 1]]


class Search:
    """One search over a known order of tiles.

    Attributes:
        state: the position; it is as before once a search has ended.
        order: indices of the kinds of the tiles to come.
        end: no turn begins after so many tiles.
        decided: whether it matters only who wins: values are then 1, 0 and -1.
        limits: the least and the greatest value.
        nodes: turns played so far.

    """

    def __init__(self, task: Task, state: GameState, order: list[int], end: int) -> None:
        """Remember what is searched."""
        self.state = state
        self.order = order
        self.end = end
        self.watch = task.watch
        self.decided = task.goal is Goal.WIN
        self.limits = (-1, 1) if self.decided else (-INFINITY, INFINITY)
        self.nodes = 0
        self.refutations = [Refutations() for _ in order]

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
            white, black = final_scores(state)
            return self._worth(white - black), None
        if at >= self.end and not begun:
            return self._worth(state.score[0] - state.score[1]), None
        last = at == len(self.order) - 1
        turns = state.turns(self.order[at], last=last, alike=False)
        if not turns:
            return self._without_place(at, alpha, beta)
        white_moves = state.turn[0] == 0
        best, line = (-INFINITY, None) if white_moves else (INFINITY, None)
        for turn in self.ordered(at, turns):
            value, rest = self._scout(at, turn, alpha, beta, scout=line is not None)
            if (value > best) if white_moves else (value < best):
                best, line = value, Line(at, turn, rest)
                alpha, beta = (max(alpha, best), beta) if white_moves else (alpha, min(beta, best))
                if alpha >= beta:
                    shape = turn.cell, turn.rotation, turn.segment
                    self.refutations[at].note(shape, (len(self.order) - at) ** 2)
                    break
        return best, line

    def _scout(
        self, at: int, turn: Turn, alpha: int, beta: int, *, scout: bool
    ) -> tuple[int, Line | None]:
        """Return what follows a turn, asked first whether it is better than what is known."""
        if scout and beta - alpha > 1:
            white_moves = self.state.turn[0] == 0
            low, high = (alpha, alpha + 1) if white_moves else (beta - 1, beta)
            value, rest = self.after(at, turn, low, high)
            if not alpha < value < beta:
                return value, rest
        return self.after(at, turn, alpha, beta)

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

    def _worth(self, lead: int) -> int:
        """Return the value of an end."""
        return (lead > 0) - (lead < 0) if self.decided else lead

    def ordered(self, at: int, turns: list[Turn]) -> list[Turn]:
        """Return turns with the most promising first: late refutations, points, claims."""
        mover = self.state.turn[0]
        known = self.refutations[at]
        count, latest = known.count, known.latest

        def promise(turn: Turn) -> tuple[int, int, int]:
            shape = turn.cell, turn.rotation, turn.segment
            scores = turn.plan.scores
            worth = 4 * (scores[mover] - scores[1 - mover]) + 3 * len(turn.plan.takes)
            return -(shape in latest), -worth, -count.get(shape, 0)

        return sorted(turns, key=promise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """The result of a search."""

    first: tuple[Root, ...]
    """First turns with their values, in the order of the reference engine: those that are as
    good as the best, or each of them; only those whose value is known."""
    nothing: int | None
    """White's lead if no tile has a place, and so no turn is left to choose."""
    at: int
    """Index of the tile that is laid first; those before it have no place."""
    nodes: int
    """Turns played by the search."""
    proved: bool
    """Whether all first turns were searched to their end."""


def duel(task: Task, state: GameState, order: list[int], end: int) -> Duel:
    """Search a position with the tiles to come in known order.

    Ctrl-C ends it like the end of the time: with what is known so far.

    Args:
        task: what is asked.
        state: the position.
        order: indices of the kinds of the tiles to come, one at least.
        end: no turn begins after so many tiles, one at least.

    """
    search = Search(task, state, order, end)
    white_moves = state.turn[0] == 0
    found: dict[Turn, Root] = {}
    at, proved = len(order), True
    turns: list[Turn] = []
    try:
        at, turns = first_turns(state, order)
        if not turns:
            value, _ = search.value(0, *search.limits)
            return Duel(first=(), nothing=value, at=at, nodes=search.nodes, proved=True)
        for root in _roots(search, task, at, turns):
            if not found or root.value != next(reversed(found.values())).value:
                task.reporter.found(root.value if white_moves else -root.value)
            found[root.turn] = root
    except (OutOfTimeError, KeyboardInterrupt):
        proved = False
    first = tuple(found[turn] for turn in turns if turn in found)
    if first and not task.every:
        choose = max if white_moves else min
        best = choose(root.value for root in first)
        first = tuple(root for root in first if root.value == best)
    return Duel(first=first, nothing=None, at=at, nodes=search.nodes, proved=proved)


def _roots(search: Search, task: Task, at: int, turns: list[Turn]) -> Iterator[Root]:
    """Yield each first turn that is as good as any before it, or each if all are asked for."""
    best: int | None = None
    for turn in search.ordered(at, turns):
        known = None if task.every else best
        found = search.after(at, turn, *search.limits) if known is None else None
        if known is not None:
            found = _as_good(search, at, turn, known)
        if found is None:
            continue
        value, rest = found
        yield Root(turn=turn, value=value, line=Line(at, turn, rest))
        best = value


def _as_good(search: Search, at: int, turn: Turn, best: int) -> tuple[int, Line | None] | None:
    """Return the value and line of a turn that is no worse than the best known; else None."""
    low, high = search.limits
    if search.state.turn[0] == 0:
        windows = (best - 1, best), (best - 1, best + 1), (best, high)
        value, rest = search.after(at, turn, *windows[0])
        if value < best:
            return None
    else:
        windows = (best, best + 1), (best - 1, best + 1), (low, best)
        value, rest = search.after(at, turn, *windows[0])
        if value > best:
            return None
    value, rest = search.after(at, turn, *windows[1])
    return (value, rest) if value == best else search.after(at, turn, *windows[2])


class AlphaBetaEngine:
    """Searches best play of both, the order of the tiles being known."""

    name = "alphabeta"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: two opponents, nothing unknown."""
        return (
            task.play is Play.AGAINST
            and task.order is Order.GIVEN
            and task.goal is not Goal.POINTS
            and task.horizon != 0
            and task.position.game.value(WALL_OWN_TURN_ONLY) == "on"
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task, with the best first moves, or all of them, and a line from each."""
        if task.watch.out:
            return NOTHING
        position = task.position
        state = GameState(position)
        order = [state.board.kind_index[tile] for tile in position.order]
        end = len(order) if task.horizon is None else min(task.horizon, len(order))
        found = duel(task, state, order, end)
        if found.nothing is not None:
            value = Fraction(task.worth(found.nothing, 0))
            passing = Move(discards=position.order)
            first: tuple[First, ...] = (First(move=passing, value=value, line=(passing,)),)
        else:
            first = tuple(_told(task, state, root, end) for root in found.first)
        # Stopped early, the player to move has at least the best of what is known; of what his
        # opponent has, nothing is known.
        if not first or (not found.proved and position.to_move != task.asker):
            return replace(NOTHING, nodes=found.nodes)
        choose = max if position.to_move == task.asker else min
        return Finding(
            status=Status.OPTIMAL if found.proved else Status.BOUND,
            value=choose(one.value for one in first),
            first=first,
            complete=found.proved,
            nodes=found.nodes,
        )


def _told(task: Task, state: GameState, root: Root, end: int) -> First:
    """Return a first turn as a move with its value to the asker and its line."""
    line = moves_of(state, task.position.order, root.line, end)
    return First(move=line[0], value=Fraction(task.worth(root.value, 0)), line=line)
