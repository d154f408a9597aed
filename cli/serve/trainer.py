"""Puzzles for the trainer, and the judgement of an attempt."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from cli.render.findings import finding_data
from cli.serve import documents
from cli.serve.bodies import AttemptBody, Trial
from cli.serve.puzzle_sets import PuzzleSets
from cli.serve.steps import line_steps, step
from model.engine import judge, play
from model.loose_notation import read_typed
from model.notation import read_move, write_move
from model.position import Position
from model.rules.index import RULES
from puzzles import tutor
from puzzles.puzzle_files import MOVES, read_puzzle
from puzzles.questions import Best, Final, History, Last, Legal, Scores, past, spelled
from puzzles.study.puzzle import Puzzle
from puzzles.tutor import Attempt
from solver.limits import Limits
from solver.questions import forced

AGAINST = frozenset({"force", "win"})
"""The questions in which the opponent's best play answers a move."""


def puzzle(sets: PuzzleSets, set_id: str, puzzle_id: str) -> dict[str, Any]:
    """Return a puzzle with its position, and without its answer.

    Raises:
        QuestionError: there is none of that id.

    """
    of = sets.find(set_id)
    found = of.puzzle(puzzle_id)
    question = found.question
    return {
        **next(head for head in of.heads if head["id"] == puzzle_id),
        "words": found.words,
        "form": tutor.form(found),
        "by_move": bool(found.answer.moves),
        "move": question.move if isinstance(question, Legal | Scores | Final) else None,
        "hints": tutor.HINTS,
        "position": documents.document(found.position, found.title),
    }


def hint(sets: PuzzleSets, set_id: str, puzzle_id: str, number: int) -> dict[str, Any]:
    """Return one of the hints, the first of which is number 0."""
    hints = tutor.hints(sets.find(set_id).puzzle(puzzle_id))
    return {"hint": hints[min(max(number, 0), len(hints) - 1)]}


def solution(sets: PuzzleSets, set_id: str, puzzle_id: str) -> dict[str, Any]:
    """Return the answer of a puzzle, its turns step by step, and why it is the answer."""
    found = sets.find(set_id).puzzle(puzzle_id)
    answer = found.answer
    texts = {rule.id: rule.sentence for rule in RULES}
    asked = found.question
    violations: list[Any] = []
    line: Sequence[str] = answer.line or answer.moves[:1]
    if isinstance(asked, Scores | Final):
        line = (asked.move,)
    elif isinstance(asked, Legal):
        verdict = judge(found.position, read_move(found.position, asked.move))
        violations = [finding_data(one) for one in (verdict.violations or verdict.notes)]
        line = (asked.move,) if verdict.legal else ()
    elif isinstance(asked, Last):
        line = past.a_game(found.position)
    return {
        "value": answer.value,
        "moves": list(answer.moves),
        "line": list(answer.line),
        "legal": answer.legal,
        "breaks": list(answer.breaks),
        "points": list(answer.points),
        "cell": answer.cell,
        "violations": violations,
        "steps": _steps(found, line),
        "refutations": [
            {"move": one.move, "value": one.value, "why": one.why} for one in found.refutations
        ],
        "explanation": found.explanation,
        "rules": [{"id": rule, "text": texts.get(rule, "")} for rule in found.rules],
        "provenance": found.provenance,
    }


def trial(sets: PuzzleSets, body: AttemptBody) -> Trial:
    """Return an attempt with the text of its puzzle, for a process that knows no sets.

    Raises:
        QuestionError: there is no such puzzle.

    """
    of = sets.find(body.set)
    of.puzzle(body.puzzle)
    return Trial(
        text=of.texts[body.puzzle],
        answer=body.answer,
        played=body.played,
        line=body.line,
        seconds=body.seconds,
    )


def judged_at_once(sets: PuzzleSets, body: AttemptBody) -> dict[str, Any] | None:
    """Return the response to an answer of which the puzzle itself tells the value.

    Returns:
        The response, or None if a solver must be asked.

    Raises:
        BurgraveError: there is no such puzzle, or the text is no answer to it.

    """
    if body.line:
        return None
    found = tutor.later(sets.find(body.set).puzzle(body.puzzle), body.played)
    tried = tutor.stored(found, body.answer)
    if tried is None and isinstance(found.question, Best):
        tried = tutor.attempt(found, body.answer)  # which is one turn, played
    if tried is None:
        return None
    told = _told(found, tried, body.answer)
    if not tried.right or not told["steps"]:
        return told
    if found.question.name in tutor.WHOLE_LINES:
        return _on_turn(told, found)
    if found.question.name not in AGAINST:
        return told
    return _continued(told, found, found.answer.line[1:]) if _on_line(found, told) else None


