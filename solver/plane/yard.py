"""What a total of the ledger is worth to the asker of a task."""

from __future__ import annotations

from solver.outlook import Goal, Play, Task

BITS = 16
"""Bits for the score of a player, where a total holds all of them."""
TWO = 2


class Yardstick:
    """Totals and what they are worth.

    Attributes:
        weights: by player what a point of his adds to a total.
        rising: whether a higher total is never worth less; a total is then the asker's score
            or his lead, otherwise it holds the scores of all players side by side.

    """

    def __init__(self, task: Task) -> None:
        """Choose the totals for a task."""
        self.task = task
        players = range(len(task.position.players))
        one_end = task.goal is Goal.POINTS or len(players) == TWO
        self.rising = one_end and task.play is not Play.EACH
        if self.rising and task.goal is Goal.POINTS:
            self.weights = tuple(int(player == task.asker) for player in players)
        elif self.rising:
            self.weights = tuple(1 if player == task.asker else -1 for player in players)
        else:
            self.weights = tuple(1 << BITS * player for player in players)

    def worth(self, total: int) -> int:
        """Return what a game that ends with a total is worth to the asker."""
        if not self.rising:
            return self.task.worth(*self.scores(total))
        if self.task.goal is Goal.WIN:
            return self.task.worth(*(total * (w > 0) for w in self.weights))
        return total

    def scores(self, total: int) -> tuple[int, ...]:
        """Return the scores that a total holds side by side."""
        mask = (1 << BITS) - 1
        return tuple(total >> BITS * player & mask for player in range(len(self.weights)))

    def enough(self, total: int, bound: int) -> int | None:
        """Return the change with which a total is worth so much that nothing better matters.

        Args:
            total: the total before.
            bound: the worth that is enough.

        Returns:
            The change; None if nobody can tell without trying.

        """
        if not self.rising or self.task.goal is Goal.WIN:
            return None
        return bound - total
