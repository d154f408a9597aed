"""Alpha-beta with what it leaves out, against alpha-beta that leaves nothing out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partialmethod

import pytest

from model.components import Rank
from model.position import Position
from model.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    AERIE_SHARED,
    AERIE_SUPPLY,
    ENCLOSED_HOLE_BLOCKS,
    END_TILE_ONCE_PER_FEATURE,
    GATE_STOP,
    WALL_OWN_TURN_ONLY,
)
from solver import state
from solver.answers import Status
from solver.budget import Budget
from solver.outlook import Finding, Goal, Order, Play, Task
from solver.progress import Reporter
from solver.questions.gate import admit
from solver.search import looks, standing
from solver.search.alpha_beta import AlphaBetaEngine
from solver.search.best_play import Search
from solver.search.closing import Closing
from solver.search.full import FullEngine
from solver.search.means import dominance_of, looks_of
from solver.states import game_state
from tests.solver.endings import IN_CASTLE, ending, falcon_castle

LINES = 400
"""Lines to the end of an ending."""
SEEDS = [seed for seed in range(900, 960) if seed % IN_CASTLE]


KINGS = range(960, 980)
"""Seeds of endings with The Falcon."""
CASTLES = range(12)
"""Seeds of endings with The Falcon in the castle."""


def task(
    seed: int, *, every: bool = False, horizon: int | None = None, falcon: bool = False
) -> Task:
    """Return the question what can be forced in a random ending."""
    at = ending(seed, LINES, falcon=falcon)
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
    """Tell whether both searches say the same, and prove it."""
    fast, full = (engine.solve(asked) for engine in (AlphaBetaEngine(), FullEngine()))
    return told(fast) == told(full) and fast.status is Status.OPTIMAL


@pytest.mark.parametrize("seed", SEEDS[:20])
def test_reductions_change_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every turn played, leaving out dominated followers changes nothing."""
    monkeypatch.setattr(Search, "soon", lambda *_: None)
    assert agrees(task(seed, every=seed % 2 == 0))
    assert agrees(task(seed, horizon=1 + seed % 3))


