"""The same questions put to every engine, and what differs between the answers."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from burgrave.model.errors import QuestionError
from burgrave.model.position import Position
from burgrave.model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE, WALL_OWN_TURN_ONLY
from burgrave.solver.cpsat.base.connectivity import BY_RANK, BY_TURN
from burgrave.solver.cpsat.engine import PlayEngine
from burgrave.solver.engines import Engine, plays
from burgrave.solver.limits import Limits
from burgrave.solver.problem import TWO, Goal, Play, Problem, TileOrder
from burgrave.solver.questions import partial_answer
from burgrave.solver.questions.preconditions import admit
from burgrave.solver.result import (
    NOTHING,
    CertificateError,
    Result,
    RootMove,
    Status,
    TooLargeError,
    certify_first,
)
from burgrave.solver.search.by_rules import AlphabetaEngine, ExhaustiveEngine
from burgrave.solver.search.engine import SearchEngine, full_engine
from burgrave.solver.search.question import PRUNINGS
from tests.solver import plane_endings
from tests.solver.endings import ending, unknown

KEPT = 256
"""Replayed first moves, and partial answers, that are kept for the next engine."""
QUESTIONS = ("max", "force", "expect", "inflict")
"""The questions, by the names of the commands; ``inflict`` is asked by puzzles alone."""
GUARDED = {
    switch.name: switch.default
    for switch in (WALL_OWN_TURN_ONLY, WALL_DOUBLE_DECLARE, WALL_1_DECLARE)
}
"""Switches with which some questions are refused, and the values with which none is."""


def engines() -> dict[str, Engine]:
    """Return every engine that looks several turns ahead, under a name of its own."""
    return {
        "exhaustive": ExhaustiveEngine(),
        "alphabeta": AlphabetaEngine(),
        "search": SearchEngine(),
        "full": full_engine(),
        "plain": SearchEngine(name="plain", without=PRUNINGS),
        "time": PlayEngine(BY_TURN),
        "rank": PlayEngine(BY_RANK),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about a position."""

    name: str
    """One of ``QUESTIONS``."""
    problem: Problem

    def __str__(self) -> str:
        """Return the question in a line."""
        problem = self.problem
        asker = problem.position.game.players[problem.asker]
        parts = [f"{self.name} for {asker}: {problem.goal}, {problem.play}, {problem.order}"]
        parts += [f"{problem.horizon} tiles ahead"] if problem.horizon is not None else []
        parts += ["every first move"] if problem.every else []
        return ", ".join(parts)


def able(problem: Problem) -> dict[str, Engine]:
    """Return the engines that answer a problem, by name."""
    game = problem.position.game
    return {n: one for n, one in engines().items() if plays(n, game) and one.answers(problem)}


def questions(seed: int, most: int, *, falcon: bool = False) -> Iterator[Asked]:
    """Yield the questions about a random ending.

    Args:
        seed: another seed, another ending and other questions.
        most: lines to the end that the ending may have.
        falcon: whether it is one of The Castle with The Falcon.

    """
    at = ending(seed, most, falcon=falcon)
    rng = random.Random(f"questions about {seed}")
    forgotten = unknown(at, rng, 3 * most)
    helped = (Play.HELPED, Play.SOLITAIRE)
    # Of one kind of question the constraint models answer each; the others vary more.
    plain = rng.choice((Goal.POINTS, Goal.LEAD))
    yield _asked("max", at, rng, plain, rng.choice(helped), TileOrder.GIVEN, every=False)
    goal = rng.choice((Goal.POINTS, Goal.LEAD, Goal.WIN))
    order = rng.choice((TileOrder.GIVEN, TileOrder.CHOOSE, TileOrder.ANY))
    where = at if order is TileOrder.GIVEN else forgotten
    yield _asked("max", where, rng, goal, rng.choice(helped), order, every=rng.random() < 0.5)
    goal = rng.choice((Goal.LEAD, Goal.LEAD, Goal.WIN))
    every = rng.random() < 0.4
    yield _asked("force", at, rng, goal, Play.AGAINST, TileOrder.GIVEN, every=every)
    goal = rng.choice((Goal.LEAD, Goal.LEAD, Goal.WIN))
    order = rng.choice((TileOrder.CHANCE,) * 4 + (TileOrder.ANY, TileOrder.CHOOSE))
    every = rng.random() < 0.5
    yield _asked("expect", forgotten, rng, goal, Play.AGAINST, order, every=every)
    every = rng.random() < 0.5
    yield _asked("inflict", at, rng, Goal.THEIRS, Play.AGAINST, TileOrder.GIVEN, every=every)


