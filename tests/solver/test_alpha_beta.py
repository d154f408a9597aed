"""Alpha-beta with what it leaves out, against alpha-beta that leaves nothing out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from model.position import Position
from model.switches import ENCLOSED_HOLE_BLOCKS, WALL_OWN_TURN_ONLY
from solver.answers import Status
from solver.budget import Budget
from solver.game_state import GameState
from solver.outlook import Finding, Goal, Order, Play, Task
from solver.progress import Reporter
from solver.questions.gate import admit
from solver.search import looks, standing
from solver.search.alpha_beta import AlphaBetaEngine
from solver.search.best_play import Search
from solver.search.closing import Closing
from solver.search.full import FullEngine
from tests.solver.endings import IN_CASTLE, ending

LINES = 400
"""Lines to the end of an ending."""
SEEDS = [seed for seed in range(900, 960) if seed % IN_CASTLE]


def task(seed: int, *, every: bool = False, horizon: int | None = None) -> Task:
    """Return the question what can be forced in a random ending."""
    at = ending(seed, LINES)
    game = at.game.with_switches({WALL_OWN_TURN_ONLY.name: WALL_OWN_TURN_ONLY.default})
    at = replace(at, game=game)
    found = Task(
        position=at,
        asker=at.to_move,
        goal=Goal.WIN if seed % 4 == 0 else Goal.LEAD,
        play=Play.AGAINST,
        order=Order.GIVEN,
        horizon=horizon,
        every=every,
        watch=Budget().start(),
        reporter=Reporter(),
    )
    admit(found)
    return found


def told(finding: Finding) -> tuple[object, ...]:
    """Return what an answer says that does not depend on the order of the search."""
    return finding.status, finding.value, [(one.move, one.value) for one in finding.first]


def agrees(asked: Task) -> bool:
    """Tell whether both searches say the same; of first moves that win, some may be missing."""
    fast, full = (engine.solve(asked) for engine in (AlphaBetaEngine(), FullEngine()))
    if asked.goal is Goal.LEAD:
        return told(fast) == told(full)
    return fast.value == full.value and fast.status is Status.OPTIMAL


@pytest.mark.parametrize("seed", SEEDS[:20])
def test_reductions_change_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every turn played, leaving out dominated followers changes nothing."""
    monkeypatch.setattr(Search, "_soon", lambda *_: None)
    assert agrees(task(seed))
    assert agrees(task(seed, horizon=1 + seed % 3))


@pytest.mark.parametrize("seed", SEEDS[20:40])
def test_tables_that_forget_change_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for a handful of entries, memory stays small and the answer the same."""
    monkeypatch.setattr(looks, "MOST", 5)
    monkeypatch.setattr(standing, "MOST", 3)
    assert agrees(task(seed))
    assert agrees(task(seed, horizon=1 + seed % 3))


def walk(search: Search, at: int = 0, *, begun: bool = False) -> Iterator[tuple[int, int]]:
    """Yield White's lead under best play at every position with one or two tiles left.

    Yields:
        The tile that is next and the lead, while the search stands at that position.

    """
    if at == search.end:
        return
    if search.end - at <= 2 and not begun:
        yield at, search.value(at, *search.limits)[0]
    turns = list(search.turns(at))
    for turn in turns:
        with search._played(at, turn):
            yield from walk(search, at + 1)
    if not turns and at + 1 < search.end:
        yield from walk(search, at + 1, begun=True)


def small(at: Position) -> Position:
    """Return a position with its last three tiles, and holes that keep nothing open."""
    game = at.game.with_switches({ENCLOSED_HOLE_BLOCKS.name: ENCLOSED_HOLE_BLOCKS.default})
    return replace(at, game=game, order=at.order[-3:])


@pytest.mark.parametrize("seed", SEEDS[40:])
def test_closing_turns_are_answered_as_if_played(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of a last turn, and of the last two, is what playing them all says."""
    monkeypatch.setattr(Search, "_soon", lambda *_: None)
    state = GameState(small(task(seed).position))
    order = [state.board.kind_index[tile] for tile in small(task(seed).position).order]
    search = Search(state, order, len(order), Budget().start(), decided=False)
    closing = search.closing
    asked = 0
    for at, lead in walk(search):
        left = order[at:]
        mover, extra, _ = state.turn
        if len(left) == 2 and (extra or state.hand[mover * 10 + 1]):
            continue
        for bound in (lead - 1, lead, lead + 1):
            known = reached(closing, left, bound)
            assert known is None or known == (lead >= bound)
            asked += known is not None
        if asked > 150:
            break


def reached(closing: Closing, left: list[int], bound: int) -> bool | None:
    """Tell whether White reaches a lead with the tiles left; None if it is not known."""
    if len(left) == 1:
        return closing.one(left[0], bound)
    return closing.two(left[0], left[1], bound)
