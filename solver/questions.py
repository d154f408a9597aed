"""The only door to the solver: questions about a position, answers with their proof."""

from __future__ import annotations

from model.draws import Draw
from model.engine import Judgement, judge
from model.errors import QuestionError
from model.position import Move, Position
from model.rules.rule import Rule
from model.rules.wall_tiles import DOUBLERS
from model.switches import WALL_OWN_TURN_ONLY
from solver.answers import Answer, Forced, Objective, Status
from solver.brute import BruteEngine
from solver.budget import Budget, Stopwatch
from solver.certify import certify, certify_line
from solver.engines import UNKNOWN, Engine, Search
from solver.game_state import GameState
from solver.incremental import StateEngine
from solver.progress import Reporter
from solver.reference import ReferenceEngine
from solver.repertoire import chosen, require
from solver.search.duel import duel, moves_of
from solver.wishes import Wish

OVER = "the game is over: no tile is left to draw"
NO_LIMIT = Budget()
SILENT = Reporter()


def check(position: Position, move: Move) -> Judgement:
    """Return every rule that a move breaks, and the rules that allow it."""
    return judge(position, move)


def legal(
    position: Position, *, tile: str | None = None, engine: str | None = None
) -> tuple[Move, ...]:
    """Return every legal move of a turn, in the order of the rules engine.

    Args:
        position: the position before the turn.
        tile: only moves that lay this tile; None for every tile that may be drawn.
        engine: the engine that lists them; None for the first that plays the game.

    Raises:
        QuestionError: the game is over, the tile cannot be the next, there is no such
            engine, or it does not play the game.

    """
    asked = _engine(chosen(engine, position.game))
    found: list[Move] = []
    for draw in _draws(position, tile, asked):
        search = Search(position=position, draw=draw, watch=NO_LIMIT.start(), reporter=SILENT)
        found += [one.move for one in asked.moves(search) or ()]
    return tuple(found)


def best(  # noqa: PLR0913 -- a question with its means
    position: Position,
    *,
    objective: Objective = Objective.POINTS,
    tile: str | None = None,
    top: int = 1,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
    engine: str | None = None,
) -> Answer:
    """Return the best moves of a turn.

    Only the points of this turn count, not final scoring.

    Args:
        position: the position before the turn.
        objective: what the moves are best for.
        tile: the tile to be laid, if the position does not say which is next.
        top: how many moves are wanted at least, best first. All that are worth as much as
            the last of them come too: with 1, all equally best moves.
        budget: the time allowed.
        reporter: hears how it goes on.
        engine: the engine that finds them; None for the first that plays the game.

    Returns:
        The answer; its moves were all replayed through the rules engine.

    Raises:
        QuestionError: the game is over; the next tile is not known and not named; the tile
            named cannot be the next; there is no such engine, or it does not play the
            game; the lead is asked for and the opponent decides about his wall tiles within
            the turn.
        ValueError: ``top`` is less than 1.

    """
    if top < 1:
        raise ValueError(f"top = {top}: at least 1 move must be wanted")
    if objective is Objective.LEAD:
        _refuse_shared_turns(position)
    watch = budget.start()
    asked = _engine(chosen(engine, position.game))
    draw = _the_draw(_draws(position, tile, asked))
    search = Search(
        position=position,
        draw=draw,
        objective=objective,
        top=top,
        watch=watch,
        reporter=reporter,
    )
    result = UNKNOWN if watch.out else asked.best(search)
    choices = tuple(certify(position, found, objective) for found in result.found)
    replayed = ("every move shown was replayed by the rules engine",) if choices else ()
    return Answer(
        player=position.to_move,
        objective=objective,
        value=result.value,
        bound=result.bound,
        status=result.status,
        moves=choices,
        engine=asked.name,
        seconds=watch.spent(),
        confirmed=(*result.confirmed, *replayed),
    )


def why_not(
    position: Position, wish: Wish, *, tile: str | None = None
) -> tuple[Rule[..., object], ...] | None:
    """Return a smallest set of rules that together forbid something in this turn.

    Args:
        position: the position before the turn.
        wish: what somebody would like to do; the empty wish is to lay the tile at all.
        tile: the tile to be laid, whether or not it is the next; by default the next one,
            even if it has no place.

    Returns:
        The rules by id; None if the wish can be fulfilled; empty if it is impossible
        whatever the rules, since there is nothing to stand on or to double.

    Raises:
        QuestionError: the game is over; the next tile is not known and not named; the set
            has no such tile; CP-SAT does not play the game.

    """
    from solver.cpsat.explain import conflict  # noqa: PLC0415 -- as in _engine

    require("cpsat", position.game, "why something is forbidden")
    if position.over:
        raise QuestionError(OVER)
    kinds = position.order[:1] or sorted(set(position.bag))
    if tile is None and len(kinds) > 1:
        raise QuestionError(f"the next tile is not known; name it: possible are {', '.join(kinds)}")
    return conflict(position, Draw((), _spelled(position, tile or kinds[0])), wish)


def _spelled(position: Position, tile: str) -> str:
    """Return a tile's id as the set spells it.

    Raises:
        QuestionError: the set has no such tile.

    """
    for kind in position.game.tile_set.kinds:
        if kind.id.lower() == tile.lower():
            return kind.id
    raise QuestionError(f"the set {position.game.tile_set.id} has no tile {tile}")


