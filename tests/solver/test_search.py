"""The compiled search: what it leaves out, its threads, and how it is stopped."""

from __future__ import annotations

import gc
import os
import random
import signal
import threading
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from burgrave.model.draws import draws
from burgrave.model.engine import legal_moves, play
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import load_position
from burgrave.model.position import Position
from burgrave.model.registry import CASTLE
from burgrave.model.switches import END_TILE_ONCE_PER_FEATURE
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.kernel.castle_turns import PASS
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import turns
from burgrave.solver.kernel.job import NONE
from burgrave.solver.kernel.search import first_value
from burgrave.solver.limits import Limits, OutOfTimeError, Reporter
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import ahead, expected, forced, maximum, winning
from burgrave.solver.questions.game import able_engines
from burgrave.solver.result import Answer, Result, Status, TooLargeError
from burgrave.solver.search import question
from burgrave.solver.search import root as searching
from burgrave.solver.search.engine import SearchEngine
from burgrave.solver.search.question import INFINITY, PRUNINGS, bits_of, job_of
from burgrave.solver.search.root import Root
from tests.solver.endings import ending, falcon_castle
from tests.solver.plane_endings import asked, besieged
from tests.solver.plane_endings import ending as plane_ending
from tests.solver.questioning import GUARDED, plane_questions, questions

POSITIONS = Path(__file__).parents[2] / "benchmarks" / "positions"
LITTLE = 60
"""Megabytes."""
LINES = 1500
"""Lines to the end of an ending."""


def told(found: Result) -> tuple[object, ...]:
    """Return the parts of an answer that do not depend on the search."""
    return found.status, found.value, [(one.move, one.value) for one in found.first]


def bears(name: str, problem: Problem) -> bool:
    """Tell whether a pruning may leave anything out of the search of a problem."""
    if problem.play is Play.EACH:
        return name == "merged"
    in_a_castle = problem.position.game.id in {CASTLE, "castle+falcon"}
    return {
        "star": problem.order is TileOrder.CHANCE,
        "bound": problem.play in {Play.HELPED, Play.SOLITAIRE} and not in_a_castle,
        "hopeless": in_a_castle,
        "transpositions": problem.order is not TileOrder.GIVEN,
    }.get(name, True)


def without_each(problem: Problem) -> None:
    """Assert that with any one pruning turned off the answer is the same.

    Those that cannot bear on the problem are turned off all at once, and save no turn.
    """
    found = SearchEngine().solve(problem)
    whole = told(found)
    assert whole[0] is Status.OPTIMAL
    idle = [name for name in PRUNINGS if not bears(name, problem)]
    if idle:
        other = SearchEngine(without=idle).solve(problem)
        assert (told(other), other.nodes) == (whole, found.nodes), f"without {idle}: {problem}"
    for name in PRUNINGS:
        if name not in idle:
            assert told(SearchEngine(without=(name,)).solve(problem)) == whole, (
                f"without {name}: {problem}"
            )


@pytest.mark.parametrize("falcon", [False, True])
@pytest.mark.parametrize("seed", range(700, 712))
def test_prunings_change_no_answer_in_castles(seed: int, *, falcon: bool) -> None:
    """With The Falcon and without, in halls and the castle, with random switches."""
    for one in questions(seed, LINES, falcon=falcon):
        if SearchEngine().answers(one.problem):
            without_each(one.problem)


@pytest.mark.parametrize("seed", range(700, 712))
def test_prunings_change_no_answer_on_the_plane(seed: int) -> None:
    """Of Carcassonne and The Tower, with 2 to 6 players, guards and prisoners."""
    for one in plane_questions(seed, LINES):
        without_each(one.problem)


@pytest.mark.parametrize("seed", range(4))
def test_prunings_change_no_answer_on_a_whole_board(seed: int) -> None:
    """The last two tiles on the board of The Falcon; the last two of The Tower from a bag."""
    at = falcon_castle(seed, 2)
    at = replace(at, game=at.game.with_switches(GUARDED))
    without_each(problem_of(at, Goal.WIN if seed % 2 else Goal.LEAD))
    without_each(replace(asked(besieged(seed, 2, 2000), random.Random(seed)), horizon=None))