def plane_questions(seed: int, most: int, *, inns: bool = False) -> Iterator[Asked]:
    """Yield the questions about a random ending of Carcassonne or, mostly, The Tower.

    Args:
        seed: another seed, another ending and other questions.
        most: lines to the end that the ending may have.
        inns: whether Inns & Cathedrals is played too.

    """
    rng = random.Random(f"questions about the plane {seed}")
    players, tiles = rng.randint(2, 6), rng.randint(1, 3)
    if rng.random() < 0.6:
        at = plane_endings.besieged(seed, tiles, most, players=players, inns=inns)
    else:
        tower = rng.random() < 0.5
        at = plane_endings.ending(seed, tiles, most, players=players, tower=tower, inns=inns)
    plain = rng.choice((Goal.POINTS, Goal.LEAD))
    play = rng.choice((Play.HELPED, Play.SOLITAIRE))
    problem = replace(plane_endings.asked(at, rng), position=at, goal=plain, play=play)
    asker = rng.randrange(players)
    given = replace(problem, asker=asker, order=TileOrder.GIVEN, horizon=None, every=False)
    yield Asked(name="max", problem=given)
    for _ in range(2):
        problem = plane_endings.asked(at, rng)
        helped = problem.play in {Play.HELPED, Play.SOLITAIRE}
        known = problem.order is TileOrder.GIVEN
        yield Asked(name="max" if helped else "force" if known else "expect", problem=problem)
    if players == TWO:
        every = rng.random() < 0.5
        yield _asked("inflict", at, rng, Goal.THEIRS, Play.AGAINST, TileOrder.GIVEN, every=every)


def _asked(  # noqa: PLR0913, PLR0917 -- all that makes a question
    name: str,
    at: Position,
    rng: random.Random,
    goal: Goal,
    play: Play,
    order: TileOrder,
    *,
    every: bool,
) -> Asked:
    """Return a question whose asker and horizon are decided by chance."""
    mover = rng.random() < 0.7
    left = len(at.order) + len(at.bag)
    problem = Problem(
        position=at,
        asker=at.to_move if mover else 1 - at.to_move,
        goal=goal,
        play=play,
        order=order,
        horizon=rng.randint(1, left + 1) if rng.random() < 0.25 else None,
        every=every,
    )
    return Asked(name=name, problem=_admitted(problem))


def _admitted(problem: Problem) -> Problem:
    """Return the problem, with the default of some switches where it would be refused."""
    try:
        admit(problem)
    except QuestionError:
        game = problem.position.game.with_switches(GUARDED)
        problem = replace(problem, position=replace(problem.position, game=game))
        admit(problem)
    return problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer of an engine."""

    result: Result
    seconds: float
    """Processor time."""

    @property
    def proved(self) -> bool:
        """Whether the answer is said to be proved."""
        return self.result.status is Status.OPTIMAL


def ask(engine: Engine, problem: Problem, budget: Limits) -> Answered:
    """Let an engine answer a problem within a budget of its own."""
    started = time.process_time()
    try:
        result = engine.solve(problem, budget)
    except TooLargeError:
        result = NOTHING
    return Answered(result=result, seconds=time.process_time() - started)


def solved(engine: Engine, problem: Problem) -> Answered:
    """Return an engine's answer, which must be proved."""
    answer = ask(engine, problem, Limits())
    assert answer.proved
    return answer


def value(engine: Engine, problem: Problem) -> Fraction:
    """Return the value of a problem by an engine."""
    worth = solved(engine, problem).result.value
    assert worth is not None
    return worth


def asked_for(at: Position, goal: Goal, play: Play, order: TileOrder = TileOrder.GIVEN) -> Problem:
    """Return a question of the player to move."""
    return Problem(
        position=at,
        asker=at.to_move,
        goal=goal,
        play=play,
        order=order,
    )


class Compared(NamedTuple):
    """Two answers side by side."""

    engines: tuple[str, str]
    what: str
    """``value``, ``moves`` (of the best first moves) or ``every`` (of all of them)."""
    wrong: str
    """What differs, in words; empty if nothing does."""


def compare(problem: Problem, answers: dict[str, Answered]) -> Iterator[Compared]:
    """Compare each pair of proved answers to a problem."""
    proved = {name: answer.result for name, answer in answers.items() if answer.proved}
    for one, other in combinations(proved, 2):
        yield from _pair(problem, (one, other), (proved[one], proved[other]))


