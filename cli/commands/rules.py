"""``burgrave rules``: the rules with their code and their cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_rules
from burgrave.cli.options import AsciiOption, ForceOption, JsonOption, PictureOption, WidthOption
from burgrave.cli.output import glyphs, say, show
from burgrave.cli.render.width import columns
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.render.rules import AnyRule
    from burgrave.puzzles.cards.files import Card


def rules(
    rule_id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="A rule, a family of rules, a rule card, or words of their texts.",
            show_default=False,
            autocompletion=complete_rules,
        ),
    ] = None,
    output: PictureOption = None,
    width: WidthOption = None,
    force: ForceOption = False,
    ascii_only: AsciiOption = False,
    as_json: JsonOption = False,
) -> None:
    """List the rules, or show one with its source, switches and cards."""
    from burgrave.cli.pictures import check_target, check_width, save_picture
    from burgrave.cli.render.rules import (
        card_picture,
        card_text,
        family,
        rule_data,
        rule_lines,
        rule_text,
        shown_card,
    )
    from burgrave.model.pictures import View, board_svg
    from burgrave.model.rules.index import RULES
    from burgrave.puzzles.cards.deck import cards

    check_width(output, width)
    if output is not None:
        check_target(output, force=force)
    found, named = _named((rule_id or "").lower().rstrip(".*"))
    shown = named
    if shown is None and len(found) == 1:
        shown = shown_card(found, cards(), columns())
    if output is not None:
        if shown is None:
            raise QuestionError("-o draws the position of a card: name one rule or card")
        save_picture(output, board_svg(shown.position, View()), width)
        if as_json:
            show({"file": str(output)}, "", as_json=True)
        return
    lines: list[str] = []
    if named is not None:
        lines += [*card_text(named), *(line for rule in found for line in rule_lines(rule))]
    elif len(found) == 1 or (rule_id and family(rule_id, RULES) == found != [*RULES]):
        lines += "\n\n".join("\n".join(rule_text(rule, cards())) for rule in found).split("\n")
    else:
        lines += [line for rule in found for line in rule_lines(rule)]
    show([rule_data(rule, cards()) for rule in found], "\n".join(lines), as_json=as_json)
    if shown is not None and not as_json:
        say("\n".join(card_picture(shown, glyphs(plain=ascii_only))), picture=True)


def _named(wanted: str) -> tuple[list[AnyRule], Card | None]:
    """Return the rules that a word names, or whose texts have it, and the card that it names.

    Raises:
        QuestionError: there are none.

    """
    from burgrave.cli.render.rules import found_rules, words
    from burgrave.model.naming import alike, quoted, suggestion
    from burgrave.model.rules.index import RULES
    from burgrave.puzzles.cards.deck import cards

    found, card = found_rules(wanted, RULES, cards())
    if not found:
        known = [*(rule.id for rule in RULES), *(card.id for card in cards())]
        if not alike(wanted, known):
            known = words(RULES)
        hint = suggestion(wanted, known, "burgrave rules lists them.")
        raise QuestionError(f"no rule {quoted(wanted)}, and no rule's text has it.{hint}")
    return found, card
