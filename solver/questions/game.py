"""Questions about the rest of a game: maximum, forced lead, expected lead, chance to win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TypedDict, Unpack

from burgrave.model.draws import surely_placeable
from burgrave.model.errors import QuestionError
from burgrave.model.features import position_features
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.model.registry import CARCASSONNE
from burgrave.solver.engines import GAME_ENGINES, Engine, named, refuse_unknown, rows
from burgrave.solver.limits import NO_LIMIT, SILENT, Clock, Limits, Reporter
from burgrave.solver.problem import WITHOUT_OPPONENT, Goal, Play, Problem, TileOrder, against, pose
from burgrave.solver.questions.partial_answer import solved
from burgrave.solver.questions.preconditions import admit
from burgrave.solver.result import (
    Answer,
    CertificateError,
    Result,
    RootMove,
    Status,
    TooLargeError,
    answered,
    best_first,
    certify_first,
    in_the_open,
    odds,
)


class Means(TypedDict, total=False):
    """The means by which a question about the rest of a game is answered; see ``maximum``."""

    told: int | None
    engine: str | None
    certify: bool
    budget: Limits
    reporter: Reporter


FEW, SOME = 2, 5
"""Tiles to come of which all lines are few; tiles of which they may be."""


def maximum(
    position: Position,
    *,
    asker: int | None = None,
    goal: Goal = Goal.POINTS,
    play: Play = Play.HELPED,
    order: TileOrder = TileOrder.GIVEN,
    **means: Unpack[Means],
) -> Answer:
    """Return the highest value that any line of play reaches for a player.

    Args:
        position: the position before the turn.
        asker: the player whose value counts; the one to move by default.
        goal: his final score, or his lead.
        play: whether both players help, or every turn to come is his.
        order: the known order of the tiles, the best one of the bag, or the worst one.
        means: ``told`` is the maximum number of first moves reported and replayed with a line,
            None for all; ``engine`` is the engine that answers, None for the preferred one; with
            ``certify`` a second engine must confirm the value; ``budget`` is the time and effort
            allowed, of each engine; ``reporter`` hears every better value.

    Raises:
        QuestionError: the order of the tiles or a wall tile is unknown, but must be given. Or
            ``play`` has an opponent, or the order is by chance. Or no engine of that name
            answers the question.

    """
    if play not in WITHOUT_OPPONENT or order is TileOrder.CHANCE:
        raise QuestionError("a maximum is helped or solitaire, with the order given, chosen or any")
    return answer(pose(position, goal, play, order, asker), **means)


def forced(position: Position, *, every: bool = False, **means: Unpack[Means]) -> Answer:
    """Return the lead that the player to move can force to the end, with best play of both.

    Args:
        position: a position whose tiles to come are all in known order.
        every: whether each first move is wanted with its value, and not the best alone.
        means: as for ``maximum``.

    Raises:
        QuestionError: the order of the tiles or a wall tile is unknown. Or the opponent may use
            wall tiles in the turn. Or there is no such engine.

    """
    return answer(against(position, Goal.LEAD, TileOrder.GIVEN, every=every), **means)


def expected(position: Position, *, every: bool = True, **means: Unpack[Means]) -> Answer:
    """Return the exact expected lead of each first move, with best play of both.

    Tiles in the bag come in any order with equal probability; a face-down wall tile has each
    unseen number with equal probability.

    Args:
        position: the position before the turn; tiles in known order come first.
        every: whether each first move is wanted with its value, and not the best alone.
        means: as for ``maximum``.

    Raises:
        QuestionError: the opponent decides about his wall tiles within the turn; a wall tile
            must be declared before an unknown draw; no such engine.

    """
    return answer(against(position, Goal.LEAD, every=every), **means)


def winning(position: Position, *, every: bool = False, **means: Unpack[Means]) -> Answer:
    """Return win, draw or loss for the player to move, or the probability of each.

    Best play maximises the probability of winning minus that of losing. Among equal moves the
    player to move prefers a decision and his opponent a draw.

    With ``told`` = 1 two players are asked for the lead, if everything to come is known: it decides
    who wins, and to list every move that wins as well would cost more.

    Args:
        position: the position before the turn.
        every: whether each first move is wanted with its value, and not the best alone.
        means: as for ``maximum``.

    Raises:
        QuestionError: as for ``expected``.

    """
    problem = against(position, Goal.WIN, every=every)
    by_lead = problem.play is Play.AGAINST and problem.order is TileOrder.GIVEN
    if means.get("told") == 1 and by_lead and not every and not position.over:
        return _decided(problem, answer(replace(problem, goal=Goal.LEAD), **means))
    return answer(problem, **means)


def _decided(problem: Problem, lead: Answer) -> Answer:
    """Return who wins, as the lead or its proved limits say it.

    A lead of 1 at least is a win, whatever the lead is in the end.
    """
    least, most = (None if one is None else Fraction(_sign(one)) for one in (lead.least, lead.most))
    least, most = (most if most == -1 else least), (least if least == 1 else most)
    proved = least is not None and least == most and bool(lead.first)
    value = least if proved else None if lead.value is None else Fraction(_sign(lead.value))
    if not proved:
        # The limits of a sure win or loss need no mention.
        least = None if value is None and least == -1 else least
        most = None if most == 1 else most
    return replace(
        lead,
        goal=Goal.WIN,
        value=value,
        least=least,
        most=most,
        odds=None if value is None else odds(problem, value * problem.decisive + abs(value)),
        status=Status.OPTIMAL if proved else lead.status,
        first=tuple(replace(one, value=Fraction(_sign(one.value))) for one in lead.first),
        complete=False,
    )


def _sign(value: Fraction) -> int:
    """Return 1, 0 or -1."""
    return (value > 0) - (value < 0)


def inflicted(
    position: Position, *, asker: int | None = None, every: bool = False, **means: Unpack[Means]
) -> Answer:
    """Return the final score that a player can force on his opponent, who keeps it low.

    The opponent plays by the rules: he lays his tile if it has a place. Whatever else he need not
    do he may leave out. In final scoring his wall tiles and tokens count for him. The arguments are
    those of ``forced`` and ``maximum``.

    Raises:
        QuestionError: as for ``forced``; more than two players.

    """
    problem = pose(position, Goal.THEIRS, Play.AGAINST, TileOrder.GIVEN, asker)
    return answer(replace(problem, every=every), **means)


def ahead(position: Position, tiles: int, *, every: bool = False, **means: Unpack[Means]) -> Answer:
    """Return the first moves that are best for the lead some tiles later.

    The value is the lead on the track after this tile and ``tiles`` more, with best play of both.
    If the game ends earlier, it is the lead after final scoring.

    Args:
        position: the position before the turn.
        tiles: tiles to look ahead beyond the one to be laid; 0 looks at this turn alone.
        every: whether each first move is wanted with its value, and not the best alone.
        means: as for ``maximum``.

    Raises:
        QuestionError: as for ``expected``; ``tiles`` is negative.

    """
    if tiles < 0:
        raise QuestionError(f"{tiles} tiles ahead: give 0 or more")
    # The last turn skips tiles without a place. It reaches the bag if no tile has one.
    if any(surely_placeable(position, tile, tiles) for tile in position.order[tiles:]):
        position = replace(position, order=(*position.order, *position.bag), bag=())
    problem = replace(against(position, Goal.LEAD, every=every), horizon=tiles + 1)
    return answer(problem, **means)


def answer(  # noqa: PLR0913 -- a question with its means
    problem: Problem,
    *,
    told: int | None = None,
    engine: str | None = None,
    certify: bool = False,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Answer:
    """Answer a question about the rest of a game, by the means that ``maximum`` explains.

    Returns:
        The answer; the rules engine played every first move shown, and replayed every line
        shown to the end.

    Raises:
        QuestionError: the question has no answer, or the engine does not answer it; ``told`` is
            less than 1.
        CertificateError: two engines differ, or a line does not end with its value: a bug.

    """
    if told is not None and told < 1:
        raise QuestionError(f"told = {told}: at least 1 move must be wanted")
    clock = budget.start()
    problem = replace(problem, told=told)
    admit(problem)
    position = problem.position
    if position.over:
        totals = final_scoring(position).scores
        value = Fraction(problem.worth(*totals))
        by_rules = ("final scoring by the rules engine",)
        over = Result(
            status=Status.OPTIMAL, value=value, least=value, most=value, confirmed=by_rules
        )
        return answered(problem, over, "rules", clock, totals)
    chosen, whole = _solved(problem, engine, clock, reporter)
    first = whole.first[: problem.told]
    found = replace(
        whole,
        first=first,
        complete=whole.complete and len(first) == len(whole.first),
        confirmed=_replayed(first),
    )
    before = position_features(problem.begin(position)) if first else None
    ends = {one: certify_first(problem, one, before) for one in first}
    if certify and found.status is Status.OPTIMAL:
        second = _second(problem, chosen, found, budget)
        found = replace(found, confirmed=(*found.confirmed, second))
    best = best_first(problem, first)
    scores = None if best is None else ends[best]
    used_up = clock.out or (budget.nodes is not None and found.nodes >= budget.nodes)
    interrupted = found.status is not Status.OPTIMAL and not used_up
    floor = _floor(problem, budget) if problem.play is Play.EACH and not interrupted else None
    return replace(answered(problem, found, chosen.name, clock, scores), floor=floor)


def _floor(problem: Problem, budget: Limits) -> Fraction | None:
    """Return the asker's guaranteed value, as far as it is proved in the same time."""
    worst = replace(problem, play=Play.AGAINST, every=False)
    found = _solved(worst, None, budget.start(), SILENT)[1].value
    return None if found is None else in_the_open(worst, found)


