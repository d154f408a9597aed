"""The subject of ``burgrave compose``, its examination with Ctrl-C, and the finished puzzle."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from burgrave.cli import sources
from burgrave.cli.options import player_index
from burgrave.cli.output import note
from burgrave.cli.progress import ended_by, in_stages, interrupts
from burgrave.model.errors import QuestionError
from burgrave.model.files.positions import read_position
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.puzzles.files.puzzle_files import read_puzzle
from burgrave.puzzles.making.bench import EXAMINED, Bench, examined
from burgrave.puzzles.questions import (
    Best,
    Expect,
    Force,
    Help,
    Inflict,
    Most,
    Question,
    Series,
    Win,
)
from burgrave.puzzles.study.puzzle import Puzzle, slug
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.titles import title as titled
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal

OF_A_LINE = ("--objective", "--for")
"""The options of the questions about a whole line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is examined."""

    position: Position
    question: Question
    stated: Puzzle | None = None
    """The puzzle of the file; None if it holds a position."""


def subject(  # noqa: PLR0913 -- a question with its options
    argument: str,
    turn: int | None,
    question: str | None,
    *,
    objective: str | None,
    player: str | None,
    mode: str | None,
) -> Subject:
    """Read a puzzle, or a position with the question that options ask.

    Args:
        argument: what the user named.
        turn: of a record, the turn.
        question: the name of the question; None for ``force``.
        objective: of ``best`` and ``max``; None for points.
        player: of ``max``; None for the player to move.
        mode: of ``max``; None for helped.

    Raises:
        BurgraveError: it cannot be read, or the options do not fit.

    """
    read = sources.source(argument, turn)
    given = {"--objective": objective, "--for": player, "--mode": mode}
    if read.is_puzzle:
        named = {"--question": question, **given}
        if surplus := [name for name, value in named.items() if value is not None]:
            raise QuestionError(f"{read.name} states its question; leave out {', '.join(surplus)}")
        stated = read_puzzle(read.name, read.text)
        return Subject(position=stated.position, question=stated.question, stated=stated)
    name = question or "force"
    if name not in EXAMINED:
        raise QuestionError(f"no question {quoted(name)}.{suggestion(name, EXAMINED)}")
    fitting = {
        "best": {"--objective"},
        "max": {*given},
        "help": {*OF_A_LINE},
        "series": {*OF_A_LINE},
    }.get(name, set[str]())
    surplus = [one for one, value in given.items() if value is not None and one not in fitting]
    if surplus:
        raise QuestionError(f"the question {name} has no {', '.join(surplus)}")
    position = read_position(read.name, read.text)
    goal = Goal(objective or "points")
    if name == "max":
        asker = player_index(position, player)
        asker = position.to_move if asker is None else asker
        asked: Question = Most(asker=asker, goal=goal, alone=mode == "solitaire")
    elif name in {"help", "series"}:
        asker = player_index(position, player)
        asker = position.to_move if asker is None else asker
        asked = (Help if name == "help" else Series)(asker=asker, goal=goal)
    elif name == "best":
        asked = Best(goal=goal)
    elif name == "inflict":
        asked = Inflict(asker=position.to_move)
    else:
        asked = {"force": Force(), "win": Win(), "expect": Expect()}[name]
    return Subject(position=position, question=asked)


def composed(asked: Subject, limits: Limits) -> tuple[Bench, bool]:
    """Examine a puzzle, with progress on standard error.

    Args:
        asked: what is examined.
        limits: the time of the whole examination, and the effort of each engine.

    Returns:
        What is known, and whether the examination came to its end: Ctrl-C and the end of the time
        end it before.

    Raises:
        QuestionError: the position does not allow the question.
        KeyboardInterrupt: Ctrl-C came before anything was known.

    """
    claim = None if asked.stated is None else asked.stated.answer
    clock, bench = limits.start(), None
    with interrupts() as interrupted, in_stages() as stages:

        def tell(stage: str) -> None:
            # An engine ends at Ctrl-C with what it has, and the examination must end too.
            if interrupted:
                raise KeyboardInterrupt
            stages.at(stage)

        known = examined(asked.position, asked.question, claim, clock=clock, tell=tell)
        try:
            bench = next(known)  # the first answer ends by itself in time
            with ended_by(clock):
                for more in known:
                    if interrupted:
                        break
                    bench = more
        except KeyboardInterrupt:
            if bench is None:
                raise
        except Exception:
            # A stopped engine's answer may break what comes after it, which wants a whole one.
            if bench is None or not interrupted:
                raise
    if interrupted:
        why = "The time is used up" if clock.out else "Interrupted"
        note(f"{why}: the rest is not examined.")
    return bench, not interrupted


def finished(asked: Subject, found: Puzzle, path: Path, title: str | None) -> Puzzle:
    """Return a sound puzzle with its name and the date of its proof.

    Args:
        asked: what was examined; a puzzle keeps its id, title, provenance and lesson.
        found: the puzzle that came back.
        path: the file to be written, after which a new puzzle is named.
        title: a title; None to keep the one there is, or to make one.

    Raises:
        QuestionError: the environment names a date that is none.

    """
    stated = asked.stated
    if stated is not None:
        named, origin, name = stated.title, stated.provenance, stated.id
        found = replace(found, lesson=stated.lesson)
        found = replace(found, explanation=explanations.told(found))
    else:
        named = titled(found, Random(path.stem))  # noqa: S311 -- a title, no secret
        origin = "Composed by hand."
        name = slug(path.stem)
    stamp = found.certification
    return replace(
        found,
        id=name,
        title=named if title is None else title,
        provenance=origin,
        certification=None if stamp is None else replace(stamp, date=_today()),
    )


def _today() -> str:
    """Return the date in UTC: of ``$SOURCE_DATE_EPOCH`` if it is set, else of the clock.

    Raises:
        QuestionError: the variable is no number of seconds, or no date has so many.

    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise QuestionError(
            f"the environment variable SOURCE_DATE_EPOCH is {quoted(epoch)}: give the seconds since"
            " the beginning of 1970, or unset it"
        ) from None