def forced(position: Position, *, budget: Budget = NO_LIMIT, reporter: Reporter = SILENT) -> Forced:
    """Return what the player to move can force to the end, with best play of both.

    Args:
        position: a position whose tiles to come are all in known order.
        budget: the time allowed.
        reporter: hears every better lead that is found.

    Returns:
        The answer; each line that it rests on was replayed through the rules engine.

    Raises:
        QuestionError: the game is over; the order of the tiles or a wall tile is not known;
            the opponent decides about his wall tiles within the turn; the incremental state
            does not play the game.

    """
    require("state", position.game, "what a player can force")
    if position.over:
        raise QuestionError("the game is over: no tile is left to draw")
    if position.bag:
        raise QuestionError(
            f"the order of {len(position.bag)} tiles is not known; put them into 'order'"
        )
    _refuse_hidden(position)
    _refuse_shared_turns(position)
    watch = budget.start()
    if watch.out:
        return _nothing_forced(position, watch)
    state = GameState(position)
    found = duel(state, [state.board.kind_index[t] for t in position.order], watch, reporter)
    lines = [moves_of(state, position.order, root.line) for root in found.first]
    if found.value is None:
        return _nothing_forced(position, watch)
    if not lines:
        lines = [(Move(discards=position.order),)]
    ends = [certify_line(position, line, found.value) for line in lines]
    return Forced(
        player=position.to_move,
        lead=found.value if position.to_move == 0 else -found.value,
        status=Status.OPTIMAL if found.proved else Status.BOUND,
        first=tuple(line[0] for line in lines),
        line=lines[0],
        scores=ends[0],
        nodes=found.nodes,
        seconds=watch.spent(),
        confirmed=("the line of every first move shown was replayed by the rules engine",),
    )


def _refuse_hidden(position: Position) -> None:
    """Refuse a position in which the number of a wall tile decides that nobody knows.

    Raises:
        QuestionError: a wall tile lies face down or is held without a number.

    """
    hidden = [name for name, number in position.towers if not number]
    if hidden:
        raise QuestionError(
            f"the wall tiles on {', '.join(hidden)} are face down; name them under 'towers' or"
            " leave them out"
        )
    if any(0 in (*p.wall_tiles, *p.fresh_wall_tiles) for p in position.players):
        raise QuestionError("a wall tile in hand has no number; name it under 'wall_tiles'")


def _refuse_shared_turns(position: Position) -> None:
    """Refuse a game in which the opponent decides something in the mover's turn.

    A move then says what both do, and its best is not what the mover can have.

    Raises:
        QuestionError: wall tiles 2 and 3 work on the opponent's turn too, and are there.

    """
    game = position.game
    if not game.rules.wall_tiles or game.value(WALL_OWN_TURN_ONLY) == "on":
        return
    numbers = {n for p in position.players for n in (*p.wall_tiles, *p.fresh_wall_tiles)}
    numbers.update(number for _, number in position.towers)
    if numbers & {0, *DOUBLERS}:
        raise QuestionError(
            f"with {WALL_OWN_TURN_ONLY.name} off the opponent decides about his wall tiles 2 and"
            " 3 within the turn; what a player can have against him is not answered for that"
            " switch"
        )


def _nothing_forced(position: Position, watch: Stopwatch) -> Forced:
    """Return the answer of a search that had no time."""
    return Forced(
        player=position.to_move,
        lead=None,
        status=Status.UNKNOWN,
        first=(),
        line=(),
        scores=None,
        nodes=0,
        seconds=watch.spent(),
        confirmed=(),
    )


def _engine(name: str) -> Engine:
    """Return an engine by one of the names in ``ENGINES``."""
    if name == "reference":
        return ReferenceEngine()
    if name == "state":
        return StateEngine()
    if name == "brute":
        return BruteEngine()
    # Here, so that who only checks a move does not wait for CP-SAT to load.
    from solver.cpsat.optimum import CpsatEngine  # noqa: PLC0415

    return CpsatEngine()


def _draws(position: Position, tile: str | None, engine: Engine) -> list[Draw]:
    """Return what may be drawn, only the named tile if one is named.

    Raises:
        QuestionError: the game is over, or the tile cannot be the next to be laid.

    """
    if position.over:
        raise QuestionError(OVER)
    possible = list(engine.draws(position))
    if tile is None:
        return possible
    chosen = [draw for draw in possible if (draw.tile or "").lower() == tile.lower()]
    if not chosen:
        raise QuestionError(f"tile {tile} cannot be laid next: {_next_tiles(possible)}")
    return chosen


def _the_draw(possible: list[Draw]) -> Draw:
    """Return the one draw there is.

    Raises:
        QuestionError: the next tile is not known.

    """
    if len(possible) > 1:
        raise QuestionError(f"the next tile is not known; name it: {_next_tiles(possible)}")
    return possible[0]


def _next_tiles(possible: list[Draw]) -> str:
    """Return in words which tiles may be laid next."""
    names = [draw.tile for draw in possible if draw.tile is not None]
    return ("possible are " + ", ".join(names)) if names else "no tile left has a place"
