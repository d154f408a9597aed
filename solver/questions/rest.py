"""Questions about the rest of a game: the most that can be, what is forced, what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from model.draws import surely_placeable
from model.errors import QuestionError
from model.final import final_scoring
from model.naming import quoted, suggestion
from model.position import Move, Position
from solver.answers import Status
from solver.budget import Budget
from solver.certify import CertificateError, certify_all
from solver.outlook import (
    Finding,
    First,
    Goal,
    Order,
    Outlook,
    OutlookEngine,
    Play,
    Task,
    TooLargeError,
    odds,
)
from solver.progress import Reporter
from solver.questions.gate import admit
from solver.questions.stopped import Known, solved
from solver.repertoire import plays, refuse_unknown
from solver.search.engine import SEARCH, SearchEngine, full_engine

OUTLOOK_ENGINES = (
    SEARCH,
    "full",
    "time",
    "rank",
    "exhaustive",
)
"""The engines that answer questions about the rest of a game."""
FEW = 2
"""Tiles for which a maximum is searched: that is done before a model is built. Of more the search
plays too many turns, as nobody plays against the asker."""
PROVING = frozenset(("time", "rank"))
"""The engines that prove a maximum by constraints."""
NO_LIMIT = Budget()
SILENT = Reporter()
TWO = 2
"""Players who play against each other; of more each plays for himself."""


def maximum(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    asker: int | None = None,
    goal: Goal = Goal.POINTS,
    play: Play = Play.HELPED,
    order: Order = Order.GIVEN,
    engine: str | None = None,
    certify: bool = False,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Outlook:
    """Return the most that any play can reach for a player.

    Args:
        position: the position before the turn.
        asker: the player who wants much; the one to move by default.
        goal: his final score, or his lead.
        play: whether both players help, or every turn to come is his.
        order: the known order of the tiles, the best one of the bag, or the worst one.
        engine: the engine that answers; None for the one that suits the question.
        certify: whether a second engine must come to the same value.
        budget: the time and effort allowed, of each engine.
        reporter: hears every better value.

    Raises:
        QuestionError: something that decides is not known; ``play`` is against the asker or
            the order left to chance; no such engine, or it does not answer this question.

    """
    if play not in {Play.HELPED, Play.SOLITAIRE} or order is Order.CHANCE:
        raise QuestionError("a maximum is helped or solitaire, with the order given, chosen or any")
    task = Task(
        position=position,
        asker=position.to_move if asker is None else asker,
        goal=goal,
        play=play,
        order=order,
        watch=budget.start(),
        reporter=reporter,
    )
    return answer(task, engine, certify=certify)


def forced(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    every: bool = False,
    told: int | None = None,
    engine: str | None = None,
    certify: bool = False,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Outlook:
    """Return the lead that the player to move can force to the end, with best play of both.

    Args:
        position: a position whose tiles to come are all in known order.
        every: whether each first move is wanted with its value, and not the best alone.
        told: first moves that are told at most; None for all.
        engine: the engine that answers; None for the one that suits the question.
        certify: whether a second engine must come to the same value.
        budget: the time and effort allowed, of each engine.
        reporter: hears every better lead that is found.

    Raises:
        QuestionError: the order of the tiles or a wall tile is not known; the opponent
            decides about his wall tiles within the turn; no such engine.

    """
    task = _against(position, Goal.LEAD, Order.GIVEN, budget, reporter)
    return answer(replace(task, every=every, told=told), engine, certify=certify)


def forced_alone(
    position: Position, likely: Sequence[Move] = (), budget: Budget = NO_LIMIT
) -> Outlook:
    """Return the lead that the player to move can force, if one first move alone does it.

    Args:
        position: a position whose tiles to come are all in known order.
        likely: first moves that may be as good.
        budget: the time and effort allowed.

    Returns:
        The answer; where several first moves are as good it may be a bound, and two are told.

    Raises:
        QuestionError: as for ``forced``.

    """
    task = _against(position, Goal.LEAD, Order.GIVEN, budget, SILENT)
    return answer(replace(task, told=TWO, sole=True, likely=tuple(likely)))


def expected(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    every: bool = True,
    engine: str | None = None,
    certify: bool = False,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Outlook:
    """Return the exact expected lead of each first move, with best play of both.

    Tiles in the bag come in any order with equal probability; a face-down wall tile has each
    unseen number with equal probability.

    Args:
        position: the position before the turn; tiles in known order come first.
        every: whether each first move is wanted with its value, and not the best alone.
        engine: the engine that answers; None for the one that suits the question.
        certify: whether a second engine must come to the same value.
        budget: the time and effort allowed, of each engine.
        reporter: hears how it goes on.

    Raises:
        QuestionError: the opponent decides about his wall tiles within the turn; a wall tile
            must be declared before an unknown draw; no such engine.

    """
    task = _against(position, Goal.LEAD, _unknown(position), budget, reporter)
    return answer(replace(task, every=every), engine, certify=certify)


def winning(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    told: int | None = None,
    engine: str | None = None,
    certify: bool = False,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Outlook:
    """Return win, draw or loss for the player to move, or the probability of each.

    Best play makes the probability of winning less that of losing as large as can be; among
    equals the player to move prefers a decision and his opponent a draw.

    Args:
        position: the position before the turn.
        told: first moves that are told at most; None for all.
        engine: the engine that answers; None for the one that suits the question.
        certify: whether a second engine must come to the same value.
        budget: the time and effort allowed, of each engine.
        reporter: hears how it goes on.

    Raises:
        QuestionError: as for ``expected``.

    """
    task = _against(position, Goal.WIN, _unknown(position), budget, reporter)
    return answer(replace(task, told=told), engine, certify=certify)


def ahead(  # noqa: PLR0913 -- a question with its means
    position: Position,
    tiles: int,
    *,
    every: bool = False,
    told: int | None = None,
    engine: str | None = None,
    certify: bool = False,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Outlook:
    """Return the first moves that are best for the lead some tiles later.

    The lead is that on the track once this tile and ``tiles`` more were drawn, with best play
    of both for it; where the game is over by then, it is the lead after final scoring.

    Args:
        position: the position before the turn.
        tiles: tiles to look ahead beyond the one to be laid; 0 looks at this turn alone.
        every: whether each first move is wanted with its value, and not the best alone.
        told: first moves that are told at most; None for all.
        engine: the engine that answers; None for the one that suits the question.
        certify: whether a second engine must come to the same value.
        budget: the time and effort allowed, of each engine.
        reporter: hears how it goes on.

    Raises:
        QuestionError: as for ``expected``; ``tiles`` is negative.

    """
    if tiles < 0:
        raise QuestionError(f"{tiles} tiles ahead: give 0 or more")
    # The last turn goes on over tiles without a place: it reaches the bag if none has one.
    if any(surely_placeable(position, tile, tiles) for tile in position.order[tiles:]):
        position = replace(position, order=(*position.order, *position.bag), bag=())
    order = _unknown(position)
    task = _against(position, Goal.LEAD, order, budget, reporter)
    return answer(replace(task, horizon=tiles + 1, every=every, told=told), engine, certify=certify)


def _unknown(position: Position) -> Order:
    """Return how the order of a position has to be taken: known or by chance."""
    hidden = any(not number for _, number in position.towers)
    return Order.CHANCE if position.bag or hidden else Order.GIVEN


def _against(
    position: Position, goal: Goal, order: Order, budget: Budget, reporter: Reporter
) -> Task:
    """Return the task of the player to move against his opponent, or among several of them."""
    return Task(
        position=position,
        asker=position.to_move,
        goal=goal,
        play=Play.EACH if len(position.players) > TWO else Play.AGAINST,
        order=order,
        watch=budget.start(),
        reporter=reporter,
    )


def answer(task: Task, engine: str | None = None, *, certify: bool = False) -> Outlook:
    """Answer a question about the rest of a game.

    Args:
        task: the question.
        engine: the engine that answers; None for the one that suits the question.
        certify: whether a second engine must come to the same value.

    Returns:
        The answer; every first move shown was tried by the rules engine, and every line that
        is told to the end was replayed by it.

    Raises:
        QuestionError: the question has no answer, or the engine does not answer it.
        CertificateError: two engines differ, or a line does not end as was claimed: a bug.

    """
    admit(task)
    position = task.position
    if position.over:
        totals = final_scoring(position).scores
        value = Fraction(task.worth(*totals))
        known = Known(Finding(status=Status.OPTIMAL, value=value), value, value, ())
        return _outlook(task, known, "rules", totals, ("final scoring by the rules engine",))
    chosen, known = _solved(task, engine)
    found = _told(known.finding, task.told)
    known = known._replace(finding=found)
    ends = certify_all(task, found.first)
    confirmed = _replayed(found.first)
    if certify and found.status is Status.OPTIMAL:
        confirmed += (_second(task, chosen, found),)
    best = _best(task, found)
    scores = next(
        (end for first, end in zip(found.first, ends, strict=True) if first is best), None
    )
    interrupted = found.status is not Status.OPTIMAL and not task.watch.used_up
    floor = _floor(task) if task.play is Play.EACH and not interrupted else None
    return replace(_outlook(task, known, chosen.name, scores, confirmed), floor=floor)


def _floor(task: Task) -> Fraction | None:
    """Return what the asker has whatever the others do, as far as it is proved in the same time."""
    worst = replace(task, play=Play.AGAINST, every=False, watch=task.watch.again(), reporter=SILENT)
    found = _solved(worst, None)[1].finding
    if found.value is None or task.goal is not Goal.WIN:
        return found.value
    chances = odds(worst, found.value)
    return chances.win - chances.loss


def _told(found: Finding, most: int | None) -> Finding:
    """Return what was found with so many first moves at most."""
    first = found.first[:most]
    return replace(found, first=first, complete=found.complete and len(first) == len(found.first))


def _replayed(first: Sequence[First]) -> tuple[str, ...]:
    """Return in words what the rules engine replayed."""
    if not first:
        return ()
    if all(one.line for one in first):
        return ("the line of every first move shown was replayed by the rules engine",)
    told = "the line told was replayed, and " if any(one.line for one in first) else ""
    return (f"{told}every first move shown was played by the rules engine",)


def _best(task: Task, found: Finding) -> First | None:
    """Return the first of the best first moves, if the first tile is known."""
    if len({(one.move.discards, one.move.tile) for one in found.first}) != 1:
        return None
    choose = max if task.serves(task.position.to_move) else min
    return choose(found.first, key=lambda one: one.value)


def _outlook(
    task: Task,
    known: Known,
    engine: str,
    scores: tuple[int, ...] | None,
    confirmed: tuple[str, ...],
) -> Outlook:
    """Put an answer together."""
    found = known.finding
    left = len(task.position.order) + len(task.position.bag)
    won = task.goal is Goal.WIN and found.value is not None
    chances = odds(task, found.value) if won and found.value is not None else None
    best = _best(task, found) if found.first else None
    value, least, most = (
        None if one is None else _in_the_open(task, one)
        for one in (found.value, known.least, known.most)
    )
    if task.goal is Goal.WIN and found.status is not Status.OPTIMAL:
        # That nothing is beyond a sure win or loss need not be told.
        least = None if value is None and least == -1 else least
        most = None if most == 1 else most
    return Outlook(
        asker=task.asker,
        goal=task.goal,
        play=task.play,
        order=task.order,
        tiles=left if task.horizon is None else min(left, task.horizon),
        value=value,
        odds=chances,
        status=found.status,
        least=least,
        most=most,
        guess=known.guess,
        first=tuple(replace(one, value=_in_the_open(task, one.value)) for one in found.first),
        complete=found.complete,
        line=best.line if best is not None else (),
        scores=scores,
        engine=engine,
        nodes=found.nodes,
        seconds=task.watch.spent(),
        confirmed=confirmed,
    )


def _in_the_open(task: Task, value: Fraction) -> Fraction:
    """Return a value as it is told: a win as a difference of odds."""
    if task.goal is not Goal.WIN:
        return value
    chances = odds(task, value)
    return chances.win - chances.loss


def _second(task: Task, chosen: OutlookEngine, found: Finding) -> str:
    """Let a second engine answer; return in words what came of it.

    Raises:
        CertificateError: it comes to another answer.

    """
    other = next((e for e in able_engines(task) if e.name != chosen.name), None)
    if other is None:
        return f"no second engine answers this question: {chosen.name} alone stands for it"
    try:
        second = other.solve(replace(task, watch=task.watch.again(), reporter=SILENT))
    except TooLargeError:
        return f"not confirmed: the question is too large for {other.name}"
    if second.status is not Status.OPTIMAL:
        return f"not confirmed: {other.name} came to no proof in the time"
    moves = [{one.move for one in both.first} for both in (found, second)]
    both_whole = found.complete and second.complete and moves[0] != moves[1]
    if second.value != found.value or both_whole:
        raise CertificateError(
            f"{chosen.name} says {found.value} by {len(moves[0])} moves, {other.name} says"
            f" {second.value} by {len(moves[1])}"
        )
    return f"confirmed by a second engine, {other.name}"


def engines() -> tuple[OutlookEngine, ...]:
    """Return the engines, preferred ones first."""
    # Here, so that who only checks a move does not wait for CP-SAT to load.
    from solver.cpsat.engine import rank_engine, time_engine  # noqa: PLC0415
    from solver.search.exhaustive import ExhaustiveEngine  # noqa: PLC0415

    return SearchEngine(), full_engine(), time_engine(), rank_engine(), ExhaustiveEngine()


def able_engines(task: Task) -> list[OutlookEngine]:
    """Return the engines that answer a task, preferred ones first."""
    able = [e for e in engines() if plays(e.name, task.position.game) and e.covers(task)]
    helped = task.play in {Play.HELPED, Play.SOLITAIRE}
    if helped and len(task.position.order) + len(task.position.bag) > FEW:
        able.sort(key=lambda engine: engine.name not in PROVING)
    return able


def _solved(task: Task, name: str | None) -> tuple[OutlookEngine, Known]:
    """Return what an engine knows of a task, and which: the named or the first that can hold it.

    Raises:
        QuestionError: none of that name, or it does not answer the task.

    """
    able = able_engines(task)
    asked = able if name is None else [_named(task, name, able)]
    for engine in asked:
        with suppress(TooLargeError):
            return engine, solved(engine, task)
    raise QuestionError(f"the question is too large for {asked[-1].name}; name another engine")


def _named(task: Task, name: str, able: Sequence[OutlookEngine]) -> OutlookEngine:
    """Return the engine of a name.

    Args:
        task: the question.
        name: the name.
        able: the engines that answer the question.

    Raises:
        QuestionError: none of that name, or it does not answer the task.

    """
    if name not in OUTLOOK_ENGINES:
        raise QuestionError(f"no engine {quoted(name)}.{suggestion(name, OUTLOOK_ENGINES)}")
    refuse_unknown(name, task.position.game)
    for engine in able:
        if engine.name == name:
            return engine
    names = ", ".join(engine.name for engine in able)
    raise QuestionError(f"the engine {name} does not answer this question; {names} do")
