"""First turns that are searched by workers: the same answers, lost workers, stops."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burgrave.model.files.positions import load_position
from burgrave.model.position import Position
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.pool import LostError, WorkersError, wanted_while
from burgrave.solver.problem import Goal, TileOrder, against
from burgrave.solver.questions import expected, forced, maximum, winning
from burgrave.solver.result import Answer, Status
from burgrave.solver.search import root
from burgrave.solver.search.engine import SearchEngine
from burgrave.solver.search.spread import FirstTurns, Opening, Spread, values_of
from tests.solver.plane_endings import ending as plane_ending

POSITIONS = Path(__file__).parents[2] / "benchmarks" / "positions"


class Workers:
    """Three workers in this process: tasks are done at once, their results are read later."""

    width, deaths = 3, 1

    def __init__(self, losses: int = 0) -> None:
        """Let the first so many tasks be lost."""
        self.losses = losses
        self.tasks = 0

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(args))))))
        return future

    def result(self, future: Future[Any]) -> Any:
        if self.losses:
            self.losses -= 1
            raise LostError
        return future.result()

    def cancel(self, futures: list[Future[Any]]) -> None:
        """Forget nothing: all is done."""


class Idle(Workers):
    """Workers that never end a task."""

    cancelled = 0

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return Future()

    def cancel(self, futures: list[Future[Any]]) -> None:
        self.cancelled += len(futures)


def forgotten(at: Position) -> Position:
    """Return a position of which the first tile alone is known."""
    return replace(at, order=at.order[:1], bag=tuple(sorted(at.order[1:])))


def said(answer: Answer) -> tuple[object, ...]:
    """Return the parts of an answer that do not depend on who searched."""
    return answer.status, answer.value, answer.odds, answer.complete, answer.first, answer.line


def ending(name: str) -> Position:
    """Return a frozen ending."""
    return load_position(POSITIONS / f"{name}.toml")


QUESTIONS: dict[str, Callable[[Limits], Answer]] = {
    "force": lambda limits: forced(ending("k2-1"), budget=limits),
    "force, every": lambda limits: forced(ending("k2-2"), every=True, budget=limits),
    "expect": lambda limits: expected(forgotten(ending("k2-3")), budget=limits),
    "win": lambda limits: winning(forgotten(ending("k2-3")), budget=limits),
    "max": lambda limits: maximum(ending("k2-1"), engine="search", budget=limits),
    "of three": lambda limits: forced(plane_ending(3, 2, 1500, players=3), budget=limits),
}


@pytest.mark.parametrize("question", list(QUESTIONS))
def test_workers_answer_the_same(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, all equally good first moves, and lines; a lost worker changes nothing."""
    monkeypatch.setattr(root, "SHORT", 0)  # workers search short questions too
    ask = QUESTIONS[question]
    pool = Workers(losses=2)
    assert said(ask(Limits(pool=pool))) == said(ask(Limits()))
    assert pool.tasks > 2


def test_workers_know_what_a_rehearsal_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else lines would be others of the same value."""
    monkeypatch.setattr(root, "REHEARSED", 5)
    at = ending("k5-2")
    assert said(forced(at, budget=Limits(pool=Workers()))) == said(forced(at, budget=Limits()))


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["k4-1", "k4-2", "k4-3", "k3-1", "k3-2"])
def test_workers_share_replies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second turn is worse, as good or better; a lost worker changes nothing."""
    monkeypatch.setattr(root, "REHEARSED", 3)
    at, pool = ending(name), Workers(losses=1)
    alone = forced(at, budget=Limits())
    shared: list[Any] = []
    real = Spread._divided
    monkeypatch.setattr(Spread, "_divided", lambda *a: shared.append(real(*a)) or shared[-1])
    assert said(forced(at, budget=Limits(pool=pool))) == said(alone)
    assert len(shared) == 2
    assert shared[0] is not None


def test_too_many_lost_workers_end_the_question() -> None:
    with pytest.raises(WorkersError, match="4 workers ended with the same"):
        forced(ending("k3-3"), budget=Limits(pool=Workers(losses=99)))


def test_the_time_ends_the_wait_for_workers() -> None:
    """Nothing is proved then, and nobody waits for the tasks."""
    pool = Idle()
    answer = forced(ending("k4-1"), budget=Limits(seconds=0.2, pool=pool))
    assert answer.status is Status.UNKNOWN
    assert pool.cancelled


def test_a_worker_stops_when_nobody_waits() -> None:
    """The ending would take minutes."""
    problem = against(ending("k9-1"), Goal.LEAD, TileOrder.GIVEN, every=False)
    opening = pickle.dumps(Opening(problem, SearchEngine().prunings, b""))
    with wanted_while(lambda: False), pytest.raises(OutOfTimeError):
        values_of(FirstTurns(opening, 0, (0,), 0, None, None))
