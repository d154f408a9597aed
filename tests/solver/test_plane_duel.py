"""Two players of Carcassonne and The Tower: what windows leave out, ends told by changes."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from model.position import Position
from solver.answers import Status
from solver.budget import Budget
from solver.outlook import Goal, Order, Play, Task
from solver.plane.duel import DuelSearch
from solver.plane.each import EachSearch
from solver.plane.ending import Gains, Reckoning, final_scores
from solver.plane.engine import MaxnEngine, PlaneEngine
from solver.plane.root import Root
from solver.plane.tables import MAN
from solver.progress import Reporter
from solver.states import plane_state
from tests.solver.plane_endings import besieged, ending
from tests.solver.questioning import ask, broken_bound, broken_lines, compare

SIDE_BY_SIDE = 16
"""Bits for the score of a player, where a sum holds all of them."""


def _some(seed: int, tiles: int, lines: int) -> Position:
    """Return an ending for two: with guards and prisoners, with towers, or without."""
    if not seed % 3:
        return besieged(seed, tiles, lines)
    return ending(seed, tiles, lines, tower=seed % 3 == 1)


def _task(at: Position, goal: Goal, *, every: bool, horizon: int | None = None) -> Task:
    """Return the task of the player to move."""
    return Task(
        position=at,
        asker=at.to_move,
        goal=goal,
        play=Play.AGAINST,
        order=Order.CHANCE if at.bag else Order.GIVEN,
        horizon=horizon,
        every=every,
        watch=Budget().start(),
        reporter=Reporter(),
    )


@pytest.mark.parametrize("seed", range(30))
def test_windows_lose_nothing(seed: int) -> None:
    """Values and first moves are those of every line of each for himself, and of ``plane``."""
    rng = random.Random(seed)
    at = _some(seed, 1 + seed % 2 if seed % 3 else 2, 600)
    if rng.random() < 0.3:
        at = replace(at, order=at.order[:-1], bag=at.order[-1:])
    goal = rng.choice((Goal.LEAD, Goal.LEAD, Goal.WIN))
    if goal is Goal.WIN:
        scores = [rng.randrange(8) for _ in at.players]
        at = replace(
            at,
            players=tuple(replace(p, score=s) for p, s in zip(at.players, scores, strict=True)),
        )
    horizon = rng.choice((None, None, None, 1))
    task = _task(at, goal, every=rng.random() < 0.5, horizon=horizon)
    answers = {e.name: ask(e, task, Budget()) for e in (MaxnEngine(), PlaneEngine())}
    results = list(compare(task, answers))
    assert results
    assert not [result for result in results if result.wrong], str(task)
    assert not list(broken_lines(task, answers["maxn"].finding))
    assert not list(broken_bound(MaxnEngine(), task, answers["maxn"], rng))
    every = replace(task, every=True)
    each = replace(every, play=Play.EACH)
    plain = Root(each, EachSearch(each)).finding()
    found = Root(every, DuelSearch(every)).finding()
    assert [(one.move, one.value) for one in found.first] == [
        (one.move, one.value) for one in plain.first
    ]


@pytest.mark.parametrize("seed", range(4))
def test_three_tiles_with_towers(seed: int) -> None:
    """Two engines agree on longer endings, where what is kept of last turns is used again."""
    task = _task(besieged(seed, 3, 20_000), Goal.LEAD, every=seed % 2 == 0)
    answers = {e.name: ask(e, task, Budget()) for e in (MaxnEngine(), PlaneEngine())}
    assert not [result for result in compare(task, answers) if result.wrong], str(task)


def test_few_lines_are_played() -> None:
    """Of the turns that are all played without windows a small part is."""
    task = _task(ending(0, 3, 40_000), Goal.LEAD, every=False)
    each = replace(task, play=Play.EACH, watch=Budget().start())
    plain = Root(each, EachSearch(each)).finding()
    found = MaxnEngine().solve(task)
    assert (found.status, found.value) == (Status.OPTIMAL, plain.value)
    assert found.nodes * 3 < plain.nodes


@pytest.mark.parametrize("seed", range(9))
def test_an_end_is_told_by_what_changes(seed: int) -> None:
    """What a turn changes of an end is what it is, less what it were without it."""
    at = _some(seed, 2, 3000)
    state = plane_state(at)
    weights = [1 << SIDE_BY_SIDE * player for player in range(state.players)]
    gains = Gains(state.board.tables, weights)
    seen = 0
    for kind in {state.board.kind_index[tile] for tile in at.order}:
        for turns, done in state.laid(kind, alike=True):
            reckoning = Reckoning(state, gains, done)
            base = state.board.slot[turns[0].cell] * state.board.tables.width
            for turn in turns:
                change, mover = 0, state.turn[0]
                if turn.segment >= 0:
                    root = state.board.find(base + turn.segment)
                    change = reckoning.changed(root, 1 << MAN * mover)
                if turn.taken >= 0:
                    owner = state.posts.index(turn.taken) // state.each
                    root = state.board.find(turn.taken)
                    change = reckoning.changed(root, -1 << MAN * owner)
                before = _sum(weights, state.score)
                mark = state.mark()
                state.finish(turn, done)
                ransom = 3 * (turn.captor >= 0) * (weights[turn.captor] - weights[mover])
                told = before + reckoning.total + change + ransom
                assert told == _sum(weights, final_scores(state))
                state.undo(mark)
                seen += 1
    assert seen


@pytest.mark.parametrize("seed", range(8))
def test_who_is_within_reach_of_towers(seed: int) -> None:
    """Followers who may be taken prisoner are those whom a legal turn takes."""
    at = besieged(seed, 1, 3000)
    state = plane_state(at)
    kind = state.board.kind_index[at.order[0]]
    standing = state.exposed(kind, state.board.cell)
    for turns, _ in state.laid(kind, alike=True):
        taken = {turn.taken for turn in turns if turn.taken >= 0}
        assert standing | state.exposed(kind, (turns[0].cell,)) == taken
        assert state.raises(kind) or not taken


def _sum(weights: list[int], scores: tuple[int, ...] | list[int]) -> int:
    """Return scores as a sum by weights."""
    return sum(weight * score for weight, score in zip(weights, scores, strict=True))
