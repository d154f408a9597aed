"""The partial answer of a search that was stopped before its first move was finished."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from burgrave.model.engine import judge, play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import load_position
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.puzzles.files.library import find, position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver import limits
from burgrave.solver.limits import Limits, Reporter
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import ahead, expected, forced, maximum, partial_answer, winning
from burgrave.solver.reach import castle
from burgrave.solver.result import NOTHING, Answer, Result, Status
from burgrave.solver.search.by_rules import AlphabetaEngine
from burgrave.solver.search.engine import SearchEngine
from tests.solver.endings import ending
from tests.solver.plane_endings import besieged
from tests.solver.questioning import (
    able,
    ask,
    asked_for,
    broken_limits,
    plane_questions,
    questions,
    value,
)

ROOT = Path(__file__).parents[2]
POSITIONS = ROOT / "benchmarks" / "positions"
LINES = 120
"""Lines to the end of an ending."""
AT_ONCE = (Limits(seconds=0), Limits(nodes=1))
"""Budgets that stop every search before its first move is finished, or soon after."""


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("game", ["castle", "falcon", "plane"])
def test_the_value_lies_within_the_limits(game: str, seed: int) -> None:
    """Whoever is stopped at once, on endings of all games, and moves and lines are legal."""
    if game == "plane":
        asking = plane_questions(seed, LINES)
    else:
        asking = questions(seed, LINES, falcon=game == "falcon")
    for asked in asking:
        problem = asked.problem
        answering = able(problem)
        # The exhaustive engine stands last.
        value = ask(list(answering.values())[-1], problem, Limits()).result.value
        assert value is not None
        for name, engine in answering.items():
            for budget in AT_ONCE:
                told = partial_answer.solved(engine, problem, budget)
                assert not list(broken_limits(problem, told, value)), f"{asked} by {name}, {budget}"


def test_who_keeps_his_own_score_low_may_pay_a_ransom() -> None:
    """His least points count it: they were said to be 3, and he ends with none."""
    problem = asked_for(besieged(9, 2, 400, players=2), Goal.THEIRS, Play.AGAINST)
    problem = replace(problem, asker=1)
    limits = partial_answer.bounds(problem)
    assert value(AlphabetaEngine(), problem) == limits.least == 0


def hidden(name: str) -> Problem:
    """Return a problem of a position whose wall tiles on towers lie face down."""
    at = load_position(POSITIONS / f"{name}.toml")
    return Problem(
        position=replace(at, towers=tuple((tower, 0) for tower, _ in at.towers)),
        asker=at.to_move,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=TileOrder.CHOOSE,
    )


def test_a_face_down_wall_tile_may_be_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the best number under it a player reaches more than with none."""
    problems = [hidden(name) for name in ("k3-1", "k3-2", "k4-1", "falcon-k3-1")]
    most = [partial_answer.bounds(problem).most for problem in problems]
    monkeypatch.setattr(castle, "unseen", lambda _: Counter())
    none = [partial_answer.bounds(problem).most for problem in problems]
    assert none != most
    for one, other in zip(none, most, strict=True):
        assert one is not None
        assert other is not None
        assert one <= other


def test_a_win_by_chosen_wall_tiles_is_a_win() -> None:
    """Numbers are dealt to be played with, and the answer is about those that lie face down."""
    for name in ("k3-1", "k4-1", "falcon-k3-1"):
        problem = replace(hidden(name), goal=Goal.WIN)
        *_, told = partial_answer.known(problem, NOTHING)
        value = told.value
        assert value in {1 + problem.decisive, 0, 1 - problem.decisive}


@pytest.mark.parametrize("name", ["k9-1", "falcon-k4-2", "plane-01", "plane-09"])
def test_every_question_has_something_to_tell(name: str) -> None:
    """On large positions too: a legal first move, and of what is helped a line to the end."""
    at = load_position(POSITIONS / f"{name}.toml")
    few = Limits(nodes=20)
    for answer in (
        expected(at, budget=few),
        winning(at, budget=few),
        ahead(at, 2, budget=few),
    ):
        # Who is 22 points ahead wins, and limits prove it.
        sure = name == "plane-01" and answer.goal is Goal.WIN
        assert (answer.status is Status.OPTIMAL, answer.value == 1) == (sure, sure)
        moves = answer.guess or tuple(one.move for one in answer.first)
        assert moves
        assert all(judge(at, move).legal for move in moves)
    order = TileOrder.CHOOSE if at.bag else TileOrder.GIVEN
    line(at, maximum(at, order=order, budget=Limits(seconds=0)))


def line(at: Position, answer: Answer) -> None:
    """Assert that the line of an answer ends the game with its value."""
    assert (answer.status, answer.least) == (Status.BOUND, answer.value)
    assert answer.guess == answer.line[:1]
    for move in answer.line:
        at = play(at, move).position
    scores = final_scoring(at).scores
    assert at.over
    assert (scores, scores[answer.asker]) == (answer.scores, answer.value)


