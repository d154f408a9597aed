"""Puzzles answered anew, and what is stored compared with what is found."""

from __future__ import annotations

from typing import Any

from model.errors import IllegalMoveError, NotationError, QuestionError
from puzzles.card_questions import Facts
from puzzles.puzzle import Puzzle
from puzzles.questions import Reply, plain
from puzzles.themes import detected
from puzzles.verdict import Verdict
from solver.answers import Status
from solver.budget import Budget

NO_LIMIT = Budget()
TWO = 2
"""Engines that must agree before an answer is certified."""


def solve(puzzle: Puzzle, engine: str | None = None, budget: Budget = NO_LIMIT) -> Verdict:
    """Answer a puzzle anew and compare with everything that is stored of its answer.

    Args:
        puzzle: the puzzle.
        engine: the engine that answers; None for the one that suits the question.
        budget: the time and effort allowed for the answer.

    Returns:
        The verdict. It passes if value, status and best moves are the same, if the stored
        line is best play, if each refuted move is worth what is stored, and if the themes are
        those that are detected in the stored answer.

    Raises:
        QuestionError: the engine does not answer the question.

    """
    reply = puzzle.question.reply(puzzle.position, engine, budget)
    stored = puzzle.facts
    expected = {key: stored[key] for key in stored if key in reply.facts}
    got: Facts = {key: reply.facts[key] for key in expected}
    if not reply.whole and "moves" in got:
        got["moves"] = [move for move in expected["moves"] if _is_best(puzzle, reply, move)]
    if puzzle.answer.line:
        fault = _line_fault(puzzle)
        expected["line"] = list(puzzle.answer.line)
        got["line"] = fault or expected["line"]
    if puzzle.refutations:
        expected["refutations"] = {one.move: one.value for one in puzzle.refutations}
        got["refutations"] = {
            one.move: _worth(puzzle, reply, one.move) for one in puzzle.refutations
        }
    if puzzle.themes:
        expected["themes"] = sorted(puzzle.themes)
        got["themes"] = _themes(puzzle)
    return Verdict(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        engine=reply.engine,
        expected=expected,
        got=got,
    )


def certify(puzzle: Puzzle, budget: Budget = NO_LIMIT, most: int | None = None) -> list[Verdict]:
    """Let engines answer a puzzle until two have come to a proof.

    Args:
        puzzle: the puzzle.
        budget: the time and effort allowed to each engine.
        most: how many engines are asked at most, of those that answer the question.

    Returns:
        The verdicts of those that came to a proof, the preferred one's first; the answer is
        certified if there are two and both pass.

    """
    found: list[Verdict] = []
    asked = 0
    for name in puzzle.question.engines(puzzle.position):
        try:
            verdict = solve(puzzle, name, budget)
        except QuestionError:
            continue
        asked += 1
        if verdict.got.get("status", str(Status.OPTIMAL)) == str(Status.OPTIMAL):
            found.append(verdict)
        if len(found) == TWO or asked == most:
            break
    return found


def certified(verdicts: list[Verdict]) -> bool:
    """Tell whether verdicts certify an answer."""
    return len(verdicts) >= TWO and all(verdict.passed for verdict in verdicts)


def stored(puzzle: Puzzle) -> Verdict:
    """Return what is stored as if an engine had said it."""
    return Verdict(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        engine="stored",
        expected=puzzle.facts,
        got=puzzle.facts,
    )


def _worth(puzzle: Puzzle, reply: Reply, move: str) -> Any:
    """Return what a first move is worth, by the reply or by asking again."""
    if move in reply.values:
        return plain(reply.values[move])
    try:
        return plain(puzzle.question.worth(puzzle.position, move))
    except IllegalMoveError as error:
        return str(error)


def _is_best(puzzle: Puzzle, reply: Reply, move: str) -> bool:
    """Tell whether a first move reaches the value of the position."""
    return bool(_worth(puzzle, reply, move) == reply.facts["value"])


def _line_fault(puzzle: Puzzle) -> str:
    """Return what is wrong with the stored line; empty if nothing."""
    answer = puzzle.answer
    try:
        return puzzle.question.unsound(puzzle.position, answer.line, answer.value)
    except (IllegalMoveError, NotationError) as error:
        return str(error)


def _themes(puzzle: Puzzle) -> list[str]:
    """Return the themes that are detected, or what keeps them from it."""
    try:
        return sorted(detected(puzzle))
    except (IllegalMoveError, NotationError) as error:
        return [str(error)]
