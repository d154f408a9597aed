"""A question as numbers for the kernel, and what does not fit into them."""

from __future__ import annotations

from math import perm
from typing import Any

from solver.kernel import codec
from solver.kernel import job as kernel
from solver.kernel.codec import Opened
from solver.kernel.records import record
from solver.outlook import Goal, Order, Play, Task

INFINITY = 1 << 61
"""Beyond every value times its scale."""
MARGIN = 1 << 16
"""More points than a player can win or lose to the end of a game: no more than some hundred tiles
score, a few times each, some dozen points a tile."""
ROOM_FOR_SCALE = 1 << 56
"""Twice the largest value times its scale stays below this, so that no sum overflows."""
_GOALS = {Goal.POINTS: kernel.POINTS, Goal.LEAD: kernel.LEAD, Goal.WIN: kernel.WIN}
_PLAYS = {
    Play.HELPED: kernel.HELPED,
    Play.SOLITAIRE: kernel.SOLITAIRE,
    Play.AGAINST: kernel.AGAINST,
    Play.EACH: kernel.EACH,
}
_ORDERS = {
    Order.GIVEN: kernel.GIVEN,
    Order.CHOOSE: kernel.CHOOSE,
    Order.ANY: kernel.ANY,
    Order.CHANCE: kernel.CHANCE,
}


def limit_of(task: Task) -> int:
    """Return a number such that every end is worth more than its negative and less than it."""
    if task.goal is Goal.WIN:
        return task.decisive + 2
    return sum(abs(player.score) for player in task.position.players) + MARGIN


def scale_of(task: Task) -> int | None:
    """Return what values are multiplied by, so that all chances divide them; None if too large.

    With ``n`` tiles in the bag, of which ``k`` can be drawn, the chance of a row of draws is a
    multiple of ``1 / perm(n, k)``. Tiles without a place make ``k`` larger than the horizon, so
    ``k`` is as large as fits.
    """
    if task.order is not Order.CHANCE:
        return 1
    size = len(task.position.bag)
    most = ROOM_FOR_SCALE // (2 * limit_of(task))
    known = len(task.position.order)
    wanted = size if task.horizon is None else max(0, min(size, task.horizon - known))
    fitting = next((k for k in range(size, wanted - 1, -1) if perm(size, k) <= most), None)
    return None if fitting is None else perm(size, fitting)


def refusal(task: Task) -> str | None:
    """Return why the kernel does not answer a task; None if it does."""
    position = task.position
    tiles = len(position.order) + len(position.bag)
    if position.over or not tiles or task.horizon == 0:
        return "no tile is to come"
    if len(position.order) > kernel.ORDERED:
        return f"{len(position.order)} tiles in known order"
    if scale_of(task) is None:
        return f"{len(position.bag)} tiles in the bag"
    return codec.refusal(position)


def job_of(task: Task, opened: Opened, prunings: int) -> Any:
    """Return a task as a record of the kernel.

    Args:
        task: the task, which ``refusal`` accepts.
        opened: its position.
        prunings: bits of ``solver.kernel.job``.

    """
    position = task.position
    scale = scale_of(task)
    assert scale is not None
    q = record(kernel.JOB)
    tiles = len(position.order) + len(position.bag)
    q.asker = task.asker
    q.players = len(position.players)
    q.goal, q.play, q.tile_order = _GOALS[task.goal], _PLAYS[task.play], _ORDERS[task.order]
    q.decisive = task.decisive if task.goal is Goal.WIN else 0
    q.until = 0 if task.horizon is None else max(0, tiles - task.horizon)
    q.limit, q.scale, q.prunings = limit_of(task), scale, prunings
    for at, tile in enumerate(position.order):
        q.order[at] = opened.kind(tile)
    q.ordered = len(position.order)
    for tile in position.bag:
        q.bag[opened.kind(tile)] += 1
    q.bag_size = len(position.bag)
    q.kinds = len(opened.ids)
    q.node_limit = INFINITY if task.watch.most is None else max(0, task.watch.most)
    q.kept[:] = kernel.NONE
    return q
