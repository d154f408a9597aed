"""Which engine plays which games, and which values of their switches it knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from model.errors import QuestionError
from model.games import CARCASSONNE, CASTLE, CASTLE_FALCON, WITH_TOWER, Game
from model.naming import quoted, suggestion

REFERENCE = "reference"
"""The rules engine itself."""
ENGINES = ("cpsat", REFERENCE, "state", "brute")
"""The engines that answer, the one that is asked first before the others."""
QUICK_FIRST = (REFERENCE, "state", "cpsat", "brute")
"""The same; the model of a turn is slow where many wall tiles are in hand."""
BORROWED = frozenset(("brute",))
"""Those of them that take the points of a turn from the rules engine."""
LAST_MOVES = ("search",)
"""The engines that tell what each last move is worth, whatever tile is drawn."""
EVERY_MOVE = ("search",)
"""The engines that quickly tell the value of every first move."""
IN_CASTLES = frozenset((CASTLE, CASTLE_FALCON))
"""The games in a castle."""
ON_THE_PLANE = frozenset((CARCASSONNE, WITH_TOWER))
"""The games on a plane without an edge."""
SOME = {
    "search": IN_CASTLES | ON_THE_PLANE,
    "full": IN_CASTLES | ON_THE_PLANE,
    "brute": IN_CASTLES,
    "time": IN_CASTLES | ON_THE_PLANE,
    "rank": IN_CASTLES | ON_THE_PLANE,
}
"""The games of the engines that do not play all, by id: what such an engine knows, it knows of
its own, without the book of a game."""


_BY_THE_RULES = frozenset(("reference", "brute", "exhaustive"))
"""The engines that ask the rules engine what a turn leads to, and so know every switch."""
ONLY_BY: Mapping[tuple[str, str], frozenset[str]] = {
    ("chapel_completion", "like_cloister"): _BY_THE_RULES,
    ("special_counts", "two"): _BY_THE_RULES,
    ("king_doubles_keep", "on"): _BY_THE_RULES,
}
"""The values of switches that not every engine knows, by name and value, with the engines that do.

An engine that learns one is added here. All others refuse a game with such a value by name.
"""


def plays(engine: str, game: Game) -> bool:
    """Tell whether an engine plays a game by the values of its switches."""
    return (engine not in SOME or game.id in SOME[engine]) and not unknown(engine, game)


def unknown(engine: str, game: Game) -> tuple[str, ...]:
    """Return the values of a game's switches that an engine does not know, as ``name = value``.

    Args:
        engine: the name of any engine; one that no table names knows the common values.
        game: the game with its switches.

    """
    return tuple(
        f"{name} = {value}"
        for name, value in game.changed_switches().items()
        if engine not in ONLY_BY.get((name, value), (engine,))
    )


def refuse_unknown(engine: str, game: Game) -> None:
    """Refuse a game by values of switches that an engine does not know.

    What an engine builds its own tables or model from calls this, so that no way around the
    choice of engines leads to a wrong answer.

    Raises:
        QuestionError: the game has such a value; the message names it.

    """
    if values := unknown(engine, game):
        raise QuestionError(
            f"the engine {engine} does not know {', '.join(values)}; the engines"
            f" {', '.join(sorted(_BY_THE_RULES))} do"
        )


def engines_of(game: Game) -> tuple[str, ...]:
    """Return the engines that play a game, the one that is asked first before the others."""
    return tuple(engine for engine in ENGINES if plays(engine, game))


def listers(game: Game) -> tuple[str, ...]:
    """Return the engines beside the rules engine that list the turns of a game."""
    return tuple(engine for engine in engines_of(game) if engine != REFERENCE)


def quick_first(engines: Iterable[str]) -> tuple[str, ...]:
    """Return engines of a turn, the quickest first."""
    able = {*engines}
    return tuple(engine for engine in QUICK_FIRST if engine in able)


def tells_points(engine: str) -> bool:
    """Tell whether an engine of a turn has points of its own, and not those of the rules engine."""
    return engine not in BORROWED


def every_move(game: Game) -> str | None:
    """Return the engine that quickly tells the value of every first move; None if there is none."""
    return next((engine for engine in EVERY_MOVE if plays(engine, game)), None)


def chosen(engine: str | None, game: Game) -> str:
    """Return the engine to be asked about a game.

    Args:
        engine: the one that somebody wants; None for the first that plays the game.
        game: the game.

    Raises:
        QuestionError: there is no such engine, or it does not play the game.

    """
    able = engines_of(game)
    if engine is None:
        return able[0]
    if engine not in ENGINES:
        raise QuestionError(f"no engine {quoted(engine)}.{suggestion(engine, ENGINES)}")
    refuse_unknown(engine, game)
    if engine not in able:
        verb = "does" if len(able) == 1 else "do"
        raise QuestionError(
            f"the engine {engine} does not play {game.id}; {', '.join(able)} {verb}"
        )
    return engine


def require(engine: str, game: Game, question: str) -> None:
    """Refuse a question that a single engine can answer, if it does not play the game.

    Args:
        engine: the engine.
        game: the game that is asked about.
        question: what is asked, as the subject of a sentence.

    Raises:
        QuestionError: the engine does not play the game.

    """
    refuse_unknown(engine, game)
    if not plays(engine, game):
        raise QuestionError(
            f"{question} is answered by the engine {engine} alone, which does not play {game.id}"
        )
