"""Wall tiles that lie face down: drawn within a turn, and seen before the turn goes on."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from burgrave.model.position import PlayerState, Position
from burgrave.model.problems import problems
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.result import Result, Status
from burgrave.solver.search import by_rules
from burgrave.solver.search.by_rules import ExhaustiveEngine
from burgrave.solver.search.engine import SearchEngine, full_engine
from burgrave.solver.search.question import refusal, scale_of
from tests.solver.endings import ending
from tests.solver.questioning import engines

LINES = 200
"""Maximum number of lines to the end of an ending with known numbers."""
TURNS = 3000
"""Turns that the rules engine may play for one question."""
PLAIN = engines()["plain"]


def covered(seed: int, *, falcon: bool) -> Position | None:
    """Return an ending with 1 to 4 wall tiles face down and markers near them, if it has any."""
    rng = random.Random(f"face down {seed}")
    at = ending(seed, LINES, falcon=falcon)
    names = [name for name, _ in at.towers]
    if not names:
        return None
    gone = rng.sample(names, min(len(names), rng.randint(1, 4)))
    towers = tuple((name, 0 if name in gone else number) for name, number in at.towers)
    players = tuple(_before(state, at, gone, rng) for state in at.players)
    found = replace(at, towers=towers, players=players)
    known = rng.choice((len(at.order), 1, 0))
    found = replace(found, order=at.order[:known], bag=tuple(sorted(at.order[known:])))
    assert not problems(found)
    return found


def _before(state: PlayerState, at: Position, gone: list[str], rng: random.Random) -> PlayerState:
    """Return a player whose marker may reach one of some towers with the next points."""
    name = rng.choice(gone)
    tower = next(tower for tower in at.game.board.towers if tower.name == name)
    score = at.game.board.track + rng.choice(tower.spaces) - rng.choice((1, 2, 2, 3, 4, 4, 6))
    return replace(state, score=score, at_gate=False)


def asked(at: Position, goal: Goal, play: Play, order: TileOrder, *, every: bool) -> Problem:
    """Return a question of the player to move."""
    return Problem(
        position=at,
        asker=at.to_move,
        goal=goal,
        play=play,
        order=order,
        every=every,
    )


def moves(found: Result) -> list[tuple[object, object]]:
    """Return the first moves with their values, in order."""
    return [(one.move, one.value) for one in found.first]


@pytest.mark.parametrize("number", [28, 45])
def test_another_turn_is_decided_after_a_wall_tile_is_seen(number: int) -> None:
    """With a wall tile 1 in hand: who sees what he took then plays it or keeps it."""
    at = covered(number, falcon=False)
    assert at is not None
    problem = asked(at, Goal.LEAD, Play.AGAINST, TileOrder.CHANCE, every=True)
    truth = ExhaustiveEngine().solve(problem, Limits(nodes=TURNS))
    assert truth.status is Status.OPTIMAL
    assert moves(SearchEngine().solve(problem)) == moves(truth)


@pytest.mark.long
@pytest.mark.parametrize("falcon", [False, True])
def test_all_lines_say_the_same(monkeypatch: pytest.MonkeyPatch, *, falcon: bool) -> None:
    """Values of every first move by chance, at best and at worst, with and without prunings."""
    shown = 0
    original = by_rules._Exhaustive._shown

    def counted(*arguments: object) -> object:
        nonlocal shown
        shown += 1
        return original(*arguments)

    monkeypatch.setattr(by_rules._Exhaustive, "_shown", counted)
    seeds = (3, 5, 6, 8, 9, 10)
    compared = 0
    for at in filter(None, (covered(seed, falcon=falcon) for seed in seeds)):
        for goal, play, order in (
            (Goal.LEAD, Play.AGAINST, TileOrder.CHANCE),
            (Goal.WIN, Play.AGAINST, TileOrder.CHANCE),
            (Goal.POINTS, Play.HELPED, TileOrder.CHOOSE),
            (Goal.LEAD, Play.SOLITAIRE, TileOrder.ANY),
        ):
            problem = asked(at, goal, play, order, every=True)
            truth = ExhaustiveEngine().solve(problem, Limits(nodes=TURNS))
            if truth.status is not Status.OPTIMAL:
                continue
            for engine in (SearchEngine(), PLAIN, full_engine()):
                if engine.answers(problem):
                    found = engine.solve(problem)
                    assert found.value == truth.value
                    assert moves(found) == moves(truth)
                    compared += 1
            best = SearchEngine().solve(replace(problem, every=False))
            assert best.value == truth.value
            assert set(moves(best)) <= set(moves(truth))
    assert compared > 20
    assert shown > 10


def test_a_wall_tile_is_turned_over_only_for_a_search() -> None:
    """Who counts or guesses turns takes it unseen, as a move of the rules may."""
    at = next(filter(None, (covered(seed, falcon=False) for seed in range(3, 20))))
    assert Opened(at).state.now.covered == 0
    towers = [tower.name for tower in at.game.board.towers]
    bits = sum(1 << towers.index(name) for name, number in at.towers if not number)
    assert Opened(at, shown=True).state.now.covered == bits


def test_as_many_are_turned_over_as_fit_into_a_number() -> None:
    """The scale holds the chances of all of them, or of as many as it can, and is whole."""
    at = next(filter(None, (covered(seed, falcon=False) for seed in range(3, 20))))
    one = replace(at, towers=at.towers[:1], order=(), bag=("a", "b", "c"))
    one = replace(one, towers=tuple((name, 0) for name, _ in one.towers))
    unseen = (
        18
        - len(one.spent)
        - sum(len(state.wall_tiles) + len(state.fresh_wall_tiles) for state in one.players)
    )
    problem = asked(one, Goal.LEAD, Play.AGAINST, TileOrder.CHANCE, every=True)
    assert scale_of(problem) == 6 * unseen


def test_what_is_face_down_is_not_known() -> None:
    """A search that is told that all is known refuses such a position by name."""
    at = next(filter(None, (covered(seed, falcon=False) for seed in range(3, 20))))
    problem = asked(at, Goal.LEAD, Play.AGAINST, TileOrder.GIVEN, every=True)
    assert "face-down wall tiles" in (refusal(problem) or "")
