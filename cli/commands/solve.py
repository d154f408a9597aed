"""``burgrave solve``: puzzles answered again, or tried by the user."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_puzzles
from burgrave.cli.exits import ANSWERED, NO, ONLY_A_BOUND
from burgrave.cli.options import (
    ClusterOption,
    JsonOption,
    KeepOption,
    ProcessesOption,
    TimeOption,
    budget,
    workers,
)
from burgrave.cli.output import note, say, show
from burgrave.cli.render.editions import rules_text
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.kept import Kept
    from burgrave.puzzles.cards.verdict import Verdict
    from burgrave.puzzles.study.puzzle import Puzzle
    from burgrave.solver.pool import Pool


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
    keep: KeepOption = None,
    jobs: ProcessesOption = None,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve puzzles and compare with their stored answers, or try them with --ask."""
    from burgrave.cli import sources
    from burgrave.cli.kept import kept_verdicts
    from burgrave.cli.render.verdicts import verdict_data
    from burgrave.puzzles.files.library import puzzle_entries
    from burgrave.puzzles.files.puzzle_files import puzzle_data
    from burgrave.puzzles.judging.solving import certified, verdicts_on

    names = list(wanted or ())
    if everything:
        names += [entry.id for entry in puzzle_entries()]
    if not names:
        raise QuestionError("name a puzzle, or give --all")
    if sum((ask, certify, engine is not None)) > 1 or (ask and as_json):
        raise QuestionError(
            "--ask, --certify and --engine exclude each other, --ask and --json too"
        )
    if ask and not (jobs is None and cluster is None and keep is None):
        raise QuestionError("--ask takes no --jobs, no --cluster and no --keep")
    puzzles = sources.all_puzzles(names)
    if ask:
        from burgrave.cli.asking import of_puzzle, tried_all

        found_all = tried_all([of_puzzle(puzzle) for puzzle in puzzles], "puzzle")
        raise typer.Exit(ANSWERED if found_all else NO)
    judge = partial(verdicts_on, engine=engine, certificate=certify, budget=budget(time))
    about = {"answers": "solve", "engine": engine, "certify": certify, "time": time}
    kept: Kept[Puzzle, list[Verdict]] = kept_verdicts(
        keep, about, lambda one: json.dumps(puzzle_data(one))
    )
    with workers(jobs, cluster) as pool:
        found = _verdicts(puzzles, judge, kept, pool, certify=certify, silent=as_json)
    ok = [
        certified(verdicts) if certify else bool(verdicts) and verdicts[0].passed
        for verdicts in found
    ]
    unproved = 0 if certify else sum(one.unproved for verdicts in found for one in verdicts)
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


def _verdicts(
    puzzles: list[Puzzle],
    judge: Callable[[Puzzle], list[Verdict]],
    kept: Kept[Puzzle, list[Verdict]],
    pool: Pool | None,
    *,
    certify: bool,
    silent: bool,
) -> list[list[Verdict]]:
    """Return the verdicts on each puzzle, none for one that cannot be answered; print them.

    Raises:
        QuestionError: no puzzle can be answered.
        FileError: a verdict cannot be kept.

    """
    from burgrave.cli.progress import Pace, interrupts
    from burgrave.solver.workers.tasks import in_words

    found: list[list[Verdict]] = []
    refused = 0
    pace = Pace(wanted=len(puzzles), name="puzzles")
    with interrupts() as interrupted, closing(kept.of(judge, puzzles, pool)) as results:
        for done in results:
            if len(puzzles) > 1 and done.error is not None:
                note(f"{done.item.id}: {in_words(done.error)}")
                found.append([])
                refused += 1
            else:
                found.append(done.result())
                if not interrupted:  # a proof that ended at Ctrl-C is found the next time
                    kept.add(done.item, found[-1])
                if not silent:
                    say("\n".join(_text(done.item, found[-1], certify=certify)))
            if interrupted and len(found) < len(puzzles):
                raise KeyboardInterrupt
            pace.tell(len(found))
    if refused == len(puzzles):
        raise QuestionError(f"none of the {refused} puzzles can be answered; see the lines above")
    return found


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