def _replayed(first: Sequence[RootMove]) -> tuple[str, ...]:
    """Return the confirmations by replay in words."""
    if not first:
        return ()
    if all(one.line for one in first):
        return ("the line of every first move shown was replayed by the rules engine",)
    told = "the line told was replayed, and " if any(one.line for one in first) else ""
    return (f"{told}every first move shown was played by the rules engine",)


def _second(problem: Problem, chosen: Engine, found: Result, budget: Limits) -> str:
    """Let a second engine answer; return the outcome in words, unless its answer differs."""
    told = f"no second engine answers this question: {chosen.name} alone stands for it"
    for other in (engine for engine in able_engines(problem) if engine.name != chosen.name):
        try:
            second = other.solve(problem, budget)
            break
        except TooLargeError:
            told = f"not confirmed: the question is too large for {other.name}"
    else:
        return told
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


def able_engines(problem: Problem) -> Iterator[Engine]:
    """Yield the engines that answer a problem, preferred ones first, each imported in its turn."""
    able = rows(problem)
    if problem.play in WITHOUT_OPPONENT and not _is_short(problem):
        if problem.position.game.base == CARCASSONNE:
            from burgrave.solver.search import engine as search  # noqa: PLC0415 -- numba loads late

            short = search.SearchEngine(patience=search.PATIENCE)
            if short.answers(problem):
                yield short
        # Those for helped play alone prove a maximum by constraints. The search plays every line,
        # as nobody plays against the asker.
        able = tuple(sorted(able, key=lambda row: row.plays != WITHOUT_OPPONENT))
    for row in able:
        engine = row.made()
        if engine.answers(problem):
            yield engine


