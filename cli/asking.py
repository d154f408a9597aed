"""A puzzle as a dialogue: the user tries it, with hints on demand."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

import typer

from cli.output import Colour, coloured, glyphs, note, say
from cli.render.legend import whole
from cli.render.width import columns
from model.errors import QuestionError
from puzzles.cards.verdict import Verdict
from puzzles.solving import stored
from puzzles.study.puzzle import Puzzle
from puzzles.tutor import HINTS, attempt, form, hints

_WORDS = {
    "hint": "the next of three hints",
    "board": "show the position again",
    "solution": "show the answer and end this puzzle",
    "quit": "leave without an answer",
    "?": "show these words",
}
"""The words that can be typed besides an answer."""
_QUIT = frozenset({"quit", "exit", "q"})


_TILES = 8
"""Tiles after the next that are drawn at most."""


class QuitError(Exception):
    """The user ends the dialogue."""


def tried(puzzle: Puzzle) -> bool:
    """Let the user try a puzzle.

    Returns:
        Whether the user found the answer.

    Raises:
        QuitError: the user leaves.

    """
    say(f"{puzzle.id}: {puzzle.title}\n")
    _show_board(puzzle)
    say(f"\n{puzzle.words}")
    note(f"Answer with {form(puzzle)}; ? lists what else you can type.")
    given = 0
    while True:
        try:
            text = typer.prompt("Your answer", err=True).strip()
        except typer.Abort:
            # Nobody types any more: the input has ended.
            text = "solution"
        word = text.lower()
        if word in _QUIT:
            raise QuitError
        if word in {"?", "help"}:
            say(f"An answer is {form(puzzle)}. Other words:")
            say("\n".join(f"  {name:10}{meaning}" for name, meaning in _WORDS.items()))
        elif word == "board":
            _show_board(puzzle)
        elif word == "hint":
            last = "" if given < HINTS else " That was the last hint; solution shows the answer."
            say(f"{hints(puzzle)[min(given, HINTS - 1)]}{last}")
            given += 1
        elif word == "solution":
            say("\n".join(_solution(puzzle)))
            return False
        elif _right(puzzle, text):
            say("\n".join(_solution(puzzle)))
            return True


def _right(puzzle: Puzzle, text: str) -> bool:
    """Show the user the value of an answer; return whether it is right."""
    try:
        judged = attempt(puzzle, text)
    except QuestionError as error:
        note(str(error))
        return False
    say(judged.told)
    return judged.right


def _show_board(puzzle: Puzzle) -> None:
    """Draw the position with the players and the tiles to come."""
    drawn = whole(puzzle.position, glyphs(plain=False), ahead=_TILES)
    say("\n".join(drawn.lines(colour=coloured(Colour.AUTO))), picture=True)


def _solution(puzzle: Puzzle) -> Iterator[str]:
    """Yield the stored answer with its explanation and the refuted moves."""
    yield from answer_text(stored(puzzle))
    yield from (f"  not {one.move}: {one.value}. {one.why}".rstrip() for one in puzzle.refutations)
    yield explained(puzzle)


def explained(puzzle: Puzzle) -> str:
    """Return the explanation of a puzzle, folded."""
    wide = min(columns(), 96)
    return fill(puzzle.explanation, width=wide, initial_indent="  ", subsequent_indent="  ")


def answer_text(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of an answer."""
    got = verdict.got
    if "legal" in got:
        broken = ", ".join(got.get("breaks", ()))
        yield f"  Answer: {'legal' if got['legal'] else f'illegal: {broken}'}"
    elif "points" in got or "scores" in got:
        yield f"  Answer: {', '.join(got.get('points', ())) or 'nobody scores'}"
    elif verdict.unproved:
        yield "  Answer: no proof, since the search was stopped"
        return
    else:
        yield f"  Answer: {got['value']} ({got['status']})"
    yield from (f"    {move}" for move in got.get("moves", ()))
