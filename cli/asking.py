"""Puzzles and one's own mistakes as a dialogue: the user tries them, with hints on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import fill

import typer

from burgrave.cli.output import Colour, coloured, glyphs, note, say
from burgrave.cli.render.legend import whole
from burgrave.cli.render.width import columns
from burgrave.model.errors import QuestionError
from burgrave.model.naming import times
from burgrave.model.position import Position
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.puzzles.judging.solving import stored
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.words.hints import HINTS, hints
from burgrave.puzzles.words.tutor import Attempt, attempt, form

_WORDS = {
    "hint": "the next of three hints",
    "board": "show the position again",
    "solution": "show the answer and end this puzzle",
    "quit": "leave without an answer",
    "?": "show these words",
}
"""The words that can be typed besides an answer."""
QUIT = frozenset({"quit", "exit", "q"})
"""The words that end a dialogue."""

_TILES = 8
"""Tiles after the next that are drawn at most."""


class QuitError(Exception):
    """The user ends the dialogue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the user tries.

    Attributes:
        title: a line above the board.
        position: what is shown.
        question: the question as a sentence.
        form: in words what an answer looks like.
        hints: returns three hints.
        attempt: judges an answer; a ``QuestionError`` says that it is none.
        solution: returns the lines that end the task.

    """

    title: str
    position: Position
    question: str
    form: str
    hints: Callable[[], Sequence[str]]
    attempt: Callable[[str], Attempt]
    solution: Callable[[], Iterable[str]]


def of_puzzle(puzzle: Puzzle) -> Task:
    """Return the task of a puzzle."""
    return Task(
        title=f"{puzzle.id}: {puzzle.title} ({puzzle.position.game.named})",
        position=puzzle.position,
        question=puzzle.words,
        form=form(puzzle),
        hints=partial(hints, puzzle),
        attempt=partial(attempt, puzzle),
        solution=partial(_solution, puzzle),
    )


def tried(task: Task) -> bool:
    """Let the user try a task.

    Returns:
        Whether the user found the answer.

    Raises:
        QuitError: the user leaves.

    """
    say(f"{task.title}\n")
    show_board(task.position)
    say(f"\n{task.question}")
    note(f"Answer with {task.form}; ? lists what else you can type.")
    given = 0
    while True:
        try:
            text = typer.prompt("Your answer", err=True).strip()
        except typer.Abort:
            # Nobody types any more: the input has ended.
            text = "solution"
        word = text.lower()
        if word in QUIT:
            raise QuitError
        if word in {"?", "help"}:
            say(f"An answer is {task.form}. Other words:")
            say("\n".join(f"  {name:10}{meaning}" for name, meaning in _WORDS.items()))
        elif word == "board":
            show_board(task.position)
        elif word == "hint":
            last = "" if given < HINTS else " That was the last hint; solution shows the answer."
            say(f"{task.hints()[min(given, HINTS - 1)]}{last}")
            given += 1
        elif word == "solution":
            say("\n".join(task.solution()))
            return False
        elif _right(task, text):
            say("\n".join(task.solution()))
            return True


def tried_all(tasks: Sequence[Task], what: str) -> bool:
    """Let the user try tasks one after another.

    Args:
        tasks: the tasks.
        what: what one of them is called.

    Returns:
        Whether the user found all answers.

    """
    found = 0
    for task in tasks:
        try:
            found += tried(task)
        except QuitError:
            note(f"You solved {found} of {times(len(tasks), what)}.")
            break
    return found == len(tasks)


def _right(task: Task, text: str) -> bool:
    """Show the user the value of an answer; return whether it is right."""
    try:
        judged = task.attempt(text)
    except QuestionError as error:
        note(str(error))
        return False
    say(judged.told)
    if judged.more:
        note("That is right so far; turns are left to be found.")
    return judged.right and not judged.more


def show_board(position: Position) -> None:
    """Draw a position with the players and the tiles to come."""
    drawn = whole(position, glyphs(plain=False), ahead=_TILES)
    say("\n".join(drawn.lines(colour=coloured(Colour.AUTO))), picture=True)


def _solution(puzzle: Puzzle) -> Iterator[str]:
    """Yield the stored answer with its explanation and the refuted moves."""
    yield from answer_text(stored(puzzle))
    yield from (f"  not {one.move}: {one.value}. {one.why}".rstrip() for one in puzzle.refutations)
    yield explained(puzzle)


def explained(puzzle: Puzzle) -> str:
    """Return the paragraphs of the explanation of a puzzle, folded."""
    wide = min(columns(), 96)
    paragraphs = puzzle.explanation.splitlines()
    return "\n".join(
        fill(one, width=wide, initial_indent="  ", subsequent_indent="  ") for one in paragraphs
    )


def answer_text(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of an answer."""
    got = verdict.got
    if "legal" in got:
        broken = ", ".join(got.get("breaks", ()))
        yield f"  Answer: {'legal' if got['legal'] else f'illegal: {broken}'}"
    elif "points" in got or "scores" in got:
        yield f"  Answer: {', '.join(got.get('points', ())) or 'nobody scores'}"
    elif "cell" in got:
        yield f"  Answer: the tile on {got['cell']}"
    elif "turns" in got and "value" not in got:
        yield f"  Answer: {'; '.join(got['turns'])}"
    elif verdict.unproved:
        yield "  Answer: no proof, since the search was stopped"
        return
    else:
        yield f"  Answer: {got['value']} ({got['status']})"
    yield from (f"    {move}" for move in got.get("moves", ()))