@pytest.mark.long
@pytest.mark.parametrize("order", [TileOrder.GIVEN, TileOrder.CHANCE])
@pytest.mark.parametrize("name", ["k5-1", "k6-4", "k7-1", "k8-1", "k9-2", "falcon-k4-2"])
def test_prunings_change_no_first_move_in_a_full_castle(name: str, order: TileOrder) -> None:
    """The last two tiles after random turns, known or not, and the value of each first move."""
    at, rng = load_position(POSITIONS / f"{name}.toml"), random.Random(name)
    while len(at.order) > 2:
        at = play(at, rng.choice(list(legal_moves(at, next(draws(at)).tile)))).position
    if order is TileOrder.CHANCE:
        at = replace(at, order=(), bag=tuple(sorted(at.order)))
    without_each(replace(problem_of(at, order=order), every=True))


@pytest.mark.parametrize(
    ("name", "seed", "tiles", "aim"),
    [
        # A last turn may complete a house that wall tiles 6 score; the others leave it open.
        ("k5-4", 28, ((6, 6, 7, 8), (7,)), Play.AGAINST),
        # Once a path is complete, its wall tile 4 scores another path.
        ("k5-1", 90012, ((4, 7, 8, 9), (4, 6, 7, 8)), Play.SOLITAIRE),
    ],
)
def test_last_turns_may_complete_what_counts_at_the_end(
    name: str, seed: int, tiles: tuple[tuple[int, ...], ...], aim: Play
) -> None:
    """The value of each first move, two tiles before the end, with many wall tiles in hand."""
    at, rng = load_position(POSITIONS / f"{name}.toml"), random.Random(seed)
    rng.randrange(19)  # the comparison that found the positions drew one of 19 files
    while len(at.order) > 2:
        at = play(at, rng.choice(list(legal_moves(at, next(draws(at)).tile)))).position
    players = [replace(one, wall_tiles=held) for one, held in zip(at.players, tiles, strict=True)]
    goal = Goal.LEAD if aim is Play.AGAINST else Goal.POINTS
    problem = problem_of(replace(at, players=tuple(players)), goal)
    problem = replace(problem, asker=1, play=aim, every=True)
    whole = told(SearchEngine(without=("last",)).solve(problem))
    assert told(SearchEngine().solve(problem)) == whole
    assert told(SearchEngine(without=("hopeless",)).solve(problem)) == whole


@pytest.mark.parametrize("once", ["on", "off"])
@pytest.mark.parametrize("seed", range(12))
def test_equal_wall_tiles_change_no_bound_of_a_last_turn(seed: int, once: str) -> None:
    """Two of a kind score one feature or two at the end, and by a switch one feature twice."""
    rng = random.Random(seed)
    at = load_position(POSITIONS / f"{rng.choice(['k5-1', 'k5-4', 'k6-2', 'k6-4'])}.toml")
    while len(at.order) > 2:
        at = play(at, rng.choice(list(legal_moves(at, next(draws(at)).tile)))).position
    twice, other = rng.sample((4, 5, 6, 7), 2)
    hands = rng.sample([(twice, twice), tuple(sorted((twice, other)))], 2)
    players = [replace(one, wall_tiles=held) for one, held in zip(at.players, hands, strict=True)]
    game = at.game.with_switches({END_TILE_ONCE_PER_FEATURE.name: once})
    at = replace(at, game=game, players=tuple(players), towers=(), spent=())
    problem = replace(problem_of(at), every=True)
    whole = told(SearchEngine(without=("last",)).solve(problem))
    assert told(SearchEngine().solve(problem)) == whole
    assert told(SearchEngine(without=("hopeless", "answered")).solve(problem)) == whole


