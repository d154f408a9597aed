"""A question as numbers for the kernel, and what does not fit into them."""

from __future__ import annotations

from math import factorial, perm
from typing import Any

from solver.kernel import codec
from solver.kernel import job as kernel
from solver.kernel.codec import Opened
from solver.kernel.game import turns
from solver.kernel.records import record
from solver.problem import Goal, Play, Problem, TileOrder

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
    TileOrder.GIVEN: kernel.GIVEN,
    TileOrder.CHOOSE: kernel.CHOOSE,
    TileOrder.ANY: kernel.ANY,
    TileOrder.CHANCE: kernel.CHANCE,
}


def limit_of(problem: Problem) -> int:
    """Return a number such that every end is worth more than its negative and less than it."""
    if problem.goal is Goal.WIN:
        return problem.decisive + 2
    return sum(abs(player.score) for player in problem.position.players) + MARGIN


def scale_of(problem: Problem) -> int | None:
    """Return what values are multiplied by, so that all chances divide them; None if too large.

    With ``n`` tiles in the bag, of which ``k`` can be drawn, the chance of a row of draws is a
    multiple of ``1 / perm(n, k)``. Tiles without a place make ``k`` larger than the horizon, so
    ``k`` is as large as fits.
    """
    if problem.order is not TileOrder.CHANCE:
        return 1
    size = len(problem.position.bag)
    most = ROOM_FOR_SCALE // (2 * limit_of(problem))
    known = len(problem.position.order)
    wanted = size if problem.horizon is None else max(0, min(size, problem.horizon - known))
    fitting = next((k for k in range(size, wanted - 1, -1) if perm(size, k) <= most), None)
    return None if fitting is None else perm(size, fitting)


def refusal(problem: Problem) -> str | None:
    """Return why the kernel does not answer a problem; None if it does."""
    position = problem.position
    tiles = len(position.order) + len(position.bag)
    if position.over or not tiles or problem.horizon == 0:
        return "no tile is to come"
    if len(position.order) > kernel.ORDERED:
        return f"{len(position.order)} tiles in known order"
    if scale_of(problem) is None:
        return f"{len(position.bag)} tiles in the bag"
    return codec.refusal(position)


def lines_of(problem: Problem) -> int:
    """Return about how many lines a problem has that ``refusal`` accepts.

    It is the product of the turns with each tile as if it came next, times the orders of the bag.
    """
    opened = Opened(problem.begin(problem.position))
    q = job_of(problem, opened, 0)
    position = problem.position
    lines = factorial(len(position.bag))
    for tile in (*position.order, *position.bag):
        end = turns(opened.state, opened.tables, opened.kind(tile), False, True, q.out, q.hints, 0)
        lines *= max(1, end)
    return lines


def job_of(problem: Problem, opened: Opened, prunings: int) -> Any:
    """Return a problem as a record of the kernel.

    Args:
        problem: the problem, which ``refusal`` accepts.
        opened: its position.
        prunings: bits of ``solver.kernel.job``.

    """
    position = problem.position
    scale = scale_of(problem)
    assert scale is not None
    q = record(kernel.JOB)
    tiles = len(position.order) + len(position.bag)
    q.asker = problem.asker
    q.players = len(position.players)
    q.goal, q.play, q.tile_order = (
        _GOALS[problem.goal],
        _PLAYS[problem.play],
        _ORDERS[problem.order],
    )
    q.decisive = problem.decisive if problem.goal is Goal.WIN else 0
    q.until = 0 if problem.horizon is None else max(0, tiles - problem.horizon)
    q.limit, q.scale, q.prunings = limit_of(problem), scale, prunings
    for at, tile in enumerate(position.order):
        q.order[at] = opened.kind(tile)
    q.ordered = len(position.order)
    for tile in position.bag:
        q.bag[opened.kind(tile)] += 1
    q.bag_size = len(position.bag)
    q.kinds = len(opened.ids)
    q.node_limit = INFINITY if problem.watch.most is None else max(0, problem.watch.most)
    q.kept[:] = kernel.NONE
    return q