def _pair(
    problem: Problem, names: tuple[str, str], found: tuple[Result, Result]
) -> Iterator[Compared]:
    """Compare two proved answers: values, and the first moves that both report."""
    values = [result.value for result in found]
    wrong = f"value {values[0]} and {values[1]}" if values[0] != values[1] else ""
    yield Compared(names, "value", wrong)
    listed = [[(first.move, first.value) for first in result.first] for result in found]
    whole = [result.complete for result in found]
    if not any(whole) or not all(listed):
        return
    fewer, more = sorted(range(2), key=lambda index: whole[index])
    if all(whole):
        wrong = _lists_differ(listed[0], listed[1])
    else:
        stray = [move for move in listed[fewer] if move not in listed[more]]
        wrong = f"{names[fewer]} has {stray[0]}, {names[more]} has not" if stray else ""
    yield Compared(names, "every" if problem.every else "moves", wrong)


def _lists_differ(one: Sequence[object], other: Sequence[object]) -> str:
    """Return in words where two lists of first moves differ first; nothing if they do not."""
    if one == other:
        return ""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} first moves"
    at, (mine, theirs) = next(
        (at, pair) for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]
    )
    return f"first move {at}: {mine} and {theirs}"


@lru_cache(maxsize=KEPT)
def _fault(problem: Problem, first: RootMove) -> str:
    """Return the fault of a first move and its line, replayed by the rules; empty if it has none.

    Several engines give the same one.
    """
    try:
        certify_first(problem, first)
    except CertificateError as error:
        return str(error)
    return ""


@lru_cache(maxsize=KEPT)
def _known(problem: Problem, found: Result) -> Result:
    """Return the partial answer of a stopped search; several engines stop with the same result."""
    *_, told = partial_answer.known(problem, found)
    return told


def broken_lines(problem: Problem, result: Result) -> Iterator[str]:
    """Yield the faults of an answer's first moves and lines, replayed by the rules."""
    yield from filter(None, (_fault(problem, first) for first in result.first))
    values = [first.value for first in result.first]
    known = problem.order is TileOrder.GIVEN
    if known and values and result.value not in values:
        yield f"no first move is worth {result.value}"
    if known and not problem.every and set(values) - {result.value}:
        yield f"of first moves worth {result.value} alone, some are worth {set(values)}"


def broken_bound(
    engine: Engine, problem: Problem, answer: Answered, rng: random.Random
) -> Iterator[str]:
    """Yield the faults of an engine's answer when it is stopped early.

    Args:
        engine: the engine.
        problem: a problem.
        answer: its proved answer.
        rng: decides when it is stopped.

    """
    nodes = rng.randint(0, answer.result.nodes)
    cut = ask(engine, problem, Limits(nodes=nodes)).result
    yield from broken_lines(problem, cut)
    value, whole = cut.value, answer.result.value
    assert whole is not None
    if cut.status is Status.OPTIMAL and value != whole:
        yield f"after {nodes} turns {value} is said to be proved, and it is {whole}"
    if cut.status is Status.BOUND and (value is None or value > whole):
        yield f"after {nodes} turns the asker is said to have {value}, and he can have {whole}"
    if cut.status is Status.UNKNOWN and (value is not None or cut.first):
        yield f"after {nodes} turns nothing is said to be known, but {value} is told"
    if cut.complete and cut.status is not Status.OPTIMAL and cut.first:
        yield f"after {nodes} turns all good first moves are said to be there"
    if cut.status is not Status.OPTIMAL:
        for words in broken_limits(problem, _known(problem, replace(cut, nodes=0)), whole):
            yield f"after {nodes} turns {words}"


def broken_limits(problem: Problem, told: Result, whole: Fraction) -> Iterator[str]:
    """Yield the faults of the partial answer of a stopped search.

    Args:
        problem: the problem.
        told: its partial answer.
        whole: its value.

    """
    least, most = told.least, told.most
    if (least is not None and least > whole) or (most is not None and most < whole):
        yield f"the value is said to be between {least} and {most}, and it is {whole}"
    if told.status is Status.OPTIMAL and told.value != whole:
        yield f"{told.value} is said to be proved by limits, and it is {whole}"
    if told.value is not None and told.value > whole:
        yield f"the asker is said to have {told.value}, and he can have {whole}"
    helped = problem.play in {Play.HELPED, Play.SOLITAIRE}
    settled = helped and problem.order in {TileOrder.GIVEN, TileOrder.CHOOSE}
    # Where the kernel refuses a position, a first move is guessed and no line played.
    if settled and told.value is None and not told.guess:
        yield "no line is known"
    if not told.first and not told.guess:
        yield "no first move is known"
    yield from broken_lines(problem, told)
    guesses = (RootMove(move=move, value=Fraction(0)) for move in told.guess)
    yield from filter(None, (_fault(problem, guess) for guess in guesses))
