"""Alpha-beta without reductions as an engine for questions about the rest of a game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from model.position import Move
from model.switches import WALL_OWN_TURN_ONLY
from solver.answers import Status
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task
from solver.search.duel import duel
from solver.search.lines import moves_of
from solver.states import game_state


class FullEngine:
    """Searches every turn that no bound cuts off, the order of the tiles being known."""

    name = "full"

    def covers(self, task: Task) -> bool:
        """Tell whether it answers a task: two opponents, nothing unknown."""
        return (
            task.play is Play.AGAINST
            and task.order is Order.GIVEN
            and task.goal is not Goal.POINTS
            and task.horizon != 0
            and not task.every
            and task.position.game.value(WALL_OWN_TURN_ONLY) == "on"
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task, with the first moves of the largest lead and a line from each."""
        if task.watch.out:
            return NOTHING
        position = task.position
        state = game_state(position)
        order = [state.board.kind_index[tile] for tile in position.order]
        end = len(order) if task.horizon is None else min(task.horizon, len(order))
        found = duel(state, order, end, task.watch, task.reporter)
        # Stopped early, the player to move has at least the best of what is known; of what his
        # opponent has, nothing is known.
        if found.value is None or (not found.proved and position.to_move != task.asker):
            return replace(NOTHING, nodes=found.nodes)
        value = Fraction(task.worth(found.value, 0))
        lines = [moves_of(state, position.order, root.line, end) for root in found.first]
        if not lines:
            lines = [(Move(discards=position.order),)]
        return Finding(
            status=Status.OPTIMAL if found.proved else Status.BOUND,
            value=value,
            first=tuple(First(move=line[0], value=value, line=line) for line in lines),
            # More moves may win than those that win by most.
            complete=found.proved and task.goal is Goal.LEAD,
            nodes=found.nodes,
        )
