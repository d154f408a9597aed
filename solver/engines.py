"""The interface of engines, and the table of all engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Protocol, cast

from burgrave.model.draws import Draw
from burgrave.model.errors import QuestionError
from burgrave.model.games import Game
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter, standing
from burgrave.solver.problem import (
    DECIDED_BY_OTHERS,
    WITHOUT_OPPONENT,
    Play,
    Problem,
    TileOrder,
)
from burgrave.solver.result import Result, ScoredMove

AGAINST_ALL = frozenset((Play.AGAINST,))
"""All others play against the asker."""


class Engine(Protocol):
    """A way to answer questions."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""

    def answers(self, problem: Problem) -> bool:
        """Tell whether the engine can answer a question of a kind that the table names for it."""

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Answer a question that ``answers`` accepts; Ctrl-C ends it like the end of the time.

        The time is counted from this call.

        Raises:
            TooLargeError: it shows on the way that the question is too large for the engine.

        """


class Lister(Engine, Protocol):
    """An engine that answers questions about one turn, and lists its moves."""

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield the possible draws of this turn by the rules."""

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn in the reference's order; None if time is out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An engine in the table: its class, and the questions it answers."""

    name: str
    """The name by which it is chosen."""
    at: str
    """Its factory as ``module:name``, imported at the first use."""
    turn: bool = False
    """Whether it answers questions about one turn, as a ``Lister``; others are about the rest
    of a game."""
    plays: frozenset[Play] = frozenset(Play)
    orders: frozenset[TileOrder] = frozenset(TileOrder)
    make: str = "cp-sat"
    """The basis: ``kernel``, ``cp-sat`` or the ``rules`` engine, which supports every switch."""

    def made(self) -> Engine:
        """Import the engine and return it."""
        with standing():
            return cast("Engine", resolve_name(self.at)())


REFERENCE = "reference"
"""The rules engine itself."""
SEARCH = "search"
"""The compiled search; it alone finds the value of every first move quickly, for any tile."""
TABLE = (
    Row(name="cpsat", at="burgrave.solver.cpsat.engine:CpsatEngine", turn=True),
    Row(name=REFERENCE, at="burgrave.solver.search.turns:ReferenceEngine", turn=True, make="rules"),
    Row(name="state", at="burgrave.solver.search.turns:StateEngine", turn=True, make="kernel"),
    Row(name=SEARCH, at="burgrave.solver.search.engine:SearchEngine", make="kernel"),
    Row(
        name="full",
        at="burgrave.solver.search.engine:full_engine",
        plays=AGAINST_ALL,
        make="kernel",
    ),
    Row(name="time", at="burgrave.solver.cpsat.engine:time_engine", plays=WITHOUT_OPPONENT),
    Row(name="rank", at="burgrave.solver.cpsat.engine:rank_engine", plays=WITHOUT_OPPONENT),
    Row(
        name="alphabeta",
        at="burgrave.solver.search.by_rules:AlphabetaEngine",
        plays=AGAINST_ALL,
        orders=frozenset((TileOrder.GIVEN,)),
        make="rules",
    ),
    Row(name="exhaustive", at="burgrave.solver.search.by_rules:ExhaustiveEngine", make="rules"),
)
"""All engines. The first that can answer a question is the default."""
ENGINES = tuple(row.name for row in TABLE if row.turn)
"""The engines that answer questions about one turn."""
GAME_ENGINES = tuple(row.name for row in TABLE if not row.turn)
"""The engines that answer questions about the rest of a game."""
BY_RULES = frozenset(row.name for row in TABLE if row.make == "rules")
ON_THE_KERNEL = frozenset(row.name for row in TABLE if row.make == "kernel")
"""The engines on the compiled kernel."""
QUICK_FIRST = (REFERENCE, "state", "cpsat")
"""The engines of a turn by speed; the model of a turn is slow where many wall tiles are in hand."""
ONLY_BY: Mapping[tuple[str, str], frozenset[str]] = {
    ("chapel_completion", "like_cloister"): BY_RULES,
    ("gate_width", "2"): BY_RULES,
    ("special_counts", "two"): BY_RULES | ON_THE_KERNEL,
    ("king_doubles_keep", "on"): BY_RULES | ON_THE_KERNEL,
    ("exchange_choice", "oldest"): BY_RULES,
    # The rules engine lists the turns, and a problem refuses to choose among them.
    **dict.fromkeys(DECIDED_BY_OTHERS, frozenset((REFERENCE,))),
}
"""The values of switches that not every engine knows, by name and value, with the engines that do.

An engine that learns one is added here. All others refuse a game with such a value by name.
"""


