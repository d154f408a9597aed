"""Best play of both players when the order of the tiles is known, as an engine for questions.

Values are White's lead after final scoring, or on the track at the horizon of a question;
White maximises, Black minimises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from model.position import Move
from model.switches import WALL_OWN_TURN_ONLY
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.game_state import GameState, Turn
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task
from solver.search.best_play import Search
from solver.search.lines import Line, Root, first_turns, moves_of
from solver.states import game_state


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
    search = Search(state, order, end, task.watch, decided=task.goal is Goal.WIN)
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
    low, high = search.limits
    white_moves = search.state.turn[0] == 0
    best: int | None = None
    for turn in search.promising(at, turns):
        windows = [(low, high)]
        if best is not None and not task.every:
            if not search.better(at, turn, best - 1 if white_moves else best + 1):
                continue
            # It is as good, and most often no better.
            windows = [(best - 1, best + 1), (best, high) if white_moves else (low, best)]
        for alpha, beta in windows:
            value, rest = search.after(at, turn, alpha, beta)
            if alpha < value < beta:
                break
        yield Root(turn=turn, value=value, line=Line(at, turn, rest))
        best = value


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
        state = game_state(position)
        order = [state.board.kind_index[tile] for tile in position.order]
        end = len(order) if task.horizon is None else min(task.horizon, len(order))
        found = duel(task, state, order, end)
        if found.nothing is not None:
            value = Fraction(task.worth(found.nothing, 0))
            passing = Move(discards=position.order)
            first: tuple[First, ...] = (First(move=passing, value=value, line=(passing,)),)
        else:
            # The search may have ended in the middle of a turn.
            first = tuple(_told(task, game_state(position), root, end) for root in found.first)
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