def test_the_wall_tile_that_a_reply_gives_counts_for_the_turn_before() -> None:
    """Whoever gets the wall tile may score the follower that he placed the turn before."""
    at = ending(368, LINES * 2)
    held = [replace(one, wall_tiles=(4,), score=30) for one in at.players]
    held[at.to_move] = replace(held[at.to_move], wall_tiles=(), score=14)
    towers = tuple((name, 4) for name, _ in at.towers)
    at = replace(at, players=tuple(held), towers=towers, order=(at.order[-2], "K00"))
    problem, opened = problem_of(at), Opened(at, shown=True)
    state, tables, kind = opened.state, opened.tables, opened.kind("K00")
    state.now.mover = 1 - at.to_move  # the turn without a tile hands over again
    job = job_of(problem, opened, bits_of(set(PRUNINGS) - {"answered"}))
    best = first_value(state, tables, job, PASS, False, 1, -INFINITY, INFINITY)
    job = job_of(problem, opened, bits_of(PRUNINGS))
    replies = job.out[: turns(state, tables, kind, True, False, job.out, job.hints, 0)].tolist()
    assert replies
    for reply in replies:
        job.kept[:] = NONE
        job.kept[0, kind, 0] = reply
        assert first_value(state, tables, job, PASS, False, 1, best - 1, best) == best


@pytest.mark.parametrize("name", sorted(path.stem for path in POSITIONS.glob("plane-*.toml")))
def test_prunings_change_no_first_move_on_a_full_plane(name: str) -> None:
    """The first two tiles of a bag, and the value of each first move."""
    at = load_position(POSITIONS / f"{name}.toml")
    at = replace(at, bag=at.bag[:2])
    without_each(replace(problem_of(at, order=TileOrder.CHANCE), every=True))


def problem_of(at: Position, goal: Goal = Goal.LEAD, order: TileOrder = TileOrder.GIVEN) -> Problem:
    """Return the question for the value that the player to move can force."""
    return Problem(
        position=at,
        asker=at.to_move,
        goal=goal,
        play=Play.AGAINST,
        order=order,
    )


@pytest.mark.parametrize(
    ("name", "first"), [("k3-4", "search"), ("k3-2", "time"), ("k6-1", "time")]
)
def test_a_maximum_of_many_lines_is_asked_of_a_model_first(name: str, first: str) -> None:
    """What decides is how many turns there are with each tile, not how many tiles."""
    problem = problem_of(load_position(POSITIONS / f"{name}.toml"), Goal.POINTS)
    assert next(able_engines(replace(problem, play=Play.HELPED))).name == first


def test_no_turns_allowed_are_none_with_patience_too() -> None:
    """The engine that is asked before a model reads the limit as given."""
    problem = problem_of(load_position(POSITIONS / "k3-1.toml"), Goal.POINTS)
    found = SearchEngine(patience=1000).solve(replace(problem, play=Play.HELPED), Limits(nodes=0))
    assert found.status is not Status.OPTIMAL
    assert found.nodes <= 1


def forgotten(at: Position) -> Position:
    """Return a position of which the first tile alone is known."""
    return replace(at, order=at.order[:1], bag=tuple(sorted(at.order[1:])))


def said(answer: Answer) -> tuple[object, ...]:
    """Return the parts of an answer that do not depend on the threads."""
    first = [(one.move, one.value) for one in answer.first]
    return answer.status, answer.value, answer.odds, answer.complete, first, answer.line


@pytest.mark.long
def test_answers_are_the_same_with_any_number_of_threads() -> None:
    """Values, all equally good first moves, and the line told."""
    three, two = (load_position(POSITIONS / f"{name}.toml") for name in ("k3-3", "k2-2"))
    one, more = Limits(jobs=1), Limits(jobs=3)
    assert said(expected(forgotten(three), budget=more)) == said(
        expected(forgotten(three), budget=one)
    )
    assert said(forced(three, budget=more)) == said(forced(three, budget=one))
    assert said(forced(three, every=True, budget=more)) == said(
        forced(three, every=True, budget=one)
    )
    assert said(winning(forgotten(two), budget=more)) == said(winning(forgotten(two), budget=one))
    assert said(ahead(three, 1, budget=more)) == said(ahead(three, 1, budget=one))
    several = plane_ending(3, 2, LINES, players=3)
    assert said(forced(several, budget=more)) == said(forced(several, budget=one))