@pytest.mark.parametrize("seed", KINGS)
def test_reductions_change_no_answer_with_the_falcon(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Likewise with kings and falconers, whatever the switches say."""
    monkeypatch.setattr(Search, "soon", lambda *_: None)
    asked = task(seed, falcon=True)
    assert agrees(asked)
    assert agrees(replace(asked, horizon=1 + seed % 3))


@pytest.mark.parametrize("seed", SEEDS[20:40])
def test_tables_that_forget_change_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for a handful of entries, memory stays small and the answer the same."""
    monkeypatch.setattr(looks, "MOST", 5)
    monkeypatch.setattr(standing, "MOST", 3)
    monkeypatch.setattr(state, "AREAS", 3)
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
        with search.played(at, turn):
            yield from walk(search, at + 1)
    if not turns and at + 1 < search.end:
        yield from walk(search, at + 1, begun=True)


APART = (ENCLOSED_HOLE_BLOCKS, GATE_STOP, AERIE_SHARED, AERIE_SUPPLY)
"""Switches that can make two turns far from each other more than the sum of both."""


def small(at: Position) -> Position:
    """Return a position with its last three tiles, in which two turns far apart are a sum."""
    known = {switch for switch, _ in at.game.switches}
    game = at.game.with_switches({one.name: one.default for one in APART if one in known})
    return replace(at, game=game, order=at.order[-3:])


@pytest.mark.parametrize("seed", SEEDS[40:])
def test_closing_turns_are_answered_as_if_played(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of a last turn, and of the last two, is what playing them all says."""
    closing_agrees(small(task(seed).position), monkeypatch)


@pytest.mark.parametrize("seed", KINGS)
def test_closing_turns_are_answered_as_if_played_with_the_falcon(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Likewise where tokens decide who scores the empty area, and kings stand on features."""
    at = small(task(seed, falcon=True).position)
    rng = random.Random(seed)
    tokens = [replace(state, tokens=rng.randrange(3)) for state in at.players]
    closing_agrees(replace(at, players=tuple(tokens)), monkeypatch)


@pytest.mark.parametrize("seed", CASTLES)
def test_closing_turns_in_the_castle_are_answered_as_if_played(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a whole board of The Falcon the last turn is as if played, the last two as if one was."""
    at = small(falcon_castle(seed, 2))
    if seed % 4 == 0:
        # What the opponent could not use yet, he may use in his turn.
        players = list(at.players)
        players[1 - at.to_move] = replace(players[1 - at.to_move], fresh_wall_tiles=(2, 3))
        at = replace(at, players=tuple(players))
    state = game_state(at)
    order = [state.board.kind_index[tile] for tile in at.order]
    answer = Search.soon
    for tiles in (1, 2):
        search = Search(state, order[-tiles:], tiles, Budget().start(), decided=False)
        monkeypatch.setattr(Search, "soon", partialmethod(later, answer=answer, tiles=tiles))
        lead, _ = search.value(0, *search.limits)
        for bound in (lead - 1, lead, lead + 1):
            known = answer(search, 0, bound)
            assert known is None or known == (lead >= bound)


@pytest.mark.parametrize("seed", range(4))
def test_a_follower_gives_way_to_a_falconer_in_the_last_turn_alone(seed: int) -> None:
    """Who has another turn may want his falconer there; who has none places him."""
    at = falcon_castle(seed, 3)
    free = tuple(
        replace(player, specials=(Rank.FALCONER,), supply=1, wall_tiles=()) for player in at.players
    )
    at = replace(at, players=free, followers=(), extra_turns=0)
    state = game_state(at)
    looks = looks_of(state)
    kind = state.board.kind_index[at.order[0]]
    for left in (0, 1, 2):
        good = dominance_of(state, left, last=False)
        options = [one for look in looks.places(kind, at.to_move) for one in good.best_of(look)]
        claims = [one for one in options if one.segment >= 0 and one.needs]
        assert {one.rank for one in claims} == ({0, 1} if left > 1 else {1})


@pytest.mark.parametrize("seed", [1450, 1477, 1657])
def test_fewer_points_with_a_token_may_be_better(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where wall tiles 4 to 6 decide who has more tokens, the last turn is as if played."""
    at = small(falcon_castle(seed, 1))
    rng = random.Random(seed)
    players = []
    for player in at.players:
        tiles = tuple(sorted(rng.sample((4, 4, 5, 5, 6, 6), rng.choice((1, 1, 2)))))
        tokens = rng.randrange(2)
        players.append(
            replace(player, wall_tiles=tiles, fresh_wall_tiles=(), tokens=tokens, keep=1)
        )
    switches = (AERIE_SCOPE, AERIE_END_ORDER, END_TILE_ONCE_PER_FEATURE)
    game = at.game.with_switches({switch.name: switch.default for switch in switches})
    closing_agrees(replace(at, game=game, players=tuple(players)), monkeypatch)


def later(
    search: Search,
    at: int,
    bound: int,
    *,
    answer: Callable[[Search, int, int], bool | None],
    tiles: int,
) -> bool | None:
    """Answer a search where fewer tiles are left, and nothing before."""
    return answer(search, at, bound) if search.end - at < tiles else None


def closing_agrees(at: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that what is said of last turns is true at the positions of a search."""
    monkeypatch.setattr(Search, "soon", lambda *_: None)
    state = game_state(at)
    order = [state.board.kind_index[tile] for tile in at.order]
    search = Search(state, order, len(order), Budget().start(), decided=False)
    closing = search.closing
    assert closing.ledger.adds_up
    asked = 0
    for tile, lead in walk(search):
        left = order[tile:]
        mover, extra, _ = state.turn
        late = state.fresh_hand[10 - mover * 10 : 20 - mover * 10]
        if len(left) == 2 and (extra or any(late) or state.hand[mover * 10 + 1]):
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
