"""``burgrave verify``: the rule cards, answered again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_rules
from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import (
    ClusterOption,
    EngineName,
    JsonOption,
    KeepOption,
    ProcessesOption,
    workers,
)
from burgrave.cli.output import note, say, show
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.kept import Kept
    from burgrave.puzzles.cards.files import Card
    from burgrave.puzzles.cards.verdict import Verdict


def verify(
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CARD...",
            help="Cards, beginnings of their ids, rules, or families of rules.",
            show_default=False,
            autocompletion=complete_rules,
        ),
    ] = None,
    engine: Annotated[
        EngineName | None,
        typer.Option(help="Use only this engine; by default every one that can answer."),
    ] = None,
    keep: KeepOption = None,
    jobs: ProcessesOption = None,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer the rule cards with every engine and compare with the stored verdicts."""
    from burgrave.cli.kept import kept_verdicts
    from burgrave.cli.progress import Pace, interrupts
    from burgrave.cli.render.verdicts import verdict_data, verdict_text
    from burgrave.model.naming import times
    from burgrave.puzzles.cards.deck import engines_for, run_all, select
    from burgrave.solver.workers.tasks import in_words

    cards = [
        (card, engines)
        for card in select(wanted or ())
        if (engines := [e for e in engines_for(card) if engine in {None, e}])
    ]
    if not cards:
        raise QuestionError(f"engine {engine} can answer none of these cards")
    about = {"answers": "verify", "engine": engine}
    kept: Kept[tuple[Card, Sequence[str]], list[Verdict]] = kept_verdicts(
        keep, about, lambda asked: asked[0].id
    )
    answered, failed = [], 0
    pace = Pace(wanted=len(cards), name="cards")
    with (
        workers(jobs, cluster) as pool,
        interrupts() as interrupted,
        closing(kept.of(run_all, cards, pool)) as results,
    ):
        for at, done in enumerate(results, start=1):
            if interrupted:
                raise KeyboardInterrupt
            if done.error is not None:
                failed += 1
                note(f"{done.item[0].id}: {in_words(done.error)}")
                continue
            answered.append(done.result())
            kept.add(done.item, answered[-1])
            failed += not all(verdict.passed for verdict in answered[-1])
            if not as_json:
                say("\n".join(verdict_text(answered[-1])))
            pace.tell(at)
    summary = f"{times(len(cards), 'card')}, {failed} failed"
    show([verdict_data(verdicts) for verdicts in answered], summary, as_json=as_json)
    raise typer.Exit(NO if failed else ANSWERED)
