"""Questions about one turn: legal and best moves, and reasons against a move."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.draws import Draw
from burgrave.model.engine import legal_moves
from burgrave.model.errors import QuestionError
from burgrave.model.features import position_features
from burgrave.model.naming import alike, quoted, suggestion
from burgrave.model.position import Move, Position
from burgrave.model.rule import Rule
from burgrave.solver.engines import REFERENCE, Lister, lister
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from burgrave.solver.problem import Goal, Play, Problem, TileOrder, Wish, pose, rivalry
from burgrave.solver.questions.preconditions import (
    admit,
    refuse_unexplained,
    refuse_unnamed,
    spelled,
)
from burgrave.solver.result import NOTHING, Answer, answered, certify_turn

OVER = "the game is over: no tile is left to draw"


def legal(
    position: Position, *, tile: str | None = None, engine: str | None = None
) -> tuple[Move, ...]:
    """Return every legal move of a turn, in the order of the rules engine.

    A wall tile in hand without a number is used in none of them.

    Args:
        position: the position before the turn.
        tile: only moves that lay this tile; None for every tile that may be drawn.
        engine: the engine that lists them; None for the first that plays the game.

    Raises:
        QuestionError: the game is over, the tile cannot be the next, there is no such
            engine, or it does not play the game.

    """
    asked = lister(engine, position.game)
    found: list[Move] = []
    for draw in _draws(position, tile, asked):
        if asked.name == REFERENCE:
            # The rules engine lists moves without playing them for their points.
            found += legal_moves(position, draw.tile)
            continue
        found += [one.move for one in asked.moves(turn_problem(position, draw)) or ()]
    return tuple(found)


def turn_problem(
    position: Position, draw: Draw | None, *, goal: Goal = Goal.POINTS, top: int = 1
) -> Problem:
    """Return the question about one turn: which moves bring most by themselves.

    The goal is points or lead, and ``top`` moves are wanted at least. The draw is None if it is not
    known yet.
    """
    # Points are those of a legal move. A lead must be reached against the opponent's choices.
    play = Play.HELPED if goal is Goal.POINTS else rivalry(position)
    problem = pose(position, goal, play, TileOrder.GIVEN)
    return replace(problem, horizon=1, gains=True, draw=draw, top=top)


def best(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    goal: Goal = Goal.POINTS,
    tile: str | None = None,
    top: int = 1,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
    engine: str | None = None,
) -> Answer:
    """Return the best moves of a turn.

    Only the points of this turn count. Final scoring, courts, keeps and wall tiles won have no
    part in them.

    Args:
        position: the position before the turn.
        goal: the points that the player to move wins in this turn, or those less the points
            that all others win in it.
        tile: the tile to be laid, if the position does not say which is next.
        top: the minimum number of moves wanted, best first. All moves equal to the last of
            them come too: with 1, all equally best moves.
        budget: the time allowed.
        reporter: hears about progress.
        engine: the engine that finds them; None for the first that plays the game.

    Returns:
        The answer; its moves were all replayed through the rules engine.

    Raises:
        QuestionError: the game is over, or no engine of that name plays it. Or the next tile
            is unknown, or the tile named cannot be next. Or a wall tile that may be used has no
            number. Or the lead is wanted, and the opponent may use wall tiles in the turn. Or
            ``top`` is less than 1, or the goal is neither points nor lead.

    """
    if top < 1:
        raise QuestionError(f"top = {top}: at least 1 move must be wanted")
    if goal not in {Goal.POINTS, Goal.LEAD}:
        raise QuestionError(f"the goal of one turn is points or lead, not {goal}")
    clock = budget.start()
    problem = turn_problem(position, None, goal=goal, top=top)
    admit(problem)
    asked = lister(engine, position.game)
    possible = _draws(position, tile, asked)
    if len(possible) > 1:
        raise QuestionError(f"the next tile is not known; name it: {_next_tiles(possible)}")
    problem = replace(problem, draw=possible[0])
    found = NOTHING if clock.out else asked.solve(problem, clock.remaining(), reporter)
    before = position_features(position) if found.first else None
    first = tuple(certify_turn(problem, one, before) for one in found.first)
    replayed = ("every move shown was replayed by the rules engine",) if first else ()
    found = replace(found, first=first, least=found.value, confirmed=(*found.confirmed, *replayed))
    return answered(problem, found, asked.name, clock)


def why_not(
    position: Position, wish: Wish, *, tile: str | None = None, budget: Limits = NO_LIMIT
) -> tuple[Rule[..., object], ...] | None:
    """Return a smallest set of rules that together forbid something in this turn.

    Args:
        position: the position before the turn.
        wish: the demands on the turn; the empty wish is to lay the tile.
        tile: the tile to be laid, whether or not it is the next; by default the next one,
            even if it has no place.
        budget: the time allowed.

    Returns:
        The rules by id; None if the wish can be fulfilled. Empty if it is impossible without any
        rule, because there is nothing to stand on or to double.

    Raises:
        QuestionError: the game is over, or has no such tile, feature or wall tiles. Or the next
            tile is unknown and not named. Or the wish needs a wall tile, and one in hand has no
            number.
        OutOfTimeError: the time is used up.

    """
    from burgrave.solver.cpsat.explain import conflict  # noqa: PLC0415 -- loads CP-SAT

    game = position.game
    if wish.follower is not None and wish.follower not in book_of(game).roles:
        there = ", ".join(book_of(game).roles)
        raise QuestionError(f"{game.id} has no {wish.follower}; followers stand on {there}")
    if wish.doubled is not None or wish.extra_turns:
        if not book_of(game).wall_tiles:
            raise QuestionError(f"{game.id} has no wall tiles")
        refuse_unnamed(position, now=True)
    refuse_unexplained(game)
    draw = Draw((), tile_in_hand(position, tile))
    return conflict(position, draw, wish, budget.start())


def tile_in_hand(position: Position, tile: str | None) -> str:
    """Return the tile of a question about this turn: the one named, next or not, or the next.

    Raises:
        QuestionError: the game is over; the next tile is not known and not named; the set
            has no such tile.

    """
    if position.over:
        raise QuestionError(OVER)
    kinds = position.order[:1] or sorted(set(position.bag))
    if tile is None and len(kinds) > 1:
        raise QuestionError(f"the next tile is not known; name it: possible are {', '.join(kinds)}")
    return spelled(position, tile or kinds[0])


def _draws(position: Position, tile: str | None, engine: Lister) -> list[Draw]:
    """Return the possible draws, only the named tile if one is named; refuse if there are none."""
    if position.over:
        raise QuestionError(OVER)
    possible = list(engine.draws(position))
    if tile is None:
        return possible
    chosen = [draw for draw in possible if (draw.tile or "").lower() == tile.lower()]
    if not chosen:
        names = [draw.tile for draw in possible if draw.tile is not None]
        there = (
            f".{suggestion(tile, names)}" if alike(tile, names) else f": {_next_tiles(possible)}"
        )
        raise QuestionError(f"tile {quoted(tile)} cannot be laid next{there}")
    return chosen


def _next_tiles(possible: list[Draw]) -> str:
    """Return in words which tiles may be laid next."""
    names = [draw.tile for draw in possible if draw.tile is not None]
    return ("possible are " + ", ".join(names)) if names else "no tile left has a place"
