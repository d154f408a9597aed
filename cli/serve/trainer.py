"""Puzzles for the trainer, and the judgement of an attempt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from burgrave.cli.render.findings import finding_data
from burgrave.cli.serve import documents
from burgrave.cli.serve.bodies import AttemptBody, Trial
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.cli.serve.refusals import RefusalError
from burgrave.cli.serve.steps import step
from burgrave.model.engine import judge, play
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import read_move, write_move
from burgrave.model.pictures import View, board_svg
from burgrave.model.position import Move
from burgrave.model.rule import Finding
from burgrave.model.rules.index import RULES
from burgrave.puzzles.files.puzzle_files import MOVES, read_puzzle
from burgrave.puzzles.questions import past, spelled
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.words import hints as telling
from burgrave.puzzles.words import tutor
from burgrave.puzzles.words.tutor import Attempt

AGAINST = frozenset({"force", "inflict", "win"})
"""The questions in which the opponent's best play answers a move."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a puzzle itself tells of an answer.

    Attributes:
        response: the response, which a solver may add to; None if nothing is known.
        whole: whether there is nothing to add.

    """

    response: dict[str, Any] | None = None
    whole: bool = False


def puzzle(sets: PuzzleSets, set_id: str, puzzle_id: str) -> dict[str, Any]:
    """Return a puzzle with its position, and without its answer.

    Raises:
        RefusalError: there is none of that id.

    """
    of = sets.find(set_id)
    found = of.puzzle(puzzle_id)
    question = found.question
    return {
        **of.head(puzzle_id),
        "rules": found.position.game.named,
        "words": found.words,
        "form": tutor.form(found),
        "by_move": bool(found.answer.moves),
        "move": question.about or None,
        "hints": telling.HINTS,
        "position": documents.document(found.position, found.title),
    }


def picture(sets: PuzzleSets, set_id: str, puzzle_id: str) -> dict[str, Any]:
    """Return the board of a puzzle as a small picture, for lists.

    Raises:
        RefusalError: there is no such set or puzzle.

    """
    position = sets.find(set_id).puzzle(puzzle_id).position
    return {"svg": board_svg(position, View(thumbnail=True), embed_style=False)}


def hint(sets: PuzzleSets, set_id: str, puzzle_id: str, number: str) -> dict[str, Any]:
    """Return one of the hints, the first of which is number 0.

    Raises:
        RefusalError: there is no such set, puzzle or hint.

    """
    hints = telling.hints(sets.find(set_id).puzzle(puzzle_id))
    by_number = {str(n): told for n, told in enumerate(hints)}
    if number not in by_number:
        raise RefusalError(404, f"a puzzle has the hints {', '.join(by_number)}")
    return {"hint": by_number[number]}


def solution(sets: PuzzleSets, set_id: str, puzzle_id: str) -> dict[str, Any]:
    """Return the answer of a puzzle, its turns step by step, and why it is the answer.

    Each refutation has its ``line``: the player, the notation and the sentence of the move
    and, where they are stored, of the turns of best play after it.
    """
    found = sets.find(set_id).puzzle(puzzle_id)
    answer = found.answer
    texts = {rule.id: rule.sentence for rule in RULES}
    asked = found.question
    line = asked.shown(found.position, answer.line, answer.moves)
    findings: Sequence[Finding] = ()
    if answer.legal is not None:
        verdict = judge(found.position, read_move(found.position, asked.about))
        findings = verdict.violations or verdict.notes
    return {
        "value": answer.value,
        "moves": list(answer.moves),
        "line": list(answer.line),
        "legal": answer.legal,
        "breaks": list(answer.breaks),
        "points": list(answer.points),
        "cell": answer.cell,
        "violations": [finding_data(one) for one in findings],
        "steps": _steps(found, line),
        "refutations": [
            {
                "move": one.move,
                "value": one.value,
                "why": one.why,
                "line": [
                    {key: turn[key] for key in ("player", "notation", "says")}
                    for turn in _steps(found, one.line or (one.move,))
                ],
            }
            for one in found.refutations
        ],
        "explanation": found.explanation,
        "rules": [{"id": rule, "text": texts.get(rule, "")} for rule in found.rules],
        "provenance": found.provenance,
    }


def trial(sets: PuzzleSets, body: AttemptBody) -> Trial:
    """Return an attempt with the text of its puzzle, for a process that knows no sets.

    Raises:
        RefusalError: there is no such puzzle.

    """
    return Trial(
        text=sets.find(body.set).text(body.puzzle),
        answer=body.answer,
        played=body.played,
        seconds=body.seconds,
    )


def judged_at_once(sets: PuzzleSets, body: AttemptBody) -> Known:
    """Return what the puzzle itself tells of an answer, so that nobody waits for a solver.

    Raises:
        RefusalError: there is no such puzzle.
        BurgraveError: the text is no answer to it.

    """
    found = tutor.later(sets.find(body.set).puzzle(body.puzzle), body.played)
    tried = tutor.stored(found, body.answer)
    if tried is None and found.question.turn_only:
        tried = tutor.attempt(found, body.answer)  # which is one turn, played
    if tried is None and _stores_all(sets, body):
        tried = Attempt(right=False, told="There is a better move.")
        return Known(response(found, tried, body.answer))
    if tried is None:
        return Known()
    return Known(response(found, tried, body.answer), whole=not _lacks_line(found, tried))


def _stores_all(sets: PuzzleSets, body: AttemptBody) -> bool:
    """Tell whether every best move is stored: of first moves of shipped puzzles, as tests prove."""
    return sets.shipped(body.set) and not body.played and tutor.BETWEEN not in body.answer


def attempted(ask: Trial) -> dict[str, Any]:
    """Return the response to a user's answer, with best play after it.

    Raises:
        BurgraveError: the puzzle cannot be read, or the text is no answer to it.

    """
    found = tutor.later(_read(ask.text), ask.played)
    tried = tutor.attempt(found, ask.answer)
    if _lacks_line(found, tried):
        line = found.question.line_after(found.position, spelled(found.position, ask.answer))
        tried = replace(tried, line=line)
    return response(found, tried, ask.answer)


def _lacks_line(found: Puzzle, tried: Attempt) -> bool:
    """Tell whether the verdict on a legal move is known, and best play against it is not."""
    return found.question.name in AGAINST and tried.value is not None and not tried.line


@lru_cache(maxsize=8)
def _read(text: str) -> Puzzle:
    """Read a puzzle; one that is tried again is not read again."""
    return read_puzzle("the puzzle", text)


def response(found: Puzzle, tried: Attempt, text: str) -> dict[str, Any]:
    """Return the response to an answer that was judged.

    Args:
        found: the puzzle as it stands.
        tried: the verdict; its line is shown.
        text: the answer.

    Returns:
        ``right``; ``told``, a sentence; ``violations``; ``lost``, points against the best or None;
        ``steps``, the turns of the line up to the solver's next one; ``more``, whether he is to
        move again.

    """
    data: dict[str, Any] = {
        "right": tried.right,
        "told": tried.told,
        "violations": [],
        "lost": None,
        "steps": [],
        "more": False,
    }
    if tutor.BETWEEN in text and found.question.name in tutor.WHOLE_LINES:
        return {**data, "steps": _steps(found, found.answer.line) if tried.right else []}
    if found.question.name not in MOVES or text.strip().lstrip("-").isdigit():
        return data
    position = found.position
    move = read_typed(position, text)
    verdict = judge(position, move)
    if not verdict.legal:
        told = [finding_data(finding) for finding in verdict.violations]
        return {**data, "told": "That is not legal.", "violations": told}
    data["lost"] = lost(found, tried)
    if found.question.name in tutor.WHOLE_LINES:
        return {**data, **_own_turn(found, move, right=tried.right)}
    steps = _steps(found, tried.line or (write_move(position, move),))
    if tried.right and found.question.name in AGAINST:
        mover = position.game.players[position.to_move]
        again = (at for at, one in enumerate(steps) if at and one["player"] == mover)
        end = next(again, None)
        return {**data, "steps": steps[:end], "more": end is not None}
    return {**data, "steps": steps}


def _own_turn(found: Puzzle, move: Move, *, right: bool) -> dict[str, Any]:
    """Return the steps of a turn of a line that the solver plays for both, or alone."""
    position = found.position
    played = play(position, move)
    shown = step(position, move, played)
    after = found.question.met(played.position)
    return {
        "steps": [{**shown, "position": documents.document(after)}],
        "more": right and not after.over,
    }


def lost(found: Puzzle, tried: Attempt) -> str | None:
    """Return what a move loses against the best, a whole number or a fraction; None if unknown."""
    if tried.value is None or found.answer.value is None:
        return None
    return str(Fraction(found.answer.value) - Fraction(tried.value))


def _steps(found: Puzzle, line: Sequence[str]) -> list[dict[str, Any]]:
    """Return the turns of a line from the position of a puzzle, or from the past of it."""
    if found.question.past:
        turns = past.played(found.position, line)
        return [step(before, move, play(before, move)) for before, move in turns]
    position, steps = found.position, []
    for text in line:
        move = read_move(position, text)
        played = play(position, move)
        steps.append(step(position, move, played))
        position = found.question.met(played.position)
    return steps
