"""``burgrave solve``: puzzles answered again, or tried by the user."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import ANSWERED, NO, ONLY_A_BOUND
from cli.options import JsonOption, TimeOption, budget
from cli.output import note, say, show
from model.errors import QuestionError

if TYPE_CHECKING:
    from puzzles.cards.verdict import Verdict
    from puzzles.study.puzzle import Puzzle


def solve(
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PUZZLE...",
            help="Files, - for standard input, or ids of shipped puzzles.",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every shipped puzzle as well.")
    ] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Let me try first, with hints on demand.")
    ] = False,
    certify: Annotated[
        bool, typer.Option("--certify", help="Two engines must come to the stored answer.")
    ] = False,
    engine: Annotated[
        str | None,
        typer.Option(help="The engine that answers; its name as of best, max or force."),
    ] = None,
    time: TimeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer puzzles anew and compare with their stored answers."""
    from cli import sources
    from cli.render.verdicts import verdict_data
    from puzzles.library import puzzle_entries
    from puzzles.solving import certified
    from puzzles.solving import certify as prove
    from puzzles.solving import solve as answer

    names = list(wanted or ())
    if everything:
        names += [entry.id for entry in puzzle_entries()]
    if not names:
        raise QuestionError("name a puzzle, or give --all")
    if sum((ask, certify, engine is not None)) > 1 or (ask and as_json):
        raise QuestionError(
            "--ask, --certify and --engine exclude each other, --ask and --json too"
        )
    puzzles = sources.all_puzzles(names)
    if ask:
        solved = [_asked(puzzle) for puzzle in puzzles]
        raise typer.Exit(ANSWERED if all(solved) else NO)
    allowed = budget(time)
    found: list[list[Verdict]] = []
    for puzzle in puzzles:
        verdicts = prove(puzzle, allowed) if certify else [answer(puzzle, engine, allowed)]
        found.append(verdicts)
        if not as_json:
            say("\n".join(_text(puzzle, verdicts, certify=certify)))
    ok = [certified(verdicts) if certify else verdicts[0].passed for verdicts in found]
    unproved = 0 if certify else sum(verdicts[0].unproved for verdicts in found)
    failed = ok.count(False) - unproved
    if as_json:
        data = [
            {**(verdict_data(verdicts) if verdicts else {"id": puzzle.id}), "passed": passed}
            for puzzle, verdicts, passed in zip(puzzles, found, ok, strict=True)
        ]
        show(data, "", as_json=True)
    elif len(puzzles) > 1:
        more = f", {unproved} without a proof" if unproved else ""
        say(f"{len(puzzles)} puzzles, {failed} failed{more}")
    raise typer.Exit(NO if failed else ONLY_A_BOUND if unproved else ANSWERED)


def _text(puzzle: Puzzle, verdicts: list[Verdict], *, certify: bool) -> Iterator[str]:
    """Yield question, answer and explanation, and the verdict."""
    from cli.render.verdicts import verdict_text
    from puzzles.solving import TWO

    yield f"{puzzle.id}: {puzzle.title}"
    yield f"  Question: {puzzle.words}"
    if verdicts:
        yield from _answer(verdicts[0])
    yield fill(puzzle.explanation, width=96, initial_indent="  ", subsequent_indent="  ")
    if verdicts:
        yield from verdict_text(verdicts)
    if certify and len(verdicts) < TWO:
        names = " and ".join(verdict.engine for verdict in verdicts) or "no engine"
        yield f"  not certified: {names} alone came to a proof"


def _answer(verdict: Verdict) -> Iterator[str]:
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


def _asked(puzzle: Puzzle) -> bool:
    """Let the user try a puzzle; tell whether he found the answer."""
    from puzzles.tutor import HINTS, attempt, form, hints

    say(f"{puzzle.id}: {puzzle.title}\n{puzzle.words}")
    note(f"Answer with {form(puzzle)}; 'hint' helps, 'solution' ends it.")
    given = 0
    while True:
        try:
            text = typer.prompt("Your answer", err=True)
        except typer.Abort:
            text = "solution"
        if text.strip().lower() == "hint":
            say(hints(puzzle)[min(given, HINTS - 1)])
            given += 1
            continue
        if text.strip().lower() == "solution":
            right = False
            break
        try:
            tried = attempt(puzzle, text)
        except QuestionError as error:
            note(str(error))
            continue
        say(tried.told)
        if tried.right:
            right = True
            break
    say("\n".join(_solution(puzzle)))
    return right


def _solution(puzzle: Puzzle) -> Iterator[str]:
    """Yield the stored answer with its explanation and the refuted moves."""
    from puzzles.solving import stored

    yield from _answer(stored(puzzle))
    yield from (f"  not {one.move}: {one.value}. {one.why}".rstrip() for one in puzzle.refutations)
    yield fill(puzzle.explanation, width=96, initial_indent="  ", subsequent_indent="  ")
