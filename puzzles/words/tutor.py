"""A user's own try at a puzzle: the form of an answer, and comments on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from burgrave.model.engine import canonical, judge, play
from burgrave.model.errors import BurgraveError, NotationError, QuestionError
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.words import read_cell
from burgrave.puzzles.questions import plain, spelled
from burgrave.puzzles.questions.past import played as turns_played
from burgrave.puzzles.questions.wording import (
    a_move,
)
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.words.wrong_answers import (
    another_number,
    miscounted,
    misjudged,
    not_added,
    not_last,
    not_played,
)

WHOLE_LINES = frozenset({"help", "series"})
"""The questions that are answered by a whole line of play."""
BETWEEN = ";"
"""Stands between the turns of a line that a user types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The response to a user's answer."""

    right: bool
    told: str
    """One plain sentence."""
    more: bool = False
    """Whether it is the beginning of an answer, and turns are left to be found."""
    value: int | str | None = None
    """The value of a legal move, if the answer was one and moves have a value."""
    line: tuple[str, ...] = ()
    """The move and best play after it, as far as it is stored or was searched."""


def form(puzzle: Puzzle) -> str:
    """Return in words the form of an answer to the puzzle."""
    name = puzzle.question.name
    if name == "legal":
        return "yes or no"
    if name == "scores":
        return "who scores what, in order: 'white 4, black 2', or 'nobody'"
    if name == "final":
        return "who ends with how many points: 'white 34, black 28'"
    if name == "complete":
        return "a number of tiles"
    if name == "last":
        return "the cell of the tile, like 1,-2"
    if name == "add":
        return a_move(puzzle.position.game)
    if name in WHOLE_LINES | {"history"}:
        return f"all {len(puzzle.answer.line)} turns in order, with {BETWEEN} between them"
    return a_move(puzzle.position.game) + (", or the number" if name == "max" else "")


def later(puzzle: Puzzle, played: Sequence[str]) -> Puzzle:
    """Return a puzzle as it stands after moves of best play.

    Its value is the same for the same player. The stored values of first moves no longer apply; the
    stored line continues if the moves are its own.

    Raises:
        BurgraveError: a move is none, or is illegal.

    """
    position, line = puzzle.position, puzzle.answer.line
    for move in played:
        on = bool(line) and spelled(position, move) == spelled(position, line[0])
        line = line[1:] if on else ()
        position = puzzle.question.met(play(position, read_move(position, move)).position)
    if not played:
        return puzzle
    answer = replace(puzzle.answer, moves=line[:1], line=line)
    return replace(puzzle, position=position, answer=answer, refutations=())


def _whole_line(
    puzzle: Puzzle, text: str, search: Callable[[Puzzle, str], Attempt | None]
) -> Attempt | None:
    """Judge the turns of a line, of which the first may be given alone.

    Args:
        puzzle: the puzzle.
        text: the turns.
        search: judges a turn of which nothing is stored.

    Returns:
        The response; None if the search has none.

    """
    moves = [part.strip() for part in text.split(BETWEEN) if part.strip()]
    if not moves:
        raise QuestionError(f"'{text}': give {form(puzzle)}")
    for number, move in enumerate(moves, start=1):
        found = _tried(puzzle, move) or search(puzzle, move)
        if found is None:
            return None
        tried = found
        if not tried.right:
            return replace(tried, told=f"Turn {number}: {tried.told}")
        if not puzzle.answer.line:
            raise QuestionError(f"{move}: the game is over before it")
        puzzle = later(puzzle, puzzle.answer.line[:1])
    if puzzle.position.over:
        return tried
    return replace(tried, more=True)


def _nothing(puzzle: Puzzle, move: str) -> None:
    """Know nothing of a move that is not stored."""


def attempt(puzzle: Puzzle, text: str) -> Attempt:
    """Judge an answer, by a solver if the puzzle does not tell its value.

    Args:
        puzzle: the puzzle.
        text: an answer of the form that ``form`` tells.

    Raises:
        QuestionError: the text is no answer to this question.

    """
    whole = puzzle.question.name in WHOLE_LINES
    found = _whole_line(puzzle, text, _searched) if whole else stored(puzzle, text)
    return found or _searched(puzzle, text)


def stored(puzzle: Puzzle, text: str) -> Attempt | None:
    """Judge an answer by what the puzzle stores, without a solver.

    Args:
        puzzle: the puzzle.
        text: an answer of the form that ``form`` tells.

    Returns:
        The response; None if it is a legal move whose value is not stored.

    Raises:
        QuestionError: the text is no answer to this question.

    """
    text = " ".join(text.split())
    name = puzzle.question.name
    if name == "legal":
        return _yes_or_no(puzzle, text)
    if name in {"scores", "final"}:
        wanted = list(puzzle.answer.points)
        given = [] if text.lower() == "nobody" else [part.strip() for part in text.split(",")]
        right = [part.lower() for part in given] == wanted
        return Attempt(right=right, told="Right." if right else miscounted(puzzle, given))
    if name == "complete" or (name == "max" and text.lstrip("-").isdigit()):
        if not text.lstrip("-").isdigit():
            raise QuestionError(f"'{text}': give {form(puzzle)}")
        right = int(text) == puzzle.answer.value
        return Attempt(right=right, told="Right." if right else another_number(puzzle, int(text)))
    if name == "last":
        if not re.fullmatch(r"-?\d+, ?-?\d+", text):
            raise QuestionError(f"'{text}': give {form(puzzle)}")
        right = text.replace(" ", "") == puzzle.answer.cell
        told = "Right." if right else not_last(puzzle, read_cell(text))
        return Attempt(right=right, told=told)
    if name == "history":
        return _history(puzzle, text)
    if name == "add":
        return _added(puzzle, text)
    if name in WHOLE_LINES:
        # Several turns, or the first of them, are judged one after another.
        return _whole_line(puzzle, text, _nothing) if BETWEEN in text else _tried(puzzle, text)
    return _tried(puzzle, text)


