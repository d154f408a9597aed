"""Puzzles answered anew, and the answers compared with the stored ones."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from burgrave.model.errors import IllegalMoveError, NotationError, QuestionError
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.puzzles.judging.stated_facts import finished, restated, stated
from burgrave.puzzles.questions import Reply, plain, spelled
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.themes import detected
from burgrave.solver.engines import make
from burgrave.solver.limits import Limits
from burgrave.solver.result import Status

NO_LIMIT = Limits()
TWO = 2
"""Engines that must agree before an answer is certified."""


class _Checked:
    """The checks of a stored answer that need no engine."""

    def __init__(self, puzzle: Puzzle, *, described: bool = False) -> None:
        """Check nothing yet.

        Args:
            puzzle: the puzzle.
            described: whether what it states beside its answer, with the values of wrong moves, was
                found just now.

        """
        self.puzzle = puzzle
        self.finished = finished(puzzle)
        self.described = described
        self.states = self.finished and not described
        self._values: dict[str, Any] = {}

    def worth(self, reply: Reply, move: str) -> Any:
        """Return the value of a first move, from the reply or from a new question."""
        if move in reply.values:
            return plain(reply.values[move])
        if move not in self._values:
            try:
                self._values[move] = plain(self.puzzle.question.worth(self.puzzle.position, move))
            except IllegalMoveError as error:
                self._values[move] = str(error)
        return self._values[move]

    def is_best(self, reply: Reply, move: str) -> bool:
        """Tell whether a first move reaches the value of the position."""
        return bool(self.worth(reply, move) == reply.facts["value"])

    @cached_property
    def line_fault(self) -> str:
        """The fault of the stored line; empty if it has none."""
        answer, position = self.puzzle.answer, self.puzzle.position
        try:
            if (
                answer.moves
                and answer.line
                and spelled(position, answer.line[0]) not in answer.moves
            ):
                return "the line begins with none of the moves"
            return self.puzzle.question.unsound(position, answer.line, answer.value)
        except (IllegalMoveError, NotationError) as error:
            return str(error)

    @cached_property
    def refuting_lines(self) -> Facts:
        """The value of each wrong move by the line that is stored after it, or its fault."""
        question, position = self.puzzle.question, self.puzzle.position
        found: dict[str, Any] = {}
        for one in self.puzzle.refutations:
            if one.line:
                try:
                    begins = spelled(position, one.line[0]) == one.move
                    fault = "" if begins else "the line begins with another move"
                    fault = fault or question.astray(position, one.line, one.value)
                    found[one.move] = fault or one.value
                except (IllegalMoveError, NotationError) as error:
                    found[one.move] = str(error)
        return found

    @cached_property
    def themes(self) -> list[str]:
        """The themes that are detected, or what keeps them from it."""
        try:
            return sorted(detected(self.puzzle))
        except (IllegalMoveError, NotationError) as error:
            return [str(error)]

    @cached_property
    def restated(self) -> Facts:
        """The facts that it should state beside its answer."""
        return restated(self.puzzle)


def solve(puzzle: Puzzle, engine: str | None = None, budget: Limits = NO_LIMIT) -> Verdict:
    """Answer a puzzle anew and compare with everything that is stored of its answer.

    Args:
        puzzle: the puzzle.
        engine: the engine that answers; None for the preferred one.
        budget: the time and effort allowed for the answer.

    Returns:
        The verdict. It passes if value, status, best moves and refuted values are the same and the
        line is best play. A finished puzzle must also have the themes, difficulty, rules and words
        of its answer.

    Raises:
        QuestionError: the engine does not answer the question.

    """
    return _solved(_Checked(puzzle), engine, budget)


def verdicts_on(
    puzzle: Puzzle, *, engine: str | None, certificate: bool, budget: Limits
) -> list[Verdict]:
    """Return the verdicts of ``certify`` if a certificate is wanted, else that of ``solve``."""
    return certify(puzzle, budget) if certificate else [solve(puzzle, engine, budget)]


def _solved(checked: _Checked, engine: str | None, budget: Limits) -> Verdict:
    """Answer a puzzle anew and compare with everything that is stored of its answer."""
    puzzle = checked.puzzle
    reply = puzzle.question.reply(puzzle.position, engine, budget)
    stored = puzzle.facts
    expected = {key: stored[key] for key in stored if key in reply.facts}
    got: Facts = {key: reply.facts[key] for key in expected}
    if not reply.whole and "moves" in got:
        # The engine tells one of several ways to reach the most; the stored ones are tried.
        got["moves"] = [move for move in expected["moves"] if checked.is_best(reply, move)]
    if puzzle.answer.line or checked.finished:
        expected["line"] = list(puzzle.answer.line)
        got["line"] = checked.line_fault or expected["line"]
    # The values of wrong moves are not searched twice; known ones are compared.
    wrong = [one for one in puzzle.refutations if not checked.described or one.move in reply.values]
    if wrong:
        expected["refutations"] = {one.move: one.value for one in wrong}
        got["refutations"] = {one.move: checked.worth(reply, one.move) for one in wrong}
    if checked.finished:
        expected["refuting_lines"] = {one.move: one.value for one in puzzle.refutations if one.line}
        got["refuting_lines"] = checked.refuting_lines
    if checked.finished:
        expected["themes"] = sorted(puzzle.themes)
        got["themes"] = checked.themes
    # A wrong answer gets no further comment.
    if checked.states and expected == got:
        expected |= stated(puzzle)
        got |= checked.restated
    return Verdict(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        engine=reply.engine,
        expected=expected,
        got=got,
    )


def certify(
    puzzle: Puzzle,
    budget: Limits = NO_LIMIT,
    most: int | None = None,
    *,
    described: bool = False,
    apart: bool = False,
) -> list[Verdict]:
    """Let engines answer a puzzle until two have come to a proof.

    Args:
        puzzle: the puzzle.
        budget: the time and effort allowed to each engine.
        most: how many engines are asked at most, of those that answer the question.
        described: whether the facts stated beside the answer, and the values of wrong moves, are
            freshly found.
        apart: whether the two must be of different make.

    Returns:
        The verdicts of those that came to a proof, the preferred one's first; the answer is
        certified if there are two and both pass.

    """
    found: list[Verdict] = []
    checked = _Checked(puzzle, described=described)
    asked = 0
    for name in puzzle.question.engines(puzzle.position):
        if apart and make(name) in {make(verdict.engine) for verdict in found}:
            continue
        try:
            verdict = _solved(checked, name, budget)
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
    """Return the answer that is stored as if an engine had said it."""
    return Verdict(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        engine="stored",
        expected=puzzle.facts,
        got=puzzle.facts,
    )