def test_a_stop_between_two_first_turns_is_no_proof() -> None:
    """A thread that is stopped while it takes the next turn has not searched all."""
    at = load_position(POSITIONS / "k2-1.toml")
    root = Root(problem_of(at), Limits().start(), Reporter(), bits_of(PRUNINGS))

    def stopped() -> None:
        """Work when the time is up already."""
        root._halt()
        root._work()

    with pytest.raises(OutOfTimeError):
        root._run(stopped, 1)


def test_a_stop_just_before_a_line_is_heard() -> None:
    """Ctrl-C is told once: the search of a line that begins after it plays no turns."""
    root = Root(
        problem_of(load_position(POSITIONS / "k4-1.toml")),
        Limits().start(),
        Reporter(),
        bits_of(PRUNINGS),
    )
    root.result()
    (draw,), before = root.draws, root.nodes
    index = next(index for index, value in draw.values.items() if value == draw.best)

    def stopped() -> None:
        """Look for the line when the stop was told already."""
        root._halt()
        list(root._line(draw, draw.turns[index], draw.values[index]))

    with pytest.raises(OutOfTimeError):
        root._run(stopped, 1)
    assert root.nodes <= before + 1


def test_a_rehearsal_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, all equally good first moves, and their lines."""
    for name in ("k5-2", "k5-3"):
        problem = problem_of(load_position(POSITIONS / f"{name}.toml"))
        found = SearchEngine().solve(problem)
        with monkeypatch.context() as patch:
            patch.setattr(searching, "REHEARSED", 5)
            other = SearchEngine().solve(problem)
        assert other.nodes != found.nodes
        assert told(other) == told(found)
        assert [one.line for one in other.first] == [one.line for one in found.first]


def without_end() -> Problem:
    """Return the question of a whole game: no search comes to the end of a first turn."""
    return problem_of(new_position(shipped_game("castle"), random.Random(3)))


def test_a_line_takes_few_turns_more_than_its_value() -> None:
    """Each step keeps the value; no step compares all turns anew."""
    problem = problem_of(load_position(POSITIONS / "k4-2.toml"))
    found = SearchEngine().solve(problem)
    limited = SearchEngine().solve(problem, Limits(nodes=found.nodes + found.nodes // 50))
    assert [len(one.line) for one in limited.first] == [4]
    assert [one.line for one in limited.first] == [one.line for one in found.first]


class Impatient(Reporter):
    """Somebody who presses Ctrl-C as soon as something is found."""

    def found(self, value: object) -> None:
        raise KeyboardInterrupt


def test_lines_of_many_first_moves_take_little_memory() -> None:
    """The search of a line is forgotten before the next; each holds 13 MB."""
    two = load_position(POSITIONS / "k2-2.toml")
    last = play(two, next(iter(legal_moves(two)))).position
    forced(last)  # compiles
    tracemalloc.start()
    try:
        found = forced(last, every=True, budget=Limits(jobs=1))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.first) > LITTLE // 5
    assert most < LITTLE * 1_000_000


def test_an_early_stop_tells_a_bound() -> None:
    """What the player to move has at least, by the first turns that were finished."""
    at = forgotten(load_position(POSITIONS / "k3-3.toml"))
    answer = expected(at, budget=Limits(jobs=2), reporter=Impatient())
    assert (answer.status, answer.complete) == (Status.BOUND, False)
    whole = {one.move: one.value for one in expected(at).first}
    assert answer.first
    assert all(whole[one.move] == one.value for one in answer.first)
    assert answer.value == max(one.value for one in answer.first)


def test_a_stopped_search_leaves_memory_at_once() -> None:
    """A ring of references would keep its tables until Python looks for rings."""
    problem = without_end()
    gc.collect()
    gc.disable()
    try:
        assert SearchEngine().solve(problem, Limits(nodes=1)).status is not Status.OPTIMAL
        assert not [one for one in gc.get_objects() if issubclass(type(one), Root)]
    finally:
        gc.enable()


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_search_at_once(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a first turn; no thread is left."""
    problem = without_end()
    SearchEngine().solve(problem, Limits(nodes=1))
    before = set(threading.enumerate())
    begun, after = threading.Semaphore(0), Root._after

    def begin(*means: Any) -> int:
        begun.release()
        return after(*means)

    def press() -> None:
        for _ in range(jobs):
            begun.acquire()
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Root, "_rehearses", lambda _: False)
    monkeypatch.setattr(Root, "_after", begin)
    presser = threading.Thread(target=press)
    presser.start()
    found = SearchEngine().solve(problem, Limits(jobs=jobs))
    presser.join()
    assert found.status is Status.UNKNOWN
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("just_begun", [True, False])
def test_ctrl_c_may_come_while_threads_are_started(
    monkeypatch: pytest.MonkeyPatch, *, just_begun: bool
) -> None:
    """Those that have begun end, one just begun too; that others have not is no error."""
    problem = without_end()
    begun, start = [], threading.Thread.start

    def once(thread: threading.Thread) -> None:
        if not begun:
            begun.append(thread)
            start(thread)
            if not just_begun:
                return
        raise KeyboardInterrupt

    monkeypatch.setattr(Root, "_rehearses", lambda _: False)
    monkeypatch.setattr(threading.Thread, "start", once)
    found = SearchEngine().solve(problem, Limits(jobs=2))
    assert (found.status, begun[0].is_alive()) == (Status.UNKNOWN, False)


