"""``burgrave rules``: the rules with their code and their cards."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import AsciiOption, JsonOption
from cli.output import glyphs, show
from model.errors import QuestionError


def rules(
    rule_id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="A rule, a family of rules, or a word in their texts.",
            show_default=False,
        ),
    ] = None,
    ascii_only: AsciiOption = False,
    as_json: JsonOption = False,
) -> None:
    """List all rules with their switches; of one or a family text, source, place and cards too."""
    from cli.render.rules import rule_data, rule_lines, rule_picture, rule_text, speaking
    from model.naming import quoted, suggestion
    from model.rules.index import RULES
    from puzzles.cards.deck import cards

    wanted = (rule_id or "").lower().rstrip(".*")
    found = [rule for rule in RULES if f"{rule.id}.".startswith(f"{wanted}." * bool(wanted))]
    named = bool(found)
    if not named:
        found = speaking(wanted, RULES, cards())
    if not found:
        known = [rule.id for rule in RULES]
        hint = suggestion(wanted, known, "burgrave rules lists them.")
        raise QuestionError(f"no rule {quoted(wanted)}, and no rule's text has it.{hint}")
    if rule_id is None or not named:
        text = "\n".join(line for rule in found for line in rule_lines(rule))
    else:
        text = "\n\n".join("\n".join(rule_text(rule, cards())) for rule in found)
        if len(found) == 1:
            drawn = rule_picture(found[0], cards(), glyphs(plain=ascii_only))
            text = "\n".join([text, *drawn])
    show([rule_data(rule, cards()) for rule in found], text, as_json=as_json)
