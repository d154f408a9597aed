"""``burgrave rules``: the rules, where they stand and what shows them."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import JsonOption
from cli.output import show
from model.errors import QuestionError


def rules(
    rule_id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="A rule, or a family of rules.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List all rules or, of one or a family, text, source, switches, place and cards."""
    from cli.render.rules import rule_data, rule_text
    from model.naming import quoted, suggestion
    from model.rules.index import RULES
    from puzzles.cards import cards

    wanted = (rule_id or "").lower().rstrip(".*")
    found = [rule for rule in RULES if f"{rule.id}.".startswith(f"{wanted}." * bool(wanted))]
    if not found:
        known = [rule.id for rule in RULES]
        raise QuestionError(
            f"no rule {quoted(wanted)}.{suggestion(wanted, known, 'burgrave rules lists them.')}"
        )
    if rule_id is None:
        text = "\n".join(f"{rule.id:26} {rule.sentence}" for rule in found)
    else:
        text = "\n\n".join("\n".join(rule_text(rule, cards())) for rule in found)
    show([rule_data(rule, cards()) for rule in found], text, as_json=as_json)
