"""A question as numbers for the kernel, and the questions that do not fit."""

from __future__ import annotations

from math import factorial, perm
from typing import Any

from model.position import Position
from model.rules.castle.wall_tiles import unseen
from solver.kernel import codec
from solver.kernel import job as kernel
from solver.kernel.codec import Opened
from solver.kernel.game import turns
from solver.kernel.records import record
from solver.problem import Goal, Play, Problem, TileOrder

INFINITY = 1 << 61
"""Beyond every value times its scale."""
MARGIN = 1 << 16
"""More points than a player can win or lose in a game. About a hundred tiles score a few times
each, with some dozen points a tile."""
ROOM_FOR_SCALE = 1 << 56
"""Twice the largest value times its scale stays below this, so that no sum overflows."""
_GOALS = {
    Goal.POINTS: kernel.POINTS,
    Goal.LEAD: kernel.LEAD,
    Goal.WIN: kernel.WIN,
    Goal.THEIRS: kernel.THEIRS,
}
_OF_A_GAIN = kernel.HOPELESS | kernel.ANSWERED
"""Prunings that rest on a limit of the mover's gain: they need a mover who wants points."""
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

_COPIED = tuple(name for name in kernel.JOB.names or () if name not in {"out", "hints"})
"""The fields of a job that hold more than the turns listed in the course of a search."""


def limit_of(problem: Problem) -> int:
    """Return a number greater than the absolute value of every end."""
    if problem.goal is Goal.WIN:
        return problem.decisive + 2
    return sum(abs(player.score) for player in problem.position.players) + MARGIN


def scale_of(problem: Problem) -> int | None:
    """Return the scale of values, which all chances divide; None if too large.

    The chance of drawing ``k`` of ``n`` tiles in a row is a multiple of ``1 / perm(n, k)``.
    Tiles without a place make ``k`` larger than the horizon, so ``k`` is as large as fits. The
    same holds for unseen wall tiles, of which those face down on towers can be turned over.
    Few turns take that many, so the scale may allow for fewer.
    """
    if problem.order is not TileOrder.CHANCE:
        return 1
    position = problem.position
    size = len(position.bag)
    most = ROOM_FOR_SCALE // (2 * limit_of(problem))
    known = len(position.order)
    wanted = size if problem.horizon is None else max(0, min(size, problem.horizon - known))
    hidden, pool = _face_down(position), unseen(position).total()
    for shown in range(hidden, min(hidden, 1) - 1, -1):
        for drawn in range(size, wanted - 1, -1):
            if perm(size, drawn) * perm(pool, shown) <= most:
                return perm(size, drawn) * perm(pool, shown)
    return None


def _face_down(position: Position) -> int:
    """Return the number of face-down wall tiles on towers."""
    return sum(not number for _, number in position.towers)


def refusal(problem: Problem) -> str | None:
    """Return the reason why the kernel does not answer a problem; None if it does."""
    position = problem.position
    tiles = len(position.order) + len(position.bag)
    if position.over or not tiles or problem.horizon == 0:
        return "no tile is to come"
    if len(position.order) > kernel.ORDERED:
        return f"{len(position.order)} tiles in known order"
    hidden = _face_down(position)
    if scale_of(problem) is None:
        towers = f" and {hidden} face-down wall tiles" if hidden else ""
        return f"{len(position.bag)} tiles in the bag{towers}"
    if hidden and (problem.order is TileOrder.GIVEN or problem.play is Play.EACH):
        return f"{hidden} face-down wall tiles where all is known or each plays for himself"
    return codec.refusal(position)


def lines_of(problem: Problem) -> int:
    """Estimate the number of lines of a problem that ``refusal`` accepts.

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


def job_of(problem: Problem, opened: Opened, prunings: int, nodes: int | None = None) -> Any:
    """Return a problem as a record of the kernel.

    Args:
        problem: the problem, which ``refusal`` accepts.
        opened: its position.
        prunings: bits of ``solver.kernel.job``.
        nodes: turns that may be played; None for no limit.

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
    q.limit, q.scale = limit_of(problem), scale
    q.prunings = prunings & ~_OF_A_GAIN if problem.goal is Goal.THEIRS else prunings
    for at, tile in enumerate(position.order):
        q.order[at] = opened.kind(tile)
    q.ordered = len(position.order)
    for tile in position.bag:
        q.bag[opened.kind(tile)] += 1
    q.bag_size = len(position.bag)
    q.kinds = len(opened.ids)
    q.node_limit = INFINITY if nodes is None else max(0, nodes)
    q.kept[:] = kernel.NONE
    return q


def copy_of(job: Any) -> Any:
    """Return a copy of a job without the turns listed on it, which are most of its memory."""
    copy = record(kernel.JOB)
    for name in _COPIED:
        copy[name] = job[name]
    return copy
