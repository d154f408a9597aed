"""Many positions asked one question: lines of JSON in, lines of JSON out, in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from burgrave.cli import sources
from burgrave.cli.render.editions import ruled
from burgrave.cli.render.evaluation import evaluation_data
from burgrave.cli.render.game_answers import game_answer_data
from burgrave.cli.render.turn_answers import turn_answer_data
from burgrave.model.errors import BurgraveError, QuestionError
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.solver.limits import Limits
from burgrave.solver.questions import best, drawn_first, evaluate, expected, forced, winning
from burgrave.solver.result import Answer, Status

Data = dict[str, Any]
KEYS = ("position", "tile", "id")
"""The keys that a line may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the output."""

    data: Data
    refused: bool
    """Whether it holds an error instead of an answer."""
    proved: bool
    """Whether the answer is all that was asked for; an estimate is."""


def _best(position: Position, tile: str | None, budget: Limits) -> tuple[Data, bool]:
    """Answer ``burgrave best``."""
    answer = best(position, tile=tile, budget=budget)
    return ruled(turn_answer_data(position, answer), position.game), answer.status is Status.OPTIMAL


def _game(ask: Callable[..., Answer]) -> Callable[..., tuple[Data, bool]]:
    """Return what answers a question about the rest of a game; one best move is replayed."""

    def answered(position: Position, tile: str | None, budget: Limits) -> tuple[Data, bool]:
        drawn = drawn_first(position, tile)
        answer = ask(drawn, every=False, told=1, budget=budget)
        return ruled(game_answer_data(drawn, answer), drawn.game), answer.status is Status.OPTIMAL

    return answered


def _evaluate(position: Position, tile: str | None, budget: Limits) -> tuple[Data, bool]:
    """Answer ``burgrave evaluate``."""
    drawn = drawn_first(position, tile)
    found = evaluation_data(drawn, evaluate(drawn, budget=budget))
    return ruled(found, drawn.game), True


QUESTIONS: Mapping[str, Callable[[Position, str | None, Limits], tuple[Data, bool]]] = {
    "best": _best,
    "force": _game(forced),
    "win": _game(winning),
    "expect": _game(expected),
    "evaluate": _evaluate,
}
"""The questions by the names of their commands."""


def rows(
    question: str, lines: Iterable[bytes], budget: Limits, done: Iterable[Data] = ()
) -> Iterator[Row]:
    """Yield the rows of the output for the lines of the input, in their order.

    Args:
        question: a key of ``QUESTIONS``.
        lines: each a JSON text or object that names a position; empty ones are skipped.
        budget: the time, turns and threads for each position.
        done: rows that an earlier run wrote; they are compared with the lines and left out.

    Raises:
        QuestionError: the rows are those of other lines or of another question.

    """
    known = iter(done)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        key = _key(question, line, budget)
        if (old := next(known, None)) is not None:
            if (old.get("number"), old.get("key")) != (number, key):
                raise QuestionError(
                    f"line {number}: the output holds the answer to another line or question;"
                    " name another file, or add --force to begin anew"
                )
            continue
        head: Data = {"number": number, "key": key}
        try:
            given = _given(line)
            head |= {"id": given["id"]} if "id" in given else {}
            position = _position(number, given["position"])
            found, proved = QUESTIONS[question](position, given.get("tile"), budget)
        except BurgraveError as error:
            yield Row(data={**head, "error": str(error)}, refused=True, proved=False)
        else:
            yield Row(data={**head, **found}, refused=False, proved=proved)


def _key(question: str, line: bytes, budget: Limits) -> str:
    """Return a digest of a line and its question, by which a later run knows its row."""
    asked = f"{question} {budget.seconds} {budget.nodes} ".encode()
    return hashlib.sha256(asked + line.strip()).hexdigest()[:16]


def _given(line: bytes) -> Data:
    """Read a line.

    Raises:
        QuestionError: it is neither a name of a position nor an object with one.

    """
    try:
        text = line.decode("utf-8").strip()
        given = json.loads(text) if text[0] in '{["' else text
    except (ValueError, RecursionError) as error:
        raise QuestionError(f"the line is no JSON: {error}") from None
    if isinstance(given, str):
        return {"position": given}
    if not isinstance(given, dict) or "position" not in given:
        raise QuestionError('a line is the name of a position or {"position": …}')
    for key in given.keys() - {*KEYS}:
        raise QuestionError(f"no key {quoted(key)}.{suggestion(key, KEYS)}")
    tile = given.get("tile")
    if tile is not None and not isinstance(tile, str):
        raise QuestionError(f"tile: found {tile!r}, expected the id of a tile")
    return given


def _position(number: int, named: object) -> Position:
    """Return the position of a line: by its name, or from the keys of its file."""
    if isinstance(named, str) and named != "-":
        return sources.position(named)
    if isinstance(named, dict):
        return sources.position_of(
            sources.Source(name=f"line {number}", text=json.dumps(named, ensure_ascii=False))
        )
    raise QuestionError("position: give a file, an id, a line of a position, or its keys")