def attempted(ask: Trial) -> dict[str, Any]:
    """Return the response to a user's answer, with best play after it.

    Raises:
        BurgraveError: the puzzle cannot be read, or the text is no answer to it.

    """
    found = tutor.later(_read(ask.text), ask.played)
    tried = tutor.attempt(found, ask.answer)
    told = _told(found, tried, ask.answer)
    if tried.more:
        return _on_turn(told, found)
    if not told["steps"] or found.question.name not in AGAINST:
        return told
    if tried.right and _on_line(found, told):
        return _continued(told, found, found.answer.line[1:])
    after = _after(found, told)
    if after.over:
        return {**told, "waiting": False}
    answer = forced(after, budget=Limits(seconds=ask.seconds), told=1)
    if tried.right:
        moves = []
        for move in answer.line:
            moves.append(write_move(after, move))
            after = play(after, move).position
        return _continued(told, found, moves)
    return {**told, "steps": told["steps"] + line_steps(after, answer), "waiting": False}


@lru_cache(maxsize=8)
def _read(text: str) -> Puzzle:
    """Read a puzzle; one that is tried again is not read again."""
    return read_puzzle("the puzzle", text)


def _told(found: Puzzle, tried: Attempt, text: str) -> dict[str, Any]:
    """Return the response to an answer, with the turn if it is a legal move."""
    data: dict[str, Any] = {
        "right": tried.right,
        "told": tried.told,
        "violations": [],
        "lost": None,
        "steps": [],
        "more": False,
        "waiting": False,
    }
    if found.question.name not in MOVES or text.strip().lstrip("-").isdigit():
        return data
    position = found.position
    if tutor.BETWEEN in text:
        return {**data, "steps": _steps(found, found.answer.line) if tried.right else []}
    move = read_typed(position, text)
    verdict = judge(position, move)
    if not verdict.legal:
        return {**data, "violations": [finding_data(finding) for finding in verdict.violations]}
    if tried.value is not None and found.answer.value is not None:
        data["lost"] = str(Fraction(found.answer.value) - Fraction(tried.value))
    played = play(position, move)
    data["steps"] = [step(position, move, played)]
    # Best play after a wrong move is searched when the verdict is known already.
    against = found.question.name in AGAINST
    data["waiting"] = against and not tried.right and not played.position.over
    whole = found.question.name in tutor.WHOLE_LINES
    if tried.right and not against and not whole and _on_line(found, data):
        data["steps"] = _steps(found, found.answer.line)
    return data


def _on_line(found: Puzzle, told: dict[str, Any]) -> bool:
    """Tell whether the turn of a response is the first of the stored line."""
    line = found.answer.line
    return bool(line) and spelled(found.position, line[0]) == spelled(
        found.position, told["steps"][0]["notation"]
    )


def _after(found: Puzzle, told: dict[str, Any]) -> Position:
    """Return the position after the turn of a response."""
    return play(found.position, read_move(found.position, told["steps"][0]["notation"])).position


def _on_turn(told: dict[str, Any], found: Puzzle) -> dict[str, Any]:
    """Return a response to a right turn of a line that the solver plays for both, or alone."""
    after = _after(found, told)
    met = documents.document(found.question.met(after))
    return {**told, "steps": [{**told["steps"][0], "position": met}], "more": not after.over}


def _continued(told: dict[str, Any], found: Puzzle, line: Sequence[str]) -> dict[str, Any]:
    """Return a response to a right move with best play up to the solver's next turn."""
    position, mover = _after(found, told), found.position.to_move
    steps = list(told["steps"])
    for text in line:
        if position.to_move == mover:
            break
        move = read_move(position, text)
        played = play(position, move)
        steps.append(step(position, move, played))
        position = played.position
    return {**told, "steps": steps, "more": not position.over}


def _steps(found: Puzzle, line: Sequence[str]) -> list[dict[str, Any]]:
    """Return the turns of a line from the position of a puzzle."""
    if isinstance(found.question, History | Last):
        turns = past.played(found.position, line)
        return [step(before, move, play(before, move)) for before, move in turns]
    position, steps = found.position, []
    for text in line:
        move = read_move(position, text)
        played = play(position, move)
        steps.append(step(position, move, played))
        position = found.question.met(played.position)
    return steps