def make(engine: str) -> str:
    """Return the basis of an engine: ``kernel``, ``cp-sat`` or the ``rules`` engine.

    Engines of one make share code, so their agreement says less than that of two makes.
    """
    return next((row.make for row in TABLE if row.name == engine), "cp-sat")


def rows(problem: Problem) -> tuple[Row, ...]:
    """Return the rows of the engines that may answer a question; none of them is imported."""
    return tuple(
        row
        for row in TABLE
        if row.turn is problem.gains
        and plays(row.name, problem.position.game)
        and problem.play in row.plays
        and problem.order in row.orders
    )


def plays(engine: str, game: Game) -> bool:
    """Tell whether an engine plays a game by the values of its switches."""
    return not unknown(engine, game)


def unknown(engine: str, game: Game) -> tuple[str, ...]:
    """Return the values of a game's switches that an engine does not know, as ``name = value``.

    An engine that no table names knows the common values.
    """
    return tuple(
        f"{switch.name} = {value}"
        for switch, value in game.switches
        if engine not in ONLY_BY.get((switch.name, value), (engine,))
    )


def refuse_unknown(engine: str, game: Game, others: Iterable[str] = ()) -> None:
    """Refuse a game with values of switches that an engine does not support.

    Every engine calls this before it builds its tables or its model. So an engine called
    directly gives no wrong answer either.

    Args:
        engine: its name.
        game: the game with its switches.
        others: the engines that could be chosen instead; the message names those that play it.

    Raises:
        QuestionError: the game has such a value; the message names it.

    """
    if values := unknown(engine, game):
        able = [one for one in others if plays(one, game)]
        more = f"; {', '.join(able)} {'does' if len(able) == 1 else 'do'}" if able else ""
        raise QuestionError(f"the engine {engine} does not know {', '.join(values)}{more}")


def engines_of(game: Game) -> tuple[str, ...]:
    """Return the engines that play a game, the preferred one first."""
    return tuple(engine for engine in ENGINES if plays(engine, game))


def listers(game: Game) -> tuple[str, ...]:
    """Return the engines beside the rules engine that list the turns of a game."""
    return tuple(engine for engine in engines_of(game) if engine != REFERENCE)


def quick_first(engines: Iterable[str]) -> tuple[str, ...]:
    """Return engines of a turn, the quickest first."""
    able = {*engines}
    return tuple(engine for engine in QUICK_FIRST if engine in able)


def every_move(game: Game) -> tuple[str, ...]:
    """Return the engines that quickly tell the value of every first move."""
    return (SEARCH,) if plays(SEARCH, game) else ()


def lister(engine: str | None, game: Game) -> Lister:
    """Return the engine of one turn of a name; with None the first that plays a game.

    Raises:
        QuestionError: there is no such engine, or it does not play the game.

    """
    engine = engines_of(game)[0] if engine is None else engine
    row = named(engine, ENGINES)
    refuse_unknown(engine, game, ENGINES)
    return cast("Lister", row.made())


def named(engine: str, engines: Sequence[str]) -> Row:
    """Return the row of a name among some engines.

    Raises:
        QuestionError: there is no such engine.

    """
    if engine not in engines:
        raise QuestionError(f"no engine {quoted(engine)}.{suggestion(engine, engines)}")
    return next(row for row in TABLE if row.name == engine)