def _is_short(problem: Problem) -> bool:
    """Tell whether every line of a problem can be played in some tenths of a second."""
    tiles = len(problem.position.order) + len(problem.position.bag)
    if not FEW < tiles <= SOME:
        return tiles <= FEW
    from burgrave.solver.search.question import has_few_lines  # noqa: PLC0415 -- numba loads late

    return has_few_lines(problem)


def _solved(
    problem: Problem, name: str | None, clock: Clock, reporter: Reporter
) -> tuple[Engine, Result]:
    """Return a result and its engine: the named one, or the first that can hold the problem."""
    asked: Iterable[Engine] = able_engines(problem) if name is None else [_named(problem, name)]
    last = ""
    for engine in asked:
        last = engine.name
        with suppress(TooLargeError):
            return engine, solved(engine, problem, clock.remaining(), reporter)
    raise QuestionError(f"the question is too large for {last}; name another engine")


def _named(problem: Problem, name: str) -> Engine:
    """Return the engine of a name; refuse an unknown name, or one that does not answer."""
    row = named(name, GAME_ENGINES)
    if row in rows(problem) and (engine := row.made()).answers(problem):
        return engine
    able = [engine.name for engine in able_engines(problem)]
    refuse_unknown(name, problem.position.game, able)
    verb = "does" if len(able) == 1 else "do"
    names = ", ".join(able)
    raise QuestionError(f"the engine {name} does not answer this question; {names} {verb}")
