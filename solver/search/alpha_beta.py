"""Best play of both players when the order of the tiles is known, as an engine for questions.

Values are White's lead after final scoring, or on the track at the horizon of a question;
White maximises, Black minimises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

from model.position import Move
from model.switches import WALL_OWN_TURN_ONLY
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.game_state import GameState, Turn
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task
from solver.search import best_play, duel
from solver.search.lines import Line, Root, first_turns, moves_of
from solver.search.several import try_all
from solver.states import game_state


class FirstTurns:
    """The first turns of a task, by an alpha-beta search of each.

    Attributes:
        task: the task.
        end: no turn begins after so many tiles.

    """

    kind: ClassVar[Callable[..., duel.Search]] = best_play.Search
    """The search."""

    def __init__(self, task: Task) -> None:
        """Take over a task, of a position with one tile to come at least."""
        self.task = task
        state = game_state(task.position)
        order = [state.board.kind_index[tile] for tile in task.position.order]
        self.end = len(order) if task.horizon is None else min(task.horizon, len(order))
        self.tree = self.kind(state, order, self.end, task.watch, decided=task.goal is Goal.WIN)
        self.white_moves = state.turn[0] == 0
        self._at, self._turns = first_turns(state, order)
        self._tried = self.tree.promising(self._at, self._turns) if self._turns else []
        self._found: dict[Turn, Root] = {}

    def __len__(self) -> int:
        """Return the number of first turns; none if no tile has a place."""
        return len(self._turns)

    @property
    def _best(self) -> int | None:
        """White's lead after the best first turn so far."""
        choose = max if self.white_moves else min
        return choose((root.value for root in self._found.values()), default=None)

    def bar(self, index: int) -> int | None:
        """Return the best value so far, if not each of them is asked for."""
        del index  # it is the same for all
        return None if self.task.every else self._best

    def search(self, index: int, bar: int | None) -> Root | None:
        """Return a first turn with its value and a line; None if it is worse than another."""
        turn = self._tried[index]
        low, high = self.tree.limits
        windows = [(low, high)]
        if bar is not None:
            if not self.tree.better(self._at, turn, bar - 1 if self.white_moves else bar + 1):
                return None
            # It is as good, and most often no better.
            windows = [(bar - 1, bar + 1), (bar, high) if self.white_moves else (low, bar)]
        for alpha, beta in windows:
            value, rest = self.tree.after(self._at, turn, alpha, beta)
            if alpha < value < beta:
                break
        return Root(turn=turn, value=value, line=Line(self._at, turn, rest))

    def learn(self, index: int, found: Root | None) -> None:
        """Hear what a first turn is worth."""
        del index  # the turn is told
        if found is None:
            return
        best = self._best
        self._found[found.turn] = found
        if best != self._best:
            self.task.reporter.found(found.value if self.white_moves else -found.value)

    def nothing(self) -> int:
        """Return White's lead if no tile has a place, and so no turn is left to choose."""
        value, _ = self.tree.value(0, *self.tree.limits)
        return value

    def best(self) -> tuple[Root, ...]:
        """Return the best first turns so far, or each of them, as the reference lists them."""
        best = self._best
        known = (self._found[turn] for turn in self._turns if turn in self._found)
        return tuple(root for root in known if self.task.every or root.value == best)


class AlphaBetaEngine:
    """Searches best play of both, the order of the tiles being known."""

    name = "alphabeta"
    first_turns: ClassVar[type[FirstTurns]] = FirstTurns

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
        turns = self.first_turns(task)
        proved = True
        try:
            try_all(turns)
        except (OutOfTimeError, KeyboardInterrupt):
            proved = False
        if not len(turns):
            value = Fraction(task.worth(turns.nothing(), 0))
            passing = Move(discards=position.order)
            first: tuple[First, ...] = (First(move=passing, value=value, line=(passing,)),)
        else:
            # The search may have ended in the middle of a turn.
            first = tuple(
                _told(task, game_state(position), root, turns.end) for root in turns.best()
            )
        # Stopped early, the player to move has at least the best of what is known; of what his
        # opponent has, nothing is known.
        if not first or (not proved and position.to_move != task.asker):
            return replace(NOTHING, nodes=task.watch.nodes)
        choose = max if position.to_move == task.asker else min
        return Finding(
            status=Status.OPTIMAL if proved else Status.BOUND,
            value=choose(one.value for one in first),
            first=first,
            complete=proved,
            nodes=task.watch.nodes,
        )


def _told(task: Task, state: GameState, root: Root, end: int) -> First:
    """Return a first turn as a move with its value to the asker and its line."""
    line = moves_of(state, task.position.order, root.line, end)
    return First(move=line[0], value=Fraction(task.worth(root.value, 0)), line=line)