def test_the_time_ends_the_search(
    monkeypatch: pytest.MonkeyPatch, an_hour_passes: Callable[[], None]
) -> None:
    """Within a first turn: threads look at the clock while they search."""
    problem = without_end()
    SearchEngine().solve(problem, Limits(nodes=1))
    after = Root._after

    def begun(*means: Any) -> int:
        an_hour_passes()
        return after(*means)

    monkeypatch.setattr(Root, "_rehearses", lambda _: False)
    monkeypatch.setattr(Root, "_after", begun)
    found = SearchEngine().solve(problem, Limits(seconds=600, jobs=2))
    assert found.status is Status.UNKNOWN


def test_what_is_too_large_is_answered_by_another_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether it shows before the search or in it; asked by name, the search says so."""
    at = forgotten(ending(301, 60))
    at = replace(at, game=at.game.with_switches(GUARDED))
    whole = expected(at)
    assert whole.engine == "search"

    def full(*_: object) -> object:
        raise TooLargeError

    with monkeypatch.context() as patched:
        patched.setattr("burgrave.solver.search.root.job_of", full)
        answer = expected(at)
        assert answer.engine == "exhaustive"
        assert (answer.value, answer.first) == (whole.value, whole.first)
        with pytest.raises(Exception, match="too large for search"):
            expected(at, engine="search")
    monkeypatch.setattr(question, "ROOM_FOR_SCALE", 1)
    assert expected(at).engine == "exhaustive"


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_the_best_order_is_the_best_of_all_orders(seed: int) -> None:
    """``choose`` finds what the best of all known orders gives, by the search and by the model."""
    at = ending(seed, 60)
    given = [
        maximum(replace(at, order=order), engine="search").value
        for order in dict.fromkeys(permutations(at.order))
    ]
    bag = replace(at, order=(), bag=tuple(sorted(at.order)))
    best = max(value for value in given if value is not None)
    for engine in ("search", "time"):
        assert maximum(bag, order=TileOrder.CHOOSE, engine=engine).value == best
