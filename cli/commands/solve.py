"""``burgrave solve``: puzzles answered again, or tried by the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_puzzles
from burgrave.cli.exits import ANSWERED, NO, ONLY_A_BOUND
from burgrave.cli.options import JsonOption, TimeOption, budget
from burgrave.cli.output import say, show
from burgrave.cli.render.editions import rules_text
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.puzzles.cards.verdict import Verdict
    from burgrave.puzzles.study.puzzle import Puzzle


def solve(
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PUZZLE...",
            help="Files, - for standard input, or ids of shipped puzzles.",
            show_default=False,
            autocompletion=complete_puzzles,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Solve every shipped puzzle.")] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Try it yourself, with hints on demand.")
    ] = False,
    certify: Annotated[
        bool, typer.Option("--certify", help="Require that two engines prove the stored answer.")
    ] = False,
    engine: Annotated[
        str | None,
        typer.Option(help="The engine that answers, as for best, max or force."),
    ] = None,
    time: TimeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve puzzles and compare with their stored answers, or try them with --ask."""
    from burgrave.cli import sources
    from burgrave.cli.progress import interrupts
    from burgrave.cli.render.verdicts import verdict_data
    from burgrave.puzzles.files.library import puzzle_entries
    from burgrave.puzzles.judging.solving import certified
    from burgrave.puzzles.judging.solving import certify as prove
    from burgrave.puzzles.judging.solving import solve as answer

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
        from burgrave.cli.asking import of_puzzle, tried_all

        found_all = tried_all([of_puzzle(puzzle) for puzzle in puzzles], "puzzle")
        raise typer.Exit(ANSWERED if found_all else NO)
    allowed = budget(time)
    found: list[list[Verdict]] = []
    with interrupts() as interrupted:
        for puzzle in puzzles:
            verdicts = prove(puzzle, allowed) if certify else [answer(puzzle, engine, allowed)]
            found.append(verdicts)
            if not as_json:
                say("\n".join(_text(puzzle, verdicts, certify=certify)))
            if interrupted and puzzle is not puzzles[-1]:
                raise KeyboardInterrupt
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
    from burgrave.cli.asking import answer_text, explained
    from burgrave.cli.render.verdicts import verdict_text
    from burgrave.puzzles.judging.solving import TWO

    yield f"{puzzle.id}: {puzzle.title}"
    yield from (f"  {line}" for line in rules_text(puzzle.position.game))
    yield f"  Question: {puzzle.words}"
    if verdicts:
        yield from answer_text(verdicts[0])
    yield explained(puzzle)
    if verdicts:
        yield from verdict_text(verdicts)
    if certify and len(verdicts) < TWO:
        names = " and ".join(verdict.engine for verdict in verdicts) or "no engine"
        yield f"  not certified: {names} alone came to a proof"
