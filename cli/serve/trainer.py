"""The shipped puzzles, and the judgement of an attempt."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cli.render.findings import finding_data
from cli.serve import documents
from cli.serve.bodies import AttemptBody
from cli.serve.steps import line_steps, step
from model.engine import judge, play
from model.loose_notation import read_typed
from model.rules.index import RULES
from puzzles import library, tutor
from puzzles.questions import Final, Legal, Scores
from puzzles.study.puzzle import Puzzle
from solver.limits import Limits
from solver.questions import forced

_REFUTED = frozenset({"force", "win"})
"""The questions of which a move is refuted by the opponent's best play after it."""


def puzzles() -> dict[str, Any]:
    """Return the puzzles of the trainer."""
    return {"puzzles": [_head(entry) for entry in library.puzzle_entries()]}


def _head(entry: library.Entry) -> dict[str, Any]:
    """Return the entry of a puzzle in a list."""
    return {
        "id": entry.id,
        "title": entry.title,
        "game": entry.game,
        "question": entry.question,
        "themes": list(entry.themes),
        "difficulty": entry.difficulty,
    }


def _puzzle(puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle.

    Raises:
        QuestionError: there is none of that id.

    """
    return library.puzzle(library.find(puzzle_id))


def puzzle(puzzle_id: str) -> dict[str, Any]:
    """Return a puzzle with its position, and without its answer."""
    found = _puzzle(puzzle_id)
    question = found.question
    return {
        **_head(library.find(puzzle_id)),
        "words": found.words,
        "form": tutor.form(found),
        "by_move": bool(found.answer.moves),
        "move": question.move if isinstance(question, Legal | Scores | Final) else None,
        "hints": tutor.HINTS,
        "position": documents.document(found.position, found.title),
    }


def hint(puzzle_id: str, number: int) -> dict[str, Any]:
    """Return one of the hints, the first of which is number 0."""
    hints = tutor.hints(_puzzle(puzzle_id))
    return {"hint": hints[min(max(number, 0), len(hints) - 1)]}


def solution(puzzle_id: str) -> dict[str, Any]:
    """Return the answer of a puzzle and why it is the answer."""
    found = _puzzle(puzzle_id)
    answer = found.answer
    texts = {rule.id: rule.sentence for rule in RULES}
    return {
        "value": answer.value,
        "moves": list(answer.moves),
        "line": list(answer.line),
        "legal": answer.legal,
        "breaks": list(answer.breaks),
        "points": list(answer.points),
        "refutations": [
            {"move": one.move, "value": one.value, "why": one.why} for one in found.refutations
        ],
        "explanation": found.explanation,
        "rules": [{"id": rule, "text": texts.get(rule, "")} for rule in found.rules],
        "provenance": found.provenance,
    }


def attempted(body: AttemptBody) -> dict[str, Any]:
    """Return the response to a user's answer.

    Raises:
        QuestionError: there is no such puzzle, or the text is no answer to it.

    """
    found = _puzzle(body.puzzle)
    tried = tutor.attempt(found, body.answer)
    data: dict[str, Any] = {
        "right": tried.right,
        "told": tried.told,
        "violations": [],
        "lost": None,
        "steps": [],
    }
    if not found.answer.moves or body.answer.strip().lstrip("-").isdigit():
        return data
    position = found.position
    move = read_typed(position, body.answer)
    verdict = judge(position, move)
    if not verdict.legal:
        return {**data, "violations": [finding_data(finding) for finding in verdict.violations]}
    if tried.value is not None and found.answer.value is not None:
        lost = Fraction(found.answer.value) - Fraction(tried.value)
        data["lost"] = str(lost)
    played = play(position, move)
    data["steps"] = [step(position, move, played)]
    after = played.position
    if not tried.right and found.question.name in _REFUTED and not after.over:
        answer = forced(after, budget=Limits(seconds=body.seconds))
        data["steps"] += line_steps(after, answer)
    return data