@pytest.mark.long
@pytest.mark.parametrize("game", ["castle+falcon", "carcassonne+tower"])
def test_a_whole_game_is_guessed(game: str) -> None:
    """From the first tile to the last one."""
    at = new_position(shipped_game(game), random.Random(3))
    line(at, maximum(at, budget=Limits(seconds=0)))


def test_limits_can_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is far ahead wins whatever is played, and that needs no search."""
    at = position(find("castle-03"))
    for lead, worth in ((1000, 1), (-1000, -1)):
        white, black = at.players
        ahead_of = replace(white, score=max(0, lead)), replace(black, score=max(0, -lead))
        answer = winning(replace(at, players=ahead_of), budget=Limits(nodes=1))
        assert (answer.status, answer.value, answer.first) == (Status.OPTIMAL, worth, ())
        assert len(answer.guess) == 1
    monkeypatch.setattr(
        partial_answer, "bounds", lambda _: partial_answer.Bounds(None, Fraction(95))
    )
    found = maximum(at, engine="search", budget=Limits(nodes=40))
    assert (found.status, found.value) == (Status.OPTIMAL, 95)


class Ended:
    """An engine that is interrupted, at first or with a value known."""

    name = "ended"

    def __init__(self, found: Result | None) -> None:
        self.found = found

    def answers(self, problem: Problem) -> bool:
        return problem is not None

    def solve(self, problem: Problem, limits: Limits, reporter: Reporter) -> Result:
        if self.found is None:
            raise KeyboardInterrupt
        return self.found


def test_control_c_before_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the search wherever it is; a second one ends the guessing too."""
    problem = next(questions(1, LINES)).problem
    told = partial_answer.solved(Ended(None), problem)
    assert told.status is Status.BOUND
    assert len(told.guess) == 1

    def again(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(partial_answer, "_Greedy", again)
    found = replace(NOTHING, status=Status.BOUND, value=Fraction(3))
    assert partial_answer.solved(Ended(found), problem) == replace(found, least=Fraction(3))


def interrupted(call: Callable[[], Answer], monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Return the answer to a question whose first engine is interrupted."""
    monkeypatch.setattr(SearchEngine, "solve", Ended(None).solve)
    return call()


def test_control_c_is_not_followed_by_another_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than two players, what one has whatever the others do is not searched then."""
    game = shipped_game("carcassonne", players=("red", "blue", "green"))
    at = new_position(game, random.Random(1))
    answer = interrupted(lambda: forced(at), monkeypatch)
    assert (answer.status, answer.floor, len(answer.guess)) == (Status.UNKNOWN, None, 1)


@pytest.mark.parametrize(("engine", "seed"), [("exhaustive", 2), ("alphabeta", 5)])
def test_every_move_that_was_tried_is_known(engine: str, seed: int) -> None:
    """An engine by the rules tells the best of the moves that it has tried."""
    at = ending(seed, LINES)
    whole = forced(at, engine=engine, every=True)
    values = {one.move: one.value for one in whole.first}
    stops = [Limits(nodes=whole.nodes // share) for share in (8, 5, 3, 2)]
    found = [forced(at, engine=engine, budget=budget) for budget in stops]
    bounds = [answer for answer in found if answer.status is Status.BOUND]
    assert bounds
    for answer in bounds:
        assert answer.value is not None
        assert whole.value is not None
        assert answer.value <= whole.value
        assert all(values[one.move] == answer.value for one in answer.first)


def test_where_the_kernel_knows_no_switch_a_move_is_guessed_by_the_rules() -> None:
    """A stopped question names a legal first move if it is known which tile comes."""
    at = ending(1, LINES, falcon=True)
    at = replace(at, game=at.game.with_switches({"chapel_completion": "like_cloister"}))
    answer = forced(at, budget=Limits(nodes=0))
    assert (answer.engine, answer.status, answer.first) == ("alphabeta", Status.UNKNOWN, ())
    assert judge(at, answer.guess[0]).legal
    hidden = replace(at, order=(), bag=at.order)
    assert expected(hidden, budget=Limits(nodes=0)).guess == ()


def test_the_clock_stands_while_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in blocks within blocks; it runs on where it stood."""
    hand = SimpleNamespace(at=100.0)
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: hand.at))
    clock = Limits(seconds=10).start()
    hand.at += 2
    with limits.standing():
        hand.at += 30
        with limits.standing():
            hand.at += 20
        hand.at += 10
        assert clock.spent() == 2
    hand.at += 3
    assert clock.spent() == 5
    assert clock.left() == 5


@pytest.mark.parametrize("told", [1, 3])
@pytest.mark.parametrize("name", ["castle-04", "whom-to-stop"])
def test_that_a_game_is_won_or_lost_is_no_limit(name: str, told: int) -> None:
    """Of a question that was stopped at once nothing is told; every game ends in one of them."""
    answer = winning(position(find(name)), told=told, budget=Limits(nodes=1))
    assert (answer.status, answer.value) == (Status.UNKNOWN, None)
    assert (answer.least, answer.most) == (None, None)
