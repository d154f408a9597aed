"""``burgrave verify``: the rule cards, answered again."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.completion import complete_rules
from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import EngineName, JsonOption
from burgrave.cli.output import say, show
from burgrave.model.errors import QuestionError


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
    as_json: JsonOption = False,
) -> None:
    """Answer the rule cards with every engine and compare with the stored verdicts."""
    from burgrave.cli.progress import ending
    from burgrave.cli.render.verdicts import verdict_data, verdict_text
    from burgrave.model.naming import times
    from burgrave.puzzles.cards.deck import engines_for, run, select

    cards = [
        (card, [e for e in engines_for(card) if engine in {None, e}])
        for card in select(wanted or ())
    ]
    answered = []
    for card, engines in cards:
        if engines:
            with ending():
                answered.append([run(card, name) for name in engines])
            if not as_json:
                say("\n".join(verdict_text(answered[-1])))
    if not answered:
        raise QuestionError(f"engine {engine} can answer none of these cards")
    failed = sum(any(not verdict.passed for verdict in verdicts) for verdicts in answered)
    summary = f"{times(len(answered), 'card')}, {failed} failed"
    show([verdict_data(verdicts) for verdicts in answered], summary, as_json=as_json)
    raise typer.Exit(NO if failed else ANSWERED)