def _history(puzzle: Puzzle, text: str) -> Attempt:
    """Judge the turns that led to a position."""
    given = [part.strip() for part in text.split(BETWEEN) if part.strip()]
    turns = list(turns_played(puzzle.position, puzzle.answer.line))
    for number, ((at, move), part) in enumerate(zip(turns, given, strict=False), start=1):
        try:
            # Nobody is told in which order the tiles came.
            before = replace(at, order=(read_typed(at, part).tile or at.order[0],))
            made = typed(before, part)
        except BurgraveError as error:
            raise QuestionError(f"turn {number}: {error}\n  Give {form(puzzle)}.") from error
        if made != canonical(at, move):
            why = made if isinstance(made, str) else not_played(puzzle.position, before, made)
            return Attempt(right=False, told=f"Turn {number} was another one. {why}")
    if len(given) != len(turns):
        raise QuestionError(f"'{text}': give {form(puzzle)}")
    return Attempt(right=True, told="Right.")


def _added(puzzle: Puzzle, text: str) -> Attempt:
    """Judge a tile that is added."""
    given = typed(puzzle.position, text)
    if isinstance(given, str):
        return Attempt(right=False, told=given)
    right = write_move(puzzle.position, given) == puzzle.answer.line[0]
    return Attempt(right=right, told="Right." if right else not_added(puzzle, given))


def _yes_or_no(puzzle: Puzzle, text: str) -> Attempt:
    """Judge an answer to the question whether a move is legal."""
    words = {"yes": True, "y": True, "legal": True, "no": False, "n": False, "illegal": False}
    if text.lower() not in words:
        raise QuestionError(f"'{text}': give {form(puzzle)}")
    right = words[text.lower()] is puzzle.answer.legal
    return Attempt(right=right, told="Right." if right else misjudged(puzzle))


def typed(position: Position, text: str) -> Move | str:
    """Return the legal move that a user typed; of one that is illegal its faults in a sentence.

    Raises:
        QuestionError: the text is no move.

    """
    try:
        given = read_typed(position, text)
    except NotationError as error:
        raise QuestionError(f"{error}\n  An answer is {a_move(position.game)}.") from error
    verdict = judge(position, given)
    if not verdict.legal:
        faults = "; ".join(f"{found.message} [{found.rule}]" for found in verdict.violations)
        return f"That is not legal: {faults}."
    return canonical(position, given)


def _tried(puzzle: Puzzle, text: str) -> Attempt | None:
    """Judge a move if it is illegal or its value is stored."""
    position = puzzle.position
    given = typed(position, text)
    if isinstance(given, str):
        return Attempt(right=False, told=given)
    return verdict(puzzle, write_move(position, given))


def verdict(puzzle: Puzzle, move: str) -> Attempt | None:
    """Judge a legal move, worded as the engines do, by what is stored of it; None if nothing is."""
    answer = puzzle.answer
    if move in answer.moves:
        told = f"Right: it is worth {answer.value}."
        line = answer.line if answer.line[:1] == (move,) else ()
        return Attempt(right=True, told=told, value=answer.value, line=line)
    one = next((one for one in puzzle.refutations if one.move == move), None)
    if one is None:
        return None
    why = f" {one.why}" if one.why else ""
    told = f"It is worth {one.value}: there is better.{why}"
    return Attempt(right=False, told=told, value=one.value, line=one.line)


def _searched(puzzle: Puzzle, text: str) -> Attempt:
    """Judge a legal move by a solver."""
    position = puzzle.position
    move = write_move(position, canonical(position, read_typed(position, text)))
    worth, line = puzzle.question.followed(position, move)
    return valued(puzzle, worth, line)


def valued(puzzle: Puzzle, worth: Fraction | None, line: tuple[str, ...] = ()) -> Attempt:
    """Judge a legal move by its value.

    Args:
        puzzle: the puzzle.
        worth: its value for the asker, in points or as the question counts.
        line: the move and best play after it, if it is known.

    """
    value = plain(worth)
    # Of many ways to reach the most some alone may be stored.
    right = value == puzzle.answer.value
    told = f"Right: it is worth {value} too." if right else f"It is worth {value}: there is better."
    return Attempt(right=right, told=told, value=value, line=line)
