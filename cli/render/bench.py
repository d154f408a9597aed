"""What the composer's bench finds, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from burgrave.model.naming import times
from burgrave.puzzles.making.bench import Bench
from burgrave.puzzles.questions import plain
from burgrave.puzzles.study.puzzle import Refutation

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


def bench_data(bench: Bench, *, whole: bool, file: str | None) -> json_lists.Composition:
    """Return the JSON keys of an examination.

    Args:
        bench: what it found.
        whole: whether it came to its end.
        file: the file that was written; None if there is none.

    """
    puzzle = bench.puzzle
    return {
        "question": puzzle.question.name,
        "words": puzzle.question.words(puzzle.position),
        "sound": whole and bench.sound,
        "whole": whole,
        "faults": list(bench.faults),
        "proved": bench.proved,
        "value": puzzle.answer.value,
        "key": bench.key,
        "cooks": list(bench.cooks),
        "line": list(puzzle.answer.line),
        "engines": list(bench.engines or ()),
        "makes": list(bench.makes),
        "tries": [
            {
                "move": one.move,
                "value": one.value,
                "margin": plain(_margin(bench, one)) or 0,
                "reply": _reply(one),
                "line": list(one.line),
            }
            for one in puzzle.refutations
        ],
        "idle": None
        if bench.idle is None
        else [{"kind": piece.kind, "text": piece.text} for piece in bench.idle],
        "themes": list(puzzle.themes),
        "difficulty": puzzle.difficulty,
        "quality": None if puzzle.measures is None else puzzle.measures.data,
        "file": file,
    }


def bench_text(bench: Bench, *, whole: bool) -> Iterator[str]:
    """Yield the lines of an examination."""
    puzzle = bench.puzzle
    yield puzzle.question.words(puzzle.position)
    if not bench.proved or not bench.told:
        bound = "" if puzzle.answer.value is None else f", at least {puzzle.answer.value}"
        yield f"Not proved: the search was stopped{bound}."
        return
    if bench.faults:
        yield f"Unsound: {'; '.join(bench.faults)}."
    elif whole and bench.sound:
        yield "Sound: the key is alone, and two engines prove it."
    else:
        yield "The key is alone; two engines have not proved it."
    yield f"Key: {bench.key}, value {puzzle.answer.value}"
    yield from (f"Cook: {move}" for move in bench.cooks)
    if len(puzzle.answer.line) > 1:
        yield f"Best play: {', '.join(puzzle.answer.line)}"
    if bench.engines is not None:
        yield f"Proved by: {_provers(bench)}"
    yield from (_try(bench, one) for one in puzzle.refutations)
    if whole and bench.idle is None and not bench.faults:
        yield "Economy: there was not enough time to try every piece; the rest is not examined."
    yield from _economy(bench)
    yield f"Themes: {', '.join(puzzle.themes) or 'none'}"
    if puzzle.measures is not None:
        told = {key: value for key, value in puzzle.measures.data.items() if key != "surprises"}
        yield f"Difficulty: {puzzle.difficulty}"
        yield f"Quality: {', '.join(f'{key} {value}' for key, value in told.items())}"
        yield f"Surprises: {', '.join(puzzle.measures.surprises) or 'none'}"


def _provers(bench: Bench) -> str:
    """Return the engines that proved the answer, and whether they are of one make."""
    names = " and ".join(bench.engines or ()) or "no engine"
    if len(bench.engines or ()) > 1 and len(bench.makes) == 1:
        return f"{names}, both of one make: they confirm less than two makes"
    return names if bench.certified else f"{names} alone"


def _margin(bench: Bench, one: Refutation) -> Fraction:
    """Return the points by which a try is worse than the key."""
    return Fraction(bench.puzzle.answer.value or 0) - Fraction(one.value)


def _reply(one: Refutation) -> str | None:
    """Return the best reply to a try; None if the question knows none."""
    return one.line[1] if len(one.line) > 1 else None


def _try(bench: Bench, one: Refutation) -> str:
    """Return a try with its value and the reply."""
    reply = _reply(one)
    told = f"Try: {one.move}, value {one.value}, {plain(_margin(bench, one))} less"
    return told if reply is None else f"{told}; the reply is {reply}"


def _economy(bench: Bench) -> Iterator[str]:
    """Yield the pieces that could go."""
    if bench.idle is None:
        return
    if not bench.idle:
        yield "Economy: no piece can go."
        return
    yield f"Economy: {times(len(bench.idle), 'piece')} could go, each by itself:"
    yield from (f"  {piece.text}" for piece in bench.idle)
